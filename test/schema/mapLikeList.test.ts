// Maps obey the rules of lists: removed members stay away, nested maps go with the parent, pages extend the map.
import { Collection, Entity, Values, optimistic } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../setup/world.ts';

class Coin extends Entity {
  id = '';
  rank = 0;
}

const coins = new Collection(new Values(Coin));
type Ids = Record<string, string>;
const body = (ids: Ids) =>
  Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, { id, rank: 1 }]));

function stage() {
  const w = world({ optimistic });
  const { controller } = w;
  const read = w.read('coins', coins);
  const remove = w.mutation('remove', coins.remove);
  const assign = w.mutation('assign', coins.assign);
  const show = (): Ids | undefined => {
    const map = controller.get(coins, {}) as Record<string, { id: string }> | undefined;
    return map && Object.fromEntries(Object.entries(map).map(([key, { id }]) => [key, id]));
  };
  const send = (endpoint: typeof read | typeof remove | typeof assign, ...args: object[]) => {
    controller.fetch(endpoint as typeof remove, ...(args as [object])).catch(() => {});
    return w.call();
  };
  return { w, controller, read, remove, assign, show, send };
}

test('[O4] a read of a map issued before a member was removed does not restore the member', async () => {
  const { read, remove, show, send } = stage();
  const early = send(read, {});
  await send(remove, { id: 'a' }).answer({ id: 'a', rank: 1 });
  await early.answer(body({ k: 'a', other: 'x' }));
  expect(show()).toEqual({ other: 'x' });
});

test('[O4] a read issued before a removal does not add the removed member to a map that lacked the member', async () => {
  const { controller, read, remove, show, send } = stage();
  await controller.setResponse(read, {}, body({ other: 'x' }));
  controller.invalidate(read, {});
  const early = send(read, {});
  await send(remove, { id: 'a' }).answer({ id: 'a', rank: 1 });
  await early.answer(body({ k: 'a', other: 'x' }));
  expect(show()).toEqual({ other: 'x' });
});

test('[O4] a read of a map issued after a removal restores the member', async () => {
  const { read, remove, show, send } = stage();
  await send(remove, { id: 'a' }).answer({ id: 'a', rank: 1 });
  await send(read, {}).answer(body({ k: 'a' }));
  expect(show()).toEqual({ k: 'a' });
});

test('[O4] a member that is assigned and removed before the response of the first read is not shown', async () => {
  const { read, assign, remove, show, send } = stage();
  const early = send(read, {});
  await send(assign, body({ k: 'a' })).answer(body({ k: 'a' }));
  await send(remove, { id: 'a' }).answer({ id: 'a', rank: 1 });
  await early.answer(body({ other: 'x' }));
  expect(show()).toEqual({ other: 'x' });
});

test('[O12] a removal issued before an assign of the same entity, and confirmed after, keeps the member', async () => {
  const { controller, read, assign, remove, show, send } = stage();
  await controller.setResponse(read, {}, body({ old: 'a' }));
  controller.invalidate(read, {});
  const early = send(read, {});
  const removing = send(remove, { id: 'a' });
  await send(assign, body({ k: 'a' })).answer(body({ k: 'a' }));
  await removing.answer({ id: 'a', rank: 1 });
  expect(show()).toEqual({ k: 'a' });
  await early.answer(body({ old: 'a', k: 'first' }));
  expect(show()).toEqual({ k: 'a' });
});

class Owner extends Entity {
  id = 0;
  name = '';
  coins: Record<string, Coin> = {};
  static override schema = {
    coins: new Collection(new Values(Coin), {
      nestKey: (parent: { id: number }) => ({ owner: parent.id }),
    }),
  };
}

test('[O13] a map nested in a created entity is kept if the response leaves the map out', async () => {
  const w = world({ optimistic });
  const { controller } = w;
  const owners = new Collection([Owner]);
  const list = w.read('list', owners);
  await controller.setResponse(list, {}, []);
  const create = w.mutation('create', owners.push, {
    getOptimisticResponse: (_: unknown, given: object) => given,
  });
  const shown = () =>
    controller.get(owners, {})?.map(({ id, coins: map }) => [id, Object.keys(map)]);
  await controller.set(Coin, { id: 'a' }, { id: 'a', rank: 1 });
  controller.fetch(create, { name: 'ada', coins: body({ k: 'a' }) } as never).catch(() => {});
  expect(shown()?.[0]?.[1]).toEqual(['k']);
  await w.call().answer({ id: 9, name: 'ada' });
  expect(shown()).toEqual([[9, ['k']]]);
});
