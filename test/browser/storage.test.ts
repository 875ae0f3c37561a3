// Storages of real browsers: each keeps the contract, and a page that is loaded again starts with what was kept there.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectedOfStorage } from '../managers/storageContract.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env['SIGNALBOX_DIST'] === '1';
const entry = (path: string) => root + (built ? `dist/esm/${path}.js` : `${path}.ts`);

const app = `
  import { Controller, createResource, Entity } from 'signalbox';
  import { indexedDbStorage, opfsStorage, persist } from 'signalbox/persist';
  import { playStorage } from './test/managers/storageContract.ts';
  class Todo extends Entity { id = 0; title = ''; }
  const todo = createResource({ path: '/todos/:id', schema: Todo });
  const clock = { now: () => Date.now(), after: (ms, job) => setTimeout(job, ms), clear: (timer) => clearTimeout(timer) };
  const storages = { indexedDbStorage, opfsStorage };
  const play = (storage) => playStorage(() => storages[storage]('contract', clock));
  const begin = async (storage, owner, secret) => {
    const controller = new Controller({ dataExpiryLength: 3_600_000 });
    const swap = (bytes) => bytes.map((byte) => byte ^ secret);
    const transform = secret ? { encode: swap, decode: swap } : undefined;
    const options = { names: { todo }, name: 'kept', storage: storages[storage], owner, transform };
    const kept = persist(controller, options);
    await kept.ready;
    const titles = () => controller.getResponse(todo.getList).data?.map(({ title }) => title) ?? null;
    return { controller, kept, titles };
  };
  const rows = (many, title) => Array.from({ length: many }, (_, at) => ({ id: at + 1, title: title + at }));
  const text = async (storage) => {
    const all = [];
    if (storage === 'indexedDbStorage') {
      const found = await indexedDbStorage('kept', clock).read('');
      return Array.from(found, ([key, value]) => key + new TextDecoder().decode(new Uint8Array(value))).join();
    }
    const files = await navigator.storage.getDirectory().then((top) => top.getDirectoryHandle('kept'));
    for await (const [name, file] of files.entries())
      all.push(name, new TextDecoder().decode(await (await file.getFile()).arrayBuffer()));
    return all.join();
  };
  Object.assign(globalThis, { begin, play, rows, text, todo, Todo });
`;

let server: Server;
let address: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: root },
    alias: {
      signalbox: entry('src/index'),
      'signalbox/persist': entry('src/managers/persist'),
    },
    bundle: true,
    write: false,
    format: 'iife',
    footer: { js: '//# sourceURL=page.js' },
    logLevel: 'error',
  });
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><script>${outputFiles[0]?.text}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server?.close());

eachBrowser(({ newContext }) => {
  test.each(['indexedDbStorage', 'opfsStorage'])(
    '[P6] %s keeps the contract, and what is kept there',
    async (storage) => {
      const page = await (await newContext()).newPage();
      await page.goto(address);
      expect(await page.evaluate(`play('${storage}')`)).toEqual(expectedOfStorage);
      const save = `async ({ controller, kept }, rows) => {
        await controller.setResponse(todo.getList, {}, rows);
        await kept.flush();
      }`;
      await page.evaluate(`(async () => {
        await (${save})(await begin('${storage}', 'ada', 7), rows(2_000, 'of ada '));
        await (${save})(await begin('${storage}', 'bob'), rows(2, 'of bob '));
      })()`);
      await page.reload();
      const found = await page.evaluate(`(async () => {
        const ada = await begin('${storage}', 'ada', 7);
        const bob = await begin('${storage}', 'bob');
        const seen = [ada.titles().length, ada.titles()[1_999], bob.titles()];
        await ada.controller.set(Todo, { id: 5 }, { title: 'changed' });
        await ada.kept.flush();
        bob.controller.reset();
        await bob.kept.flush();
        return seen;
      })()`);
      expect(found).toEqual([2_000, 'of ada 1999', ['of bob 0', 'of bob 1']]);
      await page.reload();
      const last = await page.evaluate(`(async () => {
        const ada = await begin('${storage}', 'ada', 7);
        return [ada.titles()[4], (await begin('${storage}', 'bob')).titles()];
      })()`);
      expect(last).toEqual(['changed', null]);
      expect(await page.evaluate(`text('${storage}')`)).not.toMatch(/of (ada|bob) \d/);
    },
  );
});
