// React's concurrent rendering in a real browser, with its own scheduler: nothing tears, and nothing blocks.
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../setup/browser.ts';
import { bundlePage } from '../setup/bundlePage.ts';
import type { Kind, Play } from './tearing/page.tsx';

const bundle = (react: string, reactDom: string) =>
  bundlePage('tearing/page.tsx', {
    entries: { 'signalbox/react': 'adapters/react/index.ts' },
    packages: { react, 'react-dom': reactDom },
    minify: true,
  });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const kinds: readonly Kind[] = ['plain', 'deferred'];
const READERS = 30;
const all = (text: string): string[] => Array.from({ length: READERS }, () => text);

describe.each([
  { version: '19', react: 'react', dom: 'react-dom' },
  { version: '18', react: 'react-18', dom: 'react-dom-18' },
])('React $version', ({ react, dom }) => {
  let script: string;
  beforeAll(async () => {
    script = await bundle(react, dom);
  });

  /** Plays one scene on a page of its own. */
  async function played<S extends keyof Play>(
    scene: S,
    kind: Kind = 'plain',
  ): Promise<Awaited<ReturnType<Play[S]>>> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setContent('<body></body>');
    await page.addScriptTag({ content: script });
    const seen: unknown = await page.evaluate(`play.${scene}('${kind}')`);
    await page.close();
    expect(complaints).toEqual([]);
    return seen as Awaited<ReturnType<Play[S]>>;
  }

  test.each(kinds)('[H4] %s readers never differ while the data change', async (kind) => {
    const { torn, last } = await played('update', kind);
    expect(last).toEqual(all('6'));
    expect(torn).toEqual([]);
  });

  test.each(kinds)(
    '[H4] %s readers never differ that mount while the data change',
    async (kind) => {
      const { torn, last } = await played('mount', kind);
      expect(last).toEqual(all('6'));
      expect(torn).toEqual([]);
    },
  );

  test('[H4] what is urgent comes before readers that render in a transition', async () => {
    const { pressed, beside, seen } = await played('interrupt');
    expect(pressed).toBe('pressed');
    expect(beside).toEqual(['1']);
    expect(seen.screens).toEqual(['1', '2']);
  });

  test('[H4] an urgent change beside one that is pending ends with both', async () => {
    const { torn, last } = await played('branch');
    expect(last).toEqual(all('4'));
    expect(torn).toEqual([]);
  });
});
