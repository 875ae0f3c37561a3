// signalbox/react/signals: fields and results as signals, drawn by @preact/signals-react without a Babel transform.
import { Component, StrictMode, Suspense, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { computed } from '@preact/signals-react';
import { All, live as liveOf } from 'signalbox';
import { useSuspense } from 'signalbox/react';
import { $, useSignalQuery } from 'signalbox/react/signals';
import { afterEach, expect, test, vi } from 'vitest';
import { holders } from '../contract/page.ts';
import { world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

const waiting = <i>loading</i>;

function Titles({ w }: { w: World }): ReactElement {
  w.count('list');
  return (
    <>
      {useSuspense(w.getList, {}).map((todo) => (
        <li key={todo.id}>{$(todo).title}</li>
      ))}
    </>
  );
}

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }
  override render(): ReactNode {
    return this.state.error ? <b>{this.state.error.message}</b> : this.props.children;
  }
}

test('[H3] $ renders a field of a snapshot as text that changes without a render', async () => {
  const w = world({ size: 1 });
  await w.controller.fetch(w.getTodo, { id: 1 });
  const todo = w.controller.get(w.Todo, { id: 1 }) as Todo;
  function Row(): ReactElement {
    w.count('row');
    return <li>{$(todo).title}</li>;
  }
  const { act, lines, unmount } = await page(w, <Row />);
  expect(lines()).toEqual(['t1']);
  w.ran();
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new']);
  expect(w.ran()).toEqual({});
  await unmount();
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
});

test('[H3] $ in the rows of a list that grows and shrinks causes no warning of React', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const w = world({ size: 2 });
  const app = (
    <StrictMode>
      <Suspense fallback={waiting}>
        <Titles w={w} />
      </Suspense>
    </StrictMode>
  );
  const { act, lines } = await page(w, app);
  await act(() => w.controller.fetch(w.create, { title: 'born', userId: 1 }));
  expect(lines()).toEqual(['t1', 't2', 'born']);
  await act(() => w.controller.fetch(w.remove, { id: 1 }));
  await act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
  expect(lines()).toEqual(['new', 'born']);
  expect(said).not.toHaveBeenCalled();
});

test('[H3] $ of an old snapshot, a live object or a nested entity has the present value', async () => {
  const w = world({ size: 1 });
  await w.controller.fetch(w.getTodo, { id: 1 });
  const old = w.controller.get(w.Todo, { id: 1 }) as Todo;
  await w.controller.set(w.Todo, { id: 1 }, { title: 'newer' });
  const live = liveOf(w.controller, w.Todo, 1);
  const Row = (): ReactElement => (
    <>
      <li>{$(old).title}</li>
      <li>{$(live).title}</li>
      <li>{$(old.author as object as { name: string }).name}</li>
    </>
  );
  const { act, lines } = await page(w, <Row />);
  expect(lines()).toEqual(['newer', 'newer', 'ada']);
  await act(() => w.controller.set(w.User, { id: 1 }, { name: 'eve' }));
  expect(lines()).toEqual(['newer', 'newer', 'eve']);
  expect($(live).title).toBe($(live).title);
});

test('[H3] a signal derived from a field of $ follows changes and other entities, also of an old snapshot', async () => {
  const w = world({ size: 2 });
  await w.controller.fetch(w.getList, {});
  const old = [1, 2].map((id) => w.controller.get(w.Todo, { id }) as Todo);
  function Heading({ at }: { at: number }): ReactElement {
    const { title } = $(old[at] as Todo);
    const upper = useMemo(() => computed(() => title.value.toUpperCase()), [title]);
    return <li>{upper}</li>;
  }
  const { act, draw, lines } = await page(w, <Heading at={0} />);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'one' }));
  expect(lines()).toEqual(['ONE']);
  await draw(<Heading at={1} />);
  await act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'two' }));
  expect(lines()).toEqual(['TWO']);
});

test('[H1] $ of a plain object or of undefined throws A2', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const w = world();
  const Row = (): ReactElement => <li>{$({ title: 'plain' }).title}</li>;
  const { lines } = await page(
    w,
    <Boundary>
      <Row />
    </Boundary>,
  );
  expect(lines()[0]).toMatch(/A2.*\$.*plain/);
  const todo = w.controller.get(w.Todo, { id: 1 });
  expect(() => $(todo as never)).toThrow(/A2/);
});

test('[H1] useSignalQuery fetches, and its component does not re-render for the data', async () => {
  const w = world({ size: 1 });
  w.server.hold();
  function Title(): ReactElement {
    w.count('title');
    const todo = useSignalQuery(w.getTodo, { id: 1 });
    return <p>{computed(() => todo.value.data?.title ?? todo.value.status)}</p>;
  }
  const { act, lines, unmount } = await page(w, <Title />);
  expect(lines()).toEqual(['pending']);
  w.ran();
  await act(() => w.server.release());
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new']);
  await act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
  expect(lines()).toEqual(['t1']);
  expect(w.ran()).toEqual({});
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  await unmount();
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
});

test('[H1] useSignalQuery returns an error as a value, and the empty shape for null arguments', async () => {
  const w = world();
  w.server.fail(404);
  function Both(): ReactElement {
    const todo = useSignalQuery(w.getTodo, { id: 1 });
    const list = useSignalQuery(w.getList, null);
    const text = computed(() => `${todo.value.error?.message} ${list.value.data?.length}`);
    return <p>{text}</p>;
  }
  const { lines } = await page(w, <Both />);
  expect(lines()).toEqual(['status 404 0']);
});

test('[H1] useSignalQuery of a schema follows the stored data, and sends no request', async () => {
  const w = world();
  const all = new All(w.Todo);
  function Count(): ReactElement {
    w.count('count');
    const todos = useSignalQuery(all);
    return <p>{computed(() => todos.value.data?.length ?? 0)}</p>;
  }
  const { act, lines } = await page(w, <Count />);
  w.ran();
  await act(() => w.controller.set([w.Todo], [{ id: 1 }, { id: 2 }]));
  expect(lines()).toEqual(['2']);
  expect(w.ran()).toEqual({});
  expect(w.server.log).toEqual([]);
});
