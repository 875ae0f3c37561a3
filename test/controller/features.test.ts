/** Functions that take a controller, and that an application imports when it needs them. */
import {
  Controller,
  createResource,
  live,
  replay,
  RestEndpoint,
  subscribe,
  transaction,
  unsubscribe,
} from 'signalbox';
import type { HttpCache, Optimistic } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, Todo, world } from '../setup/world.ts';

const get = new RestEndpoint({ path: '/todos', schema: [Todo] });
const others = [undefined, null, {}, Controller, 'controller'];

test.each(others)('[I1] a function of a controller refuses %s by name', (other) => {
  const wrong = other as Controller;
  const refused = expect.objectContaining({ code: 'A7' }) as Error;
  expect(() => transaction(wrong, () => undefined)).toThrow(refused);
  expect(() => live(wrong, Todo, 1)).toThrow(refused);
  expect(() => subscribe(wrong, get)).toThrow(refused);
  expect(() => unsubscribe(wrong, get)).toThrow(refused);
  expect(() => replay(wrong, { id: 1 } as never)).toThrow(refused);
});

test('[F6] a policy http that is not httpCache is refused by name', async () => {
  const http = true as unknown as HttpCache;
  const policed = new RestEndpoint({ path: '/todos/:id', schema: Todo, http });
  const done = new Controller().fetch(policed, { id: 1 });
  await expect(done).rejects.toMatchObject({ code: 'E12' });
});

test('[M5] an option optimistic that is not optimistic is refused by name', () => {
  const option = true as unknown as Optimistic;
  const make = () => createResource({ path: '/todos/:id', schema: Todo, optimistic: option });
  expect(make).toThrow(expect.objectContaining({ code: 'E12' }) as Error);
});

test('[O8] a subscription that a listener to reset begins goes on', async () => {
  const w = world();
  const count = w.read('count', undefined, { reply: () => 1 }).extend({ pollFrequency: 100 });
  w.controller.on('reset', () => void subscribe(w.controller, count));
  subscribe(w.controller, count);
  await settled();
  w.controller.reset();
  await settled();
  const before = w.calls.length;
  w.clock.advance(100);
  await settled();
  expect(w.calls.length).toBe(before + 1);
});
