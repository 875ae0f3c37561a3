// Values, Union, All, Query and Lazy: stored data, lookups, and notified readers.
import {
  All,
  Collection,
  Delete,
  Entity,
  Lazy,
  Query,
  schema,
  Union,
  Values,
  liveResult,
} from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, Todo, User, watch, world } from '../setup/world.ts';

class Dog extends Entity {
  id = 0;
  type = 'dog';
  name = '';
}

class Cat extends Entity {
  id = 0;
  type = 'cat';
  lives = 9;
}

const pets = new Union({ dog: Dog, cat: Cat }, 'type');

test('[N7] `Values` is a map of entities, without null and deleted members', async () => {
  const w = world();
  const reply = () => ({ a: { id: 1, title: 'x' }, b: null, c: { id: 2 } });
  const map = await w.controller.fetch(w.read('map', new Values(Todo), { reply }), {});
  expect(Object.keys(map)).toEqual(['a', 'c']);
  expect(map['a']).toBe(w.controller.entity(Todo, 1).value);
  await w.controller.set(new Delete(Todo), { id: 2 }, {});
  const again = w.controller.signal(w.read('map', new Values(Todo), { reply }), {}).value;
  expect(Object.keys(again ?? {})).toEqual(['a']);
});

test('[N7] `Values` with a schema attribute has entities of several classes', async () => {
  const w = world();
  const reply = () => ({ rex: { id: 1, type: 'dog' }, tom: { id: 1, type: 'cat' } });
  const schema = new Values({ dog: Dog, cat: Cat }, 'type');
  const map = await w.controller.fetch(w.read('map', schema, { reply }), {});
  expect(map['rex']).toBeInstanceOf(Dog);
  expect(map['tom']).toBeInstanceOf(Cat);
});

test('[N5] a union stores each value under its own schema', async () => {
  const w = world();
  const reply = () => [
    { id: 1, type: 'dog', name: 'Rex' },
    { id: 1, type: 'cat' },
  ];
  const list = await w.controller.fetch(w.read('pets', [pets], { reply }), {});
  expect(list[0]).toBe(w.controller.entity(Dog, 1).value);
  expect(list[1]).toBe(w.controller.entity(Cat, 1).value);
  expect(w.controller.get(pets, { id: 1, type: 'cat' })).toBe(list[1]);
});

test('[N5] a value of a union without a matching schema is stored as received', async () => {
  const w = world();
  const fish = { id: 1, type: 'fish' };
  const list = await w.controller.fetch(w.read('pets', [pets], { reply: () => [fish] }), {});
  expect(list).toEqual([fish]);
});

const members = { one: { user: User }, many: [User], date: { at: Date } };
const choose = (value: object) => (Array.isArray(value) ? 'many' : 'at' in value ? 'date' : 'one');
const one = { type: 'one', user: { id: 1, name: 'x' } };
const date = { at: '2026-01-01' };

test.each([
  ['a union', new Union(members, choose), one, (user: User): unknown => ({ type: 'one', user })],
  ['a union, a list', new Union(members, choose), [{ id: 1 }], (user: User) => [user]],
  ['a union, a date', new Union(members, choose), date, () => ({ at: new Date(date.at) })],
  ['Values', new Values(members, 'type'), { a: one }, (user: User) => ({ a: { ...one, user } })],
  ['Array', new schema.Array(members, 'type'), [one], (user: User) => [{ ...one, user }]],
])(
  '[N5] a value that is not an entity is read by the schema that %s chooses',
  async (_, kind, sent, read) => {
    const w = world();
    const get = w.read('get', { kind: kind as Union<typeof members> });
    await w.controller.setResponse(get, {}, { kind: sent } as never);
    const seen = watch(w.controller.signal(get, {}));
    const before = seen.last;
    expect(before?.kind).toEqual(read(w.controller.get(User, 1) as User));
    await w.controller.setResponse(get, {}, { kind: sent } as never);
    expect(seen.last).toBe(before);
    if (sent === date) return;
    await w.controller.set(User, { id: 1 }, { name: 'y' });
    expect(seen.last?.kind).toEqual(read(w.controller.get(User, 1) as User));
    expect(seen.runs).toBe(2);
  },
);

test('[N5] a Lazy union that holds a list has the primary keys of the list', async () => {
  class Holder extends Entity {
    id = 0;
    held: unknown;
    static override schema = { held: new Lazy(new Union(members, choose)) };
  }
  const w = world();
  await w.controller.set(Holder, {}, { id: 1, held: [{ id: 1 }] });
  expect(w.controller.get(Holder, 1)?.held).toEqual(['1']);
});

test('[N5] a deletion through a union deletes the entity of the named type', async () => {
  const w = world();
  await w.controller.set(
    [pets],
    [
      { id: 1, type: 'dog' },
      { id: 1, type: 'cat' },
    ],
  );
  await w.controller.set(new Delete(pets as never), {}, { id: 1, type: 'dog' });
  expect(w.controller.entity(Dog, 1).value).toBeUndefined();
  expect(w.controller.entity(Cat, 1).value).toBeDefined();
});

test('[N16] All has the entities of a table in order of arrival, a recreated entity last', async () => {
  const w = world();
  const all = new All(Todo);
  expect(w.controller.get(all)).toBeUndefined();
  await w.controller.set([Todo], [{ id: 3 }, { id: 1 }]);
  await w.controller.set(Todo, { id: 2 }, { title: 'x' });
  expect(w.controller.get(all)?.map(({ id }) => id)).toEqual([3, 1, 2]);
  await w.controller.set(new Delete(Todo), { id: 1 }, {});
  expect(w.controller.get(all)?.map(({ id }) => id)).toEqual([3, 2]);
  await w.controller.set(Todo, { id: 1 }, { title: 'again' });
  expect(w.controller.get(all)?.map(({ id }) => id)).toEqual([3, 2, 1]);
});

class Owned extends Entity {
  id = 0;
  owner = User.fromJS();
  static override schema = { owner: User };
}

test('[N16] an entity that is deleted while incomplete and created again is the last of All', async () => {
  const { controller } = world();
  const all = new All(Owned);
  const rows = () => controller.get(all)?.map(({ id }) => id);
  const set = (id: number, owner: number) =>
    controller.set(Owned, { id }, { id, owner: { id: owner } });
  await set(1, 1);
  await set(2, 2);
  await set(3, 2);
  expect(rows()).toEqual([1, 2, 3]);
  await controller.set(new Delete(User), { id: 1 }, { id: 1 });
  expect(rows()).toEqual([2, 3]);
  await controller.set(new Delete(Owned), { id: 1 }, { id: 1 });
  await set(1, 2);
  expect(rows()).toEqual([2, 3, 1]);
});

const ids = (rows: readonly { id: number }[] | undefined) => rows?.map(({ id }) => id);

test('[N16] All has entities in order of arrival, regardless of earlier reads of missing keys', async () => {
  const w = world();
  const all = new All(Todo);
  const get = w.read('get', Todo);
  const change = w.mutation('change', Todo, {
    getOptimisticResponse: (_, { id }) => ({ id, title: 'expected' }),
  });
  const look = w.mutation('look', Todo, {
    getOptimisticResponse: (snapshot) => {
      snapshot.get(Todo, { id: 6 });
      throw snapshot.abort;
    },
  });
  const page = watch(w.controller.signal(get, { id: 9 }));
  void w.controller.entity(Todo, 8).value;
  void refused(w.controller.fetch(change, { id: 7 }));
  await w.call().fail(refusal(400));
  void refused(w.controller.fetch(look, {}));
  await w.call().fail(refusal(400));
  await w.controller.set([Todo], [{ id: 1 }, { id: 2 }]);
  for (const id of [9, 6, 8, 7]) await w.controller.set(Todo, { id }, { title: 'came' });
  expect(ids(w.controller.get(all))).toEqual([1, 2, 9, 6, 8, 7]);
  page.stop();
});

test('[N16] All orders an entity by its arrival, not by an earlier reference to its key', async () => {
  class Owner extends Entity {
    id = 0;
    of = 0;
  }
  class Owned extends Entity {
    id = 0;
    owner: Owner | null = null;
    static override schema = { owner: Owner };
  }
  const w = world();
  await w.controller.set(Owned, { id: 1 }, { owner: 3 });
  await w.controller.set([Owner], [{ id: 1 }, { id: 3 }, { id: 2 }]);
  expect(ids(w.controller.get(new All(Owner)))).toEqual([1, 3, 2]);
});

test.each([true, false])(
  '[N16] All lists a deleted and recreated entity at the end; read before: %s',
  async (asked) => {
    const w = world();
    const all = new All(Todo);
    const change = w.mutation('change', Todo, { getOptimisticResponse: (_, body) => body });
    const look = () => ids(w.controller.get(all));
    if (asked) look();
    await w.controller.set([Todo], [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    if (asked) look();
    await w.controller.set(new Delete(Todo), { id: 1 }, {});
    await w.controller.set(Todo, { id: 1 }, { title: 'again' });
    // an optimistic change covers the confirmed value
    void w.controller.fetch(change, { id: 2, title: 'expected' });
    void w.controller.fetch(w.mutation('remove', new Delete(Todo)), { id: 2 });
    await w.call().answer({});
    await w.controller.set(Todo, { id: 2 }, { title: 'again' });
    await w.call(0).answer({ id: 2, title: 'expected' });
    expect(look()).toEqual([3, 4, 1, 2]);
  },
);

test.each([true, false])(
  '[N16] All keeps the place of confirmed optimistic rows and of rows restored by a failure; read before: %s',
  async (asked) => {
    const w = world();
    const all = new All(Todo);
    const create = w.mutation('create', new Collection([Todo]).push, {
      getOptimisticResponse: (_, body) => body,
    });
    const remove = w.mutation('remove', new Delete(Todo), {
      getOptimisticResponse: (_, params) => params,
    });
    const look = () => ids(w.controller.get(all));
    if (asked) look();
    await w.controller.set([Todo], [{ id: 1 }, { id: 2 }]);
    void w.controller.fetch(create, { title: 'new' });
    void refused(w.controller.fetch(remove, { id: 1 }));
    await w.controller.set(Todo, { id: 4 }, { title: 'pushed' });
    if (asked) look();
    await w.call(0).answer({ id: 3, title: 'new' });
    await w.call(1).fail(refusal(400));
    expect(look()).toEqual([1, 2, 3, 4]);
  },
);

test('[N16] All keeps its reference until one of its entities changes', async () => {
  const w = world();
  await w.controller.set([Todo], [{ id: 1 }, { id: 2 }]);
  const watcher = watch(w.controller.query(new All(Todo)).result);
  const before = watcher.last?.data;
  await w.controller.set([Todo], [{ id: 1 }, { id: 2 }]);
  await w.controller.set(User, { id: 1 }, { name: 'x' });
  expect([watcher.runs, watcher.last?.data]).toEqual([1, before]);
  await w.controller.set(Todo, { id: 2 }, { title: 'z' });
  expect(watcher.runs).toBe(2);
  expect(watcher.last?.data?.[0]).toBe(before?.[0]);
});

test('[N16] All of a table without remaining entities is empty, read before or not', async () => {
  const w = world();
  expect(w.controller.get(new All(User))).toBeUndefined();
  const later = world();
  for (const { controller } of [w, later]) {
    await controller.set(User, { id: 1 }, { name: 'a' });
    await controller.set(new Delete(User), { id: 1 }, {});
    expect(controller.get(new All(User))).toEqual([]);
  }
});

test('[N16] a fetch of All with an empty response returns an empty list', async () => {
  const w = world();
  const list = w.read('all', new All(Todo), { reply: () => [] });
  expect(await w.controller.fetch(list, {})).toEqual([]);
});

test('[N16] a query runs once for unchanged data', async () => {
  const w = world();
  let runs = 0;
  const open = new Query(new All(Todo), (todos, { done }: { done: boolean }) => {
    runs++;
    return todos.filter((todo) => todo.done === done);
  });
  await w.controller.set([Todo], [{ id: 1, done: true }, { id: 2 }]);
  const first = w.controller.get(open, { done: true });
  expect(first?.map(({ id }) => id)).toEqual([1]);
  expect(w.controller.get(open, { done: true })).toBe(first);
  expect(runs).toBe(1);
  expect(w.controller.get(open, { done: false })?.map(({ id }) => id)).toEqual([2]);
});

test('[N16] a reader of a query is notified once when the result changes', async () => {
  const w = world();
  const titles = new Query(new All(Todo), (todos) => todos.map(({ title }) => title));
  await w.controller.set([Todo], [{ id: 1, title: 'a' }]);
  const watcher = watch(w.controller.query(titles).result);
  await w.controller.set(Todo, { id: 1 }, { title: 'b' });
  expect(watcher.seen.map((result) => result.data)).toEqual([['a'], ['b']]);
});

test('[N16] an endpoint with a query over a Collection returns the result, and follows created rows', async () => {
  const w = world();
  const count = new Query(new Collection([Todo]), (todos) => todos.length);
  const get = w.read('count', count, { reply: () => [{ id: 1 }, { id: 2 }] });
  expect(await w.controller.fetch(get, {})).toBe(2);
  const watcher = watch(w.controller.signal(get, {}));
  await w.controller.set(new Collection([Todo]).push, {}, { id: 3 });
  expect(watcher.seen).toEqual([2, 3]);
  await w.controller.fetch(get, {});
  expect(watcher.seen).toEqual([2, 3, 2]);
});

test('[N16] a live reader of a query is notified only of changes of fields that the query reads', async () => {
  const w = world();
  const done = new Query(new All(Todo), (todos) => todos.filter((todo) => todo.done).length);
  await w.controller.set([Todo], [{ id: 1 }, { id: 2 }]);
  const watcher = watch(liveResult(w.controller.query(done)));
  await w.controller.set(Todo, { id: 1 }, { title: 'no matter' });
  await w.controller.set(Todo, { id: 1 }, { done: true });
  expect(watcher.seen.map((result) => result.data)).toEqual([0, 1]);
});

class Department extends Entity {
  id = 0;
  name = '';
  staff: string[] = [];
  static override schema = { staff: new Lazy([User]) };
}

test('[N5] a Lazy member has primary keys, and its query returns the entities', async () => {
  const w = world();
  const sent = {
    id: 1,
    staff: [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ],
  };
  await w.controller.set(Department, {}, sent);
  const department = watch(w.controller.entity(Department, 1));
  expect(department.last?.staff).toEqual(['1', '2']);
  const { query } = Department.schema.staff;
  expect(query).toBe(Department.schema.staff.query);
  const staff = w.controller.get(query, department.last?.staff);
  expect(staff).toEqual([w.controller.entity(User, 1).value, w.controller.entity(User, 2).value]);
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  expect(department.runs).toBe(1);
});

const owned = new Collection([User], { nestKey: ({ id }: { id: number }) => ({ owner: id }) });

test.each([
  ['an entity', User, { id: 1 }, '1'],
  ['a map', new Values(User), { a: { id: 1 }, b: { id: 2 } }, { a: '1', b: '2' }],
  ['an object', { id: User, of: User }, { id: { id: 2 }, of: { id: 1 } }, { id: '2', of: '1' }],
  ['arrays of objects', [{ u: User }], [{ u: { id: 2 } }], [{ u: '2' }]],
  ['a collection', owned, [{ id: 2 }, { id: 1 }], '{"owner":"1"}'],
] as const)(
  '[N5] the query of a Lazy member with %s returns the entities for the value in the parent',
  async (_, schema, sent, shown) => {
    const lazy = new Lazy(schema);
    class Holder extends Entity {
      id = 0;
      held: unknown = null;
      static override schema = { held: lazy };
    }
    const w = world();
    await w.controller.set(Holder, {}, { id: 1, held: sent });
    const held = w.controller.get(Holder, { id: 1 })?.held;
    expect(held).toEqual(shown);
    const resolved = w.controller.get(lazy.query, held);
    expect(JSON.parse(JSON.stringify(resolved))).toMatchObject(sent);
  },
);

test('[N5] the query of a Lazy Collection also accepts the arguments of the Collection', async () => {
  const w = world();
  const users = new Collection([User]);
  const { query } = new Lazy(users);
  for (const args of [{ owner: 1 }, 'ada', '{', '{"b":1}', '{"owner":1}']) {
    await w.controller.set(users, args, [{ id: 3 }]);
    expect(w.controller.get(query, args as never)?.length).toBe(1);
  }
});

test('[N5] the queries of a Lazy list and map of a union return undefined for bare primary keys', async () => {
  const w = world();
  const lazy = [new Lazy([pets]), new Lazy(new Values(pets))] as const;
  expect(w.controller.get(lazy[0].query, ['1'] as never)).toBeUndefined();
  expect(w.controller.get(lazy[1].query, { a: '1' })).toBeUndefined();
});

test.each([null, false, true, 0, ''])(
  '[N10] an entity is stored if its validate() returns %j',
  async (said) => {
    class Loose extends Entity {
      id = 0;
      static override validate(): never {
        return said as never;
      }
    }
    const w = world();
    await w.controller.set(Loose, {}, { id: 1 });
    expect(w.controller.get(Loose, { id: 1 })).toBeInstanceOf(Loose);
  },
);
