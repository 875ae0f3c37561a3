// Each hook and component of the React adapter.
import { Component, Suspense, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import {
  DataProvider,
  For,
  Provider,
  useCache,
  useCancelling,
  useController,
  useDLE,
  useEntity,
  useFetch,
  useMutation,
  useSuspense,
} from 'signalbox/react';
import { Controller } from 'signalbox';
import { afterEach, expect, test, vi } from 'vitest';
import { holders, lines } from '../contract/page.ts';
import { keptLine, line, mutationLine, world } from '../contract/world.ts';
import type { Todo } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

const waiting = <i>loading</i>;

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }
  override render(): ReactNode {
    return this.state.error ? <b>{this.state.error.message}</b> : this.props.children;
  }
}

test('[H1] a hook outside of a provider throws A1, naming the hook and the Provider', () => {
  const w = world();
  const Suspending = (): ReactElement => <p>{useSuspense(w.getTodo, { id: 1 }).title}</p>;
  const Asking = (): ReactElement => <p>{typeof useController()}</p>;
  const Cancelling = ({ args }: { args: { id: number } | null }): ReactElement => (
    <p>{typeof useCancelling(w.getTodo, args)}</p>
  );
  vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const args of [{ id: 1 }, null])
    expect(() => renderToString(<Cancelling args={args} />)).toThrow(/A1.*useCancelling.*Provider/);
  expect(() => renderToString(<Suspending />)).toThrow(/A1.*useSuspense.*Provider/);
  expect(() => renderToString(<Asking />)).toThrow(/A1.*useController.*Provider/);
});

test('[H1] a provider without a controller creates one controller and keeps it', async () => {
  const w = world();
  const found = new Set<Controller>();
  const press: { again?: (value: number) => void } = {};
  function Look(): ReactElement {
    found.add(useController());
    const [turn, setTurn] = useState(0);
    press.again = setTurn;
    return <p>{turn}</p>;
  }
  const { act, draw } = await page(
    w,
    <DataProvider>
      <Look />
    </DataProvider>,
  );
  await act(() => press.again?.(1));
  await draw(
    <DataProvider>
      <Look />
    </DataProvider>,
  );
  expect(found.size).toBe(1);
  expect(found.has(w.controller)).toBe(false);
  expect([...found][0]).toBeInstanceOf(Controller);
});

test('[H1] hooks read the new controller after the provider gets another controller', async () => {
  const [one, two] = [world(), world()];
  two.server.rows[0]!.title = 'second';
  const Detail = (): ReactElement => <p>{useSuspense(one.getTodo, { id: 1 }).title}</p>;
  const app = (controller: Controller): ReactElement => (
    <Provider controller={controller}>
      <Suspense fallback={waiting}>
        <Detail />
      </Suspense>
    </Provider>
  );
  const { draw, lines: shown } = await page(one, app(one.controller));
  await two.controller.setResponse(one.getTodo, { id: 1 }, { id: 1, title: 'second' });
  await draw(app(two.controller));
  expect(shown()).toEqual(['second']);
  expect(holders(one.controller.view(one.getTodo, { id: 1 }))).toEqual([]);
});

test('[H1] after a change of the controller, useDLE and useMutation show nothing of the former controller', async () => {
  const [one, two] = [world(), world()];
  two.server.hold();
  const press: { save?: (params: { id: number }, body: object) => void } = {};
  function Detail({ id }: { id: number }): ReactElement {
    const mutation = useMutation(one.update);
    press.save = mutation.mutate;
    return (
      <>
        <p>{keptLine(useDLE(one.keptTodo, { id }))}</p>
        <p>{mutationLine(mutation)}</p>
      </>
    );
  }
  const app = (controller: Controller, id: number): ReactElement => (
    <Provider controller={controller}>
      <Detail id={id} />
    </Provider>
  );
  const { act, draw, lines: shown } = await page(one, app(one.controller, 1));
  await act(() => press.save?.({ id: 1 }, { title: 'saved' }));
  expect(shown()).toEqual(['saved by ada', 'saved by ada of 1']);
  one.server.hold();
  await act(() => press.save?.({ id: 1 }, { title: 'late' }));
  await draw(app(two.controller, 1));
  expect(shown()).toEqual(['wait', 'idle']);
  await draw(app(two.controller, 2));
  expect(shown()).toEqual(['wait', 'idle']);
  await act(() => one.server.release());
  expect(shown()).toEqual([expect.stringMatching(/^t2 by/), 'idle']);
});

test('[H1] a provider creates a controller when its controller prop is removed', async () => {
  const w = world();
  const found: Controller[] = [];
  function Look(): ReactElement {
    found.push(useController());
    return <p>here</p>;
  }
  const app = (controller: Controller | undefined): ReactElement => (
    <Provider controller={controller}>
      <Look />
    </Provider>
  );
  const { draw, lines: shown } = await page(w, app(w.controller));
  for (const given of [undefined, undefined, w.controller, undefined]) await draw(app(given));
  expect(shown()).toEqual(['here']);
  const own = found[1];
  expect(own).not.toBe(w.controller);
  expect(found).toEqual([w.controller, own, own, w.controller, own]);
});

test('[H2] two calls of useFetch start both requests before useSuspense suspends', async () => {
  const w = world();
  w.server.hold();
  function Pair(): ReactElement {
    void useFetch(w.getTodo, { id: 1 });
    void useFetch(w.getTodo, { id: 2 });
    const one = useSuspense(w.getTodo, { id: 1 });
    const two = useSuspense(w.getTodo, { id: 2 });
    return <p>{`${line(one)}, ${line(two)}`}</p>;
  }
  const { act, lines: shown } = await page(
    w,
    <Suspense fallback={waiting}>
      <Pair />
    </Suspense>,
  );
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  await act(() => w.server.release());
  expect(shown()).toEqual(['t1 by ada, t2 by bob']);
  expect(w.server.log).toHaveLength(2);
});

test('[H2] useFetch returns one promise, which resolves when the data can be read', async () => {
  const w = world();
  w.server.hold();
  const given = new Set<Promise<unknown>>();
  function Start({ id }: { id: number | null }): ReactElement {
    given.add(useFetch(w.getTodo, id === null ? null : { id }));
    return <p>{line(useCache(w.getTodo, { id: id ?? 99 }))}</p>;
  }
  const { act, draw, lines: shown } = await page(w, <Start id={1} />);
  await draw(<Start id={1} />);
  expect(shown()).toEqual(['nothing']);
  expect(given.size).toBe(1);
  let read: Todo | undefined;
  void [...given][0]!.then(() => (read = w.controller.get(w.Todo, { id: 1 })));
  await act(() => w.server.release());
  expect(read?.title).toBe('t1');
  expect(shown()).toEqual(['t1 by ada']);
  await draw(<Start id={null} />);
  expect(w.server.log).toEqual(['GET /todos/1']);
});

test('[H3] useEntity of an old snapshot follows the changes of its own entity only', async () => {
  const w = world({ size: 2 });
  await w.controller.fetch(w.getList, {});
  const old = w.controller.get(w.Todo, { id: 1 }) as Todo;
  await w.controller.set(w.Todo, { id: 1 }, { title: 'newer' });
  function Row(): ReactElement {
    w.count('row');
    return <p>{line(useEntity(old))}</p>;
  }
  const { act, lines: shown, unmount } = await page(w, <Row />);
  expect(shown()).toEqual(['newer by ada']);
  w.ran();
  await act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'other' }));
  expect(w.ran()).toEqual({});
  await act(() => w.controller.set(w.User, { id: 1 }, { name: 'eve' }));
  expect(w.ran()).toEqual({ row: 1 });
  expect(shown()).toEqual(['newer by eve']);
  // the last data remain on the screen
  await act(() => w.controller.fetch(w.remove, { id: 1 }));
  expect(shown()).toEqual(['newer by eve']);
  await unmount();
  expect(holders(w.controller.view(w.getList, {}))).toEqual([]);
});

test('[H3] useEntity of a value that is not an entity throws A2, naming the value', async () => {
  const w = world();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Row = ({ it }: { it: unknown }): ReactElement => <p>{String(useEntity(it as object))}</p>;
  const app = (it: unknown): ReactElement => (
    <Boundary key={String(it)}>
      <Row it={it} />
    </Boundary>
  );
  const { draw, lines: shown } = await page(w, app({ id: 1 }));
  expect(shown()[0]).toMatch(/A2.*useEntity.*\{\\?"id\\?":1\}/);
  await draw(app(undefined));
  expect(shown()[0]).toMatch(/A2.*undefined/);
  await draw(app(null));
  expect(shown()[0]).toMatch(/A2.*null/);
});

test('[H3] <For> renders rows with the latest function, and keeps their state', async () => {
  const w = world({ size: 3 });
  function Row({ todo, mark }: { todo: Todo; mark: string }): ReactElement {
    const [born] = useState(todo.title);
    return <li>{`${mark}${todo.title} (${born})`}</li>;
  }
  const app = (mark: string): ReactElement => (
    <Suspense fallback={waiting}>
      <For each={w.getList} params={{}}>
        {(todo, index) => <Row todo={todo} mark={`${mark}${index} `} />}
      </For>
    </Suspense>
  );
  const { draw, act, lines: shown } = await page(w, app('#'));
  await draw(app('*'));
  expect(shown()).toEqual(['*0 t1 (t1)', '*1 t2 (t2)', '*2 t3 (t3)']);
  await act(() => w.controller.set(w.Todo, { id: 3 }, { title: 'new' }));
  await act(() => w.controller.fetch(w.remove, { id: 1 }));
  expect(shown()).toEqual(['*0 t2 (t2)', '*1 new (t3)']);
});

test('[H3] a removed row re-renders no other row of <For>', async () => {
  const w = world({ size: 3 });
  const Row = ({ todo }: { todo: Todo }): ReactElement => {
    w.count('row');
    return <li>{todo.title}</li>;
  };
  const { act, lines: shown } = await page(
    w,
    <Suspense fallback={waiting}>
      <For each={w.getList} params={{}}>
        {(todo) => <Row todo={todo} />}
      </For>
    </Suspense>,
  );
  w.ran();
  await act(() => w.controller.fetch(w.remove, { id: 1 }));
  expect(shown()).toEqual(['t2', 't3']);
  expect(w.ran()).toEqual({});
});

test('[H1] useDLE renders once while loading and once with the data', async () => {
  const w = world();
  w.server.hold();
  function Dle(): ReactElement {
    w.count('dle');
    const { data, loading } = useDLE(w.getTodo, { id: 1 });
    return <p>{loading ? 'wait' : line(data)}</p>;
  }
  const { act, lines: shown } = await page(w, <Dle />);
  expect(w.ran()).toEqual({ dle: 1 });
  await act(() => w.server.release());
  expect(shown()).toEqual(['t1 by ada']);
  expect(w.ran()).toEqual({ dle: 1 });
});

test('[C8] a page without a Suspense boundary sends one request and does not loop', async () => {
  const w = world({ dataExpiryLength: 0 });
  const Detail = (): ReactElement => <p>{line(useSuspense(w.getTodo, { id: 1 }))}</p>;
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { act, lines: shown } = await page(
    w,
    <Boundary>
      <Detail />
    </Boundary>,
  );
  await act();
  expect(w.server.log).toEqual(['GET /todos/1']);
  expect(shown()[0]).toMatch(/t1 by ada|suspended/);
});

test('[H2] a component that suspends again keeps its state', async () => {
  const w = world();
  const press: { type?: (value: string) => void } = {};
  function Detail(): ReactElement {
    const [text, setText] = useState('empty');
    press.type = setText;
    return <p>{`${line(useSuspense(w.getTodo, { id: 1 }))}: ${text}`}</p>;
  }
  const { act, lines: shown } = await page(
    w,
    <Suspense fallback={waiting}>
      <Detail />
    </Suspense>,
  );
  await act(() => press.type?.('typed'));
  w.server.hold();
  await act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
  expect(shown()).toEqual(['loading']);
  await act(() => w.server.release());
  expect(shown()).toEqual(['t1 by ada: typed']);
});

test('[H5] two controllers on a server render their own data', () => {
  const [one, two] = [world(), world()];
  const Detail = (): ReactElement => <p>{line(useSuspense(one.getTodo, { id: 1 }))}</p>;
  const html = (title: string, { controller }: typeof one): string => {
    void controller.setResponse(one.getTodo, { id: 1 }, { id: 1, title });
    return renderToString(
      <Provider controller={controller}>
        <Detail />
      </Provider>,
    );
  };
  expect(html('first', one)).toContain('first');
  expect(html('second', two)).toContain('second');
  expect(lines({ root: document.body })).toEqual([]);
});
