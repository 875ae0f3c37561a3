// Both kinds of stream in a real browser, with the native EventSource and WebSocket, and a view of React.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventServer, SocketServer } from '../servers/eventServer.ts';
import { chromiumOfFile } from '../setup/sharedBrowser.ts';
import { bundlePage } from '../setup/bundlePage.ts';
import type { Streams } from './streams/page.tsx';

const bundle = () =>
  bundlePage('streams/page.tsx', {
    minify: true,
  });

let rows = [{ id: 1, title: 'one' }];
let asked = 0;
const events = new EventServer((_, response) => {
  asked++;
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  response.writeHead(200, headers).end(JSON.stringify(rows));
});
const sockets = new SocketServer();
const browser = chromiumOfFile();
beforeAll(() => Promise.all([events.start(), sockets.start()]));
afterAll(() => Promise.all([events.stop(), sockets.stop()]));

test('[P4] in a browser a burst of messages causes one render, and both kinds of stream reconnect', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.setContent('<body></body>');
  await page.addScriptTag({ content: await bundle() });
  const addresses = { rest: events.origin, events: events.url, socket: sockets.url };
  await page.evaluate((told) => globalThis.streams.open(told), addresses);
  const shows = (text: string) =>
    page.waitForFunction((wanted) => document.body.textContent?.trim() === wanted, text);
  const areOpen = () =>
    page.waitForFunction(() => globalThis.streams.status.every((status) => status === 'open'));
  await shows('1 one');
  await areOpen();

  const renders = () => page.evaluate(() => globalThis.streams.renders);
  const before = await renders();
  const titles = Array.from({ length: 300 }, (_, at) => ({ title: `${at}`, id: 2 + (at % 10) }));
  events.sendTogether(
    titles.map((todo, at) => ({ type: at < 10 ? 'created' : 'changed', ...todo })),
  );
  const list = titles.slice(-10).map(({ id, title }) => `${id} ${title}`);
  await shows(['1 one', ...list].join(', '));
  expect(await renders()).toBe(before + 1);
  sockets.sendTogether(titles.map(({ title }) => ({ type: 'changed', id: 1, title })));
  await shows(['1 299', ...list].join(', '));
  expect(await renders()).toBe(before + 2);

  const already = asked;
  rows = [{ id: 5, title: 'missed' }];
  await Promise.all([events.stop(), sockets.stop()]);
  await page.waitForFunction(() => globalThis.streams.status.every((status) => status !== 'open'));
  await Promise.all([events.start(), sockets.start()]);
  await areOpen();
  await shows('5 missed');
  expect(asked).toBeGreaterThan(already);
  events.send({ type: 'deleted', id: 5 });
  await shows('');
  await page.evaluate(() => globalThis.streams.close());
  expect(await page.evaluate(() => globalThis.streams.status)).toEqual(['closed', 'closed']);
  expect(complaints).toEqual([]);
  await page.close();
});

declare global {
  var streams: Streams;
}
