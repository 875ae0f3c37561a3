/** Readers that throw, write or log out while a commit notifies them: requests and other readers go on. */
import { effect } from '@preact/signals-core';
import { Delete, ResetError, transaction } from 'signalbox';
import { afterEach, expect, test, vi } from 'vitest';
import { refused, settled, Todo, watch, world } from '../setup/world.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A world with a reader that throws once a todo has this title; the error is reported. */
function broken(title: string) {
  const w = world();
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const todo = w.controller.entity(Todo, 1);
  const error = new Error('in a reader');
  effect(() => {
    if (todo.value?.title === title) throw error;
  });
  const commits: unknown[] = [];
  w.controller.on('commit', ({ cause }) => commits.push(cause));
  return { w, reported, error, commits };
}

test('[F2] an exception in a reader is reported, and its request resolves with the stored data', async () => {
  const { w, reported, error, commits } = broken('a');
  const get = w.read('get', Todo, { reply: () => ({ id: 1, title: 'a' }) });
  expect(await w.controller.fetch(get, { id: 1 })).toBe(w.controller.get(Todo, { id: 1 }));
  expect(reported.mock.calls).toEqual([[error]]);
  expect(commits).toEqual(['answer']);
});

test('[I1] set stores the value and emits the commit, although a reader throws', async () => {
  const { w, reported, commits } = broken('a');
  await w.controller.set(Todo, { id: 1 }, { title: 'a' });
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('a');
  expect(reported).toHaveBeenCalledTimes(1);
  expect(commits).toEqual(['set']);
});

test('[O5] a mutation is sent, and rolled back when it fails, although a reader throws at the optimistic value', async () => {
  const { w, reported } = broken('boom');
  await w.controller.set(Todo, { id: 1 }, { title: 'a' });
  const update = w.mutation('update', Todo, {
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  });
  const refusal = refused(w.controller.fetch(update, { id: 1 }, { title: 'boom' }));
  expect(w.log).toHaveLength(1);
  expect(reported).toHaveBeenCalledTimes(1);
  await w.call().fail(new Error('refused'));
  expect(await refusal).toMatchObject({ message: 'refused' });
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('a');
});

test('[O9] a transaction is confirmed, and a later set is shown, although a reader throws at a step', async () => {
  const { w } = broken('boom');
  await w.controller.set(Todo, { id: 1 }, { title: 'a' });
  await transaction(w.controller, async ({ set }) => {
    await settled();
    await set(Todo, { id: 1 }, { title: 'boom' });
  });
  await w.controller.set(Todo, { id: 1 }, { title: 'later' });
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('later');
});

test('[F2] on a platform without reportError, an exception in a reader is printed', async () => {
  const { w, error } = broken('a');
  vi.stubGlobal('reportError', undefined);
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  await w.controller.set(Todo, { id: 1 }, { title: 'a' });
  expect(printed.mock.calls).toEqual([[error]]);
  printed.mockRestore();
});

test('[O8] a request whose response makes a reader reset the store rejects with ResetError', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 8 }) });
  effect(() => {
    if (w.controller.entity(Todo, 8).value !== undefined) w.controller.reset();
  });
  await expect(w.controller.fetch(get, { id: 8 })).rejects.toThrow(ResetError);
});

test('[F2] a request whose response a reader deletes at once resolves with undefined', async () => {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 8 }) });
  const seen = watch(w.controller.entity(Todo, 8));
  effect(() => {
    if (w.controller.entity(Todo, 8).value !== undefined)
      void w.controller.set(new Delete(Todo), { id: 8 }, {});
  });
  expect(await w.controller.fetch(get, { id: 8 })).toBeUndefined();
  expect(seen.last).toBeUndefined();
});
