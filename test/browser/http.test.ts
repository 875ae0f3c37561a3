// Conditional requests in a real browser, whose own cache would hide a 304 from the page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../setup/browser.ts';
import type { Play } from './http/page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Site {
  readonly address: string;
  title: string;
  /** What the API was asked, and what it answered. */
  readonly log: string[];
  close(): void;
}

/** The page and its API. `foreign`: pages of others may ask, with these headers of CORS. */
async function startSite(script: string, foreign: Record<string, string> = {}): Promise<Site> {
  const server = createServer(({ url, method = '', headers }, response) => {
    if (url === '/') return response.setHeader('content-type', 'text/html').end(script);
    if (url !== '/todos/1') return response.writeHead(404).end();
    const etag = `"${site.title}"`;
    const isKnown = headers['if-none-match'] === etag;
    const status = method === 'OPTIONS' ? 204 : isKnown ? 304 : 200;
    site.log.push(`${method} ${status}`);
    response.writeHead(status, {
      'content-type': 'application/json',
      // the cache of the browser may answer by itself for an hour
      'cache-control': 'max-age=3600',
      etag,
      ...foreign,
    });
    response.end(status === 200 ? JSON.stringify({ id: 1, title: site.title }) : undefined);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const site: Site = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    title: 'first',
    log: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}test/browser/http/page.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    alias: { signalbox: `${root}src/index.ts` },
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return `<!doctype html><body></body><script>${outputFiles[0]?.text}</script>`;
}

let browser: Browser;
let script: string;
beforeAll(async () => {
  [browser, script] = await Promise.all([launchBrowser(), bundle()]);
});
afterAll(() => browser?.close());

async function visit(site: Site): Promise<(api: Site, http: boolean) => ReturnType<Play['ask']>> {
  const page: Page = await browser.newPage();
  await page.goto(site.address);
  return (api, http) =>
    page.evaluate(
      ([address, policy]) => (globalThis as unknown as { play: Play }).play.ask(address, policy),
      [api.address, http] as const,
    );
}

test('[F6] a browser lets the page see the 304, and the page shows what it has', async () => {
  const site = await startSite(script);
  const ask = await visit(site);
  expect(await ask(site, true)).toMatchObject({ title: 'first' });
  expect(await ask(site, true)).toEqual({ title: 'first', written: 0 });
  expect(await ask(site, true)).toEqual({ title: 'first', written: 0 });
  site.title = 'second';
  expect(await ask(site, true)).toMatchObject({ title: 'second' });
  expect(site.log).toEqual(['GET 200', 'GET 304', 'GET 304', 'GET 200']);
  site.close();
});

test('[F6] without the policy the cache of the browser answers as ever', async () => {
  const site = await startSite(script);
  const ask = await visit(site);
  for (const _ of [1, 2, 3]) expect(await ask(site, false)).toMatchObject({ title: 'first' });
  expect(site.log).toEqual(['GET 200']);
  site.close();
});

test('[F6] another origin is asked by its ETag where it exposes that; else the browser asks by it', async () => {
  const [site, api, reserved] = await Promise.all([
    startSite(script),
    startSite('', {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
      'access-control-allow-headers': 'If-None-Match',
    }),
    startSite('', { 'access-control-allow-origin': '*' }),
  ]);
  const ask = await visit(site);
  for (const _ of [1, 2]) expect(await ask(api, true)).toMatchObject({ title: 'first' });
  expect(api.log).toEqual(['GET 200', 'OPTIONS 204', 'GET 304']);
  for (const _ of [1, 2]) expect(await ask(reserved, true)).toMatchObject({ title: 'first' });
  // not from its cache, which was told that it need not ask for an hour
  expect(reserved.log).toEqual(['GET 200', 'GET 304']);
  for (const each of [site, api, reserved]) each.close();
});
