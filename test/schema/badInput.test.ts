/** Responses that do not fit the schema: each is an error, and the store is unchanged. */
import { Collection, Entity, live as liveOf, liveResult } from 'signalbox';
import type { Schema } from 'signalbox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Article, Tag, Todo, User, refusal, refused, watch, world } from '../setup/world.ts';

const page = { results: new Collection([Todo]), total: 0 };

/** A world with data, and readers of all data. */
async function filled() {
  const w = world();
  const list = w.read('list', new Collection([Todo]), {
    reply: () => [
      { id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1 }] },
      { id: 2, title: 'b', author: 1 },
    ],
  });
  await w.controller.fetch(list, {});
  const readers = [
    watch(w.controller.signal(list, {})),
    ...[1, 2, 9].map((pk) => watch(w.controller.entity(Todo, pk))),
    ...[1, 9].map((pk) => watch(w.controller.entity(User, pk))),
    watch(w.controller.entity(Tag, 1)),
    watch(liveResult(w.controller.view(list, {}))),
    watch(() => liveOf(w.controller, Todo, 1).title),
  ];
  const before = readers.map(({ last }) => last);
  const untouched = () => {
    expect(readers.map(({ runs }) => runs)).toEqual(readers.map(() => 1));
    expect(readers.map(({ last }) => last)).toEqual(before);
    expect(w.controller.signal(list, {}).value).toBe(before[0]);
    expect(w.controller.get(Todo, { id: 1 })).toBe(before[1]);
  };
  return { w, list, untouched };
}

const cut = { id: 9, title: 'new', author: { id: 9, name: 'Eve' } };

test.each<[string, unknown, unknown, string, RegExp]>([
  ['no pk', Todo, { title: 'new' }, 'S1', /bad: "Todo" .*undefined/],
  ['no pk in a row', [Todo], [cut, { title: 'x' }], 'S1', /bad: "Todo"/],
  ['no pk in a nested member', Todo, { ...cut, author: {} }, 'S1', /bad: "User"/],
  ['no pk in a nested list', Todo, { ...cut, tags: [{ id: 1, label: 'x' }, {}] }, 'S1', /"Tag"/],
  ['an object for a list', [Todo], { results: [cut] }, 'S3', /bad: a list of .*"Todo".* array/],
  ['an object for a collection', new Collection([Todo]), { data: [cut] }, 'S3', /bad: .*"Todo"/],
  [
    'an envelope for an entity',
    Todo,
    { article: cut, total: 1 },
    'S1',
    /bad: "Todo" .*undefined.*\["article","total"\].*\{article: Article\}/,
  ],
  ['text for a list', [Todo], '<!doctype html>', 'S3', /bad: .*doctype/],
  ['text for an entity', Todo, '<!doctype html>', 'S2', /bad: "Todo" .*doctype/],
  ['a number for an entity', Todo, 5, 'S2', /bad: "Todo" .*5/],
  ['a boolean for an entity', Todo, true, 'S2', /bad: "Todo" .*true/],
  ['an array for an entity', Todo, [cut], 'S2', /bad: "Todo"/],
  ['an array for a nested entity', Todo, { ...cut, author: [{ id: 9 }] }, 'S2', /bad: "User"/],
  ['a boolean for a nested entity', Todo, { ...cut, author: true }, 'S2', /bad: "User" .*true/],
  ['an object for a nested list', Todo, { ...cut, tags: { id: 1 } }, 'S3', /bad: .*array/],
  ['an array for an object', page, [cut], 'S8', /bad: .*results.*total/],
  ['text for an object', page, 'ok', 'S8', /bad: .*results.*"ok"/],
  ['an object for the list in an object', page, { results: { 0: cut } }, 'S3', /bad: .*"Todo"/],
  ['an undefined schema in an array', [undefined], [cut], 'S4', /bad/],
  ['an undefined schema in an object', { data: undefined, a: Todo }, { a: cut }, 'S4', /bad.*data/],
  ['an undefined schema in a collection', new Collection([undefined]), [cut], 'S4', /Collection/],
])(
  '[N3] fetch rejects for %s with an error that names the place, and the store is unchanged',
  async (_, schema, answer, code, text) => {
    const { w, untouched } = await filled();
    const bad = w.read('bad', schema, { reply: () => answer });
    const error: unknown = await w.controller.fetch(bad, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code,
      status: 400,
      message: expect.stringMatching(text) as string,
    });
    untouched();
  },
);

test('[N3] an undefined member schema (circular import) rejects the fetch, naming the class and the member', async () => {
  class Early extends Entity {
    id = 0;
    late: unknown = null;
    static override schema = { late: undefined };
  }
  const { w, untouched } = await filled();
  const bad = w.read(
    'bad',
    { todo: Todo, early: Early },
    { reply: () => ({ todo: cut, early: { id: 1 } }) },
  );
  await expect(w.controller.fetch(bad, {})).rejects.toMatchObject({
    code: 'S4',
    status: 400,
    message: expect.stringMatching(/"Early".*"late"/) as string,
  });
  untouched();
});

test.each<[string, () => unknown, RegExp]>([
  ['an instance', () => new Todo(), /S17\] "bad .*" has an instance of "Todo" as its schema/],
  ['an instance in a list', () => [Todo.fromJS()], /S17\] "bad .*" .* "Todo" .* at "\[0\]"/],
  ['an instance in an object', () => ({ data: new Todo() }), /S17\] "bad .*" .* at "data"/],
  [
    'an instance in a Collection',
    () => new Collection([new Todo()]),
    /S17\] "Collection" .*"Todo"/,
  ],
])('[H10] %s in the place of a class is an error that names the class', async (_, make, text) => {
  const { w, untouched } = await filled();
  const bad = w.read('bad', make(), { reply: () => cut });
  await expect(w.controller.fetch(bad, {})).rejects.toThrow(text);
  untouched();
});

test('[H10] a Collection of a value that is not a list throws an error that shows the value', () => {
  expect(() => new Collection(Todo as never)).toThrow('S19] a Collection of Todo');
  expect(() => new Collection(undefined as never)).toThrow('S19] a Collection of undefined');
});

describe('an undecoded member with an instance of a class as its default', () => {
  const warned = vi.fn<(text: string) => void>();
  beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(warned));
  afterEach(() => void warned.mockClear());

  test('[N5] a received value of another type than the default instance is warned about once per member', async () => {
    class Dated extends Entity {
      id = 0;
      at = new Date(0);
      author = User.fromJS();
    }
    const { controller } = world();
    await controller.set(Dated, { id: 1 }, { id: 1, at: '2020-01-01', author: 5 });
    await controller.set(Dated, { id: 2 }, { id: 2, at: '2020-01-01', author: 5 });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/S18\] .*"at" of "Dated" is "2020-01-01", its default is a "Date"/),
      expect.stringMatching(/S18\] .*"author" of "Dated" is 5, its default is a "User"/),
    ]);
  });

  test('[N5] decoded, absent and null values, and values with a plain default, are not warned about', async () => {
    class Decoded extends Entity {
      id = 0;
      at = new Date(0);
      by = new Date(0);
      list = ['a'];
      plain = { a: 1 };
      static override schema = { at: Date };
      static override process(value: { by: string }) {
        return { ...value, by: value.by && new Date(value.by) };
      }
    }
    const { controller } = world();
    await controller.set(
      Decoded,
      { id: 1 },
      { id: 1, at: '2020-01-01', by: '2020', list: 'b', plain: 'c' },
    );
    await controller.set(Decoded, { id: 2 }, { id: 2, at: null, by: null });
    expect(warned).not.toHaveBeenCalled();
  });
});

test('[N4] a response with a second class of a used key rejects with S5 and writes nothing', async () => {
  class Left extends Entity {
    id = 0;
    static override key = 'used';
  }
  class Right extends Entity {
    id = 0;
    static override key = 'used';
  }
  const { w, untouched } = await filled();
  w.controller.entity(Left, 1);
  const bad = w.read('bad', [{ todo: Todo, right: Right }], {
    reply: () => [{ todo: cut, right: { id: 1 } }],
  });
  await expect(w.controller.fetch(bad, {})).rejects.toMatchObject({ code: 'S5', status: 400 });
  untouched();
});

test.each([404, 500, undefined])(
  '[C7] a failed response with status %s is stored as the error, and keeps all data',
  async (status) => {
    const { w, untouched } = await filled();
    const bad = w.read('bad', Todo);
    const promise = w.controller.fetch(bad, { id: 1 });
    const error = refusal(status);
    const caught = refused(promise);
    await w.call().fail(error);
    expect(await caught).toBe(error);
    expect(w.controller.getError(bad, { id: 1 })).toBe(error);
    untouched();
  },
);

test.each<[string, () => unknown]>([
  ['an object for a list', () => ({ results: [] })],
  ['a row without a pk', () => [{ id: 1, title: 'changed' }, { title: 'x' }]],
  ['status 500', () => Promise.reject(refusal(500))],
  ['status 404', () => Promise.reject(refusal(404))],
])(
  '[V2] a refetch that fails with %s does not notify readers of the stored data',
  async (_, reply) => {
    const { w, list } = await filled();
    const data = watch(w.controller.signal(list, {}));
    const live = watch(() => liveOf(w.controller, Todo, 1).title);
    const again = list.extend({ fetch: async (_params: object) => reply() });
    expect(await refused(w.controller.fetch(again, {}))).toBeInstanceOf(Error);
    expect(w.controller.signal(list, {}).value).toBe(data.seen[0]);
    expect([data.runs, live.runs]).toEqual([1, 1]);
  },
);

test('[F2] an undefined response rejects with F2, naming the endpoint', async () => {
  const { w, untouched } = await filled();
  const bad = w.read('bad', Todo, { reply: () => undefined });
  await expect(w.controller.fetch(bad, { id: 5 })).rejects.toMatchObject({
    code: 'F2',
    message: expect.stringMatching(/bad: .*undefined/) as string,
  });
  untouched();
});

test('[N6] a response without a required member rejects, and its other fields are stored', async () => {
  const w = world();
  const bad = w.read('getArticle', Article, { reply: () => ({ id: 1, title: 'a' }) });
  await expect(w.controller.fetch(bad, { id: 1 })).rejects.toMatchObject({
    code: 'F2',
    endpoint: 'getArticle',
  });
  await w.controller.set(Article, { id: 1 }, { author: { id: 1 } });
  expect(w.controller.entity(Article, 1).value?.title).toBe('a');
});

test('[N9] an error thrown by `process` rejects the fetch, and the store is unchanged', async () => {
  class Touchy extends Entity {
    id = 0;
    static override process(): never {
      throw new Error('touchy');
    }
  }
  const { w, untouched } = await filled();
  const bad = w.read('bad', [{ todo: Todo, touchy: Touchy }], {
    reply: () => [{ todo: { id: 1, title: 'changed' }, touchy: { id: 1 } }],
  });
  await expect(w.controller.fetch(bad, {})).rejects.toThrow('touchy');
  untouched();
});

test('[I1] set of a missing entity with a function rejects with an error that names the arguments', async () => {
  const { w, untouched } = await filled();
  const never = () => {
    throw new Error('must not be called');
  };
  await expect(w.controller.set(Todo, { id: 77 }, never)).rejects.toMatchObject({
    code: 'S10',
    status: 400,
    message: expect.stringMatching(/77/) as string,
  });
  untouched();
});

test.each<[string, unknown, unknown, string]>([
  ['no pk anywhere', {}, { title: 'x' }, 'S1'],
  ['text', { id: 1 }, 'x', 'S2'],
  ['an array', { id: 1 }, [{ id: 1 }], 'S2'],
  ['a function that gives text', { id: 1 }, () => 'x', 'S2'],
  ['null', { id: 1 }, null, 'S16'],
  ['a function that gives nothing', { id: 1 }, () => undefined, 'S16'],
  ['a function that gives a promise', { id: 1 }, async () => ({ title: 'b' }), 'S16'],
])('[I1] set with %s rejects and writes nothing', async (_, args, value, code) => {
  const { w, untouched } = await filled();
  await expect(w.controller.set(Todo, args, value)).rejects.toMatchObject({ code, status: 400 });
  untouched();
});

const envelope = { data: Todo, total: 0 };
const deep = { result: { todo: Todo }, items: [Todo] };

test.each<[string, Schema, unknown]>([
  ['{}', envelope, {}],
  ['only the total', envelope, { total: 3 }],
  ['a null entity', envelope, { data: null, total: 3 }],
  ['an undefined entity', envelope, { data: undefined }],
  ['no entity at any depth', deep, { result: {} }],
  ['a function that returns only the total', envelope, () => ({ total: 3 })],
])('[I1] set of an envelope with %s rejects and writes nothing', async (_, schema, value) => {
  const { w, untouched } = await filled();
  const set = w.controller.set(schema, { id: 1 }, value);
  await expect(set).rejects.toMatchObject({ code: 'S16', status: 400 });
  untouched();
});

test.each<[string, Schema, unknown]>([
  ['{}', envelope, {}],
  ['only the total', envelope, { total: 3 }],
  ['no entity at any depth', deep, { result: {} }],
])(
  '[I1] setResponse of an envelope with %s rejects with S16 and writes nothing',
  async (_, schema, value) => {
    const { w, untouched } = await filled();
    const wrapped = w.read('wrapped', schema);
    const set = w.controller.setResponse(wrapped, { id: 1 }, value);
    await expect(set).rejects.toMatchObject({ code: 'S16', status: 400, endpoint: 'wrapped' });
    untouched();
  },
);

test('[I1] setResponse of an envelope accepts a null entity, an absent list, and one of several members', async () => {
  const { w } = await filled();
  const set = async (schema: Schema, value: unknown) => {
    const wrapped = w.read(JSON.stringify(value), schema);
    await w.controller.setResponse(wrapped, {}, value);
    return w.controller.getResponse(wrapped, {}).data;
  };
  expect(await set(envelope, { data: null, total: 0 })).toEqual({ data: null, total: 0 });
  expect(await set({ items: [Todo], total: 0 }, { total: 2 })).toEqual({ items: [], total: 2 });
  expect(await set(deep, { items: [{ id: 8 }] })).toMatchObject({ items: [{ id: 8 }] });
});
