// Every hook in StrictMode, which renders, mounts and unmounts each component once more than the app.
import { StrictMode, Suspense, version } from 'react';
import type { ReactElement } from 'react';
import { useCache, useCancelling, useDLE, useEntity, useFetch, useSuspense } from 'signalbox/react';
import { $ } from 'signalbox/react/signals';
import { afterEach, expect, test, vi } from 'vitest';
import type { Scene } from '../contract/driver.ts';
import { holders } from '../contract/page.ts';
import { views } from '../contract/reactViews.tsx';
import { line, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

interface Props {
  readonly world: World;
  readonly params: Scene['params'];
}

function Row({ todo }: { todo: Todo }): ReactElement {
  return <p>{line(useEntity(todo))}</p>;
}

function ByEntity({ world: w, params }: Props): ReactElement {
  return <Row todo={useSuspense(w.getTodo, params as { id: number })} />;
}

function ByField({ world: w, params }: Props): ReactElement {
  const todo = useSuspense(w.getTodo, params as { id: number });
  return <p>{$(todo).title}</p>;
}

// components that read no todo, and the list at another address, have separate tests
const { typing: _typing, saver: _saver, shape: _shape, misuse: _misuse, ...others } = views;
const { mistaken: _mistaken, newest: _newest, withNotes: _withNotes, ...rest } = others;
const {
  requests: _requests,
  mutation: _mutation,
  pages: _pages,
  numbers: _numbers,
  status: _status,
  envelope: _envelope,
  ...readers
} = rest;
const all = { ...readers, useEntity: ByEntity, $: ByField };

test.each(Object.entries(all))(
  '[H4] in StrictMode %s sends one request, follows a change, and leaves no subscription',
  async (name, View) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const w = world({ size: 1 });
    const lists = ['list', 'fineList', 'amount', 'chosen'].includes(name);
    const params = lists ? {} : { id: 1 };
    // some hooks read the data that others fetch
    const quiet = ['cache', 'entity', 'derived', 'joined'].includes(name);
    if (quiet) await w.controller.fetch(w.getTodo, { id: 1 });
    await w.controller.set(w.Note, { id: 1 }, { id: 1, todoId: 1, text: 'n1' });
    const { act, lines, unmount } = await page(
      w,
      <StrictMode>
        <Suspense fallback={<i>loading</i>}>
          <View world={w} params={params} />
        </Suspense>
      </StrictMode>,
    );
    const fine = name === 'error';
    const shown = (title: string): string => {
      if (fine) return 'fine';
      if (['amount', 'derived'].includes(name)) return '1';
      if (name === 'notes') return `${title}: n1`;
      if (name === 'joined') return `${title} with n1`;
      if (name === 'noteRows') return `n1 of ${title}`;
      return name === '$' ? title : `${title} by ada`;
    };
    expect(lines()).toEqual([shown('t1')]);
    expect(w.server.log).toEqual(fine ? [] : [lists ? 'GET /todos' : 'GET /todos/1']);
    await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'two' }));
    expect(lines()).toEqual([shown('two')]);
    await unmount();
    const reader = lists
      ? w.controller.view(w.getList, {})
      : w.controller.view(w.getTodo, { id: 1 });
    // @preact/signals-react 3.12 never removes the subscription of a render that React 18 throws away
    const kept = name === '$' && version.startsWith('18') ? ['signal'] : [];
    expect(holders(reader)).toEqual(kept);
    expect(said).not.toHaveBeenCalled();
  },
);

test('[H9] in StrictMode status, mutation and page hooks send each request once, and leave no subscription', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const w = world();
  const { status: Status, requests: Requests, mutation: Mutation, pages: Pages } = views;
  const { act, lines, unmount } = await page(
    w,
    <StrictMode>
      <Status world={w} params={{ id: 1 }} />
      <Requests world={w} params={null} />
      <Mutation world={w} params={{ id: 1 }} />
      <Pages world={w} params={{}} />
    </StrictMode>,
  );
  expect(lines()).toEqual(['idle, fresh, at 0, fine', '0 of 0', 'idle', 't1, t2, more']);
  const buttons = document.querySelectorAll('button');
  await act(() => buttons[0]?.click());
  await act(() => [...buttons].find(({ textContent }) => textContent === 'more')?.click());
  await act(() => w.controller.fetch(w.getTodo, { id: 1 }));
  expect(lines()).toEqual([
    'idle, fresh, at 0, fine',
    '0 of 0',
    'saved by ada of 1',
    'saved, t2, t3, t4, more',
  ]);
  expect(w.called).toEqual(['success 1 saved', 'settled 1 data']);
  expect(w.server.log).toEqual([
    'GET /pages?cursor=0',
    'PATCH /todos/1',
    'GET /pages?cursor=2',
    'GET /todos/1',
  ]);
  await unmount();
  expect(said).not.toHaveBeenCalled();
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
  expect(holders(w.controller.view(w.getPages, {}))).toEqual([]);
});

function Suspended({ world: w, params }: Props): ReactElement {
  const named = params as { id: number };
  return <p>{line(useSuspense(useCancelling(w.getTodo, named), named))}</p>;
}

function Loading({ world: w, params }: Props): ReactElement {
  const named = params as { id: number };
  const { data } = useDLE(useCancelling(w.getTodo, named), named);
  return <p>{data === undefined ? 'wait' : line(data)}</p>;
}

function Cached({ world: w, params }: Props): ReactElement {
  const named = params as { id: number };
  const endpoint = useCancelling(w.getTodo, named);
  void useFetch(endpoint, named);
  const todo = useCache(endpoint, named);
  return <p>{todo === undefined ? 'wait' : line(todo)}</p>;
}

test.each([
  // a suspended component has no state before the first commit
  ['useSuspense', Suspended, true],
  ['useDLE', Loading, false],
  ['useFetch', Cached, false],
] as const)(
  '[F3] in StrictMode useCancelling aborts the first request of %s when params change',
  async (_, View, remains) => {
    const w = world();
    const app = (id: number): ReactElement => (
      <StrictMode>
        <Suspense fallback={<i>loading</i>}>
          <View world={w} params={{ id }} />
        </Suspense>
      </StrictMode>
    );
    w.server.hold();
    const first = w.controller.view(w.getTodo, { id: 1 });
    const { draw, act, lines } = await page(w, app(1));
    expect(first.fetching.value).toBe(true);
    await draw(app(2));
    expect(first.fetching.value).toBe(remains);
    await draw(app(3));
    await act(() => w.server.release());
    expect(lines()).toEqual(['t3 by ada']);
    w.server.hold();
    for (const id of [4, 5]) await draw(app(id));
    expect(w.controller.view(w.getTodo, { id: 4 }).fetching.value).toBe(false);
    await act(() => w.server.release());
    expect(lines()).toEqual(['t5 by ada']);
  },
);
