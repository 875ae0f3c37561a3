// snapshot(live): the current immutable value of a live object.
import {
  All,
  Collection,
  Delete,
  Entity,
  Query,
  snapshot,
  Values,
  live as liveOf,
  liveResult,
} from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, watch, world } from '../setup/world.ts';

const answer = () => [
  { id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1, label: 'x' }] },
  { id: 2, title: 'b', author: 1, tags: [] },
];

async function filled() {
  const w = world();
  const { controller } = w;
  const list = w.read('list', new Collection([Todo]), { reply: answer });
  await controller.fetch(list, {});
  const view = controller.view(list, {});
  const rows = (): readonly Todo[] => liveResult(view).peek().data as Todo[];
  return { w, controller, list, view, rows, live: liveOf(controller, Todo, 1) };
}

test('[V5] snapshot of a live object is the frozen entity that controller.get returns', async () => {
  const { controller, view, live } = await filled();
  const shown = snapshot(live);
  expect(shown).toBe(controller.get(Todo, { id: 1 }));
  expect(shown).toBe(view.result.peek().data?.[0]);
  expect(snapshot(live)).toBe(shown);
  await controller.set(User, { id: 1 }, { name: 'Eve' });
  expect(snapshot(live)).not.toBe(shown);
  expect([shown.author?.name, snapshot(live).author?.name]).toEqual(['Ada', 'Eve']);
  expect(Object.isFrozen(shown)).toBe(true);
  expect(shown).toBeInstanceOf(Todo);
});

test('[V5] snapshot of a live list is the list of the view, with one reference until a member changes', async () => {
  const { controller, view, rows } = await filled();
  const shown = snapshot(rows());
  expect(shown).toBe(view.result.peek().data);
  expect(snapshot(rows())).toBe(shown);
  await controller.set(Todo, { id: 2 }, { title: 'z' });
  expect(snapshot(rows())).toBe(view.result.peek().data);
  expect(snapshot(rows())[0]).toBe(shown[0]);
  expect(snapshot(rows())).not.toBe(shown);
});

test('[V5] snapshot of a former live list has the former members with present values', async () => {
  const { controller, list, rows } = await filled();
  const past = rows();
  await controller.setResponse(list, {}, [...answer(), { id: 3, title: 'c' }]);
  await controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(snapshot(past).map(({ title }) => title)).toEqual(['z', 'b']);
  expect(snapshot(past)[0]).toBe(snapshot(rows())[0]);
  expect(snapshot(rows())).toHaveLength(3);
});

test('[V5] the snapshot of a nested live value equals the member of the snapshot of the parent', async () => {
  const { live } = await filled();
  expect(snapshot(live.tags)).toBe(snapshot(live).tags);
  expect(snapshot(live.tags[0])).toBe(snapshot(live).tags[0]);
  expect(snapshot(live.author)).toBe(snapshot(live).author);
});

test('[V5] snapshot of an object response with lists is the data of the view', async () => {
  const w = world();
  const page = w.read(
    'page',
    { results: new Collection([Todo]), total: 0, by: { user: User } },
    { reply: () => ({ results: answer(), total: 2, by: { user: { id: 1, name: 'Ada' } } }) },
  );
  await w.controller.fetch(page, {});
  const view = w.controller.view(page, {});
  const live = liveResult(view).peek().data as { results: Todo[]; by: { user: User } };
  expect(snapshot(live)).toBe(view.result.peek().data);
  expect(snapshot(live.results)).toBe(view.result.peek().data?.results);
  expect(snapshot(live.by)).toEqual({ user: { id: 1, name: 'Ada' } });
  await w.controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(snapshot(live)).toBe(view.result.peek().data);
});

test.each([
  ['all of a table', new All(Todo)],
  ['a query', new Query(new All(Todo), (todos) => todos.filter(({ title }) => title !== 'b'))],
  ['a declared query', new Query(new All(Todo), { sort: 'title', limit: 1 })],
] as const)('[V5] snapshot of the live value of %s is the data of the view', async (_, schema) => {
  const { controller } = await filled();
  const reader = controller.query(schema as All<typeof Todo>);
  const live = liveResult(reader).peek().data;
  expect(snapshot(live)).toBe(reader.result.peek().data);
  await controller.set(Todo, { id: 1 }, { title: 'z' });
  expect(snapshot(liveResult(reader).peek().data)).toBe(reader.result.peek().data);
});

test('[V5] snapshot of a live map is the data of the view', async () => {
  const w = world();
  const byName = w.read('map', new Values(Tag), { reply: () => ({ x: { id: 1, label: 'x' } }) });
  await w.controller.fetch(byName, {});
  const view = w.controller.view(byName, {});
  expect(snapshot(liveResult(view).peek().data)).toBe(view.result.peek().data);
});

test('[V5] a reader of a snapshot runs once for each change within the snapshot', async () => {
  const { controller, rows, live } = await filled();
  const one = watch(() => snapshot(live).author?.name);
  const all = watch(() => snapshot(rows()).length);
  await controller.set(User, { id: 1 }, { name: 'Eve' });
  expect([one.runs, all.runs, one.last]).toEqual([2, 2, 'Eve']);
  await controller.set(Todo, { id: 2 }, { title: 'z' });
  expect([one.runs, all.runs]).toEqual([2, 3]);
});

test('[V5] a reader of the snapshot of a nested list runs only for changes of its rows', async () => {
  const { controller, live } = await filled();
  const tags = watch(() => snapshot(live.tags).map(({ label }) => label));
  await controller.set(Tag, { id: 1 }, { label: 'y' });
  expect([tags.runs, tags.last]).toEqual([2, ['y']]);
  await controller.set(Tag, { id: 2 }, { label: 'elsewhere' });
  expect(tags.runs).toBe(2);
});

test('[V5] snapshot copies a plain object only where it contains live objects', async () => {
  const { rows, live } = await filled();
  const hand = { first: live, all: [rows()[1]], plain: { deep: [1, { two: 2 }] }, at: new Date(0) };
  const shown = snapshot(hand);
  expect(shown).not.toBe(hand);
  expect(shown.first).toBe(snapshot(live));
  expect(shown.all).toEqual([snapshot(rows()[1])]);
  expect([shown.plain, shown.at]).toEqual([hand.plain, hand.at]);
  expect(shown.plain).toBe(hand.plain);
  for (const plain of [hand.plain, 7, null, undefined, 'x', snapshot(live), new Map()]) {
    expect(snapshot(plain)).toBe(plain);
  }
});

test('[V5] structuredClone accepts a snapshot, and throws for a live object', async () => {
  const { live, rows } = await filled();
  expect(() => structuredClone(live)).toThrow(/clone/);
  expect(structuredClone({ ...snapshot(live) })).toMatchObject({ id: 1, title: 'a' });
  expect(structuredClone(snapshot(rows()))).toHaveLength(2);
});

test('[V5] the snapshot of a deleted row is undefined until the row is restored', async () => {
  const { controller, live } = await filled();
  const shown = watch(() => (snapshot(live) as Todo | undefined)?.title);
  await controller.set(new Delete(Todo), { id: 1 });
  expect([shown.last, shown.runs]).toEqual([undefined, 2]);
  await controller.set(Todo, { id: 1 }, { title: 'back' });
  expect([shown.last, shown.runs]).toEqual(['back', 3]);
});

test('[V5] private members of a class work in snapshots of its live objects', async () => {
  class Secret extends Entity {
    id = 0;
    #seen = 0;
    look(): number {
      return ++this.#seen;
    }
  }
  const { controller } = world();
  await controller.set(Secret, { id: 1 }, { id: 1 });
  const live = liveOf(controller, Secret, 1);
  expect(() => live.look()).toThrow(TypeError);
  expect(snapshot(live).look()).toBe(1);
});
