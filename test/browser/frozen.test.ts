// A tab freezes while a request is in flight: the lock of that tab does not keep other tabs from sending.
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';
import { serve } from '../setup/server.ts';
import { freeze, resume } from './freeze.ts';
import { hang, suspendLoop } from './hang.ts';
import type { Play } from './offline/page.ts';

let script: string;
beforeAll(async () => {
  script = await bundlePage('offline/page.ts', {
    mode: 'development',
  });
});

const look = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { play: Play }).play.look());

// timers in a background tab are late
const wait = { timeout: 10_000 };

eachBrowser(({ name, newContext }) => {
  // only Chromium lets a test freeze a tab
  if (name === 'Chromium') {
    const make = (page: Page, title: string) => page.evaluate(`play.make('${title}')`);
    test('[P8] a frozen tab releases its queue to another tab, and sends only new mutations after resuming', async () => {
      const keys: unknown[] = [];
      const titles: unknown[] = [];
      const held: (() => void)[] = [];
      const server = await serve(({ method, headers, text }, response) => {
        if (method !== 'POST') {
          const body = `<!doctype html><title>tasks</title><script>${script}</script>`;
          return { headers: { 'content-type': 'text/html' }, body };
        }
        const { title } = JSON.parse(text) as { title: string };
        const key = headers['idempotency-key'];
        const id = keys.includes(key) ? keys.indexOf(key) + 1 : keys.length + 1;
        const body = JSON.stringify({ id, title });
        titles.push(title);
        if (keys.push(key) > 1) return { status: 201, body };
        held.push(() => response.writeHead(201, { 'content-type': 'application/json' }).end(body));
        return undefined;
      });
      const context = await newContext();
      const [one, other] = [await context.newPage(), await context.newPage()];
      await one.goto(`${server.address}/`);
      await make(one, 'tea');
      await expect.poll(() => titles, wait).toEqual(['tea']);
      await make(one, 'milk');
      await expect.poll(() => look(one), wait).toMatchObject({ waiting: 2 });
      await freeze(one);
      await other.goto(`${server.address}/`);
      await expect.poll(() => titles, wait).toEqual(['tea', 'tea', 'milk']);
      await expect.poll(() => look(other), wait).toMatchObject({ waiting: 0 });
      expect(keys[1]).toBe(keys[0]);
      await resume(one);
      for (const answer of held) answer();
      await expect.poll(() => look(one), wait).toMatchObject({ waiting: 0 });
      await make(one, 'bread');
      await expect.poll(() => titles, wait).toEqual(['tea', 'tea', 'milk', 'bread']);
      await expect.poll(() => look(one), wait).toMatchObject({ waiting: 0 });
      expect((await look(one)).shown).toEqual(['bread', 'milk', 'tea']);
    });

    test('[P8] a tab frozen while it waits for the queue does not keep other tabs from sending', async () => {
      const titles: unknown[] = [];
      const held: (() => void)[] = [];
      const server = await serve(({ method, text }, response) => {
        if (method !== 'POST') {
          const body = `<!doctype html><title>tasks</title><script>${script}</script>`;
          return { headers: { 'content-type': 'text/html' }, body };
        }
        const body = JSON.stringify({ id: titles.length + 1, ...(JSON.parse(text) as object) });
        titles.push((JSON.parse(text) as { title: string }).title);
        if (titles.length > 1) return { status: 201, body };
        held.push(() => response.writeHead(201, { 'content-type': 'application/json' }).end(body));
        return undefined;
      });
      const context = await newContext();
      const open = async () => {
        const page = await context.newPage();
        await page.goto(`${server.address}/`);
        return page;
      };
      const one = await open();
      await make(one, 'tea');
      await expect.poll(() => titles, wait).toEqual(['tea']);
      const waiting = await open();
      await make(waiting, 'milk');
      await expect.poll(() => look(waiting), wait).toMatchObject({ waiting: 2 });
      await freeze(waiting);
      const last = await open();
      await make(last, 'bread');
      await expect.poll(() => look(last), wait).toMatchObject({ waiting: 3 });
      await one.close();
      await expect.poll(() => look(last), wait).toMatchObject({ waiting: 0 });
      expect(titles).toEqual(['tea', 'tea', 'milk', 'bread']);
      await resume(waiting);
      await expect.poll(() => look(waiting), wait).toMatchObject({ waiting: 0 });
      await make(waiting, 'salt');
      await expect.poll(() => titles, wait).toEqual(['tea', 'tea', 'milk', 'bread', 'salt']);
      await expect.poll(() => look(waiting), wait).toMatchObject({ waiting: 0 });
    });
  }

  test('[P2] a mutation in flight in a frozen tab is sent by another tab with the same idempotency key', async () => {
    const keys: unknown[] = [];
    const server = await serve(({ url, method, headers, text }) => {
      if (url === '/hang') return name === 'Firefox' ? {} : undefined;
      if (method !== 'POST') {
        const body = `<!doctype html><title>tasks</title><script>${script}</script>`;
        return { headers: { 'content-type': 'text/html' }, body: url === '/' ? body : '' };
      }
      keys.push(headers['idempotency-key']);
      // the first request is never answered
      if (keys.length === 1) return undefined;
      return { status: 201, body: { id: 1, ...(JSON.parse(text) as object) } };
    });
    const context = await newContext();
    const [one, other] = [await context.newPage(), await context.newPage()];
    await one.goto(`${server.address}/`);
    await one.evaluate("play.make('tea')");
    await expect.poll(() => keys.length, wait).toBe(1);
    await one.evaluate(hang(name));
    await expect.poll(() => server.asked.some(({ url }) => url === '/hang'), wait).toBe(true);
    await suspendLoop(one, name);
    await other.goto(`${server.address}/`);
    await expect.poll(() => look(other), wait).toMatchObject({ waiting: 1 });
    await expect
      .poll(() => look(other), { timeout: 25_000 })
      .toEqual({ shown: ['tea'], waiting: 0, locks: true });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});
