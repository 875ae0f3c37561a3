import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';
import * as served from '../../examples/demo/servePage.ts';
import { libraryEntries } from '../setup/library.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const frameworks = ['react', 'preact', 'solid'] as const;

let server: JsonServer;
let demo: served.Page;
const browser = headlessShellOfFile();
let page: Page;
let complaints: string[];

beforeAll(async () => {
  server = await startJsonServer(join(root, 'examples/demo/db.json'));
  demo = await served.servePage({ root, api: server.url, alias: libraryEntries });
});
afterAll(async () => {
  await demo?.close();
  await server?.close();
});

beforeEach(async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(demo.url);
  for (const name of frameworks) {
    await page.waitForSelector(`#${name} .row`, { timeout: 10_000 }).catch((error: Error) => {
      throw new Error(`${name} shows no row. ${complaints.join('\n')}`, { cause: error });
    });
  }
  await settled();
});

interface Column {
  readonly list: number;
  /** Maps the id of a todo to the number of times that the row rendered. */
  readonly rows: Readonly<Record<string, number>>;
  readonly texts: readonly string[];
}

type Columns = Readonly<Record<(typeof frameworks)[number], Column>>;

async function look(): Promise<Columns> {
  const columns = await page.evaluate(
    (names) =>
      names.map((name) => {
        const numberIn = (place: Element | null) =>
          Number(place?.querySelector('.runs')?.textContent);
        const rows = [...document.querySelectorAll(`#${name} .row`)];
        const textIn = (row: Element, part: string) => row.querySelector(part)?.textContent;
        return [
          name,
          {
            list: numberIn(document.querySelector(`#${name} .list-head`)),
            rows: Object.fromEntries(
              rows.map((row) => [row.getAttribute('data-todo'), numberIn(row)]),
            ),
            texts: rows.map(
              (row) =>
                `${row.hasAttribute('data-done')} ${textIn(row, '.title')} ${textIn(row, '.author')}`,
            ),
          },
        ];
      }),
    frameworks,
  );
  return Object.fromEntries(columns) as Columns;
}

const figure = async (id: string) => Number(await page.textContent(`#${id}`));

/** Resolves a moment after no request is in flight and no fallback is shown: the last renders are done. */
async function settled(): Promise<void> {
  await page.waitForFunction(
    (count) =>
      document.querySelector('.move[data-pending], .waiting') === null &&
      document.querySelectorAll('.rows').length === count,
    frameworks.length,
  );
  await page.evaluate(() => new Promise((done) => setTimeout(done, 60)));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
}

/** The changes by a lever: per column the rows that ran, came and went, and the runs of the list. */
async function pull(title: string) {
  const before = await look();
  const requests = await figure('requests');
  await page.click(`.lever:has(b:text-is("${title}"))`);
  await page.waitForFunction(
    (n) => Number(document.getElementById('requests')?.textContent) > n,
    requests,
  );
  await settled();
  const after = await look();
  const sent = (await figure('requests')) - requests;
  const columns = frameworks.map((name) => difference(before[name], after[name]));
  return { sent, columns, after };
}

function difference(before: Column, after: Column) {
  const ids = Object.keys(after.rows);
  return {
    list: after.list - before.list,
    ran: ids.filter((id) => id in before.rows && after.rows[id] !== before.rows[id]),
    runs: ids.reduce((sum, id) => sum + (after.rows[id] ?? 0) - (before.rows[id] ?? 0), 0),
    came: ids.filter((id) => !(id in before.rows)),
    went: Object.keys(before.rows).filter((id) => !(id in after.rows)),
  };
}

/** Three columns share a store: all columns show the same. */
function expectAlike({ react, preact, solid }: Columns): void {
  expect(preact.texts).toEqual(react.texts);
  expect(solid.texts).toEqual(react.texts);
}

test('[F1] React, Preact and Solid on one store show the list with a single request', async () => {
  const columns = await look();
  expectAlike(columns);
  expect(columns.react.texts).toHaveLength(24);
  expect(await figure('requests')).toBe(1);
  for (const name of frameworks) {
    expect(new Set(Object.values(columns[name].rows))).toEqual(new Set([1]));
  }
  await page.screenshot({ path: join(tmpdir(), 'signalbox-demo.png') });
  expect(complaints).toEqual([]);
});

test.each(['Toggle a row', 'Rename a row'])(
  '[H3] %s: one row re-renders once in each framework, and no list re-renders',
  async (title) => {
    const { sent, columns, after } = await pull(title);
    expect(sent).toBe(1);
    const ran = columns[0]?.ran ?? [];
    expect(ran).toHaveLength(1);
    for (const column of columns) {
      expect(column).toEqual({ list: 0, ran, runs: 1, came: [], went: [] });
    }
    expectAlike(after);
    expect(complaints).toEqual([]);
  },
);

test('[H3] a tick in any column re-renders the row once in each column', async () => {
  const before = await look();
  for (const name of frameworks) {
    await page.click(`#${name} .row[data-todo="5"] .tick`);
    await page.waitForFunction(
      (n) => Number(document.getElementById('requests')?.textContent) > n,
      frameworks.indexOf(name) + 1,
    );
    await settled();
  }
  const after = await look();
  for (const name of frameworks) {
    const { list, ran, runs } = difference(before[name], after[name]);
    expect({ list, ran, runs }).toEqual({ list: 0, ran: ['5'], runs: 3 });
  }
  expectAlike(after);
});

test('[H3] renaming a shared author re-renders each row of the author once', async () => {
  const { columns, after } = await pull('Rename an author');
  const ran = columns[0]?.ran ?? [];
  expect(ran.length).toBeGreaterThan(1);
  for (const column of columns) {
    expect(column).toEqual({ list: 0, ran, runs: ran.length, came: [], went: [] });
  }
  expectAlike(after);
});

test('[H3] a created row appears in each column, and no other row re-renders', async () => {
  const { sent, columns, after } = await pull('Add a row');
  expect(sent).toBe(1);
  for (const column of columns) {
    expect(column).toMatchObject({ list: 1, ran: [], runs: 1, went: [] });
    expect(column.came).toHaveLength(1);
  }
  expectAlike(after);
  expect(complaints).toEqual([]);
});

test('[H3] a deleted row disappears from each column, and no other row re-renders', async () => {
  const { sent, columns, after } = await pull('Delete a row');
  expect(sent).toBe(1);
  for (const column of columns) {
    expect(column).toMatchObject({ list: 1, ran: [], came: [] });
    expect(column.went).toHaveLength(1);
  }
  expectAlike(after);
  expect(complaints).toEqual([]);
});

test.each(['Fetch the list', 'Fetch it 3 times'])(
  '[V2] %s: one request with an unchanged response re-renders nothing and writes no signal',
  async (title) => {
    const written = await figure('signals');
    const { sent, columns } = await pull(title);
    expect(sent).toBe(1);
    for (const column of columns) {
      expect(column).toEqual({ list: 0, ran: [], runs: 0, came: [], went: [] });
    }
    expect(await figure('signals')).toBe(written);
    expect(complaints).toEqual([]);
  },
);

test('[R6] a fetch answered with 404 shows the status, and re-renders no row and no list', async () => {
  const { columns } = await pull('Fetch todo 404');
  for (const column of columns) expect(column).toMatchObject({ list: 0, runs: 0 });
  expect(await page.textContent('#move-why')).toContain('404');
  // the browser itself logs a response without success
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test.each(['Invalidate the list', 'Log out'])(
  '[H2] %s: three frameworks send one request together and show the list again',
  async (title) => {
    const { sent, after } = await pull(title);
    expect(sent).toBe(1);
    expectAlike(after);
    expect(after.react.texts.length).toBeGreaterThan(20);
    expect(complaints).toEqual([]);
  },
);

/** In the page: an element is inside of the window and not covered. */
const seen = (selector: string) =>
  page.evaluate((found) => {
    const element = [...document.querySelectorAll(found)].find(
      (one) => one.getBoundingClientRect().height > 0,
    );
    const { left = 0, top = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    return element?.contains(document.elementFromPoint(left + 4, top + height / 2)) === true;
  }, selector);

test('[CODE] the demo labels its render counts, and highlights re-rendered rows until the next action', async () => {
  expect(await page.textContent('[data-ran="react"]')).toMatch(/24 row renders\s+\d list renders?/);
  expect(await page.textContent('[data-ran="solid"]')).toMatch(/24 row effects\s+\d list effects?/);
  const [first = '', second = ''] = Object.keys((await look()).react.rows);
  const off = 'rgb(213, 218, 211)';
  const lamp = (column: string, id: string) =>
    page.$eval(
      `#${column} .row[data-todo="${id}"] .lamp`,
      (element) => getComputedStyle(element).backgroundColor,
    );
  const toggle = async (id: string) => {
    await page.click(`#solid .row[data-todo="${id}"] .tick`);
    await settled();
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
  };
  await toggle(first);
  expect(await lamp('react', first)).not.toBe(off);
  expect(await lamp('react', second)).toBe(off);
  await toggle(second);
  expect(await lamp('react', first)).toBe(off);
  expect(await lamp('preact', second)).not.toBe(off);
});

test('[CODE] at 390 px the effect of each action of the demo is on the screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  for (const title of ['Toggle a row', 'Rename an author', 'Add a row', 'Delete a row']) {
    const { columns } = await pull(title);
    const rendered = columns.flatMap(({ ran, came }) => [...ran, ...came]);
    const rows = await Promise.all(
      rendered.map((id) => seen(`[data-column="react"] .row[data-todo="${id}"]`)),
    );
    expect({ title, row: title === 'Delete a row' || rows.includes(true) }).toEqual({
      title,
      row: true,
    });
    expect({ title, move: await seen('.move'), log: await seen('#log li:first-child') }).toEqual({
      title,
      move: true,
      log: true,
    });
  }
  expect(await page.isVisible('[data-column="solid"]')).toBe(false);
  await page.click('.tabs [data-of="solid"]');
  expect(await page.isVisible('[data-column="solid"]')).toBe(true);
  expect(await page.isVisible('[data-column="react"]')).toBe(false);
  expect(complaints).toEqual([]);
});
