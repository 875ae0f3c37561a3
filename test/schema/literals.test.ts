/** Literals in a schema: defaults of members that a response leaves out. */
import { Collection } from 'signalbox';
import type { Denormalized } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { Todo, world } from '../setup/world.ts';

const schema = { first: '', items: [] as string[], nested: { more: [] as number[] } };

test('[N8] an empty array in a schema is the default of an absent list, and a received list is kept', async () => {
  const w = world();
  const replies: unknown[] = [{ first: 'x' }, { items: ['a', { b: 1 }], nested: { more: [1] } }];
  const read = w.read('get', schema, { reply: () => replies.shift() });
  const absent = await w.controller.fetch(read, {});
  expectTypeOf(absent.items).toEqualTypeOf<string[]>();
  expect(absent).toEqual({ first: 'x', items: [], nested: { more: [] } });
  expect(Object.isFrozen(absent.items)).toBe(true);
  expect(Object.isFrozen(schema.items)).toBe(false);
  const there = await w.controller.fetch(read, {});
  expect(there).toEqual({ first: '', items: ['a', { b: 1 }], nested: { more: [1] } });
});

test('[N8] null for a list with a default stays null, and null arguments return the empty list', async () => {
  const w = world();
  const read = w.read('get', schema, { reply: () => ({ items: null }) });
  expect((await w.controller.fetch(read, {})).items).toBeNull();
  expect(w.controller.view(read, null).result.value.data).toEqual({
    first: '',
    items: [],
    nested: { more: [] },
  });
});

test('[N8] an empty array as the schema of a field or of the whole response keeps the received list', async () => {
  class Noted extends Todo {
    notes: string[] = [];
    static override key = 'Noted';
    static override schema = { ...Todo.schema, notes: [] };
  }
  const w = world();
  await w.controller.set(Noted, {}, { id: 1, notes: ['x'] });
  expect(w.controller.get(Noted, 1)?.notes).toEqual(['x']);
  const all = w.read('all', [], { reply: () => [1, 'b'] });
  expect(await w.controller.fetch(all, {})).toEqual([1, 'b']);
  expectTypeOf<Denormalized<never[]>>().toEqualTypeOf<unknown[]>();
});

test('[N3] a list or a Collection without an item schema rejects with S4', async () => {
  const w = world();
  for (const bad of [[undefined], { items: [undefined] }, new Collection([] as never)]) {
    const read = w.read('bad', bad, { reply: () => ({ items: [1] }) });
    await expect(w.controller.fetch(read, {})).rejects.toMatchObject({ code: 'S4' });
  }
});
