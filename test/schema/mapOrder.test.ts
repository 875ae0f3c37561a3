// Membership of maps in any order of responses: own assigns, reads, pushes and failures against a model of the rule.
import * as fc from 'fast-check';
import { Collection, Entity, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../setup/world.ts';

class Coin extends Entity {
  id = '';
  rank = 0;
}

const coins = new Collection(new Values(Coin));
const coin = (id: string) => ({ id, rank: 1 });
type Ids = Record<string, string>;
const body = (ids: Ids) =>
  Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, coin(id)]));

async function stage(first: Ids = { k: 'first' }) {
  const w = world();
  const { controller } = w;
  const read = w.read('coins', coins);
  const assign = w.mutation('assign', coins.assign, {
    getOptimisticResponse: (_: unknown, given: object) => given,
  });
  await controller.setResponse(read, {}, body(first));
  const show = (): Ids => {
    // of the map alone: the key is invalidated, so that each read sends a request
    const map = controller.get(coins, {}) ?? {};
    return Object.fromEntries(Object.entries(map).map(([key, { id }]) => [key, id]));
  };
  const send = (ids: Ids) => {
    controller.fetch(assign, body(ids)).catch(() => {});
    const call = w.call();
    return { answer: () => call.answer(body(ids)), fail: () => call.fail(new Error('no')) };
  };
  const get = () => {
    controller.invalidate(read, {});
    controller.fetch(read, {}).catch(() => {});
    const call = w.call();
    return { answer: (ids: Ids) => call.answer(body(ids)) };
  };
  return { w, controller, show, send, get };
}

test('[O12] of two assigns of one key with responses in reverse order the one issued later wins', async () => {
  const { show, send } = await stage();
  const first = send({ k: 'a', x: 'a' });
  const second = send({ k: 'b' });
  await second.answer();
  await first.answer();
  expect(show()).toEqual({ k: 'b', x: 'a' });
  await send({ k: 'c' }).answer();
  expect(show()).toEqual({ k: 'c', x: 'a' });
});

test('[O12] a read between the responses of two assigns is kept when the earlier assign responds', async () => {
  const { show, send, get } = await stage();
  const first = send({ k: 'a' });
  const second = send({ k: 'b' });
  await second.answer();
  await get().answer({ k: 'other' });
  expect(show()).toEqual({ k: 'other' });
  await first.answer();
  expect(show()).toEqual({ k: 'other' });
});

test('[O12] a read issued before an assign does not undo the assign, a read issued after its response replaces the map', async () => {
  const { show, send, get } = await stage();
  const early = get();
  const write = send({ k: 'a', y: 'b' });
  await write.answer();
  await early.answer({ k: 'first', z: 'z' });
  expect(show()).toEqual({ k: 'a', y: 'b', z: 'z' });
  await get().answer({ k: 'first' });
  expect(show()).toEqual({ k: 'first' });
});

test('[O12] a failed assign leaves the earlier assign, in either order of responses', async () => {
  for (const late of [true, false]) {
    const { show, send } = await stage();
    const first = send({ k: 'a' });
    const second = send({ k: 'b' });
    if (late) await first.answer();
    await second.fail();
    if (!late) await first.answer();
    expect(show()).toEqual({ k: 'a' });
  }
});

test('[O12] a read issued before two assigns of an entity adds the entity under the key of the read', async () => {
  const { controller, show, send, get } = await stage({});
  const early = get();
  await controller.set(coins.assign, {}, body({ a: '4' }));
  await send({ a: '4' }).answer();
  await early.answer({ b: '4' });
  expect(show()).toEqual({ a: '4', b: '4' });
});

/*
 * The model: a key is as the latest of these says, by time.
 *   a read      the time of issue; concerns every key
 *   a push      the time of receipt
 *   an assign   the time of confirmation, unless a later-issued assign of the key was confirmed before
 *   a removal   the time of confirmation, for each key that has the entity, with the same exception; concerns the
 *               entity in reads issued before, too
 * Above these are the assigns in flight (O5), in the order of issue, unless an assign of the key is confirmed that was issued
 * later.
 */
class Model {
  time = 0;
  full = { time: 0, ids: new Map<string, string>([['k', 'first']]) };
  readonly keys = new Map<string, { time: number; id: string | undefined; issued: number }>();
  /** When entities were last removed. */
  readonly removed = new Map<string, number>();
  /** Assigns in flight, by time of issue. */
  readonly pending = new Map<number, Ids>();

  put(key: string, id: string, issued?: number): void {
    const last = this.keys.get(key)?.issued ?? 0;
    if (issued !== undefined && issued < last) return;
    this.keys.set(key, { time: ++this.time, id, issued: issued ?? last });
  }

  read(ids: Ids, issued: number): void {
    if (issued >= this.full.time) this.full = { time: issued, ids: new Map(Object.entries(ids)) };
  }

  remove(id: string, issued: number): void {
    const time = ++this.time;
    for (const [key, present] of this.confirmed) {
      const last = this.keys.get(key)?.issued ?? 0;
      if (present === id && issued >= last)
        this.keys.set(key, { time, id: undefined, issued: last });
    }
    this.removed.set(id, time);
  }

  get confirmed(): Map<string, string> {
    const { time: readAt, ids: read } = this.full;
    const confirmed = new Map([...read].filter(([, id]) => (this.removed.get(id) ?? 0) <= readAt));
    for (const [key, { time, id }] of this.keys) {
      if (time > readAt && id !== undefined) confirmed.set(key, id);
      else if (time > readAt) confirmed.delete(key);
    }
    return confirmed;
  }

  get shown(): Ids {
    const shown = this.confirmed;
    for (const [issued, given] of this.pending)
      for (const [key, id] of Object.entries(given))
        if (issued >= (this.keys.get(key)?.issued ?? 0)) shown.set(key, id);
    return Object.fromEntries(shown);
  }
}

const ids = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 })
  .chain((keys) =>
    fc.record(Object.fromEntries(keys.map((key) => [key, fc.constantFrom('1', '2', '3', '4')]))),
  );
const step = fc.oneof(
  fc.record({ does: fc.constantFrom('assign', 'assign', 'read', 'push', 'pushMap'), ids }),
  fc.record({ does: fc.constant('remove'), id: fc.constantFrom('1', '2', '3', '4') }),
  fc.record({ does: fc.constantFrom('answer', 'answer', 'fail'), at: fc.nat(5), ids }),
);

test('[O12] a map equals the model after any sequence of assigns, removals, reads, pushes and failures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      const { w, controller, show, send, get } = await stage();
      const remove = w.mutation('remove', coins.remove);
      const model = new Model();
      const open: { settle: (how: string, given: Ids) => Promise<void> }[] = [];
      for (const given of steps) {
        const issued = ++model.time;
        if (given.does === 'push') {
          await controller.set(coins.assign, {}, body(given.ids));
          for (const key of Object.keys(given.ids)) model.put(key, given.ids[key] as string);
        } else if (given.does === 'pushMap') {
          await controller.set(coins, {}, body(given.ids));
          model.read(given.ids, ++model.time);
        } else if ('id' in given) {
          controller.fetch(remove, { id: given.id }).catch(() => {});
          const call = w.call();
          open.push({
            settle: async (how) => {
              if (how === 'fail') return call.fail(new Error('no'));
              await call.answer(coin(given.id));
              model.remove(given.id, issued);
            },
          });
        } else if (given.does === 'assign') {
          const call = send(given.ids);
          model.pending.set(issued, given.ids);
          open.push({
            settle: async (how) => {
              model.pending.delete(issued);
              if (how === 'fail') return call.fail();
              await call.answer();
              for (const key of Object.keys(given.ids))
                model.put(key, given.ids[key] as string, issued);
            },
          });
        } else if (given.does === 'read') {
          const call = get();
          open.push({
            settle: async (_, told) => {
              await call.answer(told);
              model.read(told, issued);
            },
          });
        } else if ('at' in given) {
          const [call] = open.splice(given.at % Math.max(open.length, 1), 1);
          await call?.settle(given.does, given.ids);
        }
        expect(show()).toEqual(model.shown);
      }
    }),
    { numRuns: 300 },
  );
});

test('[N19] a read issued before an assign keeps the assigned entity under its new primary key', async () => {
  const { w, controller, show, send, get } = await stage({ k: 'first' });
  await controller.set(Coin, { id: 'b' }, coin('b'));
  const early = get();
  await send({ k: 'a' }).answer();
  const rename = w.mutation('rename', Coin, { method: 'PUT' } as object);
  controller.fetch(rename, { id: 'a' }, { rank: 2 }).catch(() => {});
  await w.call().answer({ id: 'b', rank: 2 });
  expect(show()).toEqual({ k: 'b' });
  await early.answer({ k: 'first' });
  expect(show()).toEqual({ k: 'b' });
});

test('[O7] a push of a whole map after an invalidation makes the key fresh, and no request is sent', async () => {
  const { w, controller } = await stage();
  const read = w.read('coins', coins);
  controller.invalidate(read, {});
  await controller.set(coins, {}, body({ k: 'pushed' }));
  controller.fetchIfStale(read, {}).catch(() => {});
  expect(w.calls).toHaveLength(0);
});
