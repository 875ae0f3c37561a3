// The log of mutations in a real browser, with a real disk, real locks, and a network that is cut and restored.
import type { BrowserContext, Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { serve } from '../setup/server.ts';
import { chromiumOfFile } from '../setup/sharedBrowser.ts';
import type { Play } from './offline/page.ts';

const bundle = () =>
  bundlePage('offline/page.ts', {
    mode: 'development',
  });

const browser = chromiumOfFile();
let script: string;
beforeAll(async () => void (script = await bundle()));

/** A server of tasks, and a browser that has the page itself also without a network. */
async function setUp() {
  let made = 0;
  const server = await serve(({ method, text }) => {
    const id = method === 'POST' ? ++made : made;
    return { status: 200, body: { id, ...(JSON.parse(text) as object) } };
  });
  const context = await browser.newContext();
  const html = `<!doctype html><title>tasks</title><script>${script}</script>`;
  await context.route(`${server.address}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  const open = async () => {
    const page = await context.newPage();
    await page.goto(`${server.address}/`);
    return page;
  };
  const sent = () => server.asked.map(({ method, url, text }) => `${method} ${url} ${text}`);
  return { server, context, open, sent };
}

const look = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { play: Play }).play.look());

async function doOffline(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true);
  await page.evaluate(() => {
    const { play } = globalThis as unknown as { play: Play };
    play.make('tea');
    play.rename('tea', 'green tea');
    play.rename('green tea', 'black tea');
  });
  await expect.poll(() => look(page)).toEqual({ shown: ['black tea'], waiting: 3, locks: true });
}

const expected = [
  'POST /tasks {"title":"tea"}',
  'PATCH /tasks/1 {"title":"green tea"}',
  'PATCH /tasks/1 {"title":"black tea"}',
];

test('[P2] offline mutations are shown after a reload, and sent once, in order, when the network returns', async () => {
  const { server, context, open, sent } = await setUp();
  const page = await open();
  await doOffline(context, page);
  await page.reload();
  await expect.poll(() => look(page)).toEqual({ shown: ['black tea'], waiting: 3, locks: true });
  expect(sent()).toEqual([]);
  await context.setOffline(false);
  await expect.poll(() => look(page)).toEqual({ shown: ['black tea'], waiting: 0, locks: true });
  expect(sent()).toEqual(expected);
  expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  await page.reload();
  expect(await look(page)).toMatchObject({ waiting: 0 });
  expect(sent()).toEqual(expected);
  await context.close();
});

test('[P2] two tabs of one browser send a waiting mutation once', async () => {
  const { context, open, sent } = await setUp();
  const [one, other] = [await open(), await open()];
  await doOffline(context, one);
  await other.reload();
  await expect.poll(() => look(other)).toMatchObject({ waiting: 3 });
  await context.setOffline(false);
  for (const page of [one, other])
    await expect
      .poll(() => look(page), { timeout: 20_000 })
      .toMatchObject({ shown: ['black tea'], waiting: 0 });
  expect(sent()).toEqual(expected);
  await context.close();
});
