/** The merge of a later record with the stored record, and the methods of a class that change the merge. */
import { Collection, Delete, Entity, Union } from 'signalbox';
import type { StandardSchemaV1 } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, Tag, Todo, User, watch, world } from '../setup/world.ts';

type Fields = Record<string, unknown>;

test('[N9] fields absent or undefined in a later write keep their stored values', async () => {
  const w = world();
  await w.controller.set(Todo, { id: 1 }, { title: 'a', done: true, author: { id: 2 }, extra: 1 });
  await w.controller.set(Todo, { id: 1 }, { title: 'b', done: undefined, author: undefined });
  const todo = w.controller.get(Todo, { id: 1 });
  expect(todo).toMatchObject({ title: 'b', done: true, extra: 1, author: { id: 2 } });
});

test('[N9] a plain object in a field is replaced, not merged', async () => {
  const w = world();
  await w.controller.set(User, { id: 1 }, { address: { city: 'x', zip: 1 } });
  await w.controller.set(User, { id: 1 }, { address: { city: 'y' } });
  expect(w.controller.get(User, { id: 1 })).toMatchObject({ address: { city: 'y' } });
  expect(w.controller.get(User, { id: 1 })).not.toHaveProperty('address.zip');
});

class Private extends Entity {
  id = 0;
  other = '';
  cents = 0;
  #title = 'default';
  get title() {
    return this.#title;
  }
  set title(title: string) {
    this.#title = title;
  }
  get price() {
    return this.cents / 100;
  }
  set price(price: number) {
    this.cents = price * 100;
  }
}

test('[N9] a value stored by a setter of the class is kept when other fields are written', async () => {
  const w = world();
  await w.controller.set(Private, { id: 1 }, { title: 'x', cents: 29, other: 'a' });
  await w.controller.set(Private, { id: 1 }, { other: 'b' });
  await w.controller.set(Private, { id: 1 }, { other: 'c' });
  const { title, cents, other } = w.controller.get(Private, { id: 1 }) as Private;
  // through the accessor of another field, 29 would become 28.999999999999996
  expect([title, cents, other]).toEqual(['x', 29, 'c']);
});

test('[N9] a value stored by a setter is kept below optimistic layers, and a failed layer is rolled back', async () => {
  const w = world();
  const update = w.mutation('update', Private, {
    getOptimisticResponse: (_: unknown, params: object, fields: object) => ({
      ...params,
      ...fields,
    }),
  });
  const remove = w.mutation('remove', new Delete(Private), {
    getOptimisticResponse: (_: unknown, params: object) => params,
  });
  const write = (fields: object) => w.controller.fetch(update, { id: 1 }, fields).catch(() => {});
  const title = () => w.controller.get(Private, { id: 1 })?.title;
  await w.controller.set(Private, { id: 1 }, { title: 'x', other: 'a' });
  void write({ other: 'b' });
  void write({ title: 'y' });
  void refused(w.controller.fetch(remove, { id: 1 }, {}));
  expect(title()).toBe(undefined);
  void write({ other: 'c' });
  await w.call(2).fail(refusal(500));
  expect(title()).toBe('y');
  await w.call(0).answer({ id: 1, other: 'b' });
  expect(title()).toBe('y');
  await w.call(1).fail(refusal(500));
  expect(title()).toBe('x');
  await w.call(3).fail(refusal(500));
  expect(w.controller.get(Private, { id: 1 })).toMatchObject({ title: 'x', other: 'b' });
});

class Versioned extends Entity {
  id = 0;
  version = 0;
  text = '';
  seen: string[] = [];
  static override merge(existing: Versioned, incoming: Versioned) {
    if (incoming.version < existing.version) return existing;
    return { ...existing, ...incoming, seen: [...existing.seen, ...(incoming.seen ?? [])] };
  }
}

test('[N9] `merge` of a class decides which fields a later write stores', async () => {
  const w = world();
  await w.controller.set(Versioned, { id: 1 }, { version: 2, text: 'two', seen: ['a'] });
  await w.controller.set(Versioned, { id: 1 }, { version: 1, text: 'one', seen: ['b'] });
  expect(w.controller.get(Versioned, { id: 1 })).toMatchObject({ version: 2, text: 'two' });
  await w.controller.set(Versioned, { id: 1 }, { version: 3, text: 'three', seen: ['c'] });
  const merged = w.controller.get(Versioned, { id: 1 });
  expect(merged).toMatchObject({ version: 3, text: 'three', seen: ['a', 'c'] });
});

class Dated extends Entity {
  id = 0;
  at = new Date(0);
  author: User | null = null;
  tags: Tag[] = [];
  static override schema = { at: Date, author: User, tags: [Tag] };
  static seen: unknown[] = [];
  static override merge(existing: Fields, incoming: Fields): Fields {
    this.seen = [existing, incoming].map(({ at, author, tags }) => [at, author, tags]);
    if ((incoming['at'] as string) < (existing['at'] as string)) return existing;
    const tags = [existing['tags'], incoming['tags'] ?? []].flat();
    const author = incoming['author'] === '3' ? 1 : incoming['author'];
    const at = incoming['at'] === '2027' ? '2028' : incoming['at'];
    return { ...existing, ...incoming, tags, author, at };
  }
}

test('[N9] merge receives nested members as received and entities as primary keys, and may return others', async () => {
  const w = world();
  const write = (fields: object) => w.controller.set(Dated, { id: 1 }, fields);
  const row = () => w.controller.get(Dated, { id: 1 }) as Dated;
  const shown = () => [row().at.getFullYear(), row().author?.name, row().tags.map(({ id }) => id)];
  await write({ at: '2025', author: { id: 1, name: 'Ada' }, tags: [{ id: 1 }] });
  await write({ at: '2024', author: { id: 2, name: 'Bob' }, tags: [{ id: 2 }] });
  expect(Dated.seen).toEqual([
    ['2025', '1', ['1']],
    ['2024', '2', ['2']],
  ]);
  expect(shown()).toEqual([2025, 'Ada', [1]]);
  await write({ at: '2026', author: { id: 2 }, tags: [{ id: 3 }] });
  expect(shown()).toEqual([2026, 'Bob', [1, 3]]);
  await write({ at: '2027', author: { id: 3, name: 'Eve' } });
  expect(shown()).toEqual([2028, 'Ada', [1, 3]]);
});

test('[N9] merge of an optimistic change receives raw nested members, and a failure restores the stored row', async () => {
  const w = world();
  const update = w.mutation('update', Dated, {
    getOptimisticResponse: (_: unknown, params: object, fields: object) => ({
      ...params,
      ...fields,
    }),
  });
  await w.controller.set(Dated, { id: 1 }, { at: '2025', author: { id: 1 }, tags: [{ id: 1 }] });
  const row = watch(w.controller.entity(Dated, 1));
  const fields = { at: '2027', author: { id: 2, name: 'Bob' }, tags: [{ id: 2 }] };
  void refused(w.controller.fetch(update, { id: 1 }, fields));
  expect(row.last).toMatchObject({ author: { name: 'Bob' }, tags: [{ id: 1 }, { id: 2 }] });
  expect(row.last?.at.getFullYear()).toBe(2028);
  await w.call(0).fail(refusal(500));
  expect(row.last).toMatchObject({ author: { id: 1 }, tags: [{ id: 1 }] });
  expect(row.last?.at.getFullYear()).toBe(2025);
});

test('[N9] merge that returns the stored entity notifies no reader', async () => {
  const w = world();
  await w.controller.set(Versioned, { id: 1 }, { version: 2, text: 'two' });
  const watcher = watch(w.controller.entity(Versioned, 1));
  await w.controller.set(Versioned, { id: 1 }, { version: 1, text: 'one' });
  expect(watcher.runs).toBe(1);
});

test('[N9] merge that throws rejects the response, and the store is unchanged', async () => {
  class Fragile extends Entity {
    id = 0;
    n = 0;
    static override merge(existing: Fragile, incoming: Fragile) {
      if (incoming.n === 3) throw new Error('no merging');
      return { ...existing, ...incoming };
    }
  }
  const w = world();
  const rows = (n: number) => [1, 2, 3].map((id) => ({ id, n: n * id }));
  const list = w.read('list', [Fragile], { reply: rows });
  await w.controller.fetch(list, 10);
  const watchers = [1, 2, 3].map((pk) => watch(w.controller.entity(Fragile, pk)));
  await expect(w.controller.fetch(list, 1)).rejects.toThrow('no merging');
  expect(watchers.map(({ last }) => last?.n)).toEqual([10, 20, 30]);
  expect(watchers.map(({ runs }) => runs)).toEqual([1, 1, 1]);
});

class Processed extends Entity {
  id = 0;
  title = '';
  from = '';
  static override process(
    input: { gone?: boolean; name?: string; title?: string },
    _parent: unknown,
    key: string,
    args: readonly [{ source?: string }?],
  ) {
    if (input.gone === true) return undefined;
    const { name, ...rest } = input;
    return { ...rest, title: name ?? input.title, from: `${key} ${args[0]?.source}` };
  }
}

test('[N10] process may transform the input, and receives the key of the member and the arguments', async () => {
  class Holder extends Entity {
    id = 0;
    held: Processed | null = null;
    static override schema = { held: Processed };
  }
  const w = world();
  const get = w.read('get', Holder, { reply: () => ({ id: 1, held: { id: 2, name: 'a' } }) });
  const { held } = await w.controller.fetch(get, { source: 'x' });
  expect({ ...held }).toEqual({ id: 2, title: 'a', from: 'held x' });
});

class Comment extends Entity {
  id = 0;
  postId = 0;
  static override process(input: object, parent: { id?: number }, key: string) {
    return key === 'comments' ? { ...input, postId: parent.id } : { ...input };
  }
}
const comments = [{ id: 1 }];

test.each([
  ['an array', [Comment]],
  ['an array in an array', [[Comment]]],
  ['an array of a union', [new Union({ a: Comment }, (_, { kind }: { kind: string }) => kind)]],
  ['a Collection', new Collection([Comment], { nestKey: ({ id }: { id: number }) => ({ id }) })],
])(
  '[N10] process of a member in %s receives the object that contains the list as parent',
  async (_, schema) => {
    class Post extends Entity {
      id = 0;
      kind = 'a';
      comments: unknown[] = [];
      static override schema = { comments: schema };
    }
    const w = world();
    const sent = Array.isArray(schema) && Array.isArray(schema[0]) ? [comments] : comments;
    await w.controller.set(Post, { id: 5 }, { kind: 'a', comments: sent });
    expect(w.controller.get(Comment, 1)?.postId).toBe(5);
    const envelope = w.read('envelope', { comments: schema }, { reply: () => ({}) });
    await w.controller.setResponse(envelope, {}, { id: 6, kind: 'a', comments: sent } as never);
    expect(w.controller.get(Comment, 1)?.postId).toBe(6);
  },
);

test('[N10] process of an item of a top-level list receives the list as parent', async () => {
  class Row extends Entity {
    id = 0;
    of = 0;
    static override process(input: object, parent: readonly unknown[]) {
      return { ...input, of: parent.length };
    }
  }
  const w = world();
  const rows = [{ id: 1 }, { id: 2 }];
  await w.controller.fetch(w.read('array', [Row], { reply: () => rows }), {});
  expect(w.controller.get(Row, 2)?.of).toBe(2);
  await w.controller.set(new Collection([Row]).push, {}, [{ id: 3 }]);
  expect(w.controller.get(Row, 3)?.of).toBe(1);
});

test('[N11] process may change the result of super.process() without changing the input', async () => {
  class Stamped extends Entity {
    id = 0;
    seen = false;
    static override process(...told: Parameters<typeof Entity.process>) {
      const processed = super.process(...told) as { seen: boolean };
      processed.seen = true;
      return processed;
    }
  }
  const w = world();
  const row = Object.freeze({ id: 1 });
  await w.controller.fetch(w.read('list', [Stamped], { reply: () => [row] }), {});
  expect(w.controller.get(Stamped, 1)?.seen).toBe(true);
  expect(row).toEqual({ id: 1 });
});

test('[N10] process that returns undefined deletes the entity', async () => {
  const w = world();
  const answer = (gone: boolean) => [{ id: 1, gone }, { id: 2 }];
  const list = w.read('list', [Processed], { reply: answer });
  await w.controller.fetch(list, false);
  const watcher = watch(w.controller.entity(Processed, 1));
  expect(watcher.last?.id).toBe(1);
  const rows = await w.controller.fetch(list, true);
  expect(watcher.last).toBeUndefined();
  expect(rows.map(({ id }) => id)).toEqual([2]);
});

test('[N10] process that returns undefined omits an input without a primary key from the list', async () => {
  class Level extends Entity {
    price = 0;
    amount = 0;
    static override process(input: readonly [number, number]): unknown {
      const [price, amount] = input;
      return amount === 0 ? undefined : { price, amount };
    }
    override pk(): string {
      return `${this.price}`;
    }
  }
  const w = world();
  const book = w.read('book', [Level], {
    reply: (amount: number) => [
      [1, amount],
      [2, 5],
    ],
  });
  expect(await w.controller.fetch(book, 3)).toHaveLength(2);
  expect((await w.controller.fetch(book, 0)).map(({ price }) => price)).toEqual([2]);
});

class Checked extends Entity {
  id = 0;
  age = 0;
  static override validate({ age }: { age?: number }) {
    return age !== undefined && age < 0 ? 'age is negative' : undefined;
  }
}

test('[N10] validate rejects the whole response, and the error names entity, primary key and endpoint', async () => {
  const w = world();
  const list = w.read('people', [Checked], {
    reply: (age: number) => [
      { id: 1, age: 1 },
      { id: 7, age },
    ],
  });
  const rows = await w.controller.fetch(list, 5);
  const others = watch(w.controller.signal(list, 5));
  const one = watch(w.controller.entity(Checked, 1));
  await expect(w.controller.fetch(list, -1)).rejects.toMatchObject({
    code: 'S6',
    status: 400,
    endpoint: 'people',
    message: expect.stringMatching(/people: "Checked" .*"7" .*age is negative/) as string,
  });
  expect(w.controller.entity(Checked, 7).value?.age).toBe(5);
  expect(others.last).toBe(rows);
  expect([others.runs, one.runs]).toEqual([1, 1]);
});

test('[N10] a rejected response stores no new entity, and notifies no reader', async () => {
  const w = world();
  const watchers = [1, 7].map((pk) => watch(w.controller.entity(Checked, pk)));
  const list = w.read('people', [Checked], {
    reply: () => [
      { id: 1, age: 1 },
      { id: 7, age: -1 },
    ],
  });
  await expect(w.controller.fetch(list, {})).rejects.toMatchObject({ code: 'S6' });
  expect(watchers.map(({ last, runs }) => [last, runs])).toEqual([
    [undefined, 1],
    [undefined, 1],
  ]);
});

test('[N10] a Standard Schema as validate rejects invalid input', async () => {
  const adult: StandardSchemaV1<{ age?: number }> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        ((value as { age?: number }).age ?? 0) >= 18
          ? { value: value as { age?: number } }
          : { issues: [{ message: 'is too young', path: ['age'] }] },
    },
  };
  class Adult extends Entity {
    id = 0;
    age = 0;
    static override validate = adult as never;
  }
  const w = world();
  await w.controller.set(Adult, { id: 1 }, { age: 20 });
  expect(w.controller.entity(Adult, 1).value?.age).toBe(20);
  await expect(w.controller.set(Adult, { id: 1 }, { age: 3 })).rejects.toMatchObject({
    code: 'S6',
    message: expect.stringMatching(/age: is too young/) as string,
  });
});
