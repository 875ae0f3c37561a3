// Collections of maps, and members put where a merge of the user's own says.
import { Collection, Delete, Entity, Query, Union, Values, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, watch, world } from '../setup/world.ts';

class Stats extends Entity {
  product = '';
  volume = 0;
  override pk() {
    return this.product;
  }
}

const stats = new Collection(new Values(Stats));
const row = (product: string, volume = 1) => ({ product, volume });

/** Maps of two groups, and a map of all. */
async function maps() {
  const w = world();
  const map = w.read('map', stats, {
    reply: ({ group }) => (group === 2 ? {} : { btc: row('btc'), eth: row('eth'), gone: null }),
  });
  for (const params of [{ group: 1 }, { group: 2 }, {}]) await w.controller.fetch(map, params);
  const of = (params: object) => w.controller.signal(map, params);
  const show = () => [{ group: 1 }, { group: 2 }, {}].map((at) => Object.keys(of(at).value ?? {}));
  return { w, map, of, show };
}

test('[N14] a Collection of Values is read as a frozen map, which keeps its reference until a member changes', async () => {
  const { w, map, of } = await maps();
  const all = watch(of({}));
  expect(Object.keys(all.last ?? {})).toEqual(['btc', 'eth']);
  expect(all.last?.['btc']).toBe(w.controller.get(Stats, 'btc'));
  expect(w.controller.get(stats, {})).toBe(all.last);
  const before = all.last;
  await w.controller.fetch(map, {});
  expect([all.runs, all.last]).toEqual([1, before]);
  await w.controller.set(Stats, { product: 'eth' }, { volume: 5 });
  expect(all.last?.['eth']?.volume).toBe(5);
  expect(all.last?.['btc']).toBe(before?.['btc']);
  await w.controller.set(new Delete(Stats), { product: 'btc' }, {});
  expect(Object.keys(all.last ?? {})).toEqual(['eth']);
  expect(Object.isFrozen(all.last)).toBe(true);
});

test('[N14] assign sets members by key, replacing former members, in each map with a matching filter', async () => {
  const { w, of, show } = await maps();
  const two = watch(of({ group: 2 }));
  await w.controller.set(stats.assign, { group: 1 }, { ada: row('ada', 7), btc: row('eth') });
  expect(show()).toEqual([['btc', 'eth', 'ada'], [], ['btc', 'eth', 'ada']]);
  expect(of({}).value?.['btc']?.product).toBe('eth');
  expect(of({}).value?.['ada']).toBe(w.controller.get(Stats, 'ada'));
  // the entity that lost the key is no longer shown, and notifies no reader
  const all = watch(of({}));
  await w.controller.set(Stats, { product: 'btc' }, { volume: 100 });
  expect([all.runs, two.runs]).toEqual([1, 1]);
  expect(stats).not.toHaveProperty('push', expect.anything());
  expect(new Collection([Stats])).not.toHaveProperty('assign', expect.anything());
});

test('[N14] a removed row leaves each key of a map, and a moved row moves to the matching map', async () => {
  const { w, show } = await maps();
  await w.controller.set(stats.assign, { group: 1 }, { again: row('btc') });
  await w.controller.set(stats.move, { group: 2 }, { product: 'btc', group: 2 });
  expect(show()).toEqual([['eth'], ['btc'], ['btc', 'eth', 'again']]);
  await w.controller.set(stats.remove, {}, { product: 'btc' });
  expect(show()).toEqual([['eth'], ['btc'], ['eth']].map((keys, at) => (at === 1 ? [] : keys)));
  expect(w.controller.get(Stats, 'btc')).toBeDefined();
});

test('[O4] a read of a map issued before an assign and a removal undoes neither', async () => {
  const w = world();
  const map = w.read('map', stats);
  const get = w.controller.signal(map, {});
  void w.controller.fetch(map, {});
  await w.call().answer({ btc: row('btc'), eth: row('eth') });
  w.controller.invalidateAll(map);
  void w.controller.fetch(map, {});
  await w.controller.set(stats.assign, {}, { ada: row('ada'), btc: row('eth') });
  await w.controller.set(stats.remove, { product: 'eth' });
  await w.call().answer({ btc: row('btc'), eth: row('eth'), new: row('new') });
  expect(Object.keys(get.value ?? {})).toEqual(['new', 'ada']);
  void w.controller.fetch(map, {});
  await w.call().answer({ btc: row('btc') });
  expect(Object.keys(get.value ?? {})).toEqual(['btc']);
});

test('[N14] a map nested in an entity may contain unions, and is read by queries and live readers', async () => {
  class Cat extends Entity {
    id = 0;
    type = 'cat';
  }
  class Home extends Entity {
    id = 0;
    pets: Record<string, Todo | Cat> = {};
    static override schema = {
      pets: new Collection(new Values(new Union({ todo: Todo, cat: Cat }, 'type')), {
        nestKey: (home: Home) => ({ home: home.id }),
      }),
    };
  }
  const w = world();
  const { pets } = Home.schema;
  const sent = { tom: { id: 1, type: 'cat' }, job: { id: 1, type: 'todo' } };
  await w.controller.set(Home, {}, { id: 5, pets: sent });
  const home = watch(w.controller.entity(Home, 5));
  expect(home.last?.pets['tom']).toBeInstanceOf(Cat);
  expect(w.controller.get(pets, { home: 5 })).toBe(home.last?.pets);
  const count = new Query(pets, (all) => Object.keys(all).length);
  const live = watch(() =>
    Object.keys(liveResult(w.controller.query(pets, { home: 5 })).value.data ?? {}),
  );
  await w.controller.set(pets.assign, { home: 5 }, { rex: { id: 2, type: 'cat' } });
  expect(live.seen).toEqual([
    ['tom', 'job'],
    ['tom', 'job', 'rex'],
  ]);
  expect(w.controller.get(count, { home: 5 })).toBe(3);
  expect(home.runs).toBe(2);
});

const todos = new Collection([Todo]);
const ids = (rows: readonly { id: number }[] | undefined) => rows?.map(({ id }) => id);

test('[N14] addWith inserts created rows as its merge function returns, in lists that its filter selects', async () => {
  const w = world();
  const list = w.read('list', todos, { reply: () => [{ id: 1 }, { id: 2 }, { id: 3 }] });
  for (const params of [{ userId: 1 }, { userId: 2 }]) await w.controller.fetch(list, params);
  const show = () => [1, 2].map((userId) => ids(w.controller.get(todos, { userId })));
  const second = todos.addWith(([first, ...others], incoming) =>
    first === undefined ? incoming : [first, ...incoming, ...others],
  );
  await w.controller.set(second, { userId: 1 }, [
    { id: 8, userId: 1 },
    { id: 2, title: 'is there' },
    { id: 9 },
  ]);
  expect(show()).toEqual([
    [1, 8, 9, 2, 3],
    [1, 2, 3],
  ]);
  const newest = todos.addWith(
    (existing, incoming) => [...incoming, ...existing].slice(0, 3),
    () =>
      ({ userId }) =>
        userId === '2',
  );
  const two = watch(w.controller.signal(list, { userId: 2 }));
  await w.controller.set(newest, {}, { id: 7 });
  expect(show()).toEqual([
    [1, 8, 9, 2, 3],
    [7, 1, 2],
  ]);
  expect(two.runs).toBe(2);
  await w.controller.set(Todo, { id: 3 }, { title: 'left' });
  expect(two.runs).toBe(2);
});

test('[N14] addWith of a map passes the members by key to its merge function', async () => {
  const { w, show } = await maps();
  const keep = stats.addWith((existing, incoming) => ({ ...incoming, ...existing }));
  await w.controller.set(keep, { group: 2 }, { btc: row('eth'), new: row('new') });
  await w.controller.set(keep, {}, { btc: row('eth'), first: row('new') });
  expect(show()).toEqual([
    ['btc', 'eth'],
    ['btc', 'new'],
    ['btc', 'first', 'new', 'eth'],
  ]);
});

test('[N15] moveWith inserts moved rows as its merge function returns', async () => {
  const w = world();
  const list = w.read('list', todos, {
    reply: ({ userId }) => [1, 2].map((n) => ({ id: userId * 10 + n, userId })),
  });
  for (const userId of [1, 2]) await w.controller.fetch(list, { userId });
  const first = todos.moveWith((existing, incoming) => [...incoming, ...existing]);
  await w.controller.set(first, { id: 11 }, { id: 11, userId: 2 });
  const show = [1, 2].map((userId) => ids(w.controller.get(todos, { userId })));
  expect(show).toEqual([[12], [11, 21, 22]]);
});

test('[O4] a list read issued before addWith neither drops rows that merge added nor restores rows that merge dropped', async () => {
  const w = world();
  const list = w.read('list', todos);
  void w.controller.fetch(list, {});
  await w.call().answer([{ id: 1 }, { id: 2 }]);
  w.controller.invalidateAll(list);
  void w.controller.fetch(list, {});
  const only = todos.addWith((_existing, incoming) => incoming);
  await w.controller.set(only, {}, { id: 3 });
  await w.call().answer([{ id: 1 }, { id: 2 }, { id: 4 }]);
  expect(ids(w.controller.get(todos, {}))).toEqual([3, 4]);
});
