/** Membership follows the fields: rows enter and leave stored lists when a field changes by which these are filtered. */
import { Collection, Delete, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, settled, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

class Task extends Entity {
  id = 0;
  title = '';
  done = false;
  status = '';
}

const row = (id: number, fields: object = {}) => ({
  id,
  title: `t${id}`,
  done: false,
  status: 'open',
  ...fields,
});

type Args = Readonly<Record<string, unknown>>;

/** An address of tasks; `lists` are stored before. */
async function tasks(lists: readonly (readonly [Args, readonly object[]])[], options = {}) {
  const w = world(options);
  const collection = new Collection([Task]);
  const list = w.read('list', collection);
  for (const [args, rows] of lists) await w.controller.setResponse(list, args, rows);
  const patch = w.mutation('patch', Task);
  const optimistic = patch.extend({
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  });
  return { w, collection, list, patch, optimistic, ...reader(w, collection) };
}

function reader({ controller, clock }: World, collection: Collection<(typeof Task)[]>) {
  const ids = (args: Args) => controller.get(collection, args)?.map(({ id }) => id);
  const isFresh = (list: never, args: Args) =>
    controller.getResponse(list, args as never).expiresAt > clock.now();
  return { ids, isFresh: isFresh as (list: unknown, args: Args) => boolean };
}

const open = [{ done: false }, [row(1), row(2)]] as const;
const done = [{ done: true }, [row(3, { done: true })]] as const;

test('[N21] a confirmed change of a filtered field moves the row between lists, and both lists expire', async () => {
  const { w, list, patch, ids, isFresh } = await tasks([open, done, [{}, [row(1), row(2)]]]);
  void w.controller.fetch(patch, { id: 1 }, { done: true });
  await w.call().answer(row(1, { done: true }));
  expect([ids({ done: false }), ids({ done: true }), ids({})]).toEqual([[2], [3, 1], [1, 2]]);
  expect([{ done: false }, { done: true }, {}].map((args) => isFresh(list, args))).toEqual([
    false,
    false,
    true,
  ]);
});

test('[N21] an optimistic change moves the row at once, and a failure restores the former places', async () => {
  const { w, optimistic, ids } = await tasks([open, done]);
  const shown = () => [ids({ done: false }), ids({ done: true })];
  const sent = refused(w.controller.fetch(optimistic, { id: 1 }, { done: true }));
  expect(shown()).toEqual([[2], [3, 1]]);
  await w.call().fail(refusal(500));
  await sent;
  expect(shown()).toEqual([[1, 2], [3]]);
  void w.controller.fetch(optimistic, { id: 1 }, { done: true });
  void w.controller.fetch(optimistic, { id: 1 }, { done: false });
  expect(shown()).toEqual([[2, 1], [3]]);
  await w.call(-2).answer(row(1, { done: true }));
  expect(shown()).toEqual([[2, 1], [3]]);
  await w.call(-1).answer(row(1));
  expect(shown()).toEqual([[2, 1], [3]]);
});

test('[N21] a push moves the row between mounted lists, and each list is refetched once', async () => {
  const { w, list, ids } = await tasks([open, done]);
  for (const args of [{ done: false }, { done: true }]) w.controller.view(list, args).retain();
  await w.controller.set(Task, { id: 1 }, { done: true });
  expect([ids({ done: false }), ids({ done: true })]).toEqual([[2], [3, 1]]);
  await settled();
  expect(w.log).toEqual(['list {"done":false}', 'list {"done":true}']);
});

test('[N21] a push of an unknown row refetches the mounted lists that the row may match, and no other', async () => {
  const { w, collection, list, ids } = await tasks([open, done]);
  const other = [{ status: ['open', 'new'] }, { q: 'x', done: true }, { q: 'x', done: false }];
  for (const args of other) await w.controller.setResponse(list, args, []);
  const views = [{ done: false }, { done: true }, ...other];
  const unmounts = views.map((args) => w.controller.view(list, args).retain());
  await w.controller.set(Task, { id: 9 }, row(9, { done: true }));
  expect([ids({ done: false }), ids({ done: true })]).toEqual([[1, 2], [3]]);
  expect(w.log).toEqual([
    'list {"done":true}',
    'list {"status":["open","new"]}',
    'list {"q":"x","done":true}',
  ]);
  await w.call(0).answer([row(3, { done: true }), row(9, { done: true })]);
  expect(ids({ done: true })).toEqual([3, 9]);
  for (const unmount of unmounts.slice(2)) unmount();
  await w.controller.set(collection.push, { id: 10 }, row(10, { done: true }));
  expect(ids({ done: true })).toEqual([3, 9, 10]);
  expect(w.log.slice(3)).toEqual([]);
  await w.controller.set([Task], [row(11), row(12, { done: true })]);
  expect(w.log.slice(3)).toEqual(['list {"done":false}', 'list {"done":true}']);
});

test.each([
  ['a body', [{ id: 9 }, { done: true }], row(9, { done: true })],
  ['no body', [{ id: 9 }], row(9, { done: true })],
  ['a body, answered with the sent fields', [{ id: 9 }, { done: true }], { id: 9, done: true }],
])(
  '[N21] a mutation with %s of an unknown row refetches the mounted lists that the row may match, once',
  async (_, args, answer) => {
    const { w, list, patch } = await tasks([open, done]);
    const unknown = [
      { q: 'x', done: true },
      { q: 'x', done: false },
    ];
    for (const each of unknown) await w.controller.setResponse(list, each, []);
    for (const each of [{ done: false }, { done: true }, ...unknown])
      w.controller.view(list, each).retain();
    void w.controller.fetch(patch, ...args);
    await w.call().answer(answer);
    expect(w.log.slice(1)).toEqual(['list {"done":true}', 'list {"q":"x","done":true}']);
    await w.call(1).answer([row(3, { done: true })]);
    await w.call(2).answer([]);
    void w.controller.fetch(patch, { id: 9 }, { title: 'other' });
    await w.call().answer({ ...row(9), ...answer, title: 'other' });
    // a change of any field may matter to a search
    expect(w.log.slice(4)).toEqual(['list {"q":"x","done":true}']);
  },
);

test('[N21] a mutation of an unknown row does not refetch a list that was requested later', async () => {
  const { w, list, patch, ids } = await tasks([open, done]);
  w.controller.view(list, { done: true }).retain();
  void w.controller.fetch(patch, { id: 9 });
  void w.controller.fetch(list, { done: true });
  await w.call(1).answer([row(3, { done: true }), row(9, { done: true })]);
  await w.call(0).answer(row(9, { done: true }));
  expect(ids({ done: true })).toEqual([3, 9]);
  expect(w.log.slice(2)).toEqual([]);
});

test('[N21] a push of a row known only from a read refetches the older lists that the row matches, once', async () => {
  const { w, list } = await tasks([open, done]);
  for (const args of [{ done: false }, { done: true }]) w.controller.view(list, args).retain();
  void w.controller.fetch(w.read('get', Task), { id: 9 });
  await w.call().answer(row(9, { done: true }));
  // perhaps on a page of the server that no list has: a read refetches nothing
  expect(w.log).toHaveLength(1);
  await w.controller.set(Task, { id: 9 }, row(9, { done: true }));
  expect(w.log.slice(1)).toEqual(['list {"done":true}']);
  await w.call().answer([row(3, { done: true })]);
  await w.controller.set(Task, { id: 9 }, row(9, { done: true, title: 'other' }));
  expect(w.log).toHaveLength(2);
});

test('[N21] a push of a row that was read, deleted and created again refetches no list', async () => {
  const { w, list } = await tasks([open, done]);
  w.controller.view(list, { done: true }).retain();
  void w.controller.fetch(w.read('get', Task), { id: 9 });
  await w.call().answer(row(9, { done: true }));
  void w.controller.fetch(w.mutation('remove', new Delete(Task)), { id: 9 });
  await w.call().answer({ id: 9 });
  const create = w.mutation('create', new Collection([Task]).push);
  void w.controller.fetch(create, row(9, { done: true }));
  await w.call().answer(row(9, { done: true }));
  const before = w.log.length;
  await w.controller.set(Task, { id: 9 }, { id: 9, title: 'other' });
  expect(w.log.slice(before)).toEqual([]);
});

test.each(['all', 'get'])(
  '[N21] a push of an unchanged row refetches a list without the row that overlapped the read of the row: read by "%s"',
  async (name) => {
    const { w, list, ids } = await tasks([]);
    const before = name === 'all' ? list : w.read('get', Task);
    void w.controller.fetch(before, name === 'all' ? {} : { id: 2 });
    w.controller.view(list, { done: true }).retain();
    void w.controller.fetch(list, { done: true });
    // the server has read the list before the change, and the other data after the change
    const changed = row(2, { done: true });
    await w.call(1).answer([row(3, { done: true })]);
    await w.call(0).answer(name === 'all' ? [changed, row(3, { done: true })] : changed);
    expect(w.log).toHaveLength(2);
    await w.controller.set(Task, { id: 2 }, changed);
    expect(w.log.slice(2)).toEqual(['list {"done":true}']);
    await w.call(2).answer([row(3, { done: true }), changed]);
    expect(ids({ done: true })).toEqual([3, 2]);
    await w.controller.set(Task, { id: 2 }, changed);
    expect(w.log).toHaveLength(3);
  },
);

test('[N21] a push of an unchanged row refetches a list without the row that was requested after the read of the row', async () => {
  const { w, list } = await tasks([]);
  void w.controller.fetch(w.read('get', Task), { id: 2 });
  const same = row(2, { done: true });
  await w.call(0).answer(same);
  w.controller.view(list, { done: true }).retain();
  void w.controller.fetch(list, { done: true });
  // changed there and back since
  await w.call(1).answer([row(3, { done: true })]);
  await w.controller.set(Task, { id: 2 }, same);
  expect(w.log.slice(2)).toEqual(['list {"done":true}']);
});

test.each([
  ['that is unknown', false],
  ['that only a read returned', true],
])(
  '[N21] a push of one field of a row %s refetches the mounted lists that filter by the field and may match',
  async (_, isRead) => {
    const { w, list } = await tasks([open, done]);
    const other = [
      { status: ['open', 'new'] },
      { q: 'x', done: true },
      { status: 'open', done: true },
    ];
    for (const args of other) await w.controller.setResponse(list, args, []);
    for (const args of [{ done: false }, { done: true }, ...other])
      w.controller.view(list, args).retain();
    if (isRead) {
      void w.controller.fetch(w.read('get', Task), { id: 9 });
      await w.call().answer({ id: 9, done: true });
    }
    const before = w.log.length;
    await w.controller.set(Task, { id: 8 }, { id: 8, title: 'new' });
    expect(w.log.slice(before)).toEqual([]);
    await w.controller.set(Task, { id: 9 }, { id: 9, done: true });
    const fitting = [{ done: true }, { q: 'x', done: true }, { status: 'open', done: true }];
    expect(w.log.slice(before)).toEqual(fitting.map((args) => `list ${JSON.stringify(args)}`));
  },
);

test('[N21] the response of a detail moves the row between lists', async () => {
  const { w, ids } = await tasks([open, done]);
  void w.controller.fetch(w.read('get', Task), { id: 2 });
  await w.call().answer(row(2, { done: true }));
  expect([ids({ done: false }), ids({ done: true })]).toEqual([[1], [3, 2]]);
});

test('[N21] a mounted list is refetched if a change from an earlier request contradicts its response', async () => {
  const { w, list, ids } = await tasks([open, done]);
  w.controller.view(list, { done: true }).retain();
  void w.controller.fetch(w.read('get', Task), { id: 2 });
  void w.controller.fetch(list, { done: true });
  // read before the change
  await w.call(1).answer([row(3, { done: true })]);
  await w.call(0).answer(row(2, { done: true }));
  expect([ids({ done: false }), ids({ done: true })]).toEqual([[1], [3]]);
  expect(w.log.slice(2)).toEqual(['list {"done":true}']);
  await w.call(2).answer([row(3, { done: true }), row(2, { done: true })]);
  expect(ids({ done: true })).toEqual([3, 2]);
});

test('[N21] the response of a list decides the members of the list, and moves changed rows in other lists', async () => {
  const { w, list, ids } = await tasks([open, done]);
  void w.controller.fetch(list, { done: false });
  await w.call().answer([row(1, { done: true }), row(3)]);
  expect([ids({ done: false }), ids({ done: true })]).toEqual([[1, 3], [1]]);
});

test('[N21] the response of a list keeps the move of a pending optimistic change', async () => {
  const { w, list, optimistic, ids } = await tasks([open]);
  void w.controller.fetch(optimistic, { id: 1 }, { done: true });
  await w.controller.setResponse(list, { done: true }, [row(3, { done: true })]);
  await w.controller.setResponse(list, { done: false }, [row(1), row(2), row(4)]);
  expect([ids({ done: false }), ids({ done: true })]).toEqual([
    [2, 4],
    [3, 1],
  ]);
  await w.call().answer(row(1, { done: true }));
  expect([ids({ done: false }), ids({ done: true })]).toEqual([
    [2, 4],
    [3, 1],
  ]);
});

test('[O4] a list read that was issued before a confirmed change does not undo the move', async () => {
  const { w, list, patch, ids } = await tasks([open, done]);
  for (const flag of [false, true]) void w.controller.fetch(list, { done: flag });
  void w.controller.fetch(patch, { id: 1 }, { done: true });
  await w.call(2).answer(row(1, { done: true }));
  await w.call(0).answer([row(1), row(2)]);
  await w.call(1).answer([row(3, { done: true })]);
  expect([ids({ done: false }), ids({ done: true })]).toEqual([[2], [3, 1]]);
});
