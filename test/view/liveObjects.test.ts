// Live objects used like plain objects: enumerated, spread, serialized, and tested for members.
import { computed } from '@preact/signals-core';
import { Collection, Delete, live as liveOf, liveResult } from 'signalbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Todo, User, watch, world } from '../setup/world.ts';

const answer = () => [
  { id: 1, title: 'a', author: { id: 1, name: 'Ada' }, tags: [{ id: 1, label: 'x' }] },
  { id: 2, title: 'b', author: 1, tags: [] },
];

async function filled() {
  const w = world();
  const { controller } = w;
  const list = w.read('list', new Collection([Todo]), { reply: answer });
  await controller.fetch(list, {});
  return { controller, view: controller.view(list, {}), live: liveOf(controller, Todo, 1) };
}

const author = { id: 1, name: 'Ada' };
const names = ['id', 'title', 'done', 'userId', 'author', 'tags'];

test('[V5] a spread of a live object has all fields, follows each, and contains live nested objects', async () => {
  const { controller, live } = await filled();
  const spread = watch<Todo>(() => ({ ...live }) as Todo);
  expect(Object.keys(spread.last as object)).toEqual(names);
  expect(spread.last?.author).toBe(liveOf(controller, User, 1));
  await controller.set(Todo, { id: 1 }, { title: 'z', done: true });
  expect([spread.runs, spread.last?.title]).toEqual([2, 'z']);
  await controller.set(User, { id: 1 }, { name: 'Eve' });
  expect([spread.runs, spread.last?.author?.name]).toEqual([2, 'Eve']);
});

test('[V5] JSON of a live object or list has all nested data, and follows nested changes', async () => {
  const { controller, view, live } = await filled();
  const one = watch(() => JSON.stringify(live));
  const all = watch(() => JSON.stringify(liveResult(view).value.data));
  const todo = { id: 1, title: 'a', done: false, userId: 0, author, tags: [{ id: 1, label: 'x' }] };
  expect(JSON.parse(one.last as string)).toEqual(todo);
  expect(JSON.parse(all.last as string)).toMatchObject([todo, { id: 2, author }]);
  await controller.set(User, { id: 1 }, { name: 'Eve' });
  expect([one.runs, all.runs]).toEqual([2, 2]);
  expect(JSON.parse(one.last as string)).toMatchObject({ author: { name: 'Eve' } });
});

test('[V5] keys and `in` of a live object are those of the entity, and notify only if the set of keys changes', async () => {
  const { controller, live } = await filled();
  const keys = watch(() => Object.keys(live));
  const has = watch(() => ['title', 'extra', 'upper', 'titled'].filter((name) => name in live));
  expect([keys.last, has.last]).toEqual([names, ['title', 'upper', 'titled']]);
  await controller.set(Todo, { id: 1 }, { title: 'z' });
  expect([keys.runs, has.runs]).toEqual([1, 1]);
  await controller.set(Todo, { id: 1 }, { extra: 5 });
  expect([keys.last, has.last]).toEqual([
    [...names, 'extra'],
    ['title', 'extra', 'upper', 'titled'],
  ]);
  expect(Object.entries(live).length).toBe(7);
  expect(Object.hasOwn(live, 'extra') && !Object.hasOwn(live, 'upper')).toBe(true);
});

test('[C10] a live object of a deleted row keeps fields, class and reference until a reset', async () => {
  const { controller, view, live } = await filled();
  const shown = watch<unknown[]>(() => [live.title, Object.keys(live).length, 'title' in live]);
  await controller.set(new Delete(Todo), { id: 1 });
  expect(shown.last).toEqual(['a', 6, true]);
  expect([live.author?.name, live.upper, liveResult(view).peek().data?.length]).toEqual([
    'Ada',
    'A',
    1,
  ]);
  await controller.set(User, { id: 1 }, { name: 'Lovelace' });
  expect(live.author?.name).toBe('Lovelace');
  await controller.set(Todo, { id: 1 }, { title: 'back' });
  expect(shown.last?.[0]).toBe('back');
  expect(liveOf(controller, Todo, 1)).toBe(live);
  controller.reset();
  // a row that renders before the list is notified reads the defaults of the class
  expect(shown.last).toEqual(['', 0, false]);
  expect([JSON.stringify(live), { ...live } as object, live instanceof Todo]).toEqual([
    '{}',
    {},
    true,
  ]);
});

test('[V5] an effect over getters, nested objects and lists is tracked field by field', async () => {
  const { controller, live } = await filled();
  const seen = watch(() => `${live.upper} ${live.author?.name} ${live.tags[0]?.label}`);
  await controller.set(Todo, { id: 1 }, { done: true });
  await controller.set(User, { id: 2 }, { name: 'Bob' });
  expect(seen.runs).toBe(1);
  await controller.set(Todo, { id: 1 }, { author: 2 });
  expect([seen.runs, seen.last]).toEqual([2, 'A Bob x']);
  await controller.set(User, { id: 1 }, { name: 'Eve' });
  expect(seen.runs).toBe(2);
});

/** Reads internals of the store: no public member shows which signals exist. */
interface Stored {
  readonly observers?: { readonly live?: object; readonly firstField?: Strand };
  readonly members?: readonly Stored[];
  parts(): Stored;
}
interface Strand {
  readonly name: string;
  readonly next?: Strand;
}

test('[V5] signals are created only for fields that are read', async () => {
  const { view } = await filled();
  const stored = (view as unknown as { record: Stored }).record;
  const namesOf = (cell: Strand | undefined): string[] =>
    cell === undefined ? [] : [cell.name, ...namesOf(cell.next)];
  const cells = () =>
    stored.parts().members?.map(({ observers }) => namesOf(observers?.firstField));
  const rows = liveResult(view).peek().data as Todo[];
  expect(rows.map((row) => Object.keys(row).length)).toEqual([6, 6]);
  expect(cells()).toEqual([[], []]);
  const title = watch(() => rows[1]?.title);
  expect([title.last, cells()]).toEqual(['b', [[], ['title']]]);
});

test('[V6] reading and watching fields of a live object creates no further WeakRef', async () => {
  const { live } = await filled();
  const made = vi.fn<(target: object) => void>();
  const Original = WeakRef;
  class Counted<T extends object> extends Original<T> {
    constructor(target: T) {
      super(target);
      made(target);
    }
  }
  vi.stubGlobal('WeakRef', Counted);
  onTestFinished(() => void vi.unstubAllGlobals());
  const read = () => [live.id, live.title, live.done, live.userId];
  for (let turn = 0; turn < 3; turn++) watch(read).stop();
  read();
  expect(made).not.toHaveBeenCalled();
});

test('[V5] an unwatched computed follows a field that an effect has watched and released', async () => {
  const { controller, live } = await filled();
  const length = computed(() => live.title.length);
  expect(length.value).toBe(1);
  watch(() => live.title).stop();
  await controller.set(Todo, { id: 1 }, { title: 'long' });
  expect(length.value).toBe(4);
});

test('[V5] the primary key of a stored row is read without a signal, also after a deletion and a restore', async () => {
  const { controller, view, live } = await filled();
  const rows = liveResult(view).peek().data as Todo[];
  const stored = (view as unknown as { record: Stored }).record;
  const keys = watch(() => rows.map(({ id }) => id).join());
  expect(keys.last).toBe('1,2');
  expect(stored.parts().members?.map(({ observers }) => observers?.firstField)).toEqual([
    undefined,
    undefined,
  ]);
  const gone = watch(() => [live.id, live.title]);
  await controller.set(new Delete(Todo), { id: 1 });
  expect(gone.last).toEqual([1, 'a']);
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'again' });
  expect([gone.last, keys.runs]).toEqual([[1, 'again'], 1]);
});

test('[V5] a reader of a temporary primary key is notified when the server assigns the key', async () => {
  const w = world();
  const todos = new Collection([Todo]);
  const create = w.mutation('create', todos.push, {
    getOptimisticResponse: (_: unknown, fields: object) => fields,
  });
  await w.controller.set(todos, {}, []);
  const done = w.controller.fetch(create, { title: 'new' });
  const shown = w.controller.get(todos, {})?.at(-1) as Todo;
  const live = liveOf(w.controller, Todo, shown.id);
  const key = watch(() => live.id);
  expect(key.last).toBe(shown.id);
  await w.call().answer({ id: 3, title: 'new' });
  await done;
  expect(key.seen).toEqual([shown.id, 3]);
});

const byTitle = (a: string, b: string): number => a.localeCompare(b);

test('[V5] a function in a field of a live object is called with present fields, which are tracked', async () => {
  class Note extends Todo {
    compare = byTitle;
    label = () => `${this.title} by ${this.author?.name}`;
    length = function length(this: Note, more = 0) {
      return this.title.length + more;
    };
  }
  const { controller } = world();
  await controller.set(Note, { id: 1 }, { id: 1, title: 'a', author });
  const live = liveOf(controller, Note, 1);
  const label = watch(() => live.label());
  const length = watch(() => live.length(1));
  const compare = watch(() => live.compare);
  await controller.set(Note, { id: 1 }, { title: 'abc' });
  await controller.set(User, { id: 1 }, { name: 'Eve' });
  expect(label.seen).toEqual(['a by Ada', 'abc by Ada', 'abc by Eve']);
  expect(length.last).toBe(4);
  expect(compare.seen).toEqual([byTitle]);
  await controller.set(new Delete(Note), { id: 1 });
  expect(live.label()).toBe('abc by Eve');
});
