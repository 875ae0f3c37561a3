// React's concurrent rendering in a real browser, with the real scheduler: no tearing, and no blocking.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import type { Hook } from './tearing/counter.tsx';
import type { Cast, Play } from './tearing/page.tsx';

const bundle = (react: string, reactDom: string) =>
  bundlePage('tearing/page.tsx', {
    packages: { react, 'react-dom': reactDom },
    minify: true,
  });

const browser = headlessShellOfFile();

/** TEARING=pairs: each hook alone and each pair of hooks, under CPU throttling; TEARING_ROUNDS times. */
const thorough = process.env['TEARING'] === 'pairs';
const ROUNDS = Number(process.env['TEARING_ROUNDS'] ?? 1);
const THROTTLING = thorough ? 4 : 1;

const hooks: readonly Hook[] = ['useQuery', 'useSuspense', 'useCache', 'useEntity', 'For'];
const pairs = hooks.flatMap((one, at) =>
  hooks.slice(at).map((other) => [...new Set([one, other])]),
);
// a cast with all hooks contains each pair
const casts = thorough ? pairs : [hooks];

describe.each([
  { version: '19', react: 'react', dom: 'react-dom' },
  { version: '18', react: 'react-18', dom: 'react-dom-18' },
])('React $version', ({ react, dom }) => {
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setContent('<body></body>');
    await page.addScriptTag({ content: await bundle(react, dom) });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  });

  /** Plays a scene with each cast, and returns the faults against `expected` of the end. */
  async function played<S extends keyof Play>(
    scene: S,
    options: Partial<Cast>,
    check: (seen: Awaited<ReturnType<Play[S]>>, cast: Cast) => void,
  ): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      for (const names of casts) {
        const cast: Cast = { hooks: names, readers: 15, cost: 4, ...options };
        // oxlint-disable-next-line no-await-in-loop -- one scene at a time
        const seen: unknown = await page.evaluate(`play.${scene}(${JSON.stringify(cast)})`);
        check(seen as Awaited<ReturnType<Play[S]>>, cast);
      }
    }
    expect(complaints).toEqual([]);
  }

  const all = (text: string, { readers }: Cast): string[] =>
    Array.from({ length: readers }, () => text);
  const writes = ['timer', 'event', 'transition'] as const;

  // checks 1, 3, 7 and 9 of the public list; the final and the temporary state of these in a single scene
  test.each(writes)('[H8] no reader tears while the data change in a %s', async (write) => {
    for (const deferred of [false, true]) {
      // oxlint-disable-next-line no-await-in-loop -- one scene at a time
      await played('update', { deferred, write }, ({ torn, last }, cast) => {
        expect({ cast, torn, last }).toEqual({ cast, torn: [], last: all('6', cast) });
      });
    }
  });

  // checks 2, 4, 8 and 10
  test.each(writes)(
    '[H8] readers that mount while the data change in a %s do not tear',
    async (write) => {
      for (const deferred of [false, true]) {
        // oxlint-disable-next-line no-await-in-loop -- one scene at a time
        await played('mount', { deferred, write }, ({ torn, last }, cast) => {
          expect({ cast, torn, last }).toEqual({ cast, torn: [], last: all('6', cast) });
        });
      }
    },
  );

  // check 5
  test('[H8] readers that render in a transition are interrupted by an urgent update', async () => {
    await played('interrupt', {}, ({ pressed, beside, torn, screens, last }, cast) => {
      expect(pressed).toBe('pressed');
      expect(beside).toEqual(['1']);
      expect({ cast, torn, screens }).toEqual({ cast, torn: [], screens: ['1', '2'] });
      expect(last).toEqual(all('2', cast));
    });
  });

  // check 6: ×2 + 3 is shown of 1, and then of the 2 of the transition
  test('[H8] an urgent update is shown without the pending transition first, and then on top of the transition', async () => {
    await played('branch', {}, ({ torn, screens, last }, cast) => {
      expect({ cast, torn, screens }).toEqual({ cast, torn: [], screens: ['5', '7'] });
      expect(last).toEqual(all('7', cast));
    });
  });
});
