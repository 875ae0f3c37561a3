// Changes that a response makes to the responses of other requests by `update` of the endpoint.
import * as fc from 'fast-check';
import {
  All,
  Collection,
  Entity,
  Lazy,
  Query,
  replay,
  Scalar,
  Union,
  Values,
  transaction,
} from 'signalbox';
import { expect, test, vi } from 'vitest';
import { refused, Tag, Todo, User, watch, world } from '../setup/world.ts';

class Post extends Entity {
  id = 0;
  type = 'post';
}

class Link extends Entity {
  id = 0;
  type = 'link';
}

class Wrapped extends Entity {
  id = 0;
  static override normalize(
    input: object,
    _parent: unknown,
    _key: string,
    _args: unknown,
    next: (input: object) => unknown,
  ) {
    return next({ ...input });
  }
}

async function stage() {
  const w = world();
  const plain = w.read('plain', [Todo]);
  const { controller } = w;
  void controller.fetch(plain, {});
  await w.call().answer([{ id: 1, title: 'one' }]);
  const titles = () => controller.getResponse(plain, {}).data?.map(({ title }) => title);
  return { w, controller, plain, titles };
}

test('[E3] `update` adds a created row to a plain list, in the commit of the response', async () => {
  const { w, controller, plain, titles } = await stage();
  const create = w.mutation('create', Todo, {
    update: (created: string) => ({ [plain.key({})]: (rows: string[]) => [created, ...rows] }),
  });
  const all = watch(() => [
    controller.signal(plain, {}).value?.length,
    controller.entity(Todo, 2).value?.title,
  ]);
  const done = controller.fetch(create, { title: 'two' });
  await w.call().answer({ id: 2, title: 'two' });
  expect(await done).toBe(controller.getResponse(plain, {}).data?.[0]);
  expect(titles()).toEqual(['two', 'one']);
  expect(all.seen).toEqual([
    [1, undefined],
    [2, 'two'],
  ]);
});

test('[E3] `update` gets the arguments, and stored responses with primary keys in place of entities', async () => {
  const { w, controller } = await stage();
  const page = w.read('page', { results: [Todo], total: 0 });
  void controller.fetch(page, {});
  await w.call().answer({ results: [{ id: 1 }], total: 1 });
  const create = w.mutation('create', Todo, {
    update: (created: string, params: { readonly to: string }) => ({
      [page.key({})]: (stored: { results: string[]; total: number }) => ({
        results:
          params.to === 'front' ? [created, ...stored.results] : [...stored.results, created],
        total: stored.total + 1,
      }),
    }),
  });
  void controller.fetch(create, { to: 'back' }, {});
  await w.call().answer({ id: 2, title: 'two' });
  const { data } = controller.getResponse(page, {});
  expect([data?.total, data?.results.map(({ id }) => id)]).toEqual([2, [1, 2]]);
});

test('[E3] `update` changes a Collection by the primary keys of its members', async () => {
  const { w, controller } = await stage();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  void controller.fetch(list, {});
  await w.call().answer([{ id: 1 }, { id: 2 }]);
  const drop = w.mutation('drop', Todo, {
    update: (gone: string) => ({
      [list.key({})]: (rows: string[]) => rows.filter((pk) => pk !== gone),
    }),
  });
  void controller.fetch(drop, {}, {});
  await w.call().answer({ id: 1, title: 'archived' });
  expect(controller.get(todos, {})?.map(({ id }) => id)).toEqual([2]);
});

test('[E3] `update` skips keys without a stored response', async () => {
  const { w, controller, titles } = await stage();
  let asked = 0;
  const create = w.mutation('create', Todo, {
    update: () => ({ 'never fetched': () => asked++ }),
  });
  void controller.fetch(create, {});
  await w.call().answer({ id: 2, title: 'two' });
  expect([asked, titles()]).toEqual([0, ['one']]);
});

test('[E3] a function of `update` that throws rejects the call, and nothing is stored', async () => {
  const { w, controller, plain, titles } = await stage();
  const create = w.mutation('create', Todo, {
    update: () => ({
      [plain.key({})]: () => {
        throw new TypeError('mine');
      },
    }),
  });
  const done = controller.fetch(create, {});
  void w.call().answer({ id: 2, title: 'two' });
  expect(await refused(done)).toMatchObject({ message: 'mine' });
  expect(titles()).toEqual(['one']);
  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
});

const union = new Union({ post: Post, link: Link }, 'type');
const share = new Scalar({ lens: () => 'x', key: 'share', entity: Tag });
const post = { id: 1, type: 'post' };
const link = { id: 1, type: 'link' };
const [postKey, linkKey] = [
  { id: '1', schema: 'post' },
  { id: '1', schema: 'link' },
];
const day = '2020-01-01T00:00:00.000Z';

// the schema, a response, and the argument that a function of `update` receives
const forms: readonly (readonly [string, unknown, unknown, unknown])[] = [
  ['[Entity]', [Tag], [{ id: 1 }, { id: 2 }], ['1', '2']],
  ['an entity', Tag, { id: 1 }, '1'],
  ['an entity with a custom normalize', Wrapped, { id: 1 }, '1'],
  ['a Union', union, link, linkKey],
  ['[Union]', [union], [post, link], [postKey, linkKey]],
  [
    'a Union with a member of an unknown type',
    [union],
    [{ type: '?', a: [1] }],
    [{ type: '?', a: [1] }],
  ],
  [
    'a Union by a function',
    [new Union({ post: Post, link: Link }, ({ type }) => type)],
    [link],
    [linkKey],
  ],
  [
    'a Union of Unions',
    new Union({ post: union, link: union }, 'type'),
    link,
    { id: linkKey, schema: 'post' },
  ],
  ['Collection([Union])', new Collection([union]), [post, link], [postKey, linkKey]],
  ['{one: Union}', { one: union }, { one: link }, { one: linkKey }],
  ['Values(Union)', new Values(union), { a: post, b: link }, { a: postKey, b: linkKey }],
  ['Values(Entity)', new Values(Tag), { a: { id: 1 } }, { a: '1' }],
  [
    '{items: Values(Entity)}',
    { items: new Values(Tag) },
    { items: { a: { id: 1 } } },
    { items: { a: '1' } },
  ],
  ['Collection(Values)', new Collection(new Values(Tag)), { a: { id: 1 } }, { a: '1' }],
  ['Collection(Values(Union))', new Collection(new Values(union)), { a: link }, { a: linkKey }],
  [
    '{at: Date, row: Entity}',
    { at: Date, row: Tag },
    { at: day, row: { id: 1 } },
    { at: day, row: '1' },
  ],
  ['[Date]', [Date], [day], [day]],
  [
    'an envelope',
    { results: new Collection([Tag]), total: 0 },
    { results: [{ id: 1 }], total: 5, x: { y: 1 } },
    { results: ['1'], total: 5, x: { y: 1 } },
  ],
  ['Lazy', { rows: new Lazy([Tag]) }, { rows: [{ id: 1 }] }, { rows: ['1'] }],
  ['Values(Scalar)', new Values(share), { 1: { pct: 5 } }, { 1: expect.stringMatching(/./) }],
  ['no schema', undefined, { a: [1] }, { a: [1] }],
  ['All', new All(Tag), [{ id: 1 }], undefined],
  ['{all: All}', { all: new All(Tag) }, { all: [{ id: 1 }] }, undefined],
  ['Query', new Query([Tag], (tags) => tags.length), [{ id: 1 }], undefined],
  ['[Query]', [new Query(Tag, (tag) => tag.label)], [{ id: 1, label: 'a' }], undefined],
  ['a declared Query', new Query(new Collection([Tag]), { limit: 1 }), [{ id: 1 }], undefined],
];

test.each(forms)(
  '[E3] a function of `update` that returns its argument changes nothing: %s',
  async (_, schema, answer, form) => {
    const w = world();
    const copy = world();
    w.controller.on('commit', (commit) => replay(copy.controller, commit));
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const read = w.read('read', schema);
    await w.controller.setResponse(read, {}, answer);
    const data = w.controller.signal(read, {});
    const all = watch(data);
    let got: unknown;
    const same = (present: unknown) => (got = present);
    const create = w.mutation('create', Todo, { update: () => ({ [read.key({})]: same }) });
    const done = w.controller.fetch(create, {});
    await w.call().answer({ id: 7, title: 'seven' });
    expect((await done).title).toBe('seven');
    expect(got).toEqual(form);
    expect([all.runs, data.value]).toEqual([1, all.last]);
    expect(copy.controller.getResponse(read, {}).data).toEqual(all.last);
    expect(w.controller.get(Todo, { id: 7 })?.title).toBe('seven');
    warned.mockRestore();
  },
);

test('[E3] `update` adds a row to lists and maps of Unions, which keep their members', async () => {
  const w = world();
  const { controller } = w;
  const lists = [
    w.read('plain', [union]),
    w.read('found', new Collection([union])),
    w.read('kept', { rows: [union] }),
    w.read('map', new Values(union)),
    w.read('one', union),
  ] as const;
  const [plain, found, kept, map, one] = lists;
  await controller.setResponse(plain, {}, [post, link]);
  await controller.setResponse(found, {}, [post, link]);
  await controller.setResponse(kept, {}, { rows: [post, link] });
  await controller.setResponse(map, {}, { a: post });
  await controller.setResponse(one, {}, post);
  const add = (key: unknown) => (rows: unknown[]) => [...rows, key];
  const create = w.mutation('create', union, {
    update: (key: unknown) => ({
      [plain.key({})]: add(key),
      [found.key({})]: add(key),
      [kept.key({})]: ({ rows }: { rows: unknown[] }) => ({ rows: add(key)(rows) }),
      [map.key({})]: (rows: object) => ({ ...rows, b: key }),
      [one.key({})]: () => key,
    }),
  });
  void controller.fetch(create, {});
  await w.call().answer({ id: 7, type: 'link' });
  const made = controller.get(Link, { id: 7 });
  const rows = [controller.get(Post, { id: 1 }), controller.get(Link, { id: 1 }), made];
  const data = lists.map((read) => controller.getResponse(read, {}).data);
  expect(made).toBeInstanceOf(Link);
  expect(data).toEqual([rows, rows, { rows }, { a: rows[0], b: made }, made]);
});

test('[E3] `update` replaces the entity of a stored response by another entity', async () => {
  const w = world();
  const current = w.read('current', User);
  await w.controller.setResponse(current, {}, { id: 1, name: 'ada' });
  const logIn = w.mutation('logIn', User, {
    update: (user: string) => ({ [current.key({})]: () => user }),
  });
  void w.controller.fetch(logIn, {});
  await w.call().answer({ id: 2, name: 'bob' });
  expect(w.controller.getResponse(current, {}).data).toBe(w.controller.get(User, { id: 2 }));
});

test('[E3] `update` skips a list that is being read for the first time', async () => {
  const { w, controller } = await stage();
  const list = w.read('list', { results: new Collection([Todo]), total: 0 });
  void controller.fetch(list, {});
  const reading = w.call();
  const create = w.mutation('create', Todo, {
    update: (created: string) => ({
      [list.key({})]: ({ results }: { results: string[] }) => ({ results: [...results, created] }),
    }),
  });
  const done = controller.fetch(create, {});
  await w.call().answer({ id: 2, title: 'two' });
  expect((await done).title).toBe('two');
  await reading.answer({ results: [{ id: 1 }], total: 1 });
  expect(controller.getResponse(list, {}).data?.results).toHaveLength(1);
});

test('[O5] `update` receives confirmed data, without optimistic values that are rolled back later', async () => {
  const { w, controller } = await stage();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  await controller.setResponse(list, {}, [{ id: 1 }, { id: 2 }]);
  const ids = () => controller.get(todos, {})?.map(({ id }) => id);
  const drop = w.mutation('drop', todos.remove, { getOptimisticResponse: () => ({ id: 1 }) });
  const dropped = refused(controller.fetch(drop, {}));
  const dropping = w.call();
  const create = w.mutation('create', Todo, {
    update: (created: string) => ({ [list.key({})]: (rows: string[]) => [...rows, created] }),
  });
  void controller.fetch(create, {});
  await w.call().answer({ id: 3 });
  expect(ids()).toEqual([2, 3]);
  await dropping.fail(new Error('no'));
  await dropped;
  expect(ids()).toEqual([1, 2, 3]);
});

test('[O6] `update` gets the server key of a row that was created optimistically', async () => {
  const { w, controller, plain, titles } = await stage();
  const told: unknown[] = [];
  const create = w.mutation('create', Todo, {
    getOptimisticResponse: () => ({ title: 'two' }),
    update: (created: string) => {
      told.push(created);
      return { [plain.key({})]: (rows: string[]) => [...rows, created] };
    },
  });
  void controller.fetch(create, {});
  expect(titles()).toEqual(['one']);
  await w.call().answer({ id: 2, title: 'two' });
  expect([told, titles()]).toEqual([['2'], ['one', 'two']]);
});

interface Form {
  readonly schema: unknown;
  readonly answer: unknown;
}

const leaf: fc.Arbitrary<Form> = fc.oneof(
  fc.record({ schema: fc.constant(Tag), answer: fc.record({ id: fc.nat(3) }) }),
  fc.record({
    schema: fc.constant(union),
    answer: fc.constantFrom(post, link, { type: '?' }, null),
  }),
  fc.constantFrom({ schema: Date, answer: day }, { schema: 0, answer: 5 }),
);

/** `inner` once, in each sort of container. */
function around(inner: fc.Arbitrary<Form>): fc.Arbitrary<Form> {
  return inner.chain(({ schema, answer }) =>
    fc.constantFrom<Form>(
      { schema: [schema], answer: [answer, answer] },
      { schema: new Values(schema), answer: { a: answer, id: answer, schema: answer } },
      {
        schema: { id: schema, schema, c: 0 },
        answer: { id: answer, schema: answer, c: 1, d: [1] },
      },
      { schema: new Lazy(schema), answer },
    ),
  );
}

const listed = leaf.filter(({ schema }) => schema === Tag || schema === union);
const nested = fc.oneof(
  leaf,
  around(leaf),
  around(around(leaf)),
  around(
    listed.map(({ schema, answer }) => ({ schema: new Collection([schema]), answer: [answer] })),
  ),
);

test('[E3] a function of `update` that returns its argument changes nothing, for any generated schema', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(nested, async ({ schema, answer }) => {
      // a whole response of nothing is refused where the schema has entities
      fc.pre(answer !== null && answer !== undefined);
      const w = world();
      const read = w.read('read', schema);
      await w.controller.setResponse(read, {}, answer);
      const before = w.controller.getResponse(read, {}).data;
      const create = w.mutation('create', User, {
        update: () => ({ [read.key({})]: (present: unknown) => present }),
        reply: () => ({ id: 7 }),
      });
      await w.controller.fetch(create, {});
      expect(w.controller.getResponse(read, {}).data).toEqual(before);
    }),
    { numRuns: 300 },
  );
  warned.mockRestore();
});

test('[O9] `update` in a transaction runs at the end, and each function gets the result of earlier functions', async () => {
  const { w, controller, plain, titles } = await stage();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  await controller.setResponse(list, {}, []);
  const put = (created: string) => (rows: string[]) => [created, ...rows];
  const create = w.mutation('create', Todo, {
    update: (created: string) => ({
      [plain.key({})]: put(created),
      [list.key({})]: put(created),
    }),
  });
  const copy = world();
  copy.read('plain', [Todo]);
  controller.on('commit', (commit) => replay(copy.controller, commit));
  await controller.setResponse(plain, {}, [{ id: 1, title: 'one' }]);
  const seen = watch(() => controller.signal(plain, {}).value?.length);
  const done = transaction(controller, async ({ fetch }) => {
    await fetch(create, { title: 'two' });
    await fetch(create, { title: 'three' });
  });
  await w.call().answer({ id: 2, title: 'two' });
  expect(titles()).toEqual(['one']);
  await w.call().answer({ id: 3, title: 'three' });
  await done;
  expect(titles()).toEqual(['three', 'two', 'one']);
  expect(controller.get(todos, {})?.map(({ id }) => id)).toEqual([3, 2]);
  expect(seen.seen).toEqual([1, 3]);
  const told = copy.controller.getResponse(plain, {}).data;
  expect(told?.map(({ title }) => title)).toEqual(['three', 'two', 'one']);
});

test('[O9] a function of `update` that throws rolls back the transaction', async () => {
  const { w, controller, plain, titles } = await stage();
  const rename = w.mutation('rename', Todo, {
    update: () => ({
      [plain.key({})]: () => {
        throw new TypeError('mine');
      },
    }),
  });
  const done = transaction(controller, ({ fetch }) => fetch(rename, {}, { title: 'ONE' }));
  void w.call().answer({ id: 1, title: 'ONE' });
  expect(await refused(done)).toMatchObject({ message: 'mine' });
  expect(titles()).toEqual(['one']);
});

test('[E3] `update` of a read changes a list, and `update` that returns undefined does not prevent the write', async () => {
  const { w, controller, plain, titles } = await stage();
  const get = w.read('get', Todo, {
    update: (found: string) => ({ [plain.key({})]: (rows: string[]) => [...rows, found] }),
  });
  void controller.fetch(get, { id: 2 });
  await w.call().answer({ id: 2, title: 'two' });
  const silent = w.mutation('silent', Todo, { update: () => undefined as never });
  const done = controller.fetch(silent, {});
  await w.call().answer({ id: 1, title: 'ONE' });
  expect([(await done)?.title, titles()]).toEqual(['ONE', ['ONE', 'two']]);
});
