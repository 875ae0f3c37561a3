// Properties of signals that adapters rely on: errors and promises are values, and time is not a signal.
import { effect } from '@preact/signals-core';
import { Controller, Endpoint, Entity, live as liveOf, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';

test('[V2] an effect that reads a failed or pending result does not throw in the writer', async () => {
  const w = world();
  const reader = w.controller.view(w.getTodo, { id: 1 });
  const seen: string[] = [];
  const stop = effect(() => void seen.push(reader.result.value.status));
  const stopLive = effect(() => void seen.push(`live ${liveResult(reader).value.status}`));
  seen.length = 0;
  await w.controller.setError(w.getTodo, { id: 1 }, new Error('no'));
  expect(seen).toEqual(['error', 'live error']);
  w.controller.invalidate(w.getTodo, { id: 1 });
  await w.controller.fetch(w.getTodo, { id: 1 });
  expect(seen.slice(2)).toEqual(['pending', 'live pending', 'success', 'live success']);
  stop();
  stopLive();
});

test('[V2] storing the same error again notifies no reader', async () => {
  const w = world();
  const error = new Error('no');
  await w.controller.setError(w.getTodo, { id: 1 }, error);
  let runs = 0;
  const { result } = w.controller.view(w.getTodo, { id: 1 });
  const stop = effect(() => void (result.value, runs++));
  await w.controller.setError(w.getTodo, { id: 1 }, error);
  expect(runs).toBe(1);
  stop();
});

test('[H2] a key has one promise while a request is pending, and another after an invalidation', async () => {
  const w = world();
  const reader = w.controller.view(w.getTodo, { id: 1 });
  const first = reader.ensure(true);
  expect(reader.ensure(true)).toBe(first);
  expect(reader.ready).toBe(first);
  await first;
  expect(first?.status).toBe('fulfilled');
  expect(reader.ensure(true)).toBeUndefined();
  expect(reader.ready).toBe(first);
  w.controller.invalidate(w.getTodo, { id: 1 });
  expect(reader.ensure(false)).not.toBe(first);
});

test('[O7] a view that is invalidated again during the refetch refetches once more', async () => {
  const w = world();
  const reader = w.controller.view(w.getTodo, { id: 1 });
  await reader.ensure(true);
  const release = reader.retain();
  w.server.hold();
  const asked = w.server.log.length;
  w.controller.invalidate(w.getTodo, { id: 1 });
  void reader.ensure(false);
  await new Promise((resolve) => setImmediate(resolve));
  w.controller.invalidate(w.getTodo, { id: 1 });
  w.server.release();
  await expect.poll(() => reader.result.peek().status).toBe('success');
  expect(w.server.log.length).toBe(asked + 2);
  release();
});

test('[V5] private members of a class work in snapshots, and throw a TypeError in live objects', async () => {
  class Secret extends Entity {
    id = 0;
    title = '';
    #times = 2;
    static override key = 'Secret';
    get twice(): string {
      return this.title.repeat(this.#times);
    }
    get loud(): string {
      return this.title.toUpperCase();
    }
  }
  const controller = new Controller();
  const get = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, title: 'ab' }), {
    name: 'get',
    schema: Secret,
  });
  const snapshot = await controller.fetch(get, { id: 1 });
  expect(snapshot.twice).toBe('abab');
  const live = liveOf(controller, Secret, 1);
  expect(live.loud).toBe('AB');
  // a live object is a proxy: JavaScript gives a proxy no access to private members
  expect(() => live.twice).toThrow(TypeError);
});

test('[C7] expireErrors lets new readers refetch, while mounted readers keep the error', async () => {
  const w = world();
  w.server.fail(404);
  await w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {});
  w.server.fail(undefined);
  const reader = w.controller.view(w.getTodo, { id: 1 });
  expect(reader.ensure(true)).toBeUndefined();
  w.controller.expireErrors();
  expect(reader.ensure(false)).toBeUndefined();
  expect(reader.result.peek().status).toBe('error');
  await reader.ensure(true);
  expect(reader.result.peek().data).toMatchObject({ title: 't1' });
});

test('[N4] data of a class replaced by a hot reload stay shown until a refetch', async () => {
  const classes = ['!', '?'].map(
    (mark) =>
      class Todo extends Entity {
        id = 0;
        title = '';
        get shout(): string {
          return this.title + mark;
        }
      },
  );
  const [Old, New] = classes as [(typeof classes)[0], (typeof classes)[0]];
  const controller = new Controller();
  const get = new Endpoint(async () => ({ id: 1, title: 'a' }), { name: 'get', schema: Old });
  const shown = () => controller.view(get).result.peek().data;
  await controller.fetch(get);
  const before = shown();
  // the module was run anew: the same names, another class
  const again = get.extend({ schema: New });
  expect([shown(), shown()?.shout]).toEqual([before, 'a!']);
  await controller.fetch(again);
  expect(shown()).toBeInstanceOf(New);
  expect(shown()?.shout).toBe('a?');
  expect(liveOf(controller, New, 1).shout).toBe('a?');
});
