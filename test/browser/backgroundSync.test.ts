// The example of Background Sync in Chromium: a service worker sends the log of a page, also of a page that is closed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page, Worker } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { startBackgroundSync } from '../../examples/background-sync/startBackgroundSync.ts';
import { chromiumOfFile } from '../setup/sharedBrowser.ts';
import { exampleSources } from './exampleSources.ts';

const browser = chromiumOfFile();
const TAG = 'send-edits';

interface Edit {
  readonly path: string;
  readonly title: string;
  readonly key: string;
  readonly byWorker: boolean;
}

/** Tasks behind a network that can be cut, and the edits that have arrived and were accepted. */
function createApi() {
  const titles = new Map([1, 2, 3, 4].map((id) => [id, 'a']));
  const attempts: Edit[] = [];
  const applied: Edit[] = [];
  const held: (() => void)[] = [];
  const state: { mode: 'accepts' | 'down' | 'refuses' | 'holds' } = { mode: 'accepts' };
  const send = (response: ServerResponse, body: unknown, status = 200) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  const rowOf = (id: number) => ({ id, title: titles.get(id) });
  const serveApi = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (state.mode === 'down') request.socket.destroy();
    if (request.method === 'GET') return send(response, [...titles.keys()].map(rowOf));
    const { title } = JSON.parse(Buffer.concat(chunks).toString()) as { title: string };
    const byWorker = request.headers.referer?.endsWith('/serviceWorker.js') === true;
    const edit = { path, title, key: String(request.headers['idempotency-key']), byWorker };
    attempts.push(edit);
    if (state.mode === 'down') return undefined;
    if (state.mode === 'refuses') return send(response, {}, 401);
    const id = Number(path.split('/')[2]);
    const apply = () => {
      applied.push(edit);
      titles.set(id, title);
      send(response, rowOf(id));
    };
    if (state.mode === 'holds') held.push(apply);
    else apply();
    return undefined;
  };
  const release = () => {
    state.mode = 'accepts';
    for (const go of held.splice(0)) go();
  };
  const api = (request: IncomingMessage, response: ServerResponse, path: string) =>
    void serveApi(request, response, path).catch(() => response.destroy());
  return { api, state, attempts, applied, release };
}

/** Runs in the worker: remembers how the events end. */
function watchEvents(): void {
  const ends: string[] = [];
  const { ExtendableEvent } = globalThis as unknown as {
    ExtendableEvent: { prototype: { waitUntil: (this: unknown, done: Promise<unknown>) => void } };
  };
  const { waitUntil } = ExtendableEvent.prototype;
  ExtendableEvent.prototype.waitUntil = function (done) {
    done.then(
      () => ends.push('resolved'),
      (error: unknown) => ends.push(String(error)),
    );
    waitUntil.call(this, done);
  };
  Object.assign(globalThis, { ends });
}

const endsOf = (worker: Worker) =>
  worker.evaluate(() => (globalThis as unknown as { ends: string[] }).ends);

/** The site, and a profile whose worker is installed. `idle`: a page of the site that is not the application. */
async function setUp() {
  const server = createApi();
  const site = await startBackgroundSync({ ...exampleSources, api: server.api });
  const context = await browser.newContext();
  onTestFinished(async () => {
    await context.close();
    await site.close();
  });
  const open = async () => {
    const page = await context.newPage();
    await page.goto(site.url);
    await expect.poll(() => page.locator('li').count()).toBe(4);
    // empty until the log is read
    await expect.poll(() => statusOf(page)).not.toBe('');
    return page;
  };
  const installing = context.waitForEvent('serviceworker');
  const page = await open();
  const worker = await installing;
  await worker.evaluate(watchEvents);
  const idle = await context.newPage();
  await idle.goto(`${site.url}/serviceWorker.js`);
  return { ...server, page, open, worker, idle, sync: await syncOf(idle, site.url) };
}

/** Fires the event in the worker, as the browser does when the network returns. */
async function syncOf(page: Page, origin: string): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await found;
  return async () =>
    void (await devtools.send('ServiceWorker.dispatchSyncEvent', {
      origin,
      registrationId,
      tag: TAG,
      lastChance: false,
    }));
}

async function edit(page: Page, id: number, title: string): Promise<void> {
  const input = page.getByRole('textbox', { name: `Task ${id}` });
  await input.fill(title);
  await input.press('Enter');
}

/** The tags for which the browser will fire an event, also after rejected events. */
const tagsAt = (page: Page) =>
  page.evaluate(async () => {
    const { sync } = (await navigator.serviceWorker.ready) as unknown as {
      sync: { getTags(): Promise<string[]> };
    };
    return sync.getTags();
  });

const titlesAt = (page: Page) => page.$$eval('input', (inputs) => inputs.map(({ value }) => value));

function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 20_000 });
}

const statusOf = (page: Page) => page.textContent('output');
const bare = (edits: readonly Edit[]) => edits.map(({ path, title }) => `${path} ${title}`).sort();

test('[P2] a service worker sends each edit of a closed page once, and keeps its sync tag while the network is down', async () => {
  const { page, open, worker, idle, sync, state, attempts, applied } = await setUp();
  state.mode = 'down';
  await edit(page, 1, 'b');
  await edit(page, 1, 'c');
  await edit(page, 2, 'd');
  await eventually(() => statusOf(page)).toBe('Unsent edits: 3');
  // the page has registered the tag: the browser has fired an event
  await eventually(() => attempts.some(({ byWorker }) => byWorker)).toBe(true);
  await page.close();
  await sync();
  await eventually(() => endsOf(worker)).toContain('Error: unsent edits: 3');
  expect(await endsOf(worker)).not.toContain('resolved');
  expect(await tagsAt(idle)).toEqual([TAG]);
  expect(applied).toEqual([]);

  state.mode = 'accepts';
  await sync();
  await eventually(() => endsOf(worker)).toContain('resolved');
  expect(bare(applied)).toEqual(['/tasks/1 b', '/tasks/1 c', '/tasks/2 d']);
  expect(applied.filter(({ path }) => path === '/tasks/1').map(({ title }) => title)).toEqual([
    'b',
    'c',
  ]);
  expect(applied.every(({ byWorker }) => byWorker)).toBe(true);
  const keys = applied.map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^"[0-9a-f-]{36}"$/);
  // the key is that of the attempts of the page
  expect(attempts.filter(({ byWorker }) => !byWorker).every(({ key }) => keys.includes(key))).toBe(
    true,
  );

  const next = await open();
  await eventually(() => statusOf(next)).toBe('All edits are sent');
  expect(await titlesAt(next)).toEqual(['c', 'd', 'a', 'a']);
  expect(applied).toHaveLength(3);
});

test('[P7] a service worker keeps edits rejected with 401 in the log, and a later page sends these edits', async () => {
  const { page, open, worker, idle, sync, state, attempts, applied } = await setUp();
  state.mode = 'refuses';
  await edit(page, 1, 'b');
  await edit(page, 2, 'c');
  await eventually(() => statusOf(page)).toBe('Unsent edits: 2');
  await page.close();
  // events of the browser itself may still run
  await eventually(() => tagsAt(idle)).toEqual([]);
  const ends = (await endsOf(worker)).length;
  attempts.length = 0;
  await sync();
  await eventually(async () => (await endsOf(worker)).slice(ends)).toEqual(['resolved']);
  expect(attempts.length).toBeGreaterThan(0);
  expect(attempts.every(({ byWorker }) => byWorker)).toBe(true);

  const next = await open();
  await eventually(() => statusOf(next)).toBe('Unsent edits: 2');
  expect(await titlesAt(next)).toEqual(['b', 'c', 'a', 'a']);
  expect(applied).toEqual([]);
  await next.close();
  state.mode = 'accepts';
  const last = await open();
  await eventually(() => statusOf(last)).toBe('All edits are sent');
  expect(bare(applied)).toEqual(['/tasks/1 b', '/tasks/2 c']);
});

test('[P2] a page and its service worker that send at the same time send each edit once', async () => {
  const { page, worker, idle, sync, state, attempts, release } = await setUp();
  state.mode = 'holds';
  for (const id of [1, 2, 3, 4]) for (const title of ['b', 'c']) await edit(page, id, title);
  await eventually(() => statusOf(page)).toBe('Unsent edits: 8');
  await sync();
  await eventually(() => attempts.length).toBe(4);
  release();
  await eventually(() => statusOf(page)).toBe('All edits are sent');
  await eventually(() => tagsAt(idle)).toEqual([]);
  expect(await endsOf(worker)).toContain('resolved');
  expect(bare(attempts)).toEqual(
    [1, 2, 3, 4].flatMap((id) => [`/tasks/${id} b`, `/tasks/${id} c`]),
  );
  expect(await titlesAt(page)).toEqual(['c', 'c', 'c', 'c']);
});
