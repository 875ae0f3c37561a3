// The data of the site are cleared under an open page, in real browsers, which close its database.
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

/** A server of tasks that can be down, and has pages of its own. */
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
  test('[P8] what is issued offline before and after the data of the site are cleared is there after a reload, and sent once', async () => {
    const { server, network, sent } = await setUp();
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(`${server.address}/`);
    await make(page, 'tea');
    await expect.poll(() => look(page)).toMatchObject({ waiting: 1 });
    if (name === 'Chromium') {
      const session = await page.createCDPSession();
      const { origin } = new URL(server.address);
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    } else {
      const other = await context.newPage();
      await other.goto(`${server.address}/clear`);
      await other.close();
    }
    await make(page, 'coffee');
    await expect.poll(() => look(page)).toMatchObject({ waiting: 2 });
    await page.reload();
    await expect.poll(() => look(page)).toMatchObject({ shown: ['coffee', 'tea'], waiting: 2 });
    network.isUp = true;
    await page.reload();
    await expect.poll(() => look(page), { timeout: 20_000 }).toMatchObject({ waiting: 0 });
    expect([...sent.values()]).toEqual(['tea', 'coffee']);
  });
});
