// A page on a real server that is loaded again in real browsers, with their IndexedDB.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BrowserContext, ConsoleMessage, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eachBrowser } from '../setup/eachBrowser.ts';
import { libraryEntries } from '../setup/library.ts';
import { hangNow } from './hang.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const app = `
  import { Controller, createResource, Entity } from 'signalbox';
  import { persist } from 'signalbox/persist';
  import { connectTabs } from 'signalbox/tabs';
  class Todo extends Entity { id = 0; title = ''; }
  const todo = createResource({ path: '/todos/:id', schema: Todo });
  const controller = new Controller({ dataExpiryLength: 3_600_000 });
  const search = new URLSearchParams(location.search);
  const version = search.get('version') ?? '';
  if (search.has('connected')) connectTabs(controller, { names: { todo }, version });
  const kept = persist(controller, { names: { todo }, version });
  const shown = kept.ready.then(() => controller.fetchIfStale(todo.getList));
  const detail = (id) => controller.fetchIfStale(todo.get, { id });
  Object.assign(globalThis, { controller, detail, kept, shown, Todo });
`;

let server: Server;
let address: string;
const asked: string[] = [];

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: root },
    alias: libraryEntries,
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
    if (url === '/hang') return;
    const isPage = url.startsWith('/?');
    if (url.startsWith('/todos')) asked.push(url);
    if (url === '/clear') response.setHeader('clear-site-data', '"storage"');
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/json' });
    response.end(isPage ? `<!doctype html><script>${script}</script>` : JSON.stringify(rows));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server?.close();
  server?.closeAllConnections();
});

beforeEach(() => void (asked.length = 0));

async function visit(context: BrowserContext, search = ''): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${address}?${search}`);
  return page;
}

const titles = (page: Page) => page.evaluate('shown.then((rows) => rows.map((row) => row.title))');

/** The next warning that the page prints. */
const warning = (page: Page) =>
  new Promise<string>((told) => {
    page.once('console', (message: ConsoleMessage) => told(message.text()));
  });
/** The text of all that is on the disk. */
const onDisk = (page: Page) => page.evaluate(readAll);
const rename = (title: string) =>
  `controller.set(Todo, { id: 2 }, { title: '${title}' }).then(() => kept.flush())`;

/** Runs in the page. */
function readAll(): Promise<string> {
  return new Promise((resolve) => {
    indexedDB.open('signalbox').onsuccess = ({ target }) => {
      const { result: database } = target as IDBOpenDBRequest;
      const all = database.transaction('signalbox').objectStore('signalbox').getAll();
      all.onsuccess = () => {
        database.close();
        resolve(JSON.stringify(all.result));
      };
    };
  });
}

/** Runs in a page. */
function remove(): Promise<string> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase('signalbox');
    for (const type of ['success', 'error', 'blocked'])
      request.addEventListener(type, () => resolve(type));
  });
}

eachBrowser(
  ({ name, newContext }) => {
    // Firefox aborts a transaction that is not committed when the page is left: 20 ms and a read before the write
    const late = name === 'Firefox' ? 'await new Promise((done) => setTimeout(done, 500))' : '';
    test('[P1] data written just before the user leaves a page are restored in the next page', async () => {
      const context = await newContext();
      const page = await visit(context);
      await titles(page);
      await page.evaluate('kept.flush()');
      await page.evaluate(
        `(async () => { void controller.set(Todo, { id: 2 }, { title: 'late' }); ${late} })()`,
      );
      await page.goto('about:blank');
      await page.goto(`${address}?`);
      expect(await titles(page)).toEqual(['one', 'late']);
      expect(asked).toEqual(['/todos']);
    });
  },
  // leaving a page is the browser's part, too
  { windows: true },
);

eachBrowser(({ name, newContext }) => {
  test('[P1] a reloaded page starts with the stored data, and sends no request', async () => {
    const context = await newContext();
    const page = await visit(context);
    expect(await titles(page)).toEqual(['one', 'two']);
    await page.evaluate(rename('changed'));
    expect(asked).toEqual(['/todos']);
    await page.reload();
    expect(await titles(page)).toEqual(['one', 'changed']);
    expect(await page.evaluate('detail(1).then((todo) => todo.title)')).toBe('one');
    expect(asked).toEqual(['/todos']);
  });

  // no code of this page runs any more: neither timers nor response handlers; a hanging Firefox blocks all pages of the
  // site
  const dies = name === 'Firefox' ? "location.replace('about:blank')" : hangNow(name);
  test('[P1] after a reset in a page that ends at once, the next page finds no data and refetches', async () => {
    const context = await newContext();
    const page = await visit(context);
    await titles(page);
    await page.evaluate('kept.flush()');
    page.evaluate(`controller.reset(); queueMicrotask(() => { ${dies} })`).catch(() => {});
    const next = await context.newPage();
    await next.goto(`${address}?`);
    await titles(next);
    expect(asked).toEqual(['/todos', '/todos']);
  });

  test('[P1] after a reset in one tab, another tab writes nothing to disk and warns with P6', async () => {
    const context = await newContext();
    const one = await visit(context);
    await titles(one);
    await one.evaluate('kept.flush()');
    const other = await visit(context);
    await titles(other);
    await other.evaluate(rename('b'));
    await one.evaluate('controller.reset(), kept.flush()');
    const said = warning(other);
    await other.evaluate(rename('old'));
    expect(await said).toContain('signalbox P6');
    expect(await onDisk(other)).not.toContain('old');
    const next = await visit(context);
    expect(await titles(next)).toEqual(['one', 'two']);
  });

  test('[P1] a tab of an older version writes no rows to a disk that a newer version has taken over', async () => {
    const context = await newContext();
    const older = await visit(context, 'version=1');
    await titles(older);
    await older.evaluate('kept.flush()');
    const newer = await visit(context, 'version=2');
    await titles(newer);
    await newer.evaluate('kept.flush()');
    for (let times = 0; times < 3; times++) await older.evaluate(rename('old'));
    expect(await onDisk(newer)).not.toContain('old');
    expect(await onDisk(newer)).toContain('two');
  });

  test('[P1] of two tabs that start with an empty disk, each writes nothing after a reset in the other', async () => {
    const context = await newContext();
    const [one, other] = await Promise.all([visit(context), visit(context)]);
    await Promise.all([titles(one), titles(other)]);
    await Promise.all([one.evaluate(rename('one')), other.evaluate(rename('other'))]);
    // twice: the disk is empty again after the first
    for (let times = 0; times < 2; times++) {
      await one.evaluate('controller.reset(), kept.flush()');
      await other.evaluate(rename('old'));
      expect(await onDisk(one)).not.toContain('old');
      await other.evaluate('controller.reset(), kept.flush()');
      await one.evaluate(rename('old'));
      expect(await onDisk(one)).not.toContain('old');
    }
    await other.evaluate(rename('new'));
    expect(await onDisk(one)).toContain('new');
  });

  test('[P1] a database is deleted at once while a page is open, and the page writes nothing to the next database', async () => {
    const context = await newContext();
    const page = await visit(context);
    await titles(page);
    await page.evaluate('kept.flush()');
    const other = await context.newPage();
    await other.goto(`${address}empty`);
    expect(await other.evaluate(remove)).toBe('success');
    const said = warning(page);
    await page.evaluate(rename('old'));
    expect(await said).toContain('signalbox P6');
    expect(await titles(await visit(context))).toEqual(['one', 'two']);
  });

  test('[P1] after the site data are cleared, the next page starts empty without a warning, and its data persist', async () => {
    const context = await newContext();
    const page = await visit(context);
    await titles(page);
    await page.evaluate('kept.flush()');
    const other = await context.newPage();
    await other.goto(`${address}clear`);
    await page.evaluate(rename('old'));
    const next = await context.newPage();
    const said: string[] = [];
    next.on('console', (message) => said.push(message.text()));
    await next.goto(`${address}?`);
    expect(await titles(next)).toEqual(['one', 'two']);
    await next.evaluate(rename('new'));
    await next.reload();
    expect(await titles(next)).toEqual(['one', 'new']);
    expect(said).toEqual([]);
  });

  test('[P3] a log out in one tab clears the tabs of another version, and the disk', async () => {
    const context = await newContext();
    const older = await visit(context, 'connected&version=1');
    const newer = await visit(context, 'connected&version=2');
    await Promise.all([titles(older), titles(newer)]);
    for (const page of [older, newer]) await page.evaluate(rename('secret'));
    await older.evaluate('controller.reset(), kept.flush()');
    const shown = 'controller.get(Todo, { id: 2 })?.title';
    await expect.poll(() => newer.evaluate(shown), { timeout: 10_000 }).toBeUndefined();
    await newer.evaluate('kept.flush()');
    expect(await onDisk(newer)).not.toContain('secret');
  });
});
