/** Valid and invalid primary keys; keys with names of Object.prototype pollute nothing. */
import * as fc from 'fast-check';
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, User, world } from '../setup/world.ts';

const nasty = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
const inherited = () => Object.keys(Object.getOwnPropertyDescriptors(Object.prototype)).sort();

test.each([null, undefined, '', Number.NaN])(
  '[N3] a pk of %s is an error that names entity, endpoint and value',
  async (id) => {
    const w = world();
    const get = w.read('getUser', User, { reply: () => ({ id, name: 'Ada' }) });
    await expect(w.controller.fetch(get, {})).rejects.toMatchObject({
      code: 'S1',
      status: 400,
      endpoint: 'getUser',
      message: expect.stringMatching(
        new RegExp(`getUser: "User" .*${id === '' ? '""' : String(id)}`),
      ) as string,
    });
  },
);

test('[N3] a pk built as text from missing fields is rejected', async () => {
  class Composed extends Entity {
    a = '';
    b = '';
    override pk() {
      return `${this.a}/${this.b}`;
    }
  }
  const w = world();
  const get = w.read('get', Composed, { reply: () => ({ other: 1 }) });
  await expect(w.controller.fetch(get, {})).rejects.toMatchObject({ code: 'S1' });
});

test.each([0, '0', -1, 1.5, 'undefined', 'null', 'NaN', ' ', 'false', '/', ...nasty])(
  '[N3] %j is a valid primary key',
  async (id) => {
    const w = world();
    const get = w.read('get', User, { reply: () => ({ id, name: 'Ada' }) });
    const user = await w.controller.fetch(get, { id });
    expect(user).toMatchObject({ id, name: 'Ada' });
    expect(w.controller.get(User, { id: id as number })).toBe(user);
    expect(w.controller.entity(User, id).value).toBe(user);
  },
);

test("[N3] the primary keys 7 and '7' are one entity", async () => {
  const w = world();
  await w.controller.set(User, { id: 7 }, { id: 7, name: 'Ada' });
  expect(w.controller.entity(User, '7').value).toBe(w.controller.entity(User, 7).value);
  await w.controller.set(User, { id: '7' }, { id: '7', name: 'Bob' });
  expect(w.controller.entity(User, 7).value?.name).toBe('Bob');
});

test('[N3] arguments of a list that differ only as number and text identify one list', async () => {
  const w = world();
  const list = w.read('list', new Collection([Todo]), { reply: () => [{ id: 1 }] });
  const rows = await w.controller.fetch(list, { userId: 1 });
  expect(w.controller.get(list.schema, { userId: '1' })).toBe(rows);
});

test.each(nasty)('[N3] a field called %s is an ordinary field', async (name) => {
  const before = inherited();
  const w = world();
  const text = `{"id": 1, "${name}": {"polluted": 1}, "author": {"id": 2, "${name}": "x"}}`;
  const get = w.read('get', Todo, { reply: () => JSON.parse(text) as unknown });
  const todo = await w.controller.fetch(get, {});
  expect(Object.getOwnPropertyDescriptor(todo, name)?.value).toEqual({ polluted: 1 });
  expect(Object.getOwnPropertyDescriptor(todo.author, name)?.value).toBe('x');
  expect(todo).toBeInstanceOf(Todo);
  expect({}).not.toHaveProperty('polluted');
  expect(inherited()).toEqual(before);
});

test.each(nasty)('[N3] a field called %s can change', async (name) => {
  const w = world();
  const write = (value: number) => JSON.parse(`{"id": 1, "${name}": ${value}}`) as unknown;
  const get = w.read('get', User, { reply: (value: number) => write(value) });
  await w.controller.fetch(get, 1);
  await w.controller.fetch(get, 2);
  const user = w.controller.entity(User, 1).value as object;
  expect(Object.getOwnPropertyDescriptor(user, name)?.value).toBe(2);
});

test.each(nasty)('[N3] a member called %s of a plain object keeps its value', async (name) => {
  const w = world();
  const schema = JSON.parse(`{"data": "", "${name}": ""}`) as object;
  const get = w.read('get', schema, { reply: () => JSON.parse(`{"${name}": "x"}`) as unknown });
  const answer = await w.controller.fetch(get, {});
  expect(Object.getOwnPropertyDescriptor(answer, name)?.value).toBe('x');
});

test.each(nasty)('[N3] params named %s distinguish keys and lists', async (name) => {
  const w = world();
  const list = w.read('list', new Collection([Todo]), {
    reply: (params: object) => [{ id: String(Object.values(params)[0]) }],
  });
  const params = (value: number) => JSON.parse(`{"${name}": ${value}}`) as object;
  const rows = await Promise.all([1, 2].map((value) => w.controller.fetch(list, params(value))));
  expect(w.calls).toHaveLength(2);
  expect(rows.map((todos) => todos.map(({ id }: Todo) => id))).toEqual([['1'], ['2']]);
  expect(w.controller.get(list.schema, params(1))).toBe(rows[0]);
});

test('[N3] records with any field names and any primary key are read as written', async () => {
  const before = inherited();
  const name = fc.oneof(fc.constantFrom(...nasty), fc.string()).filter((each) => each !== 'id');
  const record = fc.record({
    id: fc.oneof(fc.constantFrom(...nasty), fc.string({ minLength: 1 }), fc.integer()),
    fields: fc.array(fc.tuple(name, fc.oneof(fc.jsonValue({ maxDepth: 2 })))),
  });
  await fc.assert(
    fc.asyncProperty(record, async ({ id, fields }) => {
      class Row extends Entity {
        id: string | number = '';
      }
      const w = world();
      const row = Object.fromEntries([...fields, ['id', id]]) as object;
      const get = w.read('get', Row, { reply: () => row });
      const read = await w.controller.fetch(get, {});
      expect(w.controller.entity(Row, id).value).toBe(read);
      const own = Object.getOwnPropertyDescriptors(read);
      for (const [field, { value }] of Object.entries(Object.getOwnPropertyDescriptors(row))) {
        expect(own[field]?.value).toEqual(value);
      }
      expect(Object.keys(own).sort()).toEqual(Object.keys(row).sort());
    }),
  );
  expect(inherited()).toEqual(before);
});

test('[N3] pk and process receive no key at the top level of a response, and the member name inside an object', async () => {
  class Sided extends Entity {
    declare sid?: string;
    label = '';
    override pk(_parent?: unknown, key?: string, args?: readonly any[]): string {
      return this.sid ?? key ?? args?.[0]?.sid;
    }
    static override process(value: object, _parent: unknown, key: string | undefined) {
      return { ...value, label: key ?? 'none' };
    }
  }
  const w = world();
  const get = w.read('get', Sided, { reply: () => ({}) });
  const value = await w.controller.fetch(get, { sid: 'a' });
  expect(value.label).toBe('none');
  expect(w.controller.get(Sided, { sid: 'a' })?.label).toBe('none');
  const nested = w.read('nested', { side: Sided }, { reply: () => ({ side: {} }) });
  await w.controller.fetch(nested, { sid: 'b' });
  expect(w.controller.get(Sided, { sid: 'side' })?.label).toBe('side');
});
