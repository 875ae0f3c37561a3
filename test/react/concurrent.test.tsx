// Features of React alone: transitions, deferred values, StrictMode, `use`.
import {
  memo,
  startTransition,
  StrictMode,
  Suspense,
  useDeferredValue,
  useMemo,
  useState,
} from 'react';
import type { ReactElement } from 'react';
import { For, useSuspense } from 'signalbox/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holders } from '../contract/page.ts';
import { line, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { page } from './page.ts';

let complaints: unknown[][] = [];
beforeEach(() => {
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words));
});
afterEach(() => {
  document.body.replaceChildren();
  // eslint-disable-next-line vitest/no-standalone-expect
  expect(complaints).toEqual([]);
});

interface Props {
  readonly w: World;
  readonly id?: number;
  readonly label?: string;
}

function Detail({ w, id = 1, label = '' }: Props): ReactElement {
  const todo = useSuspense(w.getTodo, { id });
  w.count('detail');
  return <p>{line(todo) + label}</p>;
}

const waiting = <i>loading</i>;

test('[H2] useSuspense causes no warning of React at re-renders, an invalidation and a reset', async () => {
  const w = world({ dataExpiryLength: 0 });
  const app = (id: number): ReactElement => (
    <Suspense fallback={waiting}>
      <Detail w={w} id={id} />
    </Suspense>
  );
  const { draw, act, lines } = await page(w, app(1));
  await draw(app(1));
  await draw(app(2));
  await act(() => w.controller.invalidate(w.getTodo, { id: 2 }));
  await draw(app(1));
  await act(() => w.controller.reset());
  expect(lines()).toEqual(['t1 by ada']);
});

test('[H2] StrictMode starts one request and leaves one subscription, after an unmount no subscription', async () => {
  const w = world({ dataExpiryLength: 0 });
  const { unmount, lines } = await page(
    w,
    <StrictMode>
      <Suspense fallback={waiting}>
        <Detail w={w} />
      </Suspense>
    </StrictMode>,
  );
  const reader = w.controller.view(w.getTodo, { id: 1 });
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1']);
  expect(holders(reader)).toEqual(['retained', 'listener']);
  await unmount();
  expect(holders(reader)).toEqual([]);
});

test('[H4] an invalidation inside of a transition keeps the shown data until the response', async () => {
  const w = world();
  const app = (label: string): ReactElement => (
    <Suspense fallback={waiting}>
      <Detail w={w} label={label} />
    </Suspense>
  );
  const { draw, act, lines } = await page(w, app(''));
  w.server.row(1)!.title = 'newer';
  w.server.hold();
  await act(() => startTransition(() => w.controller.invalidate(w.getTodo, { id: 1 })));
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  // an urgent render meanwhile shows the old data, too
  await draw(app('!'));
  expect(lines()).toEqual(['t1 by ada!']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['newer by ada!']);
  expect(w.server.log).toHaveLength(2);
});

test('[H4] an invalidation in a transition keeps the rows of <For> until the response', async () => {
  const w = world({ size: 2 });
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <For each={w.getList} params={{}}>
        {(todo) => <li>{line(todo)}</li>}
      </For>
    </Suspense>,
  );
  w.server.row(1)!.title = 'newer';
  w.server.hold();
  await act(() => startTransition(() => w.controller.invalidate(w.getList, {})));
  expect(lines()).toEqual(['t1 by ada', 't2 by bob']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['newer by ada', 't2 by bob']);
});

test('[H4] changed arguments in a transition keep the shown data until the response', async () => {
  const w = world();
  const press: { go?: (value: number) => void } = {};
  function App(): ReactElement {
    const [id, setId] = useState(1);
    press.go = setId;
    return <Detail w={w} id={id} />;
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <App />
    </Suspense>,
  );
  w.server.hold();
  await act(() => startTransition(() => press.go?.(2)));
  expect(lines()).toEqual(['t1 by ada']);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
  expect(lines()).toEqual(['pushed by ada']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t2 by bob']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
});

test('[H4] useDeferredValue of the arguments keeps the data of the former arguments until the response', async () => {
  const w = world();
  function App({ id }: { id: number }): ReactElement {
    const late = useDeferredValue(id);
    return (
      <>
        <p>asked {id}</p>
        <Detail w={w} id={late} />
      </>
    );
  }
  const app = (id: number): ReactElement => (
    <Suspense fallback={waiting}>
      <App id={id} />
    </Suspense>
  );
  const { draw, act, lines } = await page(w, app(1));
  w.server.hold();
  await draw(app(2));
  expect(lines()).toEqual(['asked 2', 't1 by ada']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['asked 2', 't2 by bob']);
});

test('[H4] useDeferredValue of the data renders the former snapshot first', async () => {
  const w = world();
  const pairs: string[] = [];
  function App(): ReactElement {
    const todo = useSuspense(w.getTodo, { id: 1 });
    const late = useDeferredValue(todo);
    pairs.push(`${todo.title}/${late.title}`);
    return <p>{late.title}</p>;
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <App />
    </Suspense>,
  );
  pairs.length = 0;
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(pairs).toEqual(['new/t1', 'new/new']);
  expect(lines()).toEqual(['new']);
});

test('[H4] memo and useMemo run again only for snapshots with changed data', async () => {
  const w = world({ size: 3 });
  const Row = memo(function Row({ todo }: { todo: Todo }): ReactElement {
    w.count(`row ${todo.id}`);
    const loud = useMemo(() => line(todo).toUpperCase(), [todo]);
    return <li>{loud}</li>;
  });
  function List(): ReactElement {
    const todos = useSuspense(w.getList, {});
    return (
      <>
        {todos.map((todo) => (
          <Row key={todo.id} todo={todo} />
        ))}
      </>
    );
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <List />
    </Suspense>,
  );
  w.ran();
  await act(() => w.controller.set(w.User, { id: 2 }, { name: 'eve' }));
  expect(lines()).toEqual(['T1 BY ADA', 'T2 BY EVE', 'T3 BY ADA']);
  expect(w.ran()).toEqual({ 'row 2': 1 });
});

test('[H4] promises of set and fetch that are started in a transition resolve', async () => {
  const w = world();
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <Detail w={w} />
    </Suspense>,
  );
  const settled: string[] = [];
  await act(() =>
    startTransition(() => {
      const note = (what: string) => () => void settled.push(what);
      void w.controller.set(w.Todo, { id: 1 }, { title: 'set' }).then(note('set'));
      void w.controller.fetch(w.getTodo, { id: 2 }).then(note('fetch'));
    }),
  );
  expect(settled).toEqual(['set', 'fetch']);
  expect(lines()).toEqual(['set by ada']);
});

test('[H3] a memo child with a changed nested entity re-renders, and the other children do not', async () => {
  const w = world({ size: 3 });
  const Row = memo(function Row({ todo }: { todo: Todo }): ReactElement {
    w.count(`row ${todo.id}`);
    const text = useMemo(() => line(todo), [todo]);
    return <li>{text}</li>;
  });
  function List(): ReactElement {
    return (
      <>
        {useSuspense(w.getList, {}).map((todo) => (
          <Row key={todo.id} todo={todo} />
        ))}
      </>
    );
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <List />
    </Suspense>,
  );
  w.ran();
  await act(() => w.controller.set(w.User, { id: 2 }, { name: 'eve' }));
  expect(lines()).toEqual(['t1 by ada', 't2 by eve', 't3 by ada']);
  expect(w.ran()).toEqual({ 'row 2': 1 });
});
