/** Unsubscribed readers can be garbage collected, and so can data that only these readers needed. */
import { All, Collection, Query, live as liveOf, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { collected, released } from '../setup/garbage.ts';
import { Todo, User, watch, world } from '../setup/world.ts';

async function filled() {
  const w = world({ sweepAfter: 300_000 });
  const list = w.read('list', new Collection([Todo]), {
    reply: () => [{ id: 1, title: 'a', author: { id: 1, name: 'Ada' } }],
  });
  await w.controller.fetch(list, {});
  return { w, list };
}

test('[V6] stopped readers and listeners are released, and their data are kept', async () => {
  const { w, list } = await filled();
  const gone = await released((tag) => {
    const signal = tag('signal', { read: () => w.controller.signal(list, {}).value });
    const entity = tag('entity', { read: () => w.controller.entity(Todo, 1).value });
    const live = tag('live', { read: () => liveOf(w.controller, Todo, 1).author?.name });
    const result = tag('result', { read: () => liveResult(w.controller.view(list, {})).value });
    for (const reader of [signal, entity, live, result]) watch(() => reader.read()).stop();
    const listener = tag('listener', { heard: 0 });
    w.controller.view(list, {}).listen(() => listener.heard++)();
    const owner = tag('event', { heard: 0 });
    w.controller.on('commit', () => owner.heard++)();
  });
  expect(gone).toEqual(['entity', 'event', 'listener', 'live', 'result', 'signal']);
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('a');
});

test('[V6] a running reader is kept', async () => {
  const { w } = await filled();
  let stop: (() => void) | undefined;
  const gone = await released((tag) => {
    const reader = tag('reader', { read: () => w.controller.entity(Todo, 1).value });
    stop = watch(() => reader.read()).stop;
  });
  expect(gone).toEqual([]);
  stop?.();
});

test('[V6] a snapshot is released once a later snapshot has replaced it', async () => {
  const { w, list } = await filled();
  const gone = await released(async (tag) => {
    tag('entity', w.controller.get(Todo, { id: 1 }) as Todo);
    tag('list', w.controller.signal(list, {}).peek() as object);
    await w.controller.set(Todo, { id: 1 }, { title: 'z' });
    w.controller.signal(list, {}).peek();
  });
  expect(gone).toEqual(['entity', 'list']);
});

test('[V6] views and signals without a holder are released', async () => {
  const { w, list } = await filled();
  const gone = await released((tag) => {
    watch(tag('signal', w.controller.signal(list, {}))).stop();
    watch(tag('entity', w.controller.entity(Todo, 1))).stop();
    const view = tag('view', w.controller.view(list, {}));
    watch(view.result).stop();
    watch(tag('live', liveResult(view))).stop();
    view.retain()();
  });
  expect(gone).toEqual(['entity', 'live', 'signal', 'view']);
  expect(w.controller.signal(list, {}).value?.[0]?.title).toBe('a');
});

test('[V6] live objects without a holder are released', async () => {
  const { w } = await filled();
  const gone = await released((tag) => {
    const live = tag('live', liveOf(w.controller, Todo, 1));
    watch(() => live.title).stop();
  });
  expect(gone).toEqual(['live']);
});

test('[V6] a controller without a holder is released with all of its data', async () => {
  const gone = await released(async (tag) => {
    const { w, list } = await filled();
    tag('controller', w.controller);
    watch(() => liveOf(w.controller, Todo, 1).title).stop();
    w.controller.view(list, {}).listen(() => {})();
    tag('row', w.controller.get(Todo, { id: 1 }) as Todo);
  });
  expect(gone).toEqual(['controller', 'row']);
});

test('[V6] a settled request releases its endpoint and its arguments', async () => {
  const { w } = await filled();
  const update = w.mutation('update', Todo);
  const gone = await released(async (tag) => {
    const endpoint = tag('endpoint', update.extend({ name: 'once' }));
    const body = tag('body', { title: 'z' });
    const sent = w.controller.fetch(endpoint, { id: 1 }, body);
    await w.call().answer({ id: 1, title: 'z' });
    await sent;
    w.calls.length = 0;
  });
  expect(gone).toEqual(['body', 'endpoint']);
});

test('[V6] collected data are released, while an entity with a reader is kept', async () => {
  const { w, list } = await filled();
  const byTitle = new Query(new All(Todo), (todos) => todos.map(({ title }) => ({ title })));
  // the author is shown all the while, by somebody else
  const author = watch(w.controller.entity(User, 1));
  const gone = await released(async (tag) => {
    tag('entity', w.controller.get(Todo, { id: 1 }) as Todo);
    tag('list', w.controller.signal(list, {}).peek() as object);
    await w.controller.set(Todo, { id: 2, title: 'b', author: { id: 1, name: 'Ada' } });
    tag('entity', w.controller.get(Todo, { id: 2 }) as Todo);
    tag('derived', w.controller.get(byTitle)?.[0] as object);
    watch(() => tag('live', liveOf(w.controller, Todo, 1)).author?.name).stop();
    watch(() => liveResult(w.controller.view(list, {})).value.data?.[0]?.title).stop();
    await w.controller.setError(list, { page: 2 }, tag('error', new Error('refused')));
    await collected();
    w.clock.advance(60 * 60_000);
  });
  expect(gone).toEqual(['derived', 'entity', 'entity', 'error', 'list', 'live']);
  expect(author.last?.name).toBe('Ada');
  author.stop();
});

test('[V6] rows that left a mounted list are released', async () => {
  const { w, list } = await filled();
  const shown = watch(() => w.controller.signal(list, {}).value?.map(({ id }) => id));
  const gone = await released(async (tag) => {
    tag('row', w.controller.get(Todo, { id: 1 }) as Todo);
    await w.controller.setResponse(list, {}, [{ id: 2, title: 'b' }]);
    await collected();
    w.clock.advance(60 * 60_000);
  });
  expect(gone).toEqual(['row']);
  expect(shown.last).toEqual([2]);
  shown.stop();
});
