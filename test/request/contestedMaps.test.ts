// A push for a key of a map that an own assign in flight writes, too: the own entry is shown, and the map is refetched.
import { Collection, Entity, Values, optimistic, replay, transaction } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refused, world } from '../setup/world.ts';

class Coin extends Entity {
  id = '';
  rank = 0;
}

const coins = new Collection(new Values(Coin));
type Ids = Record<string, string>;
const body = (ids: Ids) =>
  Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, { id, rank: 1 }]));

async function stage(isOptimistic: boolean) {
  const w = world({ optimistic });
  const { controller } = w;
  const read = w.read('coins', coins);
  const assign = w.mutation('assign', coins.assign, {
    ...(isOptimistic && { getOptimisticResponse: (_: unknown, given: object) => given }),
  });
  await controller.setResponse(read, {}, body({ k: 'first', other: 'x' }));
  const leave = controller.view(read, {}).retain();
  const show = (): Ids => {
    const map = (controller.get(coins, {}) ?? {}) as Record<string, { id: string }>;
    return Object.fromEntries(Object.entries(map).map(([key, { id }]) => [key, id]));
  };
  const send = (ids: Ids) => {
    controller.fetch(assign, body(ids)).catch(() => {});
    return w.call();
  };
  const push = (ids: Ids) => controller.set(coins.assign, {}, body(ids));
  const reads = () => w.calls.filter(({ name }) => name === 'coins');
  return { w, controller, read, assign, leave, show, send, push, reads };
}

describe.each([
  ['without optimism', false],
  ['with optimism', true],
])('%s', (_, isOptimistic) => {
  test('[O15] after a push for a key that an assign in flight writes, the own entry shows, and the map is refetched once', async () => {
    const { show, send, push, reads } = await stage(isOptimistic);
    const assigning = send({ k: 'mine' });
    await push({ k: 'theirs' });
    expect(show()['k']).toBe(isOptimistic ? 'mine' : 'theirs');
    await assigning.answer(body({ k: 'mine' }));
    expect(show()['k']).toBe('mine');
    expect(reads()).toHaveLength(1);
    await reads()[0]?.answer(body({ k: 'theirs', other: 'x' }));
    expect(show()).toEqual({ k: 'theirs', other: 'x' });
    expect(reads()).toHaveLength(1);
  });

  test('[O15] a push of a map while `assign` of one key is in flight refetches the map', async () => {
    const { controller, show, send, reads } = await stage(isOptimistic);
    const assigning = send({ k: 'mine' });
    await controller.set(coins, {}, body({ k: 'theirs', other: 'x' }));
    await assigning.answer(body({ k: 'mine' }));
    expect(show()).toEqual({ k: 'mine', other: 'x' });
    expect(reads()).toHaveLength(1);
  });

  test('[O15] a pushed map without the key that an own assign writes refetches the map', async () => {
    const { controller, send, reads } = await stage(isOptimistic);
    const assigning = send({ k: 'mine' });
    await controller.set(coins, {}, body({ other: 'x' }));
    await assigning.answer(body({ k: 'mine' }));
    expect(reads()).toHaveLength(1);
  });

  test('[O15] a read between a conflicting push and the response of the assign does not prevent the refetch of the map', async () => {
    const { w, controller, read, send, push, reads } = await stage(isOptimistic);
    for (const pushes of [
      () => push({ k: 'theirs' }),
      () => controller.set(coins, {}, body({ k: 'theirs' })),
    ]) {
      const before = reads().length;
      const assigning = send({ k: 'mine' });
      await pushes();
      controller.invalidate(read, {});
      controller.fetch(read, {}).catch(() => {});
      await w.call().answer(body({ k: 'theirs' }));
      await assigning.answer(body({ k: 'mine' }));
      expect(reads().length - before).toBe(2);
      await w.call().answer(body({ k: 'first' }));
    }
  });

  test('[O15] after a push that conflicts with an assign, a map without mounted readers is refetched when read', async () => {
    const { w, controller, read, send, push, leave } = await stage(isOptimistic);
    leave();
    const assigning = send({ k: 'mine' });
    await push({ k: 'theirs' });
    await assigning.answer(body({ k: 'mine' }));
    expect(w.calls).toHaveLength(1);
    void controller.fetchIfStale(read, {});
    expect(w.calls).toHaveLength(2);
  });

  test.each([
    ['of another key', { other: 'theirs' }],
    ['of the own entry', { k: 'mine' }],
  ])('[O15] a push %s during an assign sends no request', async (__, ids) => {
    const { send, push, reads } = await stage(isOptimistic);
    const assigning = send({ k: 'mine' });
    await push(ids);
    await assigning.answer(body({ k: 'mine' }));
    expect(reads()).toHaveLength(0);
  });

  test('[O15] a push of another entry followed by a push of the own entry causes no refetch of the map', async () => {
    const { send, push, reads } = await stage(isOptimistic);
    const assigning = send({ k: 'mine' });
    await push({ k: 'theirs' });
    await push({ k: 'mine' });
    await assigning.answer(body({ k: 'mine' }));
    expect(reads()).toHaveLength(0);
  });

  test('[O15] a response that contains the pushed entry is shown, and causes no refetch of the map', async () => {
    const { show, send, push, reads } = await stage(isOptimistic);
    const assigning = send({ k: 'mine' });
    await push({ k: 'theirs' });
    await assigning.answer(body({ k: 'theirs' }));
    expect(show()['k']).toBe('theirs');
    expect(reads()).toHaveLength(0);
  });

  test('[O15] a push before the assign or after its response sends no request', async () => {
    const { show, send, push, reads } = await stage(isOptimistic);
    await push({ k: 'before' });
    await send({ k: 'mine' }).answer(body({ k: 'mine' }));
    await push({ k: 'after' });
    expect(show()['k']).toBe('after');
    expect(reads()).toHaveLength(0);
  });

  test('[O15] after an assign that fails, the pushed entry shows', async () => {
    const { w, controller, assign, show, push, reads } = await stage(isOptimistic);
    const failed = refused(controller.fetch(assign, body({ k: 'mine' })));
    await push({ k: 'theirs' });
    await w.call().fail(new Error('no'));
    await failed;
    expect(show()['k']).toBe('theirs');
    expect(reads()).toHaveLength(0);
  });

  test('[O15] an assign issued after the push and confirmed first keeps its entry, and the map is not refetched', async () => {
    const { show, send, push, reads } = await stage(isOptimistic);
    const first = send({ k: 'one' });
    await push({ k: 'theirs' });
    const second = send({ k: 'two' });
    await second.answer(body({ k: 'two' }));
    await first.answer(body({ k: 'one' }));
    expect(show()['k']).toBe('two');
    expect(reads()).toHaveLength(0);
  });

  test('[O15] a push that another tab received during an assign causes a refetch of the map', async () => {
    const { controller, send, reads } = await stage(isOptimistic);
    const other = world();
    controller.on('request', (request) => replay(other.controller, request));
    other.controller.on('commit', (commit) => replay(controller, commit));
    const assigning = send({ k: 'mine' });
    await other.controller.set(coins.assign, {}, body({ k: 'theirs' }));
    await assigning.answer(body({ k: 'mine' }));
    expect(reads()).toHaveLength(1);
  });

  test('[O15] two assigns in flight during a conflicting push cause a refetch of the map after each response', async () => {
    const { send, push, reads } = await stage(isOptimistic);
    const first = send({ k: 'one' });
    const second = send({ k: 'two' });
    await push({ k: 'theirs' });
    await first.answer(body({ k: 'one' }));
    await reads()[0]?.answer(body({ k: 'one' }));
    await second.answer(body({ k: 'two' }));
    expect(reads()).toHaveLength(2);
  });

  test('[O15] a conflicting push between a response and the end of its transaction causes a refetch of the map at the end', async () => {
    const { w, controller, assign, push, show, reads } = await stage(isOptimistic);
    const done = transaction(controller, async ({ fetch }) => {
      await fetch(assign, body({ k: 'mine' }));
      await fetch(assign, body({ l: 'mine' }));
    });
    await w.call().answer(body({ k: 'mine' }));
    await push({ k: 'theirs' });
    await w.call().answer(body({ l: 'mine' }));
    await done;
    expect(show()).toEqual({ k: 'mine', other: 'x', l: 'mine' });
    expect(reads()).toHaveLength(1);
  });
});
