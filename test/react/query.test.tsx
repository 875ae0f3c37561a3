// useQuery and useSuspenseAll.
import { All, Query } from 'signalbox';
import { ErrorBoundary, useQuery, useSuspense, useSuspenseAll } from 'signalbox/react';
import { renderDataHook } from 'signalbox/testing/react';
import { act, startTransition, Suspense, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

test('[H1] useQuery returns an entity once written, changed, or selected by other arguments', async () => {
  const w = world();
  const useTitle = ({ id }: { id: number }) => {
    w.count('title');
    return useQuery(w.Todo, { id })?.title ?? 'nobody';
  };
  const hook = renderDataHook(useTitle, { initialProps: { id: 1 } });
  expect(hook.result.current).toBe('nobody');
  await act(() => hook.controller.set(w.Todo, { id: 1 }, { title: 'one' }));
  expect(hook.result.current).toBe('one');
  await act(() => hook.controller.set(w.Todo, { id: 2 }, { title: 'two' }));
  hook.rerender({ id: 2 });
  expect(hook.result.current).toBe('two');
  expect(w.ran()).toEqual({ title: 3 });
  hook.cleanup();
});

test('[H1] useQuery re-renders only if the result of the query has changed', async () => {
  const w = world();
  const titles = new Query(new All(w.Todo), (todos) => todos.map(({ title }) => title).join());
  const Titles = (): ReactElement => {
    w.count('titles');
    return <p>{useQuery(titles)}</p>;
  };
  await w.controller.set(
    [w.Todo],
    [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ],
  );
  const { act, lines } = await page(w, <Titles />);
  w.ran();
  await act(() => w.controller.set(w.User, { id: 1 }, { name: 'no matter' }));
  expect(w.ran()).toEqual({});
  await act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'c' }));
  expect(lines()).toEqual(['a,c']);
  expect(w.ran()).toEqual({ titles: 1 });
});

test('[N17] a component with a declared query re-renders only if its rows change', async () => {
  const w = world();
  const sorted = new Query(new All(w.Todo), { sort: 'title', limit: 2 });
  const Titles = (): ReactElement => {
    w.count('titles');
    return <p>{useQuery(sorted)?.map(({ title }) => title)}</p>;
  };
  await w.controller.set(
    [w.Todo],
    ['c', 'b', 'a'].map((title, at) => ({ id: at + 1, title })),
  );
  const { act, lines } = await page(w, <Titles />);
  w.ran();
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'd' }));
  expect([lines(), w.ran()]).toEqual([['ab'], {}]);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: '0' }));
  expect([lines(), w.ran()]).toEqual([['0a'], { titles: 1 }]);
});

test('[H2] useSuspenseAll sends all requests before it suspends', async () => {
  const w = world();
  w.server.hold();
  const Both = (): ReactElement => {
    const [one, list] = useSuspenseAll([
      [w.getTodo, { id: 1 }],
      [w.getList, {}],
    ]);
    return <p>{`${one.title} of ${list.length}`}</p>;
  };
  const { act, lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <Both />
    </Suspense>,
  );
  expect(w.server.log).toHaveLength(2);
  await act(() => w.server.release());
  await act(() => w.server.release());
  expect(lines()).toEqual([`t1 of ${w.controller.signal(w.getList, {}).value?.length}`]);
  expect(w.server.log).toHaveLength(2);
});

function Two({ w }: { readonly w: World }): ReactElement {
  const [one, two] = useSuspenseAll([
    [w.getTodo, { id: 1 }],
    [w.getTodo, { id: 2 }],
  ]);
  return <p>{`${one.title} ${two.title}`}</p>;
}

test('[H2] useSuspenseAll with invalidIfStale sends the requests for all expired data at once', async () => {
  const w = world({ invalidIfStale: true });
  for (const id of [1, 2]) await w.controller.fetch(w.getTodo, { id });
  w.clock.advance(60_001);
  w.server.log.length = 0;
  w.server.hold();
  const { act, lines } = await page(
    w,
    <Suspense>
      <Two w={w} />
    </Suspense>,
  );
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 t2']);
  expect(w.server.log).toHaveLength(2);
});

test('[H2] useSuspenseAll sends all requests at once after the reset of a boundary', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const w = world();
  w.server.fail(404);
  let reset = (): void => {};
  const { act, lines } = await page(
    w,
    <ErrorBoundary fallback={(_, again) => ((reset = again), (<p>failed</p>))}>
      <Suspense>
        <Two w={w} />
      </Suspense>
    </ErrorBoundary>,
  );
  expect(lines()).toEqual(['failed']);
  w.server.fail(undefined);
  w.server.log.length = 0;
  w.server.hold();
  await act(() => reset());
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 t2']);
});

test('[H4] useSuspenseAll with a read added in a transition keeps the old list until the response', async () => {
  const w = world();
  let show: (ids: readonly number[]) => void = () => {};
  function Titles(): ReactElement {
    const [ids, setIds] = useState<readonly number[]>([1]);
    useEffect(() => {
      show = setIds;
    }, []);
    return <p>{useSuspenseAll(ids.map((id) => [w.getTodo, { id }])).map(({ title }) => title)}</p>;
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <Titles />
    </Suspense>,
  );
  w.server.hold();
  await act(() => startTransition(() => show([2, 1])));
  expect(lines()).toEqual(['t1']);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t2new']);
});

test('[H4] an urgent write during a transition is applied to each read of useSuspenseAll', async () => {
  const w = world();
  await Promise.all([1, 2].map((id) => w.controller.fetch(w.getTodo, { id })));
  await w.controller.fetch(w.getList, {});
  let suspend: (id: number) => void = () => {};
  function Later(): ReactElement {
    const [id, setId] = useState(1);
    useEffect(() => {
      suspend = setId;
    }, []);
    return <b>{useSuspense(w.getTodo, { id }).title}</b>;
  }
  function Titles(): ReactElement {
    const [todo, list, again] = useSuspenseAll([
      [w.getTodo, { id: 2 }],
      [w.getList, {}],
      [w.getTodo, { id: 2 }],
    ]);
    return <p>{[todo, ...list.slice(0, 2), again].map(({ title }) => title).join()}</p>;
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <Titles />
      <Later />
    </Suspense>,
  );
  expect(lines()).toEqual(['t2,t1,t2,t2', 't1']);
  w.server.hold();
  await act(() =>
    startTransition(() => {
      suspend(9);
      void w.controller.set(w.Todo, { id: 2 }, { title: 'a' });
    }),
  );
  expect(lines()).toEqual(['t2,t1,t2,t2', 't1']);
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'b' }));
  expect(lines()).toEqual(['t2,b,t2,t2', 'b']);
  w.server.rows.push({ id: 9, userId: 1, title: 't9' });
  await act(() => w.server.release());
  expect(lines()).toEqual(['a,b,a,a', 't9']);
});
