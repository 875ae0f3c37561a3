/** How long unread data stay can be set for an endpoint and a resource, too. */
import { Collection, createResource, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, wholeTodo, world } from '../setup/world.ts';
import type { StoppedClock } from '../setup/world.ts';
import { collected } from '../setup/garbage.ts';

const MINUTE = 60_000;
const list = () => new Collection([Todo]);
const row = wholeTodo({ author: { id: 7, name: 'Ada' }, tags: [{ id: 3, label: 'x' }] });
const other = wholeTodo({ id: 2, author: { id: 8, name: 'Bob' }, tags: [] });

const reading = (sweepAfter: number | undefined, own: number | undefined) => {
  const w = world({ sweepAfter, dataExpiryLength: 0 });
  const brief = w.read('brief', list(), { reply: () => [row] }).extend({ sweepAfter: own });
  const usual = w.read('usual', list(), { reply: () => [other] });
  return { w, brief, usual };
};

/** Time passes in steps that a sweep can be seen in. */
async function pass(clock: StoppedClock, ms: number): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    clock.advance(ms / 10);
    await collected(1);
  }
}

test('[I3] sweepAfter of an endpoint removes unread data earlier than the controller, entities included', async () => {
  const { w, brief, usual } = reading(5 * MINUTE, 10_000);
  await w.controller.fetch(usual, {});
  await w.controller.fetch(brief, {});
  await pass(w.clock, 9_000);
  expect(w.controller.getResponse(brief, {}).data).toHaveLength(1);
  await collected(1);
  await pass(w.clock, 50_000);
  expect(w.controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(w.controller.get(User, { id: 7 })).toBeUndefined();
  expect(w.controller.get(Tag, { id: 3 })).toBeUndefined();
  expect(w.controller.getResponse(brief, {}).data).toBeUndefined();
  expect(w.controller.getResponse(usual, {}).data).toHaveLength(1);
  expect(w.controller.get(User, { id: 8 })?.name).toBe('Bob');
});

test('[I3] sweepAfter of an endpoint keeps unread data and their entities longer than the controller', async () => {
  const { w, brief, usual } = reading(10_000, 5 * MINUTE);
  await w.controller.fetch(brief, {});
  await w.controller.fetch(usual, {});
  await pass(w.clock, 4 * MINUTE);
  expect(w.controller.get(User, { id: 8 })).toBeUndefined();
  expect(w.controller.get(User, { id: 7 })?.name).toBe('Ada');
  expect(w.controller.getResponse(brief, {}).data?.[0]?.tags[0]?.label).toBe('x');
  await collected(1);
  await pass(w.clock, 8 * MINUTE);
  expect(w.controller.get(User, { id: 7 })).toBeUndefined();
});

test('[I3] sweepAfter of an endpoint removes unread data if sweepAfter of the controller is Infinity', async () => {
  const { w, brief, usual } = reading(Infinity, 10_000);
  await w.controller.fetch(usual, {});
  await w.controller.fetch(brief, {});
  await pass(w.clock, MINUTE);
  expect(w.controller.getResponse(brief, {}).data).toBeUndefined();
  expect(w.controller.getResponse(usual, {}).data).toHaveLength(1);
});

test('[I3] sweepAfter Infinity of an endpoint keeps unread data', async () => {
  const { w, brief } = reading(10_000, Infinity);
  await w.controller.fetch(brief, {});
  await pass(w.clock, 1e9);
  expect(w.controller.getResponse(brief, {}).data).toHaveLength(1);
});

test('[I3] entities that are also in a result with a longer sweepAfter stay with that result', async () => {
  const w = world({ dataExpiryLength: 0, sweepAfter: 5 * MINUTE });
  const brief = w.read('brief', list(), { reply: () => [row] }).extend({ sweepAfter: 10_000 });
  const usual = w.read('usual', list(), { reply: () => [row] });
  await w.controller.fetch(brief, {});
  await w.controller.fetch(usual, {});
  await pass(w.clock, MINUTE);
  expect(w.controller.getResponse(brief, {}).data).toBeUndefined();
  expect(w.controller.getResponse(usual, {}).data?.[0]?.author?.name).toBe('Ada');
});

test('[I3] mounted data stay beyond sweepAfter of the endpoint', async () => {
  const { w, brief } = reading(5 * MINUTE, 10_000);
  await w.controller.fetch(brief, {});
  const release = w.controller.view(brief, {}).retain();
  await pass(w.clock, 10 * MINUTE);
  expect(w.controller.getResponse(brief, {}).data).toHaveLength(1);
  release();
});

test('[I3] sweepAfter of a resource applies to the reads of the resource', async () => {
  class Note extends Entity {
    id = 0;
    text = '';
  }
  const { clock, controller } = world({ dataExpiryLength: 0, sweepAfter: 5 * MINUTE });
  const Notes = createResource({ path: '/notes/:id', schema: Note, sweepAfter: 10_000 });
  await controller.setResponse(Notes.get, { id: 1 }, { id: 1, text: 'a' });
  expect(Notes.get.sweepAfter).toBe(10_000);
  await pass(clock, MINUTE);
  expect(controller.get(Note, { id: 1 })).toBeUndefined();
});
