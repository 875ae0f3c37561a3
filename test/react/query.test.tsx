// useQuery and useSuspense.all.
import { All, Query } from 'signalbox';
import { useQuery, useSuspense } from 'signalbox/react';
import { renderDataHook } from 'signalbox/testing/react';
import { act, Suspense } from 'react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import { page } from './page.ts';

test('[H1] useQuery shows an entity as it comes, changes and is another', async () => {
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

test('[H1] useQuery runs only when what a query derives is another', async () => {
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

test('[N17] a component that shows a declared query runs only for the rows that it gets', async () => {
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

test('[H2] useSuspense.all asks all before it waits for any', async () => {
  const w = world();
  w.server.hold();
  const Both = (): ReactElement => {
    // oxlint-disable-next-line react/hooks -- a hook that is a member of a hook
    const [one, list] = useSuspense.all([w.getTodo, { id: 1 }], [w.getList, {}]);
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
