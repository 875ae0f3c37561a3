/** Input that is frozen, very deep, or circular. */
import { Collection, Delete, Entity, live } from 'signalbox';
import { expect, test } from 'vitest';
import { Knot, User, watch, world } from '../setup/world.ts';

const DEPTH = 10_000;

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/** Knots 0 → 1 → … → DEPTH - 1, nested in each other. */
function chain(): object {
  let knot: object | null = null;
  for (let id = DEPTH - 1; id >= 0; id--) knot = { id, label: `k${id}`, next: knot };
  return knot as object;
}

function lengthOf(start: Knot | null | undefined): number {
  let length = 0;
  for (let at = start ?? null; at !== null; at = at.next) length++;
  return length;
}

test('[N11] a frozen response is stored and read, and later writes leave the input unchanged', async () => {
  const w = world();
  const input = freeze({
    id: 1,
    label: 'a',
    next: { id: 2, label: 'b', next: { id: 1, label: 'a' } },
    data: { deep: [{ x: 1 }] },
  });
  const copy = structuredClone(input);
  const get = w.read('get', Knot, { reply: () => input });
  const knot = await w.controller.fetch(get, {});
  expect(knot.next?.label).toBe('b');
  await w.controller.set(Knot, { id: 1 }, { label: 'c', data: { deep: [{ x: 2 }] } });
  expect(input).toEqual(copy);
});

test('[N11] a response that is not frozen is neither changed nor frozen', async () => {
  const w = world();
  const input = {
    results: [
      { id: 1, name: 'a' },
      { id: 1, name: 'b' },
    ],
    next: 'x',
  };
  const copy = structuredClone(input);
  const list = w.read('list', { results: new Collection([User]) }, { reply: () => input });
  await w.controller.fetch(list, {});
  await w.controller.set(User, { id: 1 }, { name: 'c' });
  live(w.controller, User, 1);
  expect(input).toEqual(copy);
  expect(Object.isFrozen(input.results)).toBe(false);
});

test('[N11] a chain of 10,000 nested entities is written and read', async () => {
  const w = world();
  const get = w.read('get', Knot, { reply: chain });
  expect(lengthOf(await w.controller.fetch(get, {}))).toBe(DEPTH);
  expect(w.controller.entity(Knot, DEPTH - 1).value?.label).toBe(`k${DEPTH - 1}`);
});

test('[N11] a change of the last entity of a chain notifies the reader of the first', async () => {
  const w = world();
  await w.controller.set(Knot, { id: 0 }, chain());
  const watcher = watch(w.controller.entity(Knot, 0));
  await w.controller.set(Knot, { id: DEPTH - 1 }, { label: 'end' });
  expect(watcher.runs).toBe(2);
  let at = watcher.last as Knot;
  while (at.next !== null) at = at.next;
  expect(at.label).toBe('end');
});

test('[N11] an identical response of a chain keeps the reference and notifies no reader', async () => {
  const w = world();
  const get = w.read('get', Knot, { reply: chain });
  const first = await w.controller.fetch(get, {});
  const watcher = watch(w.controller.signal(get, {}));
  expect(await w.controller.fetch(get, {})).toBe(first);
  expect(watcher.runs).toBe(1);
});

test('[N11] a reader of a chain of live objects is notified when the chain is cut', async () => {
  const w = world();
  await w.controller.set(Knot, { id: 0 }, chain());
  const end = watch(() => lengthOf(live(w.controller, Knot, 0)));
  expect(end.last).toBe(DEPTH);
  await w.controller.set(Knot, { id: 9 }, { next: null });
  expect(end.last).toBe(10);
});

test('[N11] the first entity of a chain of required members is undefined while the last is missing', async () => {
  class Link extends Entity {
    id = 0;
    next: unknown = {};
    static override schema: Record<string, unknown> = {};
  }
  Link.schema = { next: Link };
  const w = world();
  const rows = Array.from({ length: DEPTH }, (_, id) => ({ id, next: id + 1 }));
  await w.controller.set([Link], rows);
  const watcher = watch(w.controller.entity(Link, 0));
  expect(watcher.last).toBeUndefined();
  await w.controller.set(Link, { id: DEPTH }, { next: null });
  expect(watcher.last?.id).toBe(0);
  await w.controller.set(new Delete(Link), { id: DEPTH }, {});
  expect(watcher.last).toBeUndefined();
});

test('[N11] a chain of 10,000 entities nested in arrays is written, changed and read', async () => {
  class Branch extends Entity {
    id = 0;
    label = '';
    children: Branch[] = [];
    static override schema: Record<string, unknown> = {};
  }
  Branch.schema = { children: [Branch] };
  let tree: object | undefined;
  for (let id = DEPTH - 1; id >= 0; id--) tree = { id, children: tree === undefined ? [] : [tree] };
  const w = world();
  await w.controller.set(Branch, { id: 0 }, tree);
  await w.controller.set(Branch, { id: DEPTH - 1 }, { label: 'leaf' });
  let at = w.controller.get(Branch, { id: 0 });
  let depth = 1;
  for (; at?.children[0] !== undefined; at = at.children[0]) depth++;
  expect([depth, at?.label]).toEqual([DEPTH, 'leaf']);
});

test('[N11] plain JSON of 10,000 levels is stored, and replaced by a later value', async () => {
  const deep = (end: string) => {
    let value: unknown = end;
    for (let i = 0; i < DEPTH; i++) value = { in: value };
    return { id: 1, value };
  };
  const w = world();
  for (const end of ['a', 'a', 'b']) await w.controller.set(User, { id: 1 }, deep(end));
  let at = (w.controller.get(User, { id: 1 }) as User & { value: unknown }).value;
  while (typeof at === 'object') at = (at as { in: unknown }).in;
  expect(at).toBe('b');
});

test('[N11] a cycle of entities is read as a cycle of references, before and after a change', async () => {
  const w = world();
  const ring = { id: 1, label: 'a', next: { id: 2, label: 'b', next: { id: 3, next: 1 } } };
  await w.controller.set(Knot, { id: 1 }, ring);
  const first = w.controller.get(Knot, { id: 1 }) as Knot;
  expect(first.next?.next?.next).toBe(first);
  await w.controller.set(Knot, { id: 3 }, { label: 'c' });
  const second = w.controller.get(Knot, { id: 1 }) as Knot;
  expect(second.next?.next?.label).toBe('c');
  expect(second.next?.next?.next).toBe(second);
  expect(w.controller.get(Knot, { id: 2 })).toBe(second.next);
  expect(second).not.toBe(first);
});

test('[N11] an entity that refers to itself is read as a cycle, before and after a change', async () => {
  const w = world();
  await w.controller.set(Knot, { id: 1 }, { label: 'a', next: 1 });
  const watcher = watch(w.controller.entity(Knot, 1));
  expect(watcher.last?.next).toBe(watcher.last);
  await w.controller.set(Knot, { id: 1 }, { label: 'b' });
  expect(watcher.runs).toBe(2);
  expect(watcher.last?.next?.next?.label).toBe('b');
});

test('[N11] a response object that contains itself is stored as a cycle', async () => {
  const w = world();
  const input: { id: number; label: string; next: unknown } = { id: 1, label: 'a', next: null };
  input.next = { id: 2, label: 'b', next: input };
  const get = w.read('get', Knot, { reply: () => input });
  const knot = await w.controller.fetch(get, {});
  expect(knot.next?.next).toBe(knot);
});

test('[N11] a live reader of a cycle is notified of a change within the cycle', async () => {
  const w = world();
  await w.controller.set(Knot, { id: 1 }, { label: 'a', next: { id: 2, label: 'b', next: 1 } });
  const knot = live(w.controller, Knot, 1);
  const label = watch(() => knot.next?.next?.next?.label);
  expect(knot.next?.next).toBe(knot);
  await w.controller.set(Knot, { id: 2 }, { label: 'c' });
  expect(label.seen).toEqual(['b', 'c']);
});
