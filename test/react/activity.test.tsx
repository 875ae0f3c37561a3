// Hiding and revealing by Activity, in React 19.2 and up: React 18 does not run this file.
import { Activity, Suspense, memo } from 'react';
import type { ReactElement } from 'react';
import { useCancelling, useDLE, useError, useMutation, useSuspense } from 'signalbox/react';
import { useSignalQuery } from 'signalbox/react/signals';
import { expect, test } from 'vitest';
import { holders } from '../contract/page.ts';
import { keptLine, line, mutationLine, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

function Detail({ w }: { w: World }): ReactElement {
  w.count('detail');
  return <p>{line(useSuspense(w.getTodo, { id: 1 }))}</p>;
}

/** A detail inside of an Activity with an own boundary. */
async function shelf() {
  const w = world();
  const app = (mode: 'visible' | 'hidden'): ReactElement => (
    <Activity mode={mode}>
      <Suspense fallback={<i>loading</i>}>
        <Detail w={w} />
      </Suspense>
    </Activity>
  );
  return { w, app, ...(await page(w, app('visible'))) };
}

test('[H4] a component hidden by Activity has no subscription, and shows the present data when revealed', async () => {
  const { w, app, draw, act, lines } = await shelf();
  const reader = w.controller.view(w.getTodo, { id: 1 });
  await draw(app('hidden'));
  expect(lines()).toEqual([]);
  expect(holders(reader)).toEqual([]);
  w.ran();
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'meanwhile' }));
  expect(w.ran()).toEqual({});
  await draw(app('visible'));
  expect(lines()).toEqual(['meanwhile by ada']);
  expect(holders(reader)).toEqual(['retained', 'listener']);
  expect(w.server.log).toEqual(['GET /todos/1']);
});

test('[H4] a component revealed by Activity refetches stale data, and suspends for missing data', async () => {
  const { w, app, draw, act, lines } = await shelf();
  await draw(app('hidden'));
  w.clock.advance(60_001);
  w.server.hold();
  await draw(app('visible'));
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toHaveLength(2);
  await act(() => w.server.release());
  await draw(app('hidden'));
  await act(() => w.controller.invalidate(w.getTodo, { id: 1 }));
  w.server.hold();
  await draw(app('visible'));
  expect(lines()).toEqual(['loading']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toHaveLength(3);
});

test('[H4] a component revealed after a reset shows no data of the former user', async () => {
  const w = world();
  const press: { save?: (params: { id: number }, body: object) => void } = {};
  const Editor = memo(function Editor(): ReactElement {
    const mutation = useMutation(w.update);
    press.save = mutation.mutate;
    return <b>{mutationLine(mutation)}</b>;
  });
  const Kept = ({ id }: { id: number }): ReactElement => (
    <p>{keptLine(useDLE(w.keptTodo, { id }))}</p>
  );
  const app = (mode: 'visible' | 'hidden', id: number): ReactElement => (
    <Activity mode={mode}>
      <Editor />
      <Kept id={id} />
    </Activity>
  );
  const { act, draw, lines } = await page(w, app('visible', 1));
  await act(() => press.save?.({ id: 1 }, { title: 'secret' }));
  expect(lines()).toEqual(['secret by ada of 1', 'secret by ada']);
  await draw(app('hidden', 1));
  w.server.hold();
  await act(() => w.controller.reset());
  await draw(app('hidden', 1));
  await draw(app('visible', 2));
  expect(lines()).toEqual(['idle', 'wait']);
});

test('[H4] useSignalQuery and useError have no subscription while hidden by Activity, and follow changes again after', async () => {
  const w = world();
  function Parts(): ReactElement {
    useSignalQuery(useCancelling(w.getTodo, { id: 1 }), { id: 1 });
    const error = useError(w.getTodo, { id: 2 });
    return <p>{error?.message ?? 'fine'}</p>;
  }
  const app = (mode: 'visible' | 'hidden'): ReactElement => (
    <Activity mode={mode}>
      <Parts />
    </Activity>
  );
  const { draw, lines } = await page(w, app('visible'));
  expect(lines()).toEqual(['fine']);
  await draw(app('hidden'));
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
  expect(holders(w.controller.view(w.getTodo, { id: 2 }))).toEqual([]);
  await w.controller.setError(w.getTodo, { id: 2 }, new Error('meanwhile'));
  w.clock.advance(60_001);
  await draw(app('visible'));
  expect(lines()).toEqual(['meanwhile']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
});

test('[C10] a reader of a deleted entity keeps the data when Activity hides and reveals the reader', async () => {
  const { w, app, draw, act, lines } = await shelf();
  await draw(app('hidden'));
  await act(() => w.controller.fetch(w.remove, { id: 1 }));
  await draw(app('visible'));
  expect(lines()).toEqual(['t1 by ada']);
  await draw(app('hidden'));
  await draw(app('visible'));
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1', 'DELETE /todos/1']);
});
