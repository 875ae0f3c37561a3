// Live data in Solid: each text depends on a single field, and no memory is kept for unread fields.
import { createComponent, createEffect, createMemo, createRoot, createSignal, For } from 'solid-js';
import type { JSX } from 'solid-js';
import { expect, test } from 'vitest';
import { Cell, live } from 'signalbox';
import { useSuspense } from 'signalbox/solid';
import { holders } from '../contract/page.ts';
import { User, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { element, mount, quiet, suspense } from './mount.ts';

/** `<For each={todos()}>{todo => <li><b>{todo.title}</b><i>{todo.author?.name}</i></li>}</For>` */
function list(w: World): JSX.Element {
  const todos = useSuspense(w.getList, () => ({}));
  const row = (todo: Todo): JSX.Element => {
    w.count(`row ${todo.id}`);
    const title = element('b', () => {
      w.count(`title ${todo.id}`);
      return todo.title;
    });
    const author = element('i', () => {
      w.count(`author ${todo.id}`);
      return todo.author?.name;
    });
    return element('li', [title, author]);
  };
  return createComponent(For<readonly Todo[], JSX.Element>, {
    get each() {
      w.count('list');
      return todos();
    },
    children: row,
  });
}

async function shownList(size = 3): Promise<{ w: World; root: HTMLElement; unmount: () => void }> {
  const w = world({ size });
  const page = mount(w, () => suspense(() => list(w)));
  await quiet();
  w.ran();
  return { w, ...page };
}

const items = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll('li')];
const textOf = (root: HTMLElement): string[] => items(root).map(({ textContent }) => textContent);

test('[H3] a changed field updates a single text node, and the node stays', async () => {
  const { w, root } = await shownList();
  const node = items(root)[1]?.querySelector('b')?.firstChild;
  await w.controller.set(w.Todo, { id: 2 }, { title: 'new' });
  expect(w.ran()).toEqual({ 'title 2': 1 });
  expect(textOf(root)).toEqual(['t1ada', 'newbob', 't3ada']);
  expect(items(root)[1]?.querySelector('b')?.firstChild).toBe(node);
  expect(node?.textContent).toBe('new');
});

test('[V5] a change of a field that no text reads runs nothing', async () => {
  const { w } = await shownList();
  await w.controller.set(w.Todo, { id: 2 }, { done: true });
  expect(w.ran()).toEqual({});
});

test('[H3] a changed author updates the texts that read the author', async () => {
  const { w, root } = await shownList();
  await w.controller.set(User, { id: 1 }, { name: 'eve' });
  expect(w.ran()).toEqual({ 'author 1': 1, 'author 3': 1 });
  await w.controller.set(w.Todo, { id: 1 }, { author: 2 });
  expect(w.ran()).toEqual({ 'author 1': 1 });
  expect(textOf(root)).toEqual(['t1bob', 't2bob', 't3eve']);
});

test('[H3] <For> keeps the elements of rows when rows are added, removed and moved', async () => {
  const { w, root } = await shownList();
  const [first, second, third] = items(root);
  await w.controller.fetch(w.create, { title: 'born', userId: 1 });
  expect(w.ran()).toEqual({ list: 1, 'row 4': 1, 'title 4': 1, 'author 4': 1 });
  expect(items(root).slice(0, 3)).toEqual([first, second, third]);
  await w.controller.fetch(w.remove, { id: 2 });
  expect(w.ran()).toEqual({ list: 1 });
  expect(textOf(root)).toEqual(['t1ada', 't3ada', 'bornada']);
  w.server.rows.reverse();
  await w.controller.fetch(w.getList, {});
  expect(w.ran()).toEqual({ list: 1 });
  expect(textOf(root)).toEqual(['bornada', 't3ada', 't1ada']);
  expect(items(root).slice(1)).toEqual([third, first]);
});

test('[V2] a commit that changes two fields runs a reader of both once', async () => {
  const { w } = await shownList();
  const [one, two] = [1, 2].map((id) => live(w.controller, w.Todo, id)) as [Todo, Todo];
  const seen: string[] = [];
  const dispose = createRoot((stop) => {
    const both = createMemo(() => `${one.title} ${one.done} ${two.author?.name}`);
    createEffect(() => seen.push(both()));
    return stop;
  });
  expect(seen).toEqual(['t1 false bob']);
  const author = { id: 2, name: 'eve' };
  await w.controller.set(w.Todo, { id: 1 }, { title: 'new', done: true, author });
  expect(seen).toEqual(['t1 false bob', 'new true eve']);
  dispose();
});

test('[V2] an effect that writes does not run again because another reader reads during its commit', async () => {
  const { w } = await shownList();
  const [title, setTitle] = createSignal('a');
  let runs = 0;
  const todos = w.controller.signal(w.getList, {});
  // a reader outside of Solid reads while the commit is still in the effect
  const stop = todos.subscribe((rows) => rows?.map((row) => row.title));
  const dispose = createRoot((end) => {
    createEffect(() => {
      runs++;
      void w.controller.set(w.Todo, { id: 1 }, { title: title() });
    });
    return end;
  });
  await w.controller.set(w.Todo, { id: 1 }, { title: 'other' });
  expect(runs).toBe(1);
  setTitle('b');
  expect([runs, todos.peek()?.[0]?.title]).toEqual([2, 'b']);
  dispose();
  stop();
});

class Probe extends Cell<string> {
  text = 'a';
  reads = 0;
  protected setStrong(): void {}
  protected current(): string {
    this.reads++;
    return this.text;
  }
  /** How often a change is read again by whoever holds on to this. */
  woken(): number {
    const { reads } = this;
    this.tick();
    return this.reads - reads;
  }
}

test('[V6] a cell is retained while computations read it, and released without readers', async () => {
  await shownList();
  const [probe, other] = [new Probe(), new Probe()];
  const [first, choose] = createSignal(true);
  const dispose = createRoot((stop) => {
    createEffect(() => void (first() ? probe.value : other.value));
    createEffect(() => void (first() ? probe.value : other.value));
    return stop;
  });
  // each computation reads, the derived value between the cell and the computations does not
  expect([probe.woken(), other.woken()]).toEqual([2, 0]);
  choose(false);
  await quiet();
  expect([probe.woken(), other.woken()]).toEqual([0, 2]);
  dispose();
  await quiet();
  expect([probe.woken(), other.woken()]).toEqual([0, 0]);
});

test('[V2] a reader of two cells runs once per change of each, in any order of changes', async () => {
  await shownList();
  const [one, two] = [new Probe(), new Probe()];
  let runs = 0;
  const dispose = createRoot((stop) => {
    createEffect(() => {
      runs++;
      void one.value;
      void two.value;
    });
    return stop;
  });
  expect([one.woken(), two.woken(), one.woken(), two.woken()]).toEqual([1, 1, 1, 1]);
  expect(runs).toBe(5);
  dispose();
});

test('[V6] a read outside of computations retains nothing', async () => {
  await shownList();
  const probe = new Probe();
  const dispose = createRoot((stop) => {
    expect(probe.value).toBe('a');
    return stop;
  });
  expect(probe.value).toBe('a');
  expect(probe.woken()).toBe(0);
  dispose();
});

test('[V6] after an unmount nothing is retained', async () => {
  const { w, unmount } = await shownList();
  const reader = w.controller.view(w.getList, {});
  expect(holders(reader)).toContain('signal');
  unmount();
  await quiet();
  expect(holders(reader)).toEqual([]);
});

test('[V2] two roots on one store show each commit, and an unmounted root does not affect the other', async () => {
  const { w, root } = await shownList(1);
  const other = mount(w, () => suspense(() => list(w)));
  await quiet();
  w.ran();
  await w.controller.set(w.Todo, { id: 1 }, { title: 'both' });
  expect(w.ran()).toEqual({ 'title 1': 2 });
  other.unmount();
  await w.controller.set(w.Todo, { id: 1 }, { title: 'one' });
  expect(w.ran()).toEqual({ 'title 1': 1 });
  expect(textOf(root)).toEqual(['oneada']);
});
