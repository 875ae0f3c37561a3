/** The order of data: which write replaces which, case by case. */
import { Collection, Delete, Entity } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { Tag, Todo, User, watch, world } from '../setup/world.ts';

class Row extends Entity {
  id = 0;
  a = '';
  b = '';
}

/** Reads of a single row under different keys, so that no read joins another. */
function rows() {
  const w = world();
  const get = w.read('get', Row);
  let asked = 0;
  const ask = () => {
    w.controller.fetch(get, { id: 1, ask: asked++ }).catch(() => {});
    return w.call();
  };
  const row = () => ({ ...w.controller.entity(Row, 1).value });
  return { w, ask, row };
}

test('[O4] of two reads the one issued later wins, in any order of responses', async () => {
  const { ask, row } = rows();
  const [older, newer] = [ask(), ask()];
  await newer.answer({ id: 1, a: 'new' });
  await older.answer({ id: 1, a: 'old' });
  expect(row()).toEqual({ id: 1, a: 'new', b: '' });
});

test('[O4] an older response still writes the fields that no newer response wrote', async () => {
  const { ask, row } = rows();
  const [older, newer] = [ask(), ask()];
  await newer.answer({ id: 1, a: 'new' });
  await older.answer({ id: 1, a: 'old', b: 'old', extra: 'old' });
  expect(row()).toEqual({ id: 1, a: 'new', b: 'old', extra: 'old' });
});

test('[O4] each field has its own time: a later write of a field does not block an older value of another', async () => {
  const { ask, row } = rows();
  const [first, detail, second] = [ask(), ask(), ask()];
  await first.answer({ id: 1, a: 'first' });
  await second.answer({ id: 1, a: 'second' });
  await detail.answer({ id: 1, a: 'detail', b: 'detail' });
  expect(row()).toEqual({ id: 1, a: 'second', b: 'detail' });
});

test('[O4] a late response replaces fields of older requests, and keeps fields of newer requests', async () => {
  const { ask, row } = rows();
  const [one, two, three] = [ask(), ask(), ask()];
  await three.answer({ id: 1, a: '3' });
  await one.answer({ id: 1, a: '1', b: '1' });
  await two.answer({ id: 1, a: '2', b: '2' });
  expect(row()).toEqual({ id: 1, a: '3', b: '2' });
});

test('[O4] null and empty text of a newer response are not replaced by an older response', async () => {
  const { ask, row } = rows();
  const [older, newer] = [ask(), ask()];
  await newer.answer({ id: 1, a: null, b: '' });
  await older.answer({ id: 1, a: 'old', b: 'old' });
  expect(row()).toEqual({ id: 1, a: null, b: '' });
});

test.each(['__proto__', 'constructor', 'hasOwnProperty'])(
  '[O4] a field named %s has its own time',
  async (name) => {
    const { w, ask } = rows();
    const write = (value: number) => JSON.parse(`{"id": 1, "${name}": ${value}}`) as object;
    await w.controller.set(Row, { id: 1 }, write(1));
    const read = ask();
    await w.controller.set(Row, { id: 1 }, { a: 'a', b: 'b' });
    await read.answer(write(2));
    const row = w.controller.entity(Row, 1).value as object;
    expect(Object.getOwnPropertyDescriptor(row, name)?.value).toBe(2);
  },
);

test('[O4] an older response under the same key is dropped, and its request resolves with the newer data', async () => {
  const w = world();
  const names = w.read('names', undefined);
  const first = w.controller.fetch(names, {});
  w.controller.invalidate(names, {});
  const second = w.controller.fetch(names, {});
  expect(w.calls).toHaveLength(2);
  await w.call(1).answer(['new']);
  await w.call(0).answer(['old']);
  expect(await second).toEqual(['new']);
  expect(w.controller.signal(names, {}).value).toEqual(['new']);
  expect(await first).toEqual(['new']);
});

test('[O2] data written by set have the time of the call: a read issued before does not replace them', async () => {
  const { w, ask, row } = rows();
  const read = ask();
  await w.controller.set(Row, { id: 1 }, { a: 'pushed' });
  await read.answer({ id: 1, a: 'read', b: 'read' });
  expect(row()).toEqual({ id: 1, a: 'pushed', b: 'read' });
});

test('[O2] data of a read have the time of issue: a read issued after a push replaces the pushed fields', async () => {
  const { w, ask, row } = rows();
  await w.controller.set(Row, { id: 1 }, { a: 'pushed', b: 'pushed' });
  await ask().answer({ id: 1, a: 'read' });
  expect(row()).toEqual({ id: 1, a: 'read', b: 'pushed' });
});

test('[O2] data of setResponse have the time of the call: a read issued before does not replace them', async () => {
  const { w, ask, row } = rows();
  const read = ask();
  await w.controller.setResponse(w.read('other', Row), { id: 1 }, { id: 1, a: 'planted' });
  await read.answer({ id: 1, a: 'read' });
  expect(row().a).toBe('planted');
});

test('[O3] a read issued before the confirmation of an own write does not undo the write', async () => {
  const { w, ask, row } = rows();
  await w.controller.set(Row, { id: 1 }, { a: 'before', b: 'before' });
  const update = w.mutation('update', Row);
  void w.controller.fetch(update, { id: 1 }, { a: 'mine' });
  const read = ask();
  await w.call(0).answer({ id: 1, a: 'mine', b: 'server' });
  await read.answer({ id: 1, a: 'stale', b: 'read' });
  expect(row()).toEqual({ id: 1, a: 'mine', b: 'read' });
});

test('[O3] of two own writes of one field the one issued later wins', async () => {
  const { w, row } = rows();
  const update = w.mutation('update', Row);
  void w.controller.fetch(update, { id: 1 }, { a: 'first' });
  void w.controller.fetch(update, { id: 1 }, { a: 'second' });
  await w.call(1).answer({ id: 1, a: 'second' });
  await w.call(0).answer({ id: 1, a: 'first' });
  expect(row().a).toBe('second');
});

test('[O4] a response to a read issued before a deletion does not restore the entity', async () => {
  const { w, ask } = rows();
  await w.controller.set(Row, { id: 1 }, { a: 'x' });
  const read = ask();
  void w.controller.fetch(w.mutation('delete', new Delete(Row)), { id: 1 });
  await w.call().answer({});
  const watcher = watch(w.controller.entity(Row, 1));
  await read.answer({ id: 1, a: 'stale' });
  expect([watcher.last, watcher.runs]).toEqual([undefined, 1]);
});

test('[O4] a response to a read issued after a deletion restores the entity', async () => {
  const { w, ask, row } = rows();
  await w.controller.set(Row, { id: 1 }, { a: 'x', b: 'x' });
  void w.controller.fetch(w.mutation('delete', new Delete(Row)), { id: 1 });
  await w.call().answer({});
  await ask().answer({ id: 1, a: 'again' });
  expect(row()).toEqual({ id: 1, a: 'again', b: '' });
});

test('[O4] fields of a read issued before a deletion do not return with the restored entity', async () => {
  const { w, ask, row } = rows();
  const older = ask();
  void w.controller.fetch(w.mutation('delete', new Delete(Row)), { id: 1 });
  await w.call().answer({});
  await ask().answer({ id: 1, a: 'again' });
  await older.answer({ id: 1, a: 'old', b: 'old' });
  expect(row()).toEqual({ id: 1, a: 'again', b: '' });
});

test('[O4] a deletion confirmed after a push removes the entity, even if issued before the push', async () => {
  const { w, row } = rows();
  void w.controller.fetch(w.mutation('delete', new Delete(Row)), { id: 1 });
  await w.controller.set(Row, { id: 1 }, { a: 'pushed' });
  await w.call().answer({});
  expect(row()).toEqual({});
});

test('[O4] after the deletion of a missing entity, a read issued before does not create the entity', async () => {
  const { w, ask, row } = rows();
  const older = ask();
  await w.controller.set(new Delete(Row), { id: 1 }, {});
  await older.answer({ id: 1, a: 'old' });
  expect(row()).toEqual({});
});

test('[O4] nested entities of an older response are stored, and the references of the newer response stay', async () => {
  const w = world();
  const get = w.read('get', Todo);
  void w.controller.fetch(get, { n: 1 });
  void w.controller.fetch(get, { n: 2 });
  await w.call(1).answer({ id: 1, author: { id: 1, name: 'new' }, tags: [{ id: 2 }] });
  await w.call(0).answer({ id: 1, author: { id: 2, name: 'other' }, tags: [{ id: 1 }] });
  const todo = w.controller.get(Todo, { id: 1 });
  expect([todo?.author?.id, todo?.tags.map(({ id }) => id)]).toEqual([1, [2]]);
  expect(w.controller.entity(User, 2).value?.name).toBe('other');
  expect(w.controller.entity(Tag, 1).value?.id).toBe(1);
});

test.each([
  ['stands still', 0],
  ['runs', 1_000],
  ['runs backwards', -100_000],
  ['leaps', 1e9],
])('[O1] a wall clock that %s changes no order of writes', async (_, step) => {
  const { w, ask, row } = rows();
  const tick = () => w.clock.advance(step);
  const older = ask();
  tick();
  await w.controller.set(Row, { id: 1 }, { b: 'pushed' });
  tick();
  const newer = ask();
  tick();
  await newer.answer({ id: 1, a: 'new' });
  tick();
  await older.answer({ id: 1, a: 'old', b: 'old' });
  expect(row()).toEqual({ id: 1, a: 'new', b: 'pushed' });
  tick();
  void w.controller.fetch(w.mutation('delete', new Delete(Row)), { id: 1 });
  const late = ask();
  tick();
  await w.call(-2).answer({});
  tick();
  await late.answer({ id: 1, a: 'late' });
  expect(row()).toEqual({});
});

describe('a primary key that the server assigns again', () => {
  const stage = async () => {
    const w = world();
    const todos = new Collection([Todo]);
    const remove = w.mutation('remove', new Delete(Todo));
    const create = w.mutation('create', todos.push);
    await w.controller.set(todos, {}, [{ id: 1 }, { id: 3, title: 'old' }]);
    void w.controller.fetch(remove, { id: 3 });
    void w.controller.fetch(create, { title: 'new' });
    const titles = () => w.controller.get(todos, {})?.map(({ title }) => title);
    return { w, titles };
  };

  test('[O4] a reused primary key is of the row that was created after the deletion was issued', async () => {
    const { w, titles } = await stage();
    await w.call(0).answer({});
    await w.call(1).answer({ id: 3, title: 'new' });
    expect(titles()).toEqual(['', 'new']);
  });

  test('[O4] a reused primary key stays with the created row if the deletion is confirmed after the creation', async () => {
    const { w, titles } = await stage();
    await w.call(1).answer({ id: 3, title: 'new' });
    await w.call(0).answer({});
    expect(titles()).toEqual(['', 'new']);
  });

  test('[O4] a reused primary key is missing if a deletion issued after the creation is confirmed first', async () => {
    const { w, titles } = await stage();
    await w.call(0).answer({});
    void w.controller.fetch(w.mutation('remove', new Delete(Todo)), { id: 3 });
    await w.call(2).answer({});
    await w.call(1).answer({ id: 3, title: 'new' });
    expect(titles()).toEqual(['']);
  });
});
