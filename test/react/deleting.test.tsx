// Deletions of rows that are shown, in StrictMode and concurrent renders.
import { startTransition, StrictMode, Suspense, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useDLE, useSuspense } from 'signalbox/react';
import { afterEach, expect, test } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

afterEach(() => document.body.replaceChildren());

let turn = (): void => {};

function Detail({ w }: { w: World }): ReactElement {
  const [turns, set] = useState(0);
  useEffect(() => {
    turn = () => set((before) => before + 1);
  });
  return <p>{`${line(useSuspense(w.getTodo, { id: 1 }))} ${turns}`}</p>;
}

function Dle({ w }: { w: World }): ReactElement {
  const dle = useDLE(w.getTodo, { id: 1 });
  if (dle.loading) return <p>wait</p>;
  return <p>{dle.error ? dle.error.message : `${line(dle.data)} ${String(dle.deleted)}`}</p>;
}

const app = (w: World): ReactElement => (
  <Suspense fallback={<i>loading</i>}>
    <Detail w={w} />
    <Dle w={w} />
  </Suspense>
);

test.each(['remove', 'drop'] as const)(
  '[C10] a re-rendered detail of a deleted row keeps its data, in StrictMode and in a transition (%s)',
  async (verb) => {
    const w = world();
    const { act, draw, lines } = await page(w, <StrictMode>{app(w)}</StrictMode>);
    await act(() => w.controller.fetch(w[verb], { id: 1 }));
    await act(() => turn());
    await act(() => startTransition(turn));
    await draw(<StrictMode>{app(w)}</StrictMode>);
    expect(lines()).toEqual(['t1 by ada 2', 't1 by ada true']);
    expect(w.server.log).toEqual(['GET /todos/1', 'DELETE /todos/1']);
  },
);

test('[C10] a deletion in a transition keeps the shown data of the row', async () => {
  const w = world();
  const { act, lines } = await page(w, app(w));
  w.server.hold();
  await act(() => startTransition(() => void w.controller.fetch(w.drop, { id: 1 })));
  expect(lines()).toEqual(['t1 by ada 0', 't1 by ada true']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada 0', 't1 by ada true']);
  expect(w.server.log).toEqual(['GET /todos/1', 'DELETE /todos/1']);
});

function Other({ w, id }: { w: World; id: number }): ReactElement {
  return <p>{line(useSuspense(w.getTodo, { id }))}</p>;
}

test('[C10] a detail of a deleted row keeps its data and state after a sibling has suspended', async () => {
  const w = world();
  const both = (id: number): ReactElement => (
    <Suspense fallback={<i>loading</i>}>
      <Detail w={w} />
      <Other w={w} id={id} />
    </Suspense>
  );
  const { act, draw, lines } = await page(w, both(2));
  await act(() => w.controller.fetch(w.remove, { id: 1 }));
  w.server.hold();
  await draw(both(3));
  expect(lines()).toEqual(['loading']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada 0', 't3 by ada']);
  expect(w.server.log.filter((request) => request === 'GET /todos/1')).toHaveLength(1);
});
