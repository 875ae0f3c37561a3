// The offline queue in real browsers: their disks, locks, headers and clocks, and servers that refuse.
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../setup/bundlePage.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';
import type { Engine } from '../setup/eachBrowser.ts';
import { serve } from '../setup/server.ts';
import type { Answer, Asked } from '../setup/server.ts';
import type { Play } from './queue/page.ts';

const bundle = () =>
  bundlePage('queue/page.ts', {
    mode: 'development',
  });

let script: string;
beforeAll(async () => void (script = await bundle()));

/** A server of versioned tasks that a test can break, and pages of the same browser profile. */
async function setUp({ newContext }: Engine) {
  const rows = new Map<number, { version: number; fields: Record<string, unknown> }>();
  const keys = new Map<string, Answer>();
  const state: {
    refusal: Answer | undefined;
    token: string;
    refreshes: boolean;
    /** Responses stop in the middle of the body. */
    stalls: boolean;
  } = {
    stalls: false,
    refusal: undefined,
    token: 'first',
    refreshes: true,
  };
  const put = (id: number, fields: object): Answer => {
    const known = rows.get(id);
    const version = (known?.version ?? 0) + 1;
    rows.set(id, { version, fields: { id, ...known?.fields, ...fields } });
    return { headers: { etag: `"v${version}"` }, body: rows.get(id)?.fields };
  };
  const act = ({ method, url, headers, text }: Asked): Answer => {
    const id = Number(url.split('/')[2]);
    if (method === 'POST') return put(rows.size + 101, JSON.parse(text) as object);
    const row = rows.get(id);
    if (row === undefined && method === 'GET') return { status: 404 };
    const etag = `"v${row?.version ?? 0}"`;
    if (method === 'GET') return { headers: { etag }, body: row?.fields };
    const ifMatch = headers['if-match'];
    if (ifMatch !== undefined && ifMatch !== etag) return { status: 412, body: row?.fields };
    if (method !== 'DELETE') return put(id, JSON.parse(text) as object);
    rows.delete(id);
    return { status: 204 };
  };
  const server = await serve((asked, response) => {
    const { method, url, headers } = asked;
    if (url.startsWith('/?') || url === '/')
      return {
        headers: { 'content-type': 'text/html' },
        body: `<!doctype html><title>tasks</title><script>${script}</script>`,
      };
    if (url === '/refresh') return { status: state.refreshes ? 204 : 401 };
    if (!url.startsWith('/tasks')) return { status: 404 };
    if (method === 'GET') return act(asked);
    if (state.stalls) {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
      return undefined;
    }
    if (state.refusal !== undefined) return state.refusal;
    if (headers.authorization !== `Bearer ${state.token}`) return { status: 401 };
    const key = String(headers['idempotency-key']);
    const answer = keys.get(key) ?? act(asked);
    if (answer.status !== 412) keys.set(key, answer);
    return answer;
  });
  const context = await newContext();
  const open = async (search = '') => {
    const page = await context.newPage();
    await page.goto(`${server.address}/${search}`);
    return page;
  };
  /** The requests that change something. */
  const sent = () =>
    server.asked.filter(({ method, url }) => method !== 'GET' && url.startsWith('/tasks'));
  const bare = () => sent().map(({ method, url, text }) => `${method} ${url} ${text}`.trim());
  return { server, rows, state, put, open, sent, bare };
}

type Verb = Exclude<keyof Play, 'look'>;

const play = <V extends Verb>(page: Page, verb: V, ...args: Parameters<Play[V]>) =>
  page.evaluate(
    (name, given) => {
      const own = (
        globalThis as unknown as { play: Record<string, (...all: unknown[]) => unknown> }
      ).play;
      return own[name]?.(...given) as ReturnType<Play[V]>;
    },
    verb,
    args,
  );

const look = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { play: Play }).play.look());

function eventually(page: Page) {
  return expect.poll(() => look(page), { timeout: 30_000 });
}

eachBrowser((engine) => {
  test('[P2] 300 waiting mutations send few requests while the server is down, and one each afterwards', async () => {
    const { state, open, sent, rows } = await setUp(engine);
    state.refusal = { status: 503 };
    const page = await open();
    await play(page, 'renameAll', 300);
    await eventually(page).toMatchObject({ waiting: 300 });
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    // up to six requests at once before the first refusal, then single requests
    expect(sent().length).toBeLessThan(20);
    await expect.poll(() => sent().length, { timeout: 20_000 }).toBeGreaterThan(2);
    const before = sent().length;
    state.refusal = undefined;
    await play(page, 'retry');
    await eventually(page).toMatchObject({ waiting: 0 });
    expect(sent().length - before).toBe(300);
    expect(rows.size).toBe(300);
  });

  test('[P2] a mutation whose response is being read when the user reloads the page is sent again', async () => {
    const { state, open, sent, bare } = await setUp(engine);
    const page = await open();
    await page.evaluate(() => {
      const { fetch: send } = globalThis;
      globalThis.fetch = async (...request) => {
        const response = await send(...request);
        document.title = 'reading';
        return response;
      };
    });
    state.stalls = true;
    await play(page, 'make', 'tea');
    await expect.poll(() => page.title()).toBe('reading');
    state.stalls = false;
    await page.reload();
    await eventually(page).toMatchObject({ waiting: 0, tasks: ['tea'] });
    const request = 'POST /tasks {"title":"tea","parentId":null}';
    expect(bare()).toEqual([request, request]);
    expect(new Set(sent().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('[P2] an edit that a page makes while the user leaves the page is sent once, by the next page', async () => {
    const { server, open, bare } = await setUp(engine);
    const page = await open();
    const titles = ['a', 'b', 'c', 'd', 'e'];
    // several times: a browser discards some of the transactions that a page begins while being left
    for (const [times, title] of titles.entries()) {
      await eventually(page).toMatchObject({ waiting: 0 });
      await page.evaluate((left) => {
        const { play: own } = globalThis as unknown as { play: Play };
        addEventListener('pagehide', () => own.rename(1, left));
      }, title);
      await page.goto('about:blank');
      await page.goto(server.address);
      await expect.poll(() => bare().length, { timeout: 30_000 }).toBe(times + 1);
    }
    await eventually(page).toMatchObject({ waiting: 0 });
    expect(bare()).toEqual(titles.map((title) => `PATCH /tasks/1 {"title":"${title}"}`));
  });

  test('[P7] an expired session holds the queue, also after a reload, until the user has logged in', async () => {
    const { state, open, sent } = await setUp(engine);
    state.token = 'second';
    state.refreshes = false;
    const page = await open();
    for (const id of [1, 2, 3]) await play(page, 'rename', id, 'b');
    await eventually(page).toMatchObject({ waiting: 3, held: 3, events: ['hold'] });
    await page.reload();
    await eventually(page).toMatchObject({ waiting: 3, held: 3, events: ['hold'] });
    state.refreshes = true;
    await play(page, 'retry');
    await eventually(page).toMatchObject({ waiting: 0, events: ['hold', 'resume'] });
    // a refused request refreshes the token and is sent again with all headers
    const keys = new Set<unknown>();
    const accepted = new Set<unknown>();
    for (const { headers } of sent()) {
      expect(headers['content-type']).toBe('application/json');
      expect(headers['idempotency-key']).toMatch(/^"[0-9a-f-]{36}"$/);
      keys.add(headers['idempotency-key']);
      if (headers.authorization === 'Bearer second') accepted.add(headers['idempotency-key']);
    }
    expect(keys.size).toBe(3);
    expect(accepted).toEqual(keys);
  });

  test('[P2] a foreign key to a row without a server key, and the order of the mutations, survive a reload', async () => {
    const { state, open, bare } = await setUp(engine);
    state.refusal = { status: 503, headers: { 'retry-after': '120' } };
    const page = await open();
    await play(page, 'make', 'parent');
    await play(page, 'make', 'child', 'parent');
    const shown = { waiting: 2, tasks: ['child under parent', 'parent'] };
    await eventually(page).toMatchObject({ ...shown, failed: 1 });
    await page.reload();
    // a request in flight would be refused after the retry, and wait for two minutes
    await eventually(page).toMatchObject({ ...shown, failed: 1 });
    state.refusal = undefined;
    await play(page, 'retry');
    await eventually(page).toMatchObject({ ...shown, waiting: 0 });
    expect(bare().slice(-2)).toEqual([
      'POST /tasks {"title":"parent","parentId":null}',
      'POST /tasks {"title":"child","parentId":101}',
    ]);
  });

  test('[P2] a clock set back by a day does not stop the queue', async () => {
    const { state, open, sent } = await setUp(engine);
    state.refusal = { status: 503 };
    const page = await open();
    await play(page, 'rename', 1, 'b');
    await eventually(page).toMatchObject({ waiting: 1, failed: 1 });
    await play(page, 'stepClock', -86_400_000);
    const before = sent().length;
    await expect.poll(() => sent().length, { timeout: 20_000 }).toBeGreaterThan(before + 1);
    state.refusal = undefined;
    await eventually(page).toMatchObject({ waiting: 0 });
  });

  test('[P7] waiting mutations of an older version are set aside without migrate(), and sent with migrate()', async () => {
    const { state, open, bare } = await setUp(engine);
    state.refusal = { status: 503, headers: { 'retry-after': '120' } };
    const page = await open();
    await play(page, 'rename', 1, 'b');
    await eventually(page).toMatchObject({ waiting: 1, failed: 1 });
    await page.close();
    state.refusal = undefined;
    const next = await open('?version=2');
    await eventually(next).toMatchObject({ waiting: 0, events: ['aside'] });
    const before = bare().length;
    await next.close();
    const last = await open('?version=2&migrates');
    await expect
      .poll(() => bare().slice(before))
      .toEqual(['PATCH /tasks/1 {"title":"b","migrated":true}']);
    await eventually(last).toMatchObject({ waiting: 0, events: [] });
  });

  test('[P7] If-Match rejects an edit of an outdated version, and onConflict merges the edit', async () => {
    const { put, open, sent, rows } = await setUp(engine);
    put(1, { title: 'a' });
    const page = await open();
    expect(await play(page, 'read', 1)).toBe('a');
    put(1, { title: 'theirs' });
    await play(page, 'rename', 1, 'mine');
    await eventually(page).toMatchObject({ waiting: 0, tasks: ['theirs and mine'] });
    expect(sent().map(({ headers }) => headers['if-match'])).toEqual(['"v1"', '"v2"']);
    expect(rows.get(1)?.fields['title']).toBe('theirs and mine');
  });

  test('[P7] waiting edits of a row are sent as one, and a row created and deleted offline is never sent', async () => {
    const { state, open, bare } = await setUp(engine);
    const page = await open('?merge');
    state.refusal = { status: 503, headers: { 'retry-after': '120' } };
    await play(page, 'rename', 9, 'x');
    await eventually(page).toMatchObject({ waiting: 1, failed: 1 });
    for (const title of ['b', 'c', 'd']) await play(page, 'rename', 1, title);
    await eventually(page).toMatchObject({ waiting: 4 });
    await play(page, 'make', 'new');
    await eventually(page).toMatchObject({ waiting: 5 });
    await play(page, 'remove', 'new');
    // needless already, or when the queue is drained
    await expect.poll(async () => [4, 6].includes((await look(page)).waiting)).toBe(true);
    state.refusal = undefined;
    const before = bare().length;
    await play(page, 'retry');
    await eventually(page).toMatchObject({ waiting: 0 });
    expect(bare().slice(before).sort()).toEqual([
      'PATCH /tasks/1 {"title":"d"}',
      'PATCH /tasks/9 {"title":"x"}',
    ]);
  });

  test('[P8] with other tabs open, a log out keeps the unsent edits, and the same user later sends each edit once', async () => {
    const { state, open, bare } = await setUp(engine);
    state.refusal = { status: 503, headers: { 'retry-after': '120' } };
    const search = '?tabs&owner=ada';
    // the first tab owns the queue
    const owning = await open(search);
    await play(owning, 'rename', 1, 'b');
    await eventually(owning).toMatchObject({ waiting: 1, failed: 1 });
    const leaving = await open(search);
    await eventually(leaving).toMatchObject({ waiting: 1 });
    await play(leaving, 'rename', 1, 'c');
    await eventually(leaving).toMatchObject({ waiting: 2 });
    const third = await open(search);
    await eventually(third).toMatchObject({ waiting: 2 });
    await play(leaving, 'logOut', 'keeps');
    for (const page of [owning, third]) await eventually(page).toMatchObject({ waiting: 0 });
    state.refusal = undefined;
    const before = bare().length;
    for (const page of [owning, third]) await play(page, 'retry');
    const bob = await open('?tabs&owner=bob');
    await play(bob, 'rename', 2, 'of bob');
    await eventually(bob).toMatchObject({ waiting: 0, tasks: ['of bob'] });
    const own = 'PATCH /tasks/2 {"title":"of bob"}';
    expect(bare().slice(before)).toEqual([own]);
    const again = await open(search);
    await expect
      .poll(() => bare().slice(before))
      .toEqual([own, 'PATCH /tasks/1 {"title":"b"}', 'PATCH /tasks/1 {"title":"c"}']);
    await eventually(again).toMatchObject({ waiting: 0, events: [] });
  });

  test('[P8] a log out that removes the unsent edits empties the log, also if another tab owns the queue', async () => {
    const { state, open, sent } = await setUp(engine);
    state.refusal = { status: 503, headers: { 'retry-after': '120' } };
    const pages = [await open('?tabs'), await open('?tabs')];
    // a page also shows mutations of other pages that were logged before the page has read the log
    for (const page of pages) await look(page);
    for (const [at, page] of pages.entries()) {
      await play(page, 'rename', at + 1, 'b');
      await eventually(page).toMatchObject({ waiting: 1, failed: 1 });
    }
    await play(pages[1] as Page, 'logOut', 'removes');
    for (const page of pages) await eventually(page).toMatchObject({ waiting: 0 });
    const next = await open('?tabs');
    state.refusal = undefined;
    const before = sent().length;
    await play(next, 'rename', 3, 'new');
    await eventually(next).toMatchObject({ waiting: 0, tasks: ['new'] });
    expect(
      sent()
        .slice(before)
        .map(({ url }) => url),
    ).toEqual(['/tasks/3']);
  });
});
