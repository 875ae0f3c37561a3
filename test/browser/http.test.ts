// Conditional requests in a real browser, whose HTTP cache would hide a 304 from the page.
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { serve } from '../setup/server.ts';
import { chromiumOfFile } from '../setup/sharedBrowser.ts';
import type { Play } from './http/page.ts';

interface Site {
  readonly address: string;
  title: string;
  /** The requests to the API, and the responses. */
  readonly log: string[];
}

/** The page and the API. `foreign`: pages of other origins may send requests, with these CORS headers. */
async function startSite(foreign: Record<string, string> = {}): Promise<Site> {
  const log: string[] = [];
  const site = { title: 'first', log };
  const { address } = await serve(({ url, method, headers: { 'if-none-match': known } }) => {
    if (url === '/') return { headers: { 'content-type': 'text/html' }, body: html };
    if (url !== '/todos/1') return { status: 404 };
    const { title } = site;
    const etag = `"${title}"`;
    const status = method === 'OPTIONS' ? 204 : known === etag ? 304 : 200;
    log.push(`${method} ${status}`);
    // the cache of the browser may answer by itself for an hour
    const headers = { etag, 'cache-control': 'max-age=3600', ...foreign };
    return { status, headers, ...(status === 200 && { body: { id: 1, title } }) };
  });
  return Object.assign(site, { address });
}

async function bundle(): Promise<string> {
  return `<!doctype html><body></body><script>${await bundlePage('http/page.ts')}</script>`;
}

const browser = chromiumOfFile();
let html: string;
beforeAll(async () => void (html = await bundle()));

async function visit(site: Site): Promise<(api: Site, http: boolean) => ReturnType<Play['ask']>> {
  const page: Page = await browser.newPage();
  await page.goto(site.address);
  return (api, http) =>
    page.evaluate(
      ([address, policy]) => (globalThis as unknown as { play: Play }).play.ask(address, policy),
      [api.address, http] as const,
    );
}

test('[F6] a browser passes the 304 to the page, and the page shows the stored data', async () => {
  const site = await startSite();
  const ask = await visit(site);
  expect(await ask(site, true)).toMatchObject({ title: 'first' });
  expect(await ask(site, true)).toEqual({ title: 'first', written: 0 });
  expect(await ask(site, true)).toEqual({ title: 'first', written: 0 });
  site.title = 'second';
  expect(await ask(site, true)).toMatchObject({ title: 'second' });
  expect(site.log).toEqual(['GET 200', 'GET 304', 'GET 304', 'GET 200']);
});

test('[F6] without the policy, the HTTP cache of the browser answers repeated reads', async () => {
  const site = await startSite();
  const ask = await visit(site);
  for (const _ of [1, 2, 3]) expect(await ask(site, false)).toMatchObject({ title: 'first' });
  expect(site.log).toEqual(['GET 200']);
});

test('[F6] a read of another origin sends If-None-Match if the ETag is exposed, else the browser revalidates', async () => {
  const [site, api, reserved] = await Promise.all([
    startSite(),
    startSite({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
      'access-control-allow-headers': 'If-None-Match',
    }),
    startSite({ 'access-control-allow-origin': '*' }),
  ]);
  const ask = await visit(site);
  for (const _ of [1, 2]) expect(await ask(api, true)).toMatchObject({ title: 'first' });
  expect(api.log).toEqual(['GET 200', 'OPTIONS 204', 'GET 304']);
  for (const _ of [1, 2]) expect(await ask(reserved, true)).toMatchObject({ title: 'first' });
  // not from the browser's cache, which was allowed to use the response for an hour
  expect(reserved.log).toEqual(['GET 200', 'GET 304']);
});
