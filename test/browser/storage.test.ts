// Storages of real browsers keep the contract; after a reload, data and mutations are there, encrypted.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectedOfStorage } from '../persist/storageContract.ts';
import { eachBrowser } from '../setup/eachBrowser.ts';
import { libraryEntries } from '../setup/library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const app = `
  import { Controller, createResource, Endpoint, Entity } from 'signalbox';
  import { offline } from 'signalbox/offline';
  import { indexedDbStorage, opfsStorage, persist } from 'signalbox/persist';
  import { playStorage } from './test/persist/storageContract.ts';
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
  const cipher = async (secret) => {
    const algorithm = { name: 'AES-GCM' };
    const raw = new Uint8Array(32).fill(secret);
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['encrypt', 'decrypt']);
    return {
      async encode(plain) {
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const sealed = await crypto.subtle.encrypt({ ...algorithm, iv }, key, plain);
        return new Uint8Array([...iv, ...new Uint8Array(sealed)]);
      },
      async decode(bytes) {
        const iv = bytes.slice(0, 12);
        return new Uint8Array(await crypto.subtle.decrypt({ ...algorithm, iv }, key, bytes.slice(12)));
      },
    };
  };
  const log = async (storage, owner, secret) => {
    const network = { sent: [], isUp: false };
    const send = new Endpoint(async (todo, files) => {
      if (!network.isUp) throw new TypeError('no network');
      network.sent.push([todo.title, await files[0].text()]);
      return todo;
    }, { name: 'send', sideEffect: true, schema: Todo });
    const controller = new Controller();
    const transform = secret ? await cipher(secret) : undefined;
    const options = { names: { send }, name: 'log', storage: storages[storage], owner, transform };
    const queue = offline(controller, options);
    const undecoded = [];
    queue.on('undecoded', ({ count }) => undecoded.push(count));
    await queue.ready;
    const pending = () => queue.pending.value.map(({ args }) => args[0].title);
    const wait = async (count) => {
      while (pending().length !== count) await new Promise((resolve) => setTimeout(resolve, 20));
      return pending();
    };
    const edit = async (title) => {
      const count = pending().length + 1;
      controller.fetch(send, { id: 1, title }, [new File(['file ' + title], 'a.txt')]).catch(() => {});
      return wait(count);
    };
    const drain = async () => {
      network.isUp = true;
      queue.retry();
      await wait(0);
      // the response is rendered first, and then the log forgets the mutation
      for (let left = 1; left > 0; ) {
        const other = await log(storage, owner, secret);
        left = other.pending().length;
        other.stop();
      }
      return network.sent;
    };
    return { edit, drain, pending, undecoded, stop: queue.stop };
  };
  const textOf = (value) => (typeof value === 'string' ? value : new TextDecoder().decode(value));
  const logText = async (storage) => {
    const found = await storages[storage]('log', clock).read('');
    return Array.from(found, ([key, value]) => key + textOf(value)).join();
  };
  const text = async (storage) => {
    const all = [];
    if (storage === 'indexedDbStorage') {
      const found = await indexedDbStorage('kept', clock).read('');
      return Array.from(found, ([key, value]) => key + textOf(value)).join();
    }
    const files = await navigator.storage.getDirectory().then((top) => top.getDirectoryHandle('kept'));
    for await (const [name, file] of files.entries())
      all.push(name, new TextDecoder().decode(await (await file.getFile()).arrayBuffer()));
    return all.join();
  };
  Object.assign(globalThis, { begin, log, logText, play, rows, text, todo, Todo });
`;

let server: Server;
let address: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: root },
    alias: libraryEntries,
    bundle: true,
    write: false,
    format: 'iife',
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
    '[P6] %s fulfills the storage contract, and keeps the encrypted data of each owner over reloads',
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

  test.each(['indexedDbStorage', 'opfsStorage'])(
    '[P6] %s keeps the encrypted mutations of each owner, and loses none if the key cannot decode them',
    async (storage) => {
      const page = await (await newContext()).newPage();
      const inPage = (code: string) => page.evaluate(`(async () => { ${code} })()`);
      await page.goto(address);
      await inPage(`
        const ada = await log('${storage}', 'ada', 7);
        await ada.edit('first of ada');
        await ada.edit('second of ada');
        await (await log('${storage}', 'bob', 8)).edit('edit of bob');
      `);
      expect(await page.evaluate(`logText('${storage}')`)).not.toMatch(
        /(first|second|edit) of|send|title/,
      );
      await page.reload();
      const seen = await inPage(`
        const ada = await log('${storage}', 'ada', 6);
        const bob = await log('${storage}', 'bob', 8);
        return [ada.pending(), ada.undecoded, bob.pending(), await bob.drain()];
      `);
      expect(seen).toEqual([[], [2], ['edit of bob'], [['edit of bob', 'file edit of bob']]]);
      await page.reload();
      const found = await inPage(`
        const ada = await log('${storage}', 'ada', 7);
        return [ada.pending(), ada.undecoded, await ada.drain()];
      `);
      const titles = ['first of ada', 'second of ada'];
      expect(found).toEqual([titles, [], titles.map((title) => [title, `file ${title}`])]);
      await page.reload();
      expect(await inPage(`return (await log('${storage}', 'ada', 7)).pending();`)).toEqual([]);
    },
  );
});
