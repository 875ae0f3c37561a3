/** Functions that take a controller and that an application imports separately. */
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
import { describe, expect, test } from 'vitest';
import { settled, Todo, world } from '../setup/world.ts';

const get = new RestEndpoint({ path: '/todos', schema: [Todo] });
const others = [undefined, null, {}, Controller, 'controller'];

test.each(others)('[I1] functions that take a controller throw A7 for %s', (other) => {
  const wrong = other as Controller;
  const refused = expect.objectContaining({ code: 'A7' }) as Error;
  expect(() => transaction(wrong, () => undefined)).toThrow(refused);
  expect(() => live(wrong, Todo, 1)).toThrow(refused);
  expect(() => subscribe(wrong, get)).toThrow(refused);
  expect(() => unsubscribe(wrong, get)).toThrow(refused);
  expect(() => replay(wrong, { id: 1 } as never)).toThrow(refused);
});

test('[F6] a fetch with a policy `http` that is not httpCache rejects with E12', async () => {
  const http = true as unknown as HttpCache;
  const policed = new RestEndpoint({ path: '/todos/:id', schema: Todo, http });
  const done = new Controller().fetch(policed, { id: 1 });
  await expect(done).rejects.toMatchObject({ code: 'E12' });
});

test('[M5] a controller with an option `optimistic` that is not the import throws E12', () => {
  const option = true as unknown as Optimistic;
  const make = () => new Controller({ optimistic: option });
  expect(make).toThrow(expect.objectContaining({ code: 'E12' }) as Error);
});

describe('on a controller without `optimistic`', () => {
  const Todos = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });
  const answer = async () => ({ id: 1, title: 'new' });
  const changing = {
    'a resource with optimistic: true': Todos.partialUpdate.extend({ fetch: answer }),
    getOptimisticResponse: new RestEndpoint({
      path: '/todos/:id',
      schema: Todo,
      method: 'PATCH',
      fetch: answer,
      getOptimisticResponse: () => ({ id: 1, title: 'new' }),
    }),
    update: Todos.partialUpdate.extend({
      fetch: answer,
      getOptimisticResponse: undefined,
      update: () => ({}),
    }),
  };

  test.each(Object.entries(changing))(
    '[M5] a mutation that needs `optimistic` rejects with E12, which names the code to add, in development: %s',
    async (_, endpoint) => {
      const controller = new Controller();
      await controller.set(Todo, { id: 1 }, { id: 1, title: 'old' });
      const sent = controller.fetch(endpoint as RestEndpoint, { id: 1 }, { title: 'new' });
      await expect(sent).rejects.toMatchObject({ code: 'E12' });
      await expect(sent).rejects.toThrow('new Controller({ optimistic })');
      expect(controller.get(Todo, { id: 1 })?.title).toBe('old');
    },
  );

  test('[M5] without `optimistic` other mutations are sent, and a transaction shows and rolls back its steps', async () => {
    const controller = new Controller();
    const rename = Todos.partialUpdate.extend({ fetch: answer, getOptimisticResponse: undefined });
    await controller.fetch(rename, { id: 1 }, { title: 'new' });
    expect(controller.get(Todo, { id: 1 })?.title).toBe('new');
    const failed = transaction(controller, async ({ set }) => {
      await set(Todo, { id: 1 }, { title: 'step' });
      expect(controller.get(Todo, { id: 1 })?.title).toBe('step');
      throw new Error('given up');
    });
    await expect(failed).rejects.toThrow('given up');
    expect(controller.get(Todo, { id: 1 })?.title).toBe('new');
  });
});

test('[O8] a subscription created in a listener of `reset` is polled', async () => {
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
