/** @jsxImportSource preact */
// useQuery over schemas: stored data without a request, as a signal of live data.
import type { VNode } from 'preact';
import { expect, expectTypeOf, test } from 'vitest';
import { All, Query } from 'signalbox';
import type { ReadonlySignal, Result } from 'signalbox';
import { useQuery } from 'signalbox/preact';
import { renderDataHook } from 'signalbox/testing/preact';
import { world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { during, mount } from './mount.tsx';

const seed = (w: Pick<World, 'controller' | 'Todo'>) =>
  w.controller.set(
    [w.Todo],
    ['c', 'b', 'a'].map((title, at) => ({ id: at + 1, title })),
  );

test('[H1] useQuery of a schema returns a signal of the result for its arguments', async () => {
  const w = world();
  const useTodo = () => {
    const todo = useQuery(w.Todo, { id: 2 });
    expectTypeOf(todo).toEqualTypeOf<ReadonlySignal<Result<Todo>>>();
    w.count('hook');
    return todo.value.data?.title ?? todo.value.status;
  };
  const { controller, result, waitFor, cleanup } = renderDataHook(useTodo);
  expect(result.current).toBe('pending');
  await seed({ ...w, controller });
  await waitFor(() => result.current === 'b');
  await controller.set(w.Todo, { id: 2 }, { title: 'z' });
  await waitFor(() => result.current === 'z');
  expect(w.ran()).toEqual({ hook: 3 });
  cleanup();
});

test('[N17] a declared query re-renders its reader only when rows are added, removed or moved', async () => {
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
