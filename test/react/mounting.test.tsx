// Components that mount while the store is newer than the screen, and the first render of each component.
import { Profiler, startTransition, Suspense, useLayoutEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { For, useFetch, useSuspense } from 'signalbox/react';
import { afterEach, expect, test } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

const waiting = <i>loading</i>;

interface Props {
  readonly w: World;
  readonly id: number;
}

function Detail({ w, id }: Props): ReactElement {
  return <p>{line(useSuspense(w.getTodo, { id }))}</p>;
}

/** Calls `tell` with the title at each commit, also for corrections before paint. */
function Loud({ w, id, tell }: Props & { readonly tell: (title: string) => void }): ReactElement {
  const { title } = useSuspense(w.getTodo, { id });
  useLayoutEffect(() => tell(title), [tell, title]);
  return <p>{title}</p>;
}

test('[H4] a reader mounted urgently during a transition shows the same data as the mounted reader', async () => {
  const w = world();
  const app = (ids: number[]): ReactElement => (
    <Suspense fallback={waiting}>
      {ids.map((id, at) => (
        <Detail key={at} w={w} id={id} />
      ))}
    </Suspense>
  );
  const { draw, act, lines } = await page(w, app([1]));
  w.server.hold();
  await act(() =>
    startTransition(() => {
      w.controller.invalidate(w.getTodo, { id: 1 });
    }),
  );
  await draw(app([1, 1]));
  expect(lines()).toEqual(['t1 by ada', 't1 by ada']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada', 't1 by ada']);
});

test('[H4] a reader mounted during a transition changes with the other readers when the transition ends', async () => {
  const w = world();
  const app = (ids: number[]): ReactElement => (
    <Suspense fallback={waiting}>
      {ids.map((id, at) => (
        <Detail key={at} w={w} id={id} />
      ))}
      <Detail key="other" w={w} id={2} />
    </Suspense>
  );
  const { draw, act, lines } = await page(w, app([1]));
  w.server.hold();
  // the pending request holds the transition open, with the new title
  await act(() =>
    startTransition(() => {
      void w.controller.set(w.Todo, { id: 1 }, { title: 'new' });
      w.controller.invalidate(w.getTodo, { id: 2 });
    }),
  );
  expect(lines()).toEqual(['t1 by ada', 't2 by bob']);
  await draw(app([1, 1]));
  expect(lines()).toEqual(['t1 by ada', 't1 by ada', 't2 by bob']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['new by ada', 'new by ada', 't2 by bob']);
});

test('[H4] a reader mounted during a transition shows the new state at its end, also without other readers', async () => {
  const w = world();
  const app = (keys: string[]): ReactElement => (
    <Suspense fallback={waiting}>
      {keys.map((key) => (
        <Detail key={key} w={w} id={key === 'other' ? 2 : 1} />
      ))}
    </Suspense>
  );
  const { draw, act, lines } = await page(w, app(['a', 'other']));
  w.server.hold();
  await act(() =>
    startTransition(() => {
      void w.controller.set(w.Todo, { id: 1 }, { title: 'new' });
      w.controller.invalidate(w.getTodo, { id: 2 });
    }),
  );
  await draw(app(['a', 'b', 'other']));
  expect(lines()).toEqual(['t1 by ada', 't1 by ada', 't2 by bob']);
  await draw(app(['b', 'other']));
  expect(lines()).toEqual(['t1 by ada', 't2 by bob']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['new by ada', 't2 by bob']);
});

test('[H4] a reader mounted without a transition renders the latest state first', async () => {
  const w = world();
  const told: string[] = [];
  const tell = (title: string): void => void told.push(title);
  const app = (more: boolean): ReactElement => (
    <Suspense fallback={waiting}>
      <Detail w={w} id={1} />
      {more && <Loud w={w} id={1} tell={tell} />}
    </Suspense>
  );
  const { draw, act } = await page(w, app(false));
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  await draw(app(true));
  expect(told).toEqual(['new']);
});

test('[C2] a reader that suspended for expired data does not render the expired data', async () => {
  const w = world({ invalidIfStale: true });
  await w.controller.fetch(w.getTodo, { id: 1 });
  w.clock.advance(60_001);
  w.server.row(1)!.title = 'newer';
  const told: string[] = [];
  const tell = (title: string): void => void told.push(title);
  const app = (
    <Suspense fallback={waiting}>
      <Loud w={w} id={1} tell={tell} />
    </Suspense>
  );
  await page(w, app);
  expect(told).toEqual(['newer']);
});

test('[H3] stored data are committed once at mount', async () => {
  const w = world({ size: 2 });
  await w.controller.fetch(w.getList, {});
  const commits: string[] = [];
  await page(
    w,
    <Profiler id="list" onRender={(_, phase) => commits.push(phase)}>
      <Suspense fallback={waiting}>
        <For each={w.getList} params={{}}>
          {(todo) => <li>{todo.title}</li>}
        </For>
        <Detail w={w} id={1} />
      </Suspense>
    </Profiler>,
  );
  expect(commits).toEqual(['mount']);
});

test('[O6] a created row of <For> keeps its state when the server assigns the key, and after another creation', async () => {
  const w = world({ size: 1 });
  let births = 0;
  function Row({ title }: { readonly title: string }): ReactElement {
    const [born] = useState(() => ++births);
    return <li>{`${title} (${born})`}</li>;
  }
  const { act, lines: shown } = await page(
    w,
    <Suspense fallback={waiting}>
      <For each={w.getList} params={{}}>
        {(todo) => <Row title={todo.title} />}
      </For>
    </Suspense>,
  );
  const create = w.create.extend({
    getOptimisticResponse: (_, body) => body,
  });
  w.server.hold();
  let named: Promise<unknown> | undefined;
  await act(() => void (named = w.controller.fetch(create, { title: 'new' })));
  expect(shown()).toEqual(['t1 (1)', 'new (2)']);
  await act(() => {
    w.server.release();
    return named;
  });
  await act(() => w.controller.fetch(create, { title: 'another' }));
  expect(shown()).toEqual(['t1 (1)', 'new (2)', 'another (3)']);
});

test('[C5] a mounted useFetch does not refetch when the data expire', async () => {
  const w = world({ invalidIfStale: true });
  function Start(): ReactElement {
    void useFetch(w.getTodo, { id: 1 });
    return <p>started</p>;
  }
  const { draw } = await page(w, <Start />);
  w.clock.advance(60_001);
  await draw(<Start />);
  expect(w.server.log).toEqual(['GET /todos/1']);
});
