// Tabs that share their requests and a stream, in real browsers: a server counts the requests of the tabs.
import type { ServerResponse } from 'node:http';
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';
import type { Engine } from '../setup/eachBrowser.ts';
import { serve } from '../setup/server.ts';
import { freeze, resume } from './freeze.ts';
import { hang, suspendLoop } from './hang.ts';
import type { Tab } from './tabs/shared.ts';

let script: string;
beforeAll(async () => {
  script = await bundlePage('tabs/shared.ts', {
    mode: 'development',
  });
});

const look = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.look());
const shows = async (pages: readonly Page[], seen: Partial<ReturnType<Tab['look']>>) => {
  for (const page of pages)
    await expect.poll(() => look(page), { timeout: 20_000 }).toMatchObject(seen);
};
// of `?polls` in ./tabs/shared.ts
const INTERVAL = 1_000;
const TODOS = { todos: ['one', 'two'] };

/** A server with delayed responses, and tabs of the same browser profile. */
async function setUp({ name, newContext }: Engine) {
  const streams = new Set<ServerResponse>();
  const held: (() => void)[] = [];
  const server = await serve(({ url }, response) => {
    const { pathname } = new URL(url, 'http://x');
    const id = Number(/\d+/.exec(pathname)?.[0]);
    if (pathname === '/hang') return name === 'Firefox' ? {} : undefined;
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      streams.add(response);
      response.on('close', () => streams.delete(response));
      return undefined;
    }
    if (pathname === '/') {
      const body = `<!doctype html><title>tabs</title><script>${script}</script>`;
      return { headers: { 'content-type': 'text/html' }, body };
    }
    const rows = [
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
    ];
    const row = rows.find((one) => one.id === id) ?? { id, title: `row ${id}` };
    const body = JSON.stringify(pathname === '/todos' ? rows : row);
    const answer = () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(body);
    };
    if (pathname.startsWith('/slow')) held.push(answer);
    else setTimeout(answer, 50);
    return undefined;
  });
  const context = await newContext();
  /** The number of requests per address. */
  const asked = () => {
    const counts: Record<string, number> = {};
    for (const { url } of server.asked)
      if (/^\/(todos|slow)/.test(url)) counts[url] = (counts[url] ?? 0) + 1;
    return counts;
  };
  const open = async (count: number, query = '') => {
    const pages = await Promise.all(Array.from({ length: count }, () => context.newPage()));
    await Promise.all(pages.map((page) => page.goto(`${server.address}/${query}`)));
    return pages;
  };
  const send = (todo: object) => {
    for (const stream of streams) stream.write(`data: ${JSON.stringify(todo)}\n\n`);
  };
  return { open, asked, send, streams, held, server };
}

const ONCE = { '/todos': 1, '/todos/1': 1, '/todos/2': 1 };

eachBrowser((engine) => {
  test('[P5] 20 tabs that open at the same time send one request for each query, and a late tab sends no request', async () => {
    const { open, asked } = await setUp(engine);
    const tabs = await open(20);
    await shows(tabs, TODOS);
    expect(asked()).toEqual(ONCE);
    const late = await open(1);
    await shows(late, TODOS);
    expect(asked()).toEqual(ONCE);
    // the tab that opened first, and leads, is gone
    await tabs[0]?.close();
    await shows(await open(1), TODOS);
    expect(asked()).toEqual(ONCE);
    const other = await open(1, '?version=2');
    await shows(other, TODOS);
    expect(asked()['/todos']).toBe(2);
    await other[0]?.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.logOut());
    await shows([...tabs.slice(1, 3), ...late], { todos: [] });
  });

  test('[P5] polling tabs send one request per interval and share one stream, which another tab takes over', async () => {
    const { open, asked, send, streams, server } = await setUp(engine);
    const [leader, ...others] = await open(1, '?polls&streams');
    others.push(...(await open(3, '?polls&streams')));
    await shows([leader as Page], { stream: 'open' });
    await shows(others, { stream: 'following' });
    const before = asked()['/todos/9'] ?? 0;
    const start = Date.now();
    const polled = () => (asked()['/todos/9'] ?? 0) - before;
    await expect.poll(polled, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
    // each tab by itself would have been there four times as soon
    expect(polled()).toBeLessThanOrEqual(1 + (Date.now() - start) / INTERVAL);
    expect(streams.size).toBe(1);
    send({ id: 7, title: 'first' });
    await shows([leader as Page, ...others], { pushed: 'first' });
    await leader?.close();
    await expect.poll(() => streams.size, { timeout: 10_000 }).toBe(1);
    const leading = async () =>
      (await Promise.all(others.map(look))).filter(({ stream }) => stream === 'open').length;
    await expect.poll(leading, { timeout: 10_000 }).toBe(1);
    send({ id: 7, title: 'second' });
    await shows(others, { pushed: 'second' });
    expect(server.asked.filter(({ url }) => url === '/events')).toHaveLength(2);
  });

  test('[P5] another tab takes over the read of a closed tab, and the stream of a frozen tab', async () => {
    const { open, asked, send, streams, held, server } = await setUp(engine);
    const [frozen] = await open(1, '?streams');
    await shows([frozen as Page], { stream: 'open' });
    const [dying, other] = await open(2, '?streams');
    const slow = (page?: Page) =>
      page?.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.slow());
    await slow(dying);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
    await slow(other);
    const waiting = () =>
      other?.evaluate(async () => {
        const { pending = [] } = await navigator.locks.query();
        return pending.filter(({ name }) => name?.includes('slow')).length;
      });
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    await dying?.close();
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(2);
    held.at(-1)?.();
    await shows([other as Page], { slow: 'row 5' });
    expect(asked()['/slow/5']).toBe(2);
    await frozen?.evaluate(hang(engine.name));
    await expect.poll(() => server.asked.some(({ url }) => url === '/hang')).toBe(true);
    await suspendLoop(frozen as Page, engine.name);
    await expect.poll(() => streams.size, { timeout: 25_000 }).toBe(2);
    send({ id: 7, title: 'third' });
    await shows([other as Page], { stream: 'open', pushed: 'third' });
  });

  // only Chromium lets a test freeze a tab
  if (engine.name !== 'Chromium') return;
  const slow = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.slow());

  test('[P8] a frozen tab releases its reads to another tab, and reads again after resuming', async () => {
    const { open, asked, held } = await setUp(engine);
    const [one, other] = (await open(2)) as [Page, Page];
    await shows([one, other], TODOS);
    await slow(one);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
    await slow(other);
    await freeze(one);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(2);
    held[1]?.();
    await shows([other], { slow: 'row 5', reads: 0 });
    await resume(one);
    held[0]?.();
    // a call while the first read has no response would join that read
    await shows([one], { slow: 'row 5', reads: 0 });
    // a tab that freezes just after the response does not delay the next read of other tabs
    await slow(one);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(3);
    held[2]?.();
    await freeze(one);
    await slow(other);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(4);
    held[3]?.();
    await resume(one);
    await shows([one, other], { slow: 'row 5' });
    expect(asked()['/slow/5']).toBe(4);
  });

  test('[P8] a frozen tab releases its stream to another tab, and follows that stream after resuming', async () => {
    const { open, send, streams, server } = await setUp(engine);
    const [one] = (await open(1, '?streams')) as [Page];
    await shows([one], { stream: 'open' });
    const [other] = (await open(1, '?streams')) as [Page];
    await shows([other], { stream: 'following' });
    await freeze(one);
    await shows([other], { stream: 'open' });
    await expect.poll(() => streams.size, { timeout: 10_000 }).toBe(1);
    send({ id: 7, title: 'first' });
    await shows([other], { pushed: 'first' });
    await resume(one);
    await shows([one], { stream: 'following', pushed: 'first' });
    await other.close();
    await shows([one], { stream: 'open' });
    send({ id: 7, title: 'second' });
    await shows([one], { pushed: 'second' });
    expect(server.asked.filter(({ url }) => url === '/events')).toHaveLength(3);
  });
});
