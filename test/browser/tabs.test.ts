// Two tabs of a real browser: a change in the first tab is shown in the second, which sends no request.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chromiumOfFile } from '../setup/sharedBrowser.ts';
import { bundlePage } from '../setup/bundlePage.ts';
import type { Counting } from './tabs/page.tsx';

const bundle = () => bundlePage('tabs/page.tsx', {});

/** The requests to the server, as `PATCH /api/todos/1`. */
let asked: string[] = [];
let rows: { id: number; title: string }[] = [];
let server: Server;
const browser = chromiumOfFile();
let address: string;

function answer(request: string): unknown {
  const [method = '', url = ''] = request.split(' ');
  if (method === 'POST') rows.push({ id: rows.length + 1, title: 'added' });
  if (method === 'POST') return rows.at(-1);
  const row = rows.find(({ id }) => url.endsWith(`/${id}`));
  if (row !== undefined) row.title = 'renamed';
  return row ?? rows;
}

beforeAll(async () => {
  const script = await bundle();
  server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    if (!url.startsWith('/api/')) {
      response.setHeader('content-type', url === '/page.js' ? 'text/javascript' : 'text/html');
      return response.end(url === '/page.js' ? script : '<body><script src="/page.js"></script>');
    }
    asked.push(`${method} ${url}`);
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(answer(`${method} ${url}`)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server?.close());
beforeEach(() => {
  asked = [];
  rows = [
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ];
});

/** Two tabs with the rows on the screen, and nothing under way. */
async function twoTabs(): Promise<[Page, Page]> {
  const context = await browser.newContext();
  const [first, second] = [await context.newPage(), await context.newPage()];
  for (const page of [first, second]) {
    await page.goto(address);
    await page.getByText('two').waitFor();
  }
  asked = [];
  return [first, second];
}

// a tab in the background paints once a second, and a click of Playwright waits for frames
const press = (page: Page, name: string) =>
  page.getByRole('button', { name }).dispatchEvent('click');
const renders = async (page: Page) => {
  const { renders: count }: Counting = await page.evaluate('counting');
  return count;
};

test('[P3] a mutation in one tab of a browser is shown in the other without a request', async () => {
  const [first, second] = await twoTabs();
  const before = await renders(second);
  await press(first, 'one');
  await second.getByText('renamed').waitFor();
  await press(first, 'add');
  await second.getByText('added').waitFor();
  expect(asked).toEqual(['PATCH /api/todos/1', 'POST /api/todos']);
  expect((await renders(second)) - before).toBe(2);
  await press(second, 'two');
  await first.getByText('renamed').nth(1).waitFor();
  expect(asked).toEqual(['PATCH /api/todos/1', 'POST /api/todos', 'PATCH /api/todos/2']);
  await first.context().close();
});

test('[P3] after an invalidation each of two tabs sends at most one request', async () => {
  const [first, second] = await twoTabs();
  rows.push({ id: 3, title: 'three' });
  await press(first, 'invalidate');
  for (const page of [first, second]) await page.getByText('three').waitFor();
  // every other message has passed through both tabs by then
  await press(first, 'three');
  await second.getByText('renamed').waitFor();
  expect(asked.filter((request) => request === 'GET /api/todos').length).toBeLessThanOrEqual(2);
  expect(asked.at(-1)).toBe('PATCH /api/todos/3');
  await first.context().close();
});
