/** @jsxImportSource preact */
// useQuery over schemas: what is found without a request, as a signal of live data.
import type { VNode } from 'preact';
import { expect, expectTypeOf, test } from 'vitest';
import { All, Query } from 'signalbox';
import type { ReadonlySignal, Result } from 'signalbox';
import { useQuery } from 'signalbox/preact';
import { world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { during, mount } from './mount.tsx';

const seed = (w: World) =>
  w.controller.set(
    [w.Todo],
    ['c', 'b', 'a'].map((title, at) => ({ id: at + 1, title })),
  );

test('[H1] useQuery over a schema is a signal of what the arguments find', async () => {
  const w = world();
  const Page = ({ id }: { id: number }): VNode => {
    const todo = useQuery(w.Todo, { id });
    expectTypeOf(todo).toEqualTypeOf<ReadonlySignal<Result<Todo>>>();
    w.count('page');
    return <p>{todo.value.data?.title ?? todo.value.status}</p>;
  };
  const root = await mount(w, <Page id={2} />);
  expect(root.textContent).toBe('pending');
  await during(() => seed(w));
  expect(root.textContent).toBe('b');
  await during(() => w.controller.set(w.Todo, { id: 2 }, { title: 'z' }));
  expect([root.textContent, w.ran(), w.server.log]).toEqual(['z', { page: 3 }, []]);
});

test('[N17] a declared query runs its reader only when rows come, go or move', async () => {
  const w = world();
  const sorted = new Query(new All(w.Todo), { sort: 'title', limit: 2 });
  const Row = ({ todo }: { todo: Todo }): VNode => {
    w.count(`row ${todo.id}`);
    return <li>{todo.title}</li>;
  };
  const Page = (): VNode => {
    const todos = useQuery(sorted).value.data ?? [];
    w.count('page');
    return (
      <>
        {todos.map((todo) => (
          <Row key={todo.id} todo={todo} />
        ))}
      </>
    );
  };
  await seed(w);
  const root = await mount(w, <Page />);
  expect([root.textContent, w.ran()]).toEqual(['ab', { page: 1, 'row 2': 1, 'row 3': 1 }]);
  await during(() => w.controller.set(w.Todo, { id: 1 }, { title: 'd' }));
  expect(w.ran()).toEqual({});
  await during(() => w.controller.set(w.Todo, { id: 2 }, { title: 'c' }));
  expect([root.textContent, w.ran()]).toEqual(['ac', { 'row 2': 1 }]);
  await during(() => w.controller.set(w.Todo, { id: 1 }, { title: '0' }));
  expect([root.textContent, w.ran().page]).toEqual(['0a', 1]);
});
