// The data of the site are cleared while a page is open, in real browsers, which close the database.
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';
import { serve } from '../setup/server.ts';
import type { Play } from './offline/page.ts';

let script: string;
beforeAll(async () => {
  script = await bundlePage('offline/page.ts', { mode: 'development' });
});

/** A server of tasks that can be down; the server also serves the pages. */
async function setUp() {
  const network = { isUp: false };
  const sent = new Map<unknown, string>();
  const server = await serve(({ method, url, text, headers: asked }, response) => {
    const headers: Record<string, string> = { 'content-type': 'text/html' };
    if (method === 'GET') {
      if (url === '/clear') headers['clear-site-data'] = '"storage"';
      response.writeHead(200, headers);
      return void response.end(`<!doctype html><script>${url === '/' ? script : ''}</script>`);
    }
    if (!network.isUp) return { status: 503, body: {} };
    // a page that is reloaded may send a mutation again, with the same key
    sent.set(asked['idempotency-key'], (JSON.parse(text) as { title: string }).title);
    return { status: 201, body: { id: sent.size, ...(JSON.parse(text) as object) } };
  });
  return { server, network, sent };
}

const look = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { play: Play }).play.look());
const make = (page: Page, title: string) =>
  page.evaluate((of) => (globalThis as unknown as { play: Play }).play.make(of), title);

eachBrowser(({ name, newContext }) => {
  /** Resolves when the browser has cleared the data of the site. */
  async function clear(page: Page): Promise<void> {
    const { origin } = new URL(page.url());
    if (name === 'Chromium') {
      const session = await page.createCDPSession();
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
      return;
    }
    const other = await page.browserContext().newPage();
    await other.goto(`${origin}/clear`);
    await other.close();
  }

  test('[P8] mutations made offline while the site data are cleared are there after a reload, and are sent once', async () => {
    const { server, network, sent } = await setUp();
    const page = await (await newContext()).newPage();
    await page.goto(`${server.address}/`);
    await make(page, 'before');
    await expect.poll(() => look(page)).toMatchObject({ waiting: 1 });
    const titles = ['before'];
    let isCleared = false;
    const clearing = clear(page).finally(() => (isCleared = true));
    do {
      titles.push(`edit ${titles.length}`);
      await make(page, titles.at(-1) as string);
    } while (!isCleared || titles.length < 10);
    await clearing;
    await make(page, 'then');
    titles.push('then');
    const all = { shown: [...titles].sort(), waiting: titles.length };
    await expect.poll(() => look(page), { timeout: 10_000 }).toMatchObject(all);
    await page.reload();
    await expect.poll(() => look(page)).toMatchObject(all);
    network.isUp = true;
    await page.reload();
    await expect.poll(() => look(page), { timeout: 20_000 }).toMatchObject({ waiting: 0 });
    expect([...sent.values()]).toEqual(titles);
  });
});
