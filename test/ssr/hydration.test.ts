import { Collection, Controller, Delete, Endpoint } from 'signalbox';
import { hydrateController, receiveServerData, serverDataScript, dehydrate } from 'signalbox/ssr';
import { expect, test, vi } from 'vitest';
import { StoppedClock, Todo, User } from '../setup/world.ts';
import { arrive } from './page.ts';

const todos = new Collection([Todo]);
const clock = new StoppedClock();
const sent: string[] = [];

interface Row {
  id: number;
  title?: string;
  author?: object;
}

const send = <T>(name: string, value: T): Promise<T> => (sent.push(name), Promise.resolve(value));
const list = new Endpoint(async (_params: object) => send('list', [{ id: 1, title: 'a' } as Row]), {
  schema: todos,
  name: 'list',
});
const one = new Endpoint(
  async ({ id }: { id: number }) =>
    send('one', { id, title: 'a', author: { id: 9, name: 'Nine' } }),
  { schema: Todo, name: 'one' },
);
const create = new Endpoint(async (row: Row) => send('create', row), {
  schema: todos.push,
  name: 'create',
  sideEffect: true,
});

async function rendered(options: object = {}): Promise<string> {
  const server = new Controller({ clock, ...options });
  await Promise.all([server.fetch(list, {}), server.fetch(one, { id: 1 })]);
  sent.length = 0;
  return serverDataScript(server);
}

const page = () => new Controller({ clock });

test('[H5] hydrated data are stored before the page reads them, and no request is sent', async () => {
  const controller = arrive(await rendered(), page());
  expect(controller.view(list, {}).ensure(true)).toBe(undefined);
  expect(await controller.fetchIfStale(one, { id: 1 })).toMatchObject({ author: { name: 'Nine' } });
  expect(sent).toEqual([]);
});

test('[C6] a hydrated row with missing fields is incomplete, and a hydrated detail is complete', async () => {
  const controller = arrive(await rendered(), page());
  expect(controller.getResponse(list, {}).data?.[0]).toMatchObject({ title: 'a', done: false });
  expect(controller.view(one, { id: 1 }).ensure(true)).toBe(undefined);
  expect(controller.view(one.extend({ name: 'other' }), { id: 1 }).ensure(true)).toBeDefined();
  await controller.set(Todo, { id: 1 }, { done: false, userId: 0, tags: [] });
  expect(controller.view(one.extend({ name: 'third' }), { id: 1 }).ensure(true)).toBe(undefined);
});

test("[H5] hydrated data expire when the server's data do, and are shown while stale", async () => {
  const controller = arrive(await rendered({ dataExpiryLength: 100 }), page());
  const view = controller.view(list, {});
  clock.advance(101);
  expect(view.ensure(true)).toBe(undefined);
  expect(view.result.peek().status).toBe('success');
  view.revalidate();
  await new Promise(setImmediate);
  expect(sent).toEqual(['list']);
});

test.each([
  ['a script', async (options: object) => arrive(await rendered(options), page())],
  [
    'JSON',
    async (options: object) => {
      const server = new Controller({ clock, ...options });
      await Promise.all([server.fetch(list, {}), server.fetch(one, { id: 1 })]);
      const controller = page();
      hydrateController(controller, JSON.parse(JSON.stringify(dehydrate(server))));
      return controller;
    },
  ],
] as const)(
  '[H5] data that never expire on the server never expire in the page, by %s',
  async (_, make) => {
    const controller = await make({ dataExpiryLength: Infinity });
    sent.length = 0;
    await controller.fetchIfStale(list, {});
    await controller.fetchIfStale(one, { id: 1 });
    expect(sent).toEqual([]);
    expect(controller.getResponse(list, {}).expiresAt).toBe(Infinity);
    expect(controller.getResponse(one, { id: 1 }).expiresAt).toBe(Infinity);
  },
);

test('[H5] an error that never expires on the server never expires in the page', async () => {
  const fail = () => Promise.reject(Object.assign(new Error('no'), { status: 404 }));
  const gone = new Endpoint(fail, { schema: Todo, name: 'gone', errorExpiryLength: Infinity });
  const server = new Controller({ clock });
  await server.fetch(gone).catch(() => {});
  const controller = arrive(serverDataScript(server), page());
  expect(controller.view(gone).ensure(true)).toBe(undefined);
});

test('[H5] data of a server whose clock is ahead are fresh in the page for their lifetime, and no longer', async () => {
  const html = await rendered();
  const behind = new StoppedClock(clock.now() - 600_000);
  const controller = arrive(html, new Controller({ clock: behind }));
  await controller.fetchIfStale(list, {});
  await controller.fetchIfStale(one, { id: 1 });
  expect(sent).toEqual([]);
  behind.advance(60_001);
  await controller.fetchIfStale(list, {});
  await controller.fetchIfStale(one, { id: 1 });
  expect(sent).toEqual(['list', 'one']);
});

test('[H5] hydration keeps newer data of the page, and adds unknown data', async () => {
  const html = await rendered();
  const controller = page();
  await controller.set(Todo, { id: 1 }, { title: 'newer' });
  arrive(html, controller);
  expect(controller.view(one, { id: 1 }).result.peek().data).toMatchObject({
    title: 'newer',
    author: { name: 'Nine' },
  });
});

test('[H5] entities that the page deleted are not restored by hydrated data read later', async () => {
  const controller = arrive(await rendered(), page());
  const remove = new Endpoint(async (_params: { id: number }) => ({ id: 1 }), {
    schema: new Delete(Todo),
    name: 'remove',
    sideEffect: true,
  });
  await controller.fetch(remove, { id: 1 });
  expect(controller.view(list, {}).result.peek().data).toEqual([]);
  expect(controller.get(Todo, { id: 1 })).toBe(undefined);
});

test('[H5] a hydrated list that is read after a creation is shown and expired; a list read before has the row', async () => {
  const controller = arrive(await rendered(), page());
  await controller.fetch(create, { id: 2, title: 'b' });
  const view = controller.view(list, {});
  expect(view.ensure(true)).toBe(undefined);
  expect(controller.getResponse(list, {}).expiresAt).toBe(0);
  // a list that was mounted before takes the row
  const other = arrive(await rendered(), page());
  other.view(list, {});
  await other.fetch(create, { id: 2, title: 'b' });
  expect(other.view(list, {}).result.peek().data).toHaveLength(2);
  expect(other.getResponse(list, {}).expiresAt).toBeGreaterThan(0);
});

test('[H5] invalidateAll reaches hydrated data that were not read yet', async () => {
  const controller = arrive(await rendered(), page());
  controller.invalidateAll(list);
  expect(controller.view(list, {}).ensure(true)).toBeInstanceOf(Promise);
  expect(controller.view(one, { id: 1 }).ensure(true)).toBe(undefined);
});

test('[H5] after a reset no hydrated data are left', async () => {
  const controller = arrive(await rendered(), page());
  controller.reset();
  expect(controller.view(list, {}).ensure(true)).toBeInstanceOf(Promise);
  expect(controller.view(list, {}).serverReader?.()).toBe(undefined);
});

test('[H5] hydration in a render notifies other readers of the entity after the render', async () => {
  const html = await rendered();
  const controller = page();
  await controller.set(Todo, { id: 1 }, { title: 'known' });
  const shown: unknown[] = [];
  controller.entity(Todo, 1).subscribe((todo) => shown.push(todo?.author?.name));
  arrive(html, controller);
  // as in a render
  controller.view(one, { id: 1 });
  expect(shown).toEqual([undefined]);
  await Promise.resolve();
  await Promise.resolve();
  expect(shown).toEqual([undefined, 'Nine']);
});

test("[H5] a page with newer data reads the server's data for hydration, as entities with stable references", async () => {
  const controller = arrive(await rendered(), page());
  expect(controller.view(list, {}).serverReader?.()).toBe(undefined);
  await controller.set(Todo, { id: 1 }, { title: 'newer' });
  const drawn = controller.view(one, { id: 1 }).serverReader?.();
  expect(drawn?.result.peek().data).toMatchObject({ title: 'a', author: { name: 'Nine' } });
  expect(drawn?.result.peek()).toBe(
    controller.view(one, { id: 1 }).serverReader?.()?.result.peek(),
  );
  expect(controller.view(one, { id: 1 }).result.peek().data).toMatchObject({ title: 'newer' });
  // after unrelated changes nothing renders twice
  const other = arrive(await rendered(), page());
  await other.set(User, { id: 77 }, { name: 'x' });
  expect(other.view(one, { id: 1 }).serverReader?.()).toBe(undefined);
});

test('[H5] later parts of a stream add newer data, also to hydrated results', async () => {
  const server = new Controller({ clock });
  const client = page();
  await server.fetch(list, {});
  hydrateController(client, JSON.parse(JSON.stringify(dehydrate(server))));
  expect(client.view(list, {}).result.peek().data).toMatchObject([{ title: 'a' }]);
  await server.set(Todo, { id: 1 }, { title: 'later' });
  hydrateController(client, JSON.parse(JSON.stringify(dehydrate(server))));
  expect(client.view(list, {}).result.peek().data).toMatchObject([{ title: 'later' }]);
});

test('[H5] receiveServerData receives scripts that arrive before the call and after it', async () => {
  const server = new Controller({ clock });
  const global = globalThis as { early?: unknown[] };
  await server.fetch(list, {});
  global.early = [dehydrate(server)];
  const client = page();
  receiveServerData(client, { name: 'early' });
  expect(client.view(list, {}).ensure(true)).toBe(undefined);
  await server.fetch(one, { id: 1 });
  (global.early as unknown as { push(state: unknown): void }).push(
    dehydrate(server, [server.view(one, { id: 1 })]),
  );
  expect(client.view(one, { id: 1 }).ensure(true)).toBe(undefined);
  delete global.early;
});

/** The states that the page keeps for later controllers. */
const kept = (name: string) => Reflect.get(globalThis, name) as unknown[];

test('[H5] all controllers with the same name receive all scripts, as with the two controllers of StrictMode', async () => {
  const server = new Controller({ clock });
  await server.fetch(list, {});
  Reflect.set(globalThis, 'twice', [dehydrate(server)]);
  const [first, second] = [page(), page()];
  receiveServerData(first, { name: 'twice' });
  receiveServerData(second, { name: 'twice' });
  await server.fetch(one, { id: 1 });
  kept('twice').push(dehydrate(server, [server.view(one, { id: 1 })]));
  const third = page();
  receiveServerData(third, { name: 'twice' });
  for (const client of [first, second, third]) {
    expect(client.view(list, {}).ensure(true)).toBe(undefined);
    expect(client.view(one, { id: 1 }).ensure(true)).toBe(undefined);
  }
  expect(kept('twice')).toHaveLength(2);
  Reflect.deleteProperty(globalThis, 'twice');
});

test('[H5] the received scripts are released a minute after the last script', async () => {
  vi.useFakeTimers();
  const server = new Controller({ clock });
  const [client, late] = [page(), page()];
  await server.fetch(list, {});
  receiveServerData(client, { name: 'freed' });
  kept('freed').push(dehydrate(server));
  vi.advanceTimersByTime(59_000);
  expect(kept('freed')).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  expect(kept('freed')).toHaveLength(0);
  receiveServerData(late, { name: 'freed' });
  kept('freed').push(dehydrate(server));
  expect(late.view(list, {}).ensure(true)).toBe(undefined);
  vi.useRealTimers();
  Reflect.deleteProperty(globalThis, 'freed');
});

test('[O8] after the reset of a controller, no later controller receives the hydrated data', async () => {
  const server = new Controller({ clock });
  const client = page();
  await server.fetch(list, {});
  Reflect.set(globalThis, 'left', [dehydrate(server)]);
  receiveServerData(client, { name: 'left' });
  client.reset();
  const next = page();
  receiveServerData(next, { name: 'left' });
  expect(next.view(list, {}).ensure(true)).toBeInstanceOf(Promise);
  Reflect.deleteProperty(globalThis, 'left');
});
