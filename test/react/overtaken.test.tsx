// Requests of transitions that were overtaken before the first commit.
import { startTransition, StrictMode, Suspense, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { For, useDLE, useSelect, useSuspense } from 'signalbox/react';
import { afterEach, expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

interface Props {
  readonly w: World;
  readonly id: number;
}

const readers = {
  useSuspense: ({ w, id }: Props) => <p>{useSuspense(w.getTodo, { id }).title}</p>,
  useSelect: ({ w, id }: Props) => <p>{useSelect(w.getTodo, { id }, ({ title }) => title)}</p>,
  useDLE: ({ w, id }: Props) => <p>{useDLE(w.getTodo, { id }).data?.title}</p>,
};

const isFetching = (w: World, id: number): boolean =>
  w.controller.view(w.getTodo, { id }).fetching.peek();
const fetching = (w: World): number[] => [1, 2, 3, 4, 5].filter((id) => isFetching(w, id));

/** A page with a number, which transitions change. */
async function paged(w: World, draw: (id: number) => ReactNode, strict = false) {
  const press: { set?: (id: number) => void } = {};
  function App(): ReactElement {
    const [id, setId] = useState(1);
    press.set = setId;
    return <Suspense fallback={<i>loading</i>}>{draw(id)}</Suspense>;
  }
  const screen = await page(
    w,
    strict ? (
      <StrictMode>
        <App />
      </StrictMode>
    ) : (
      <App />
    ),
  );
  const go = (id: number) => screen.act(() => startTransition(() => press.set?.(id)));
  return { ...screen, go };
}

test.each(['useSuspense', 'useSelect'] as const)(
  '[H8] %s aborts the requests of superseded transitions',
  async (name) => {
    const w = world({ size: 5 });
    const Reader = readers[name];
    const { go, act, lines } = await paged(w, (id) => <Reader w={w} id={id} />);
    w.server.hold();
    for (const id of [2, 3, 4, 5]) await go(id);
    expect(lines()).toEqual(['t1']);
    await act(() => w.clock.advance(100));
    expect(fetching(w)).toEqual([5]);
    await act(() => w.server.release());
    expect(lines()).toEqual(['t5']);
    expect(w.server.log).toEqual([1, 2, 3, 4, 5].map((id) => `GET /todos/${id}`));
  },
);

test('[H8] useDLE aborts the requests of superseded transitions', async () => {
  const w = world({ size: 5 });
  const { go, act, lines } = await paged(w, (id) => <readers.useDLE w={w} id={id} />);
  w.server.hold();
  for (const id of [2, 3, 4, 5]) await go(id);
  await act(() => w.clock.advance(100));
  expect(fetching(w)).toEqual([5]);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t5']);
});

test('[H8] <For> aborts the list request of a superseded transition', async () => {
  const w = world({ size: 5 });
  const { go, act } = await paged(w, (id) => (
    <For each={w.getList} params={{ userId: id }}>
      {({ title }) => <p>{title}</p>}
    </For>
  ));
  w.server.hold();
  await go(2);
  await go(3);
  await act(() => w.clock.advance(100));
  const isListFetching = (userId: number): boolean =>
    w.controller.view(w.getList, { userId }).fetching.peek();
  expect([isListFetching(2), isListFetching(3)]).toEqual([false, true]);
});

test('[H8] in StrictMode the request of the latest transition continues', async () => {
  const w = world({ size: 5 });
  const { go, act, lines } = await paged(w, (id) => <readers.useSuspense w={w} id={id} />, true);
  w.server.hold();
  await go(2);
  await go(3);
  for (const ms of [100, 1_000, 5_000]) await act(() => w.clock.advance(ms));
  expect(fetching(w)).toEqual([3]);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t3']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/3']);
});

test('[H8] a transition back to former arguments joins their request before it is aborted', async () => {
  const w = world({ size: 5 });
  const { go, act, lines } = await paged(w, (id) => <readers.useSuspense w={w} id={id} />);
  w.server.hold();
  await go(2);
  await go(3);
  await go(2);
  await act(() => w.clock.advance(100));
  expect(fetching(w)).toEqual([2]);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t2']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/3']);
});

test('[H8] a request of a superseded transition continues if prefetched, or needed by another component', async () => {
  const w = world({ size: 5 });
  const { go, act } = await paged(w, (id) => (
    <>
      <readers.useDLE w={w} id={4} />
      <readers.useSuspense w={w} id={id} />
      <Suspense fallback="…">{id > 1 && <readers.useSuspense w={w} id={3} />}</Suspense>
    </>
  ));
  w.server.hold();
  w.controller.prefetch(w.getTodo, { id: 2 });
  w.controller.expireAll(w.getTodo);
  for (const id of [2, 3, 4, 5]) await go(id);
  await act(() => w.clock.advance(100));
  expect(fetching(w)).toEqual(expect.arrayContaining([2, 3, 4, 5]));
  await act(() => w.server.release());
});

test('[H8] an urgent render of shown data does not abort the request of a transition', async () => {
  const w = world({ size: 5 });
  const { go, act, lines } = await paged(w, (id) => <readers.useSuspense w={w} id={id} />);
  w.server.hold();
  await go(2);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'pushed' }));
  await act(() => w.clock.advance(1_000));
  expect(fetching(w)).toEqual([2]);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t2']);
});
