// A view of a row with a deletion in flight, beside other optimistic writes of the row and its parts.
import { Delete, Entity, liveResult } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, User, watch, world } from '../setup/world.ts';

class Item extends Entity {
  id = 0;
  name = '';
  owner = User.fromJS();
  static override schema = { owner: User };
}

const ITEM = { id: 1, name: 'old', owner: { id: 1, name: 'Ada' } };

/** An item and an owner, and requests with optimistic responses that change both. */
async function stage(schema: object = Item, wrap: (item: object) => unknown = (item) => item) {
  const w = world();
  const { controller } = w;
  const given = (_: unknown, params: object, body?: object) => ({ ...params, ...body });
  const edit = w.mutation('edit', Item, { getOptimisticResponse: given });
  const editUser = w.mutation('edit user', User, { getOptimisticResponse: given });
  const remove = w.mutation('remove', new Delete(Item), { getOptimisticResponse: given });
  const get = w.read('get', schema);
  await controller.set(Item, {}, ITEM);
  const send = (endpoint: (...args: object[]) => unknown, ...args: object[]) => {
    controller.fetch(endpoint as typeof edit, ...args).catch(() => {});
    return w.call();
  };
  /** A view after a request and its response. */
  const answered = async (item: object = ITEM) => {
    const view = controller.view(get, { id: 1 });
    const read = controller.fetch(get, { id: 1 });
    await w.call().answer(wrap(item));
    await read;
    return view;
  };
  const shown = (view: Awaited<ReturnType<typeof answered>>) => view.result.peek();
  return { w, controller, get, edit, editUser, remove, send, answered, shown };
}

describe('a response during an optimistic deletion', () => {
  test.for([
    ['an entity', Item, (item: object) => item],
    ['an envelope', { item: Item }, (item: object) => ({ item })],
    [
      'an envelope of a list of one',
      { items: [Item], item: Item },
      (item: object) => ({ items: [item], item }),
    ],
  ] as const)(
    '[V3] a read during an optimistic deletion has one result object, marked as deleted: %s',
    async ([, schema, wrap]) => {
      const { remove, send, answered, shown } = await stage(schema, wrap);
      send(remove, { id: 1 });
      const view = await answered();
      const first = shown(view);
      expect(first).toMatchObject({ status: 'success', deleted: true });
      expect(shown(view)).toBe(first);
    },
  );

  test('[O5] a read during an optimistic deletion shows the row and its parts with all optimistic writes', async () => {
    const { controller, edit, editUser, remove, send, answered, shown } = await stage();
    send(edit, { id: 1 }, { name: 'new' });
    send(remove, { id: 1 });
    send(editUser, { id: 1 }, { name: 'Eve' });
    const view = await answered();
    expect(shown(view)).toMatchObject({
      deleted: true,
      data: { name: 'new', owner: { name: 'Eve' } },
    });
    // the owner is the object that all other readers get
    const { owner } = shown(view).data as Item;
    expect(owner).toBe(controller.get(User, { id: 1 }));
  });

  test('[O5] a part of a row with an optimistic deletion follows later writes', async () => {
    const { controller, remove, send, answered, shown } = await stage();
    send(remove, { id: 1 });
    const view = await answered();
    const before = shown(view).data as Item;
    await controller.set(User, { id: 1 }, { name: 'Bob' });
    const after = shown(view).data as Item;
    expect([before.owner.name, after.owner.name]).toEqual(['Ada', 'Bob']);
    expect(shown(view).data).toBe(after);
  });

  test('[F2] fetch during an optimistic deletion resolves with the object of the view', async () => {
    const { w, controller, get, remove, send } = await stage();
    send(remove, { id: 1 });
    const view = controller.view(get, { id: 1 });
    const read = controller.fetch(get, { id: 1 });
    await w.call().answer(ITEM);
    expect(await read).toBe(view.result.peek().data);
  });

  test('[O5] a failed deletion shows the confirmed row, a confirmed deletion keeps the row marked as deleted', async () => {
    for (const fails of [true, false]) {
      const { remove, send, answered, shown } = await stage();
      const removal = send(remove, { id: 1 });
      const view = await answered({ ...ITEM, name: 'newer' });
      await (fails ? removal.fail(refusal(500)) : removal.answer({}));
      expect(shown(view)).toMatchObject({ status: 'success', data: { name: 'newer' } });
      expect('deleted' in shown(view)).toBe(!fails);
    }
  });
});

describe('a mounted row after its deletion', () => {
  const orders = [
    ['while the deletion is in flight', false],
    ['after the deletion is confirmed', true],
  ] as const;

  test.for(orders)(
    '[C10] a mounted deleted row rolls back a rejected optimistic value: %s',
    async ([, confirmed]) => {
      const { controller, edit, remove, send, answered, shown } = await stage();
      const view = await answered();
      const release = view.retain();
      const row = watch(view.result);
      const change = send(edit, { id: 1 }, { name: 'new' });
      const removal = send(remove, { id: 1 });
      if (confirmed) await removal.answer({});
      expect(row.last).toMatchObject({ deleted: true, data: { name: 'new' } });
      await change.fail(refusal(422));
      expect(row.last).toMatchObject({
        deleted: true,
        data: { name: 'old', owner: { name: 'Ada' } },
      });
      expect((shown(view).data as Item).owner).toBe(controller.get(User, { id: 1 }));
      expect(shown(view)).toBe(row.last);
      expect(controller.get(Item, { id: 1 })).toBeUndefined();
      release();
    },
  );

  test.for(orders)(
    '[C10] a mounted deleted row keeps an earlier optimistic value, pending or confirmed: %s',
    async ([, confirmed]) => {
      const { edit, remove, send, answered, shown } = await stage();
      const view = await answered();
      const release = view.retain();
      const first = send(edit, { id: 1 }, { name: 'first' });
      const row = watch(view.result);
      const second = send(edit, { id: 1 }, { name: 'second' });
      const removal = send(remove, { id: 1 });
      if (confirmed) await removal.answer({});
      expect(row.last).toMatchObject({ deleted: true, data: { name: 'second' } });
      await second.fail(refusal(422));
      expect(shown(view)).toMatchObject({ deleted: true, data: { name: 'first' } });
      await first.answer({ id: 1, name: 'first' });
      expect(shown(view)).toMatchObject({ deleted: true, data: { name: 'first' } });
      release();
    },
  );

  test.for(orders)(
    '[C10] the live object of a deleted row rolls back a rejected optimistic value: %s',
    async ([, confirmed]) => {
      const { edit, remove, send, answered } = await stage();
      const view = await answered();
      const live = liveResult(view).value.data as Item;
      const name = watch(() => live.name);
      const change = send(edit, { id: 1 }, { name: 'new' });
      const removal = send(remove, { id: 1 });
      if (confirmed) await removal.answer({});
      await change.fail(refusal(422));
      expect([name.last, live.owner.name]).toEqual(['old', 'Ada']);
    },
  );

  test('[C10] an edit rejected after the row was restored is rolled back', async () => {
    const { controller, edit, remove, send, answered, shown } = await stage();
    const view = await answered();
    const change = send(edit, { id: 1 }, { name: 'new' });
    await send(remove, { id: 1 }).answer({});
    await controller.set(Item, {}, { ...ITEM, name: 'back' });
    await change.fail(refusal(422));
    expect(shown(view)).toMatchObject({ status: 'success', data: { name: 'back' } });
    expect(shown(view)).not.toHaveProperty('deleted');
  });
});
