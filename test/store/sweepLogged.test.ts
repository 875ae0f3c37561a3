/** Garbage collection between a confirmed creation and the response of a list read issued before. */
import { Collection, Entity, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, world } from '../setup/world.ts';

class Coin extends Entity {
  name = '';
  price = 0;
  override pk() {
    return this.name;
  }
}

/** Writes to a list that no response has filled, collects, and answers reads issued before and after. */
async function writeAndSweep(kind: 'push' | 'push of a form' | 'assign') {
  const w = world({ retry: false });
  const { controller, calls } = w;
  const [list, map] = [new Collection([Coin]), new Collection(new Values(Coin))];
  const coins = kind === 'assign' ? map : list;
  const getList = w.read('coins', coins);
  const getCoin = w.read('coin', Coin);
  const answer = kind === 'assign' ? { k: { name: 'eth' } } : { name: 'eth' };
  const body = kind === 'push of a form' ? new FormData() : answer;
  const endpoint = w.mutation('write', kind === 'assign' ? map.assign : list.push);
  const writing = controller.fetch(endpoint, body);
  const reading = controller.fetch(getList, {});
  const [write, older] = calls;
  void write?.answer(answer);
  await writing;
  controller.sweep();
  const later = controller.fetch(getCoin, { name: 'eth' });
  void older?.answer(kind === 'assign' ? {} : []);
  await reading;
  return { controller, calls, getList, later };
}

test.each(['push', 'push of a form', 'assign'] as const)(
  '[I3] a row of a confirmed %s stays as long as an older read of its list is in flight',
  async (kind) => {
    const { controller, calls, getList, later } = await writeAndSweep(kind);
    const rows = () => Object.values(controller.getResponse(getList, {}).data as object) as Coin[];
    expect(rows()).toMatchObject([{ name: 'eth', price: 0 }]);
    void calls[2]?.answer({ name: 'eth', price: 5 });
    await later;
    await settled();
    // the same record: a write to the entity shows in the list
    expect(rows()).toMatchObject([{ name: 'eth', price: 5 }]);
    expect(rows()[0]).toBe(controller.get(Coin, { name: 'eth' }));
  },
);
