// The editor of the home page: loaded on demand, runs the example and the code of the reader, shows errors.
import type { Frame, HTTPRequest, Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { eachBrowser, type Engine } from '../setup/eachBrowser.ts';

/** The texts of the preview. */
interface Preview {
  readonly content: string;
  readonly error: string;
  readonly requests: readonly string[];
}

const EDIT = '.live-editor > button';

function readPreview(): Preview {
  const alert = document.querySelector<HTMLElement>('#error');
  return {
    content: document.querySelector('#root')?.textContent ?? '',
    error: alert?.hidden === false ? alert.textContent : '',
    requests: [...document.querySelectorAll('#requests li')].map(({ textContent }) => textContent),
  };
}

/** Opens the home page and records the addresses that the page requests from now on. */
async function openHome(
  { samePage }: Engine,
  url: string,
  width: number,
): Promise<{ page: Page; requests: string[] }> {
  const page = await samePage();
  await page.setViewport({ width, height: 900 });
  const requests: string[] = [];
  const note = (request: HTTPRequest) => void requests.push(new URL(request.url()).pathname);
  page.on('request', note);
  onTestFinished(() => void page.off('request', note));
  await page.goto(`${url}/index.html`, { waitUntil: 'load' });
  await page.waitForFunction(() => {
    const root: (HTMLElement & { __vue_app__?: object }) | null = document.querySelector('#app');
    return root?.__vue_app__ !== undefined;
  });
  return { page, requests };
}

async function startEditing(page: Page): Promise<Frame> {
  await page.click(EDIT);
  const element = await page.waitForSelector('.live-editor iframe');
  const frame = await element?.contentFrame();
  if (!frame) throw new Error('no preview');
  return frame;
}

/** Replaces the code, at once: each typed character costs the editor, the preview and the screen some work. */
async function write(page: Page, code: string): Promise<void> {
  await selectCode(page);
  await page.evaluate((text) => void document.execCommand('insertText', false, text), code);
}

async function selectCode(page: Page): Promise<void> {
  await page.click('.live-editor .cm-content');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
}

async function shows(frame: Frame, expected: Partial<Preview>): Promise<void> {
  await expect.poll(() => frame.evaluate(readPreview), { timeout: 20_000 }).toMatchObject(expected);
}

export function testEditor(urlOf: () => string): void {
  eachBrowser((engine) => {
    test.each([1440, 390])(
      '[CODE] the home page runs the edited example at %i px',
      async (width) => {
        const { page, requests } = await openHome(engine, urlOf(), width);
        expect(requests.filter((path) => /preview|createEditor/.test(path))).toEqual([]);
        const frame = await startEditing(page);
        await shows(frame, { content: 'Buy milk', error: '', requests: ['GET /tasks/1'] });
        await frame.click('#root li');
        await shows(frame, { content: 'done', requests: ['GET /tasks/1', 'PATCH /tasks/1'] });
        await selectCode(page);
        await page.keyboard.type("render('changed');");
        await shows(frame, { content: 'changed', error: '', requests: [] });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          width,
        );
        await page.click(EDIT);
        expect(await page.$('.live-editor iframe')).toBe(null);
      },
    );

    test.each([
      ["throw new RangeError('mine');", /^RangeError: mine$/],
      ['const = 1;', /^SyntaxError: /],
      ["import 'lodash';", /^Error: lodash is not available here/],
      ["setTimeout(() => { throw new Error('later'); });", /^Error: later$/],
      ["Promise.reject(new Error('rejected'));", /^Error: rejected$/],
    ])('[CODE] the preview of the home page shows the error of %s', async (code, message) => {
      const { page } = await openHome(engine, urlOf(), 1440);
      const frame = await startEditing(page);
      await shows(frame, { content: 'Buy milk' });
      await write(page, code);
      await shows(frame, { error: expect.stringMatching(message) as string });
      await write(page, "render('fine');");
      await shows(frame, { content: 'fine', error: '' });
    });

    test('[CODE] the preview of the home page has neither the origin nor the storage of the site', async () => {
      const { page } = await openHome(engine, urlOf(), 1440);
      const frame = await startEditing(page);
      await write(page, 'render(String(origin));');
      await shows(frame, { content: 'null' });
      await write(page, 'localStorage.clear();');
      await shows(frame, { error: expect.stringMatching(/^SecurityError/) as string });
    });
  });
}
