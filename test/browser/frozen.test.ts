// A tab that has frozen while it sends: its lock does not keep the others from sending.
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';
import { serve } from '../setup/server.ts';
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

// a tab in the background takes its time
const wait = { timeout: 10_000 };

eachBrowser(({ name, newContext }) => {
  test('[P2] what a frozen tab was sending is sent by another one, under the same key', async () => {
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
