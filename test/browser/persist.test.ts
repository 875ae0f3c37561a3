// A page on a real server that is loaded again in a real browser, with its IndexedDB.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '../setup/browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env['SIGNALBOX_DIST'] === '1';
const entry = (path: string) => root + (built ? `dist/esm/${path}.js` : `${path}.ts`);

const app = `
  import { Controller, createResource, Entity } from 'signalbox';
  import { persist } from 'signalbox/persist';
  class Todo extends Entity { id = 0; title = ''; }
  const todo = createResource({ path: '/todos/:id', schema: Todo });
  const controller = new Controller({ dataExpiryLength: 3_600_000 });
  const kept = persist(controller, { names: { todo } });
  const shown = kept.ready.then(() => controller.fetchIfStale(todo.getList));
  const detail = (id) => controller.fetchIfStale(todo.get, { id });
  Object.assign(globalThis, { controller, detail, kept, shown, Todo });
`;

let browser: Browser;
let context: BrowserContext;
let server: Server;
let address: string;
const asked: string[] = [];

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: root },
    alias: { signalbox: entry('src/index'), 'signalbox/persist': entry('src/managers/persist') },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  });
  const script = outputFiles[0]?.text ?? '';
  const rows = [
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ];
  server = createServer(({ url = '/' }, response) => {
    const isPage = url === '/';
    if (url.startsWith('/todos')) asked.push(url);
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/json' });
    response.end(isPage ? `<!doctype html><script>${script}</script>` : JSON.stringify(rows));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

beforeEach(async () => {
  asked.length = 0;
  context = await browser.newContext();
});
afterEach(() => context.close());

async function visit(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const titles = (page: Page) => page.evaluate('shown.then((rows) => rows.map((row) => row.title))');

test('[P1] a page that is loaded again starts with what it knew, and asks for nothing', async () => {
  const page = await visit();
  expect(await titles(page)).toEqual(['one', 'two']);
  await page.evaluate(
    "controller.set(Todo, { id: 2 }, { title: 'changed' }).then(() => kept.flush())",
  );
  expect(asked).toEqual(['/todos']);
  await page.reload();
  expect(await titles(page)).toEqual(['one', 'changed']);
  expect(await page.evaluate('detail(1).then((todo) => todo.title)')).toBe('one');
  expect(asked).toEqual(['/todos']);
});

test('[P1] what was written just before the page is left is there in the next', async () => {
  const page = await visit();
  await titles(page);
  await page.evaluate('kept.flush()');
  await page.evaluate("void controller.set(Todo, { id: 2 }, { title: 'late' })");
  await page.goto('about:blank');
  await page.goto(address);
  expect(await titles(page)).toEqual(['one', 'late']);
  expect(asked).toEqual(['/todos']);
});

test('[P1] after a reset in a page that dies at once, the next finds nothing', async () => {
  const page = await visit();
  await titles(page);
  await page.evaluate('kept.flush()');
  // nothing of this page runs any more: neither timers nor what follows a request
  page.evaluate('controller.reset(); queueMicrotask(() => { for (;;); })').catch(() => {});
  const next = await context.newPage();
  await next.goto('about:blank');
  await next.goto(address);
  await titles(next);
  expect(asked).toEqual(['/todos', '/todos']);
});

test('[P1] after a reset in one tab another one writes nothing more', async () => {
  const one = await visit();
  await titles(one);
  // two that begin at once on an empty disk would not know of each other
  await one.evaluate('kept.flush()');
  const other = await visit();
  await titles(other);
  await other.evaluate("controller.set(Todo, { id: 2 }, { title: 'b' }).then(() => kept.flush())");
  await one.evaluate('controller.reset(), kept.flush()');
  const said = other.waitForEvent('console');
  await other.evaluate(
    "controller.set(Todo, { id: 2 }, { title: 'old' }).then(() => kept.flush())",
  );
  expect((await said).text()).toContain('signalbox P6');
  const next = await visit();
  expect(await titles(next)).toEqual(['one', 'two']);
});
