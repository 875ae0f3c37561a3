// Programs in separate Node processes: a promise that a caller holds keeps the process alive, and nothing else does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../setup/server.ts';
import type { Answer } from '../setup/server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env['SIGNALBOX_DIST'] === '1';
const entry = (path: string) => root + (built ? `dist/esm/${path}.js` : `${path}.ts`);

const entries = `
  export * from 'signalbox';
  export { offline } from 'signalbox/offline';
  export { connectEventSource } from 'signalbox/streams';
  export { connectTabs, shareConnection, shareRequests } from 'signalbox/tabs';
  export { withServerData } from 'signalbox/ssr';
  export { serverDataTransform } from 'signalbox/ssr/node';
`;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-process-'));
  await build({
    stdin: { contents: entries, resolveDir: root },
    alias: {
      signalbox: entry('src/index'),
      'signalbox/offline': entry('src/offline/offline'),
      'signalbox/ssr': entry('src/ssr/index'),
      'signalbox/ssr/node': entry('src/ssr/node'),
      'signalbox/streams': entry('src/streams/streams'),
      'signalbox/tabs': entry('src/tabs/tabs'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'signalbox.mjs'),
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'world.mjs'), world);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The definitions of all programs. */
const world = `
  import { Controller, createResource, Entity } from './signalbox.mjs';
  export * from './signalbox.mjs';
  class Todo extends Entity { id = 0; title = ''; }
  export const [, , urlPrefix] = process.argv;
  export const todo = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
  // no delay but the server's
  const clock = {
    now: () => Date.now(),
    after(ms, job) { const timer = setTimeout(job, ms); timer.unref(); return timer; },
    clear: (timer) => clearTimeout(timer),
    random: () => 0.01,
  };
  export const create = (options) => new Controller({ clock, ...options });
  export const memory = () => {
    const all = new Map();
    const write = ({ put, remove = [], removeAll }) => {
      if (removeAll !== undefined) for (const key of all.keys()) if (key.startsWith(removeAll)) all.delete(key);
      for (const key of remove) all.delete(key);
      for (const [key, value] of put) all.set(key, value);
    };
    return {
      read: async (prefix) => new Map([...all].filter(([key]) => key.startsWith(prefix))),
      change: async (keys, decide) => {
        const found = decide(keys.map((key) => all.get(key)));
        if (found !== undefined) write(found);
      },
      replace: async (found) => write(found),
    };
  };
`;

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a program until the process ends without a signal. */
function run(program: string, address = 'http://127.0.0.1:1'): Promise<Ended> {
  const names = [...world.matchAll(/export const (?:\[, , )?(\w+)/g)].map(([, name]) => name);
  const source = `import { ${names.join()} } from './world.mjs';
    import * as signalbox from './signalbox.mjs';
    ${program}`;
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  writeFileSync(file, source);
  const child = spawn(process.execPath, [file, address], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const out of [child.stdout, child.stderr])
    out.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text: text.trim() }));
  });
}

/** A server that sends these responses, then a todo. */
const failing = (...answers: Answer[]) =>
  serve(() => answers.shift() ?? { body: { id: 1, title: 'one' } });

const busy: Answer = { status: 503, body: {} };

describe('a mutation with a plain object as its body, before the first request of a process', () => {
  const isUnread =
    "console.log(typeof Object.getOwnPropertyDescriptor(globalThis, 'FormData').get);";

  test('[V7] an optimistic mutation with a plain body does not load the fetch classes of Node', async () => {
    const ended = await run(`
      const change = new signalbox.Endpoint(async (params, body) => ({ ...params, ...body }), {
        name: 'change', schema: todo.get.schema, sideEffect: true,
        getOptimisticResponse: (_, params, body) => ({ ...params, ...body }),
      });
      const controller = create({ optimistic: signalbox.optimistic });
      console.log((await controller.fetch(change, { id: 1 }, { title: 'new' })).title);
      ${isUnread}`);
    expect(ended).toEqual({ code: 0, text: 'new\nfunction' });
  });

  test.each(['update', 'partialUpdate', 'getList.push'])(
    '[V7] %s of a resource with optimistic: true does not load the fetch classes of Node',
    async (name) => {
      const ended = await run(`
        const options = { urlPrefix, path: '/todos/:id', schema: todo.get.schema, optimistic: true };
        const endpoint = signalbox.createResource(options).${name};
        const send = async () => ({ id: 1, title: 'new' });
        const controller = create({ optimistic: signalbox.optimistic, send });
        const params = endpoint.name.endsWith('create') ? [] : [{ id: 1 }];
        console.log((await controller.fetch(endpoint, ...params, { title: 'new' })).title);
        ${isUnread}`);
      expect(ended).toEqual({ code: 0, text: 'new\nfunction' });
    },
  );
});

describe('a promise that a program awaits keeps the process alive', () => {
  test('[F7] an awaited read keeps the process alive through retries until the connection error', async () => {
    const ended = await run(`
      await create().fetch(todo.get, { id: 1 }).catch(({ code }) => console.log(code));
      console.log('end');
    `);
    expect(ended).toEqual({ code: 0, text: 'R8\nend' });
  });

  test('[F7] an awaited read keeps the process alive through a retry after a 503', async () => {
    const { address } = await failing(busy);
    const program = 'console.log((await create().fetch(todo.get, { id: 1 })).title);';
    expect(await run(program, address)).toEqual({ code: 0, text: 'one' });
  });

  test('[F7] an awaited fetchIfStale with the system clock keeps the process alive through a retry', async () => {
    const { address } = await failing(busy);
    const program = `
      const controller = new signalbox.Controller();
      console.log((await controller.fetchIfStale(todo.get, { id: 1 })).title);`;
    expect(await run(program, address)).toEqual({ code: 0, text: 'one' });
  });

  test('[F7] an awaited read keeps the process alive during Retry-After', async () => {
    const { address } = await failing({ ...busy, headers: { 'retry-after': '1' } });
    const program = 'console.log((await create().fetch(todo.get, { id: 1 })).title);';
    expect(await run(program, address)).toEqual({ code: 0, text: 'one' });
  });

  test('[F7] an awaited request without a response keeps the process alive until its timeout', async () => {
    const ended = await run(`
      const never = new signalbox.Endpoint(() => new Promise(() => {}), { name: 'never', timeout: 50, retry: 0 });
      await create().fetch(never).catch(({ name }) => console.log(name));
    `);
    expect(ended).toEqual({ code: 0, text: 'TimeoutError' });
  });

  test('[F7] an awaited read that joins the retry of a poll keeps the process alive', async () => {
    const { address } = await failing({ ...busy, headers: { 'retry-after': '1' } });
    const ended = await run(
      `
      const controller = create();
      const polled = todo.get.extend({ pollFrequency: 3_600_000 });
      const retried = new Promise((resolve) => controller.on('retry', resolve));
      signalbox.subscribe(controller, polled, { id: 1 });
      await retried;
      await new Promise((resolve) => setImmediate(resolve));
      console.log((await controller.fetch(todo.get, { id: 1 })).title);
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'one' });
  });

  test('[F7] an awaited mutation in the offline queue keeps the process alive until it is confirmed', async () => {
    const { address, asked } = await failing(busy, busy);
    const ended = await run(
      `
      const controller = create();
      const queue = signalbox.offline(controller, { names: { todo }, storage: memory });
      const { title } = await controller.fetch(todo.partialUpdate, { id: 1 }, { title: 'new' });
      console.log(title, queue.pending.value.length);
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'one 0' });
    expect(asked).toHaveLength(3);
  });

  test('[F7] an awaited mutation in the offline queue keeps the process alive through a timeout and a retry', async () => {
    let count = 0;
    const { address } = await serve(() =>
      count++ === 0 ? undefined : { body: { id: 1, title: 'one' } },
    );
    const ended = await run(
      `
      const controller = create({ timeout: 100 });
      signalbox.offline(controller, { names: { todo }, storage: memory });
      const { title } = await controller.fetch(todo.partialUpdate, { id: 1 }, { title: 'new' });
      console.log(title);
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'one' });
  });

  test('[F7] while its request waits for another tab that reads the same key', async () => {
    const { address, asked } = await failing(busy);
    const ended = await run(
      `
      const tabs = [create(), create()];
      const share = signalbox.shareRequests;
      for (const tab of tabs) signalbox.connectTabs(tab, { names: { todo }, share });
      const rows = await Promise.all(tabs.map((tab) => tab.fetch(todo.get, { id: 1 })));
      console.log(rows.map(({ title }) => title).join());
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'one,one' });
    expect(asked).toHaveLength(2);
  });

  test('[F7] while a stream follows that of another tab, until it is closed', async () => {
    const ended = await run(`
      class EventSource extends EventTarget {
        readyState = 2;
        constructor() {
          super();
          setImmediate(() => this.dispatchEvent(new Event('error')));
        }
        close() {}
      }
      const tabs = [create(), create()];
      const share = signalbox.shareConnection;
      const streams = tabs.map((tab) => {
        signalbox.connectTabs(tab, { names: { todo } });
        return signalbox.connectEventSource(tab, urlPrefix, { EventSource, share, receive() {} });
      });
      for (const stream of streams)
        stream.status.subscribe((status) => {
          if (status !== 'waiting') return;
          console.log(streams.map((each) => each.status.value).sort().join());
          for (const each of streams) each.close();
        });
    `);
    expect(ended).toEqual({ code: 0, text: 'following,waiting' });
  });

  test('[F7] HTML streams with server data keep the process alive until the HTML is read', async () => {
    const ended = await run(`
      const html = new ReadableStream({
        start(out) { out.enqueue('<p>one</p>'); out.close(); },
      });
      const out = signalbox.withServerData(html, create());
      let text = '';
      for await (const chunk of out) text += new TextDecoder().decode(chunk);
      const transform = signalbox.serverDataTransform(create());
      transform.write('<p>two</p>');
      for await (const chunk of transform) { text += chunk; break; }
      console.log(text.match(/one|two/g).join());
    `);
    expect(ended).toEqual({ code: 0, text: 'one,two' });
  });

  test('[F7] an event stream keeps the process alive while it reconnects, until it is closed', async () => {
    const ended = await run(`
      let count = 0;
      class EventSource extends EventTarget {
        readyState = 2;
        constructor() {
          super();
          const isUp = ++count === 3;
          // a connection that is open holds the process, as a socket does
          if (isUp) this.socket = setInterval(() => {}, 1_000);
          const event = isUp ? Object.assign(new Event('message'), { data: '{}' }) : new Event('error');
          setImmediate(() => this.dispatchEvent(event));
        }
        close() { clearInterval(this.socket); }
      }
      const stream = signalbox.connectEventSource(create(), 'http://127.0.0.1:1', {
        EventSource,
        receive() {
          console.log(count, stream.status.value);
          stream.close();
        },
      });
    `);
    expect(ended.code).toBe(0);
    expect(ended.text).toMatch(/^3 /);
  });
});

describe('a process ends by itself', () => {
  test('[F7] a process with a poll, an offline queue, data that expire and garbage collection ends by itself', async () => {
    const { address } = await failing();
    const ended = await run(
      `
      const controller = create({ sweepAfter: 3_600_000, dataExpiryLength: 3_600_000 });
      const polled = todo.get.extend({ pollFrequency: 3_600_000 });
      signalbox.subscribe(controller, polled, { id: 1 });
      signalbox.offline(controller, { names: { todo }, storage: memory });
      signalbox.connectTabs(controller, { names: { todo }, share: signalbox.shareRequests });
      const view = controller.view(todo.get, { id: 1 });
      const stop = view.listen(() => {});
      console.log((await controller.fetch(todo.get, { id: 1 })).title);
      stop();
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'one' });
  });

  test('[F7] a Node process ends while a poll waits for a retry', async () => {
    const { address } = await failing({ ...busy, headers: { 'retry-after': '60' } });
    const ended = await run(
      `
      const controller = create();
      const polled = todo.get.extend({ pollFrequency: 3_600_000 });
      controller.on('retry', ({ delay }) => console.log(delay >= 60_000));
      signalbox.subscribe(controller, polled, { id: 1 });
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'true' });
  });

  test('[F7] a Node process ends after the offline queue is stopped and the waiting read is aborted', async () => {
    const { address } = await failing(...Array.from({ length: 20 }, () => busy));
    const ended = await run(
      `
      const controller = create();
      const queue = signalbox.offline(controller, { names: { todo }, storage: memory });
      controller.fetch(todo.partialUpdate, { id: 1 }, { title: 'new' }).catch(() => {});
      await new Promise((resolve) => queue.pending.subscribe(([one]) => one?.error && resolve()));
      queue.stop();
      const abort = new AbortController();
      controller.on('retry', () => abort.abort());
      const get = todo.get.extend({ signal: abort.signal });
      await controller.fetch(get, { id: 1 }).catch(({ name }) => console.log(name));
    `,
      address,
    );
    expect(ended).toEqual({ code: 0, text: 'AbortError' });
  });
});
