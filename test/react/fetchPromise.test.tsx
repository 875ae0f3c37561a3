// useFetch returns a promise of the data, which React's `use` reads.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as React from 'react';
import { StrictMode, Suspense, useState, useTransition } from 'react';
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Provider, ErrorBoundary, useCache, useFetch } from 'signalbox/react';
import { afterEach, expect, test, vi } from 'vitest';
import { holders } from '../contract/page.ts';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

interface Looked<T> extends Promise<T> {
  readonly status?: string;
  readonly value?: T;
  readonly reason?: unknown;
}

/** React 18 has no `use`: this function does what React 19 does with a promise that has a `status`. */
function use18<T>(promise: Looked<T>): T {
  if (promise.status === 'fulfilled') return promise.value as T;
  throw promise.status === 'rejected' ? promise.reason : promise;
}
const use = (Reflect.get(React, 'use') ?? use18) as typeof use18;

afterEach(() => document.body.replaceChildren());

const waiting = <i>loading</i>;
const failed = ({ message }: Error): ReactElement => <b>{message}</b>;

interface Props {
  readonly w: World;
  readonly id: number | null;
}

function Todo({ w, id }: Props): ReactElement {
  const todo = use(useFetch(w.getTodo, id === null ? null : { id }));
  w.count('todo');
  return <p>{line(todo)}</p>;
}

const app = (w: World, id: number | null): ReactElement => (
  <ErrorBoundary fallback={failed}>
    <Suspense fallback={waiting}>
      <Todo w={w} id={id} />
    </Suspense>
  </ErrorBoundary>
);

test('[H9] use(useFetch()) suspends once, returns the entity, and follows its changes', async () => {
  const w = world();
  w.server.hold();
  const { act, lines, unmount } = await page(w, app(w, 1));
  expect(lines()).toEqual(['loading']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1']);
  expect(w.ran()).toEqual({ todo: 1 });
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new by ada']);
  expect(w.ran()).toEqual({ todo: 1 });
  await unmount();
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
});

test('[H9] use(useFetch()) of stored data renders once, and never suspends', async () => {
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  const { act, lines } = await page(w, app(w, 1));
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.ran()).toEqual({ todo: 1 });
  await act(() => w.controller.fetch(w.getTodo, { id: 1 }));
  expect(w.ran()).toEqual({});
});

test('[H9] use(useFetch()) throws the error to its boundary', async () => {
  const w = world();
  w.server.fail(404);
  const { lines } = await page(w, app(w, 1));
  expect(lines()).toEqual(['status 404']);
});

test('[H9] use(useFetch()) follows changed arguments, null arguments and an invalidation', async () => {
  const w = world();
  const { act, draw, lines } = await page(w, app(w, 1));
  await draw(app(w, 2));
  expect(lines()).toEqual(['t2 by bob']);
  await draw(app(w, null));
  expect(lines()).toEqual(['nothing']);
  await draw(app(w, 1));
  w.server.hold();
  await act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
  expect(lines()).toEqual(['loading']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toHaveLength(3);
});

test('[H9] use(useFetch()) in a transition keeps the shown data until the new data arrive', async () => {
  const w = world();
  function Pager(): ReactElement {
    const [id, show] = useState(1);
    const [, start] = useTransition();
    return (
      <>
        <Todo w={w} id={id} />
        <button onClick={() => start(() => show(2))}>next</button>
      </>
    );
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={waiting}>
      <Pager />
    </Suspense>,
  );
  w.server.hold();
  await act(() => document.querySelector('button')?.click());
  expect(lines()).toEqual(['t1 by ada']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t2 by bob']);
});

test('[H9] use(useFetch()) shows a response that arrives after 200 seconds, with one request', async () => {
  const w = world();
  w.server.hold();
  const { act, lines } = await page(w, app(w, 1));
  for (let turn = 0; turn < 40; turn++) await act(() => w.clock.advance(5_000));
  expect(lines()).toEqual(['loading']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1']);
});

test('[H9] use(useFetch()) in StrictMode sends one request, and leaves no subscription after an unmount', async () => {
  const w = world();
  const { act, lines, unmount } = await page(w, <StrictMode>{app(w, 1)}</StrictMode>);
  expect(lines()).toEqual(['t1 by ada']);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new by ada']);
  expect(w.server.log).toEqual(['GET /todos/1']);
  await unmount();
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
});

test('[H9] a component that ignores the promise of useFetch does not re-render for the data', async () => {
  const w = world();
  function Start(): ReactElement {
    void useFetch(w.getTodo, { id: 2 });
    w.count('start');
    return <Shown />;
  }
  const Shown = (): ReactElement => <p>{line(useCache(w.getTodo, { id: 2 }))}</p>;
  const { act, lines } = await page(w, <Start />);
  expect(lines()).toEqual(['t2 by bob']);
  await act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
  expect(lines()).toEqual(['new by bob']);
  expect(w.ran()).toEqual({ start: 1 });
});

test('[H9] useFetch returns one promise for each value, which resolves with the entity or rejects with the error', async () => {
  const w = world();
  w.server.hold();
  const given: Promise<unknown>[] = [];
  function Start({ turn }: { turn: number }): ReactElement {
    given.push(useFetch(w.getTodo, { id: 1 }));
    return <p>{turn}</p>;
  }
  const { act, draw } = await page(w, <Start turn={1} />);
  await draw(<Start turn={2} />);
  await act(() => w.server.release());
  await draw(<Start turn={3} />);
  expect(new Set(given).size).toBe(1);
  expect(await given[0]).toBe(w.controller.get(w.Todo, { id: 1 }));
  expect(await given[0]?.then((todo) => [todo])).toEqual([await given[0]]);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  await draw(<Start turn={4} />);
  expect(given.at(-1)).not.toBe(given[0]);
  expect(await given.at(-1)).toMatchObject({ title: 'new' });
  w.server.fail(404);
  w.controller.invalidate(w.getTodo, { id: 1 });
  await draw(<Start turn={5} />);
  await expect(given.at(-1)).rejects.toThrow('status 404');
});

test('[H9] a server waits for use(useFetch()), and renders the data', async () => {
  const w = world();
  vi.stubGlobal('document', undefined);
  const html = await new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <Provider controller={w.controller}>
        <Suspense fallback={waiting}>
          <Todo w={w} id={1} />
        </Suspense>
      </Provider>,
      { onAllReady: () => resolve(text(pipe(new PassThrough()))), onError: reject },
    );
  });
  vi.unstubAllGlobals();
  expect(html).toContain('<p>t1 by ada</p>');
  expect(w.server.log).toEqual(['GET /todos/1']);
});
