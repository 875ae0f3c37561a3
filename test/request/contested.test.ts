// A push of a field that an own mutation in flight writes, too: the own value is shown, and the entity is refetched.
import { All, Collection, Delete, Entity, optimistic, replay, transaction } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refused, world } from '../setup/world.ts';

class Item extends Entity {
  id = 0;
  title = '';
  done = false;
  tags: string[] = [];
  due = new Date(0);
  static override schema = { due: Date };
}

class Versioned extends Entity {
  id = 0;
  title = '';
  version = 0;
  static override shouldReorder(
    _was: unknown,
    _is: unknown,
    existing: { version: number },
    incoming: { version: number },
  ): boolean {
    return incoming.version < existing.version;
  }
}

const whole = (id: number, fields: object = {}) => ({
  id,
  title: `t${id}`,
  done: false,
  tags: [],
  due: '2026-01-01',
  ...fields,
});

async function stage(isOptimistic: boolean, schema: typeof Item | typeof Versioned = Item) {
  const w = world({ optimistic });
  const { controller } = w;
  const items = new Collection([schema as typeof Item]);
  const list = w.read('list', items);
  const get = w.read('get', schema as typeof Item);
  const wanted = (_: unknown, params: object, body: object) => ({ ...params, ...body });
  const change = w.mutation('change', schema as typeof Item, {
    ...(isOptimistic && { getOptimisticResponse: wanted }),
  });
  const create = w.mutation('create', items.push, {
    ...(isOptimistic && { getOptimisticResponse: (_: unknown, body: object) => body }),
  });
  await controller.setResponse(list, {}, [whole(1), whole(2)]);
  const leave = controller.view(list, {}).retain();
  const asked = (name: string) => w.calls.filter((call) => call.name === name);
  const send = (endpoint: typeof change | typeof create, ...args: object[]) => {
    controller.fetch(endpoint, ...args).catch(() => {});
    return w.call();
  };
  const title = () => controller.entity(schema as typeof Item, 1).value?.title;
  return { w, controller, list, get, change, create, asked, send, title, leave };
}

describe.each([
  ['without optimism', false],
  ['with optimism', true],
])('%s', (_, isOptimistic) => {
  test('[O15] a push of the same field while an own mutation is in flight: the own value shows, and is refetched', async () => {
    const { controller, change, asked, send, title } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    expect(title()).toBe(isOptimistic ? 'mine' : 'theirs');
    await changing.answer(whole(1, { title: 'mine' }));
    expect(title()).toBe('mine');
    expect(asked('list')).toHaveLength(1);
    await asked('list')[0]?.answer([whole(1, { title: 'theirs' }), whole(2)]);
    expect(title()).toBe('theirs');
  });

  test('[O15] the entity without mounted readers is refetched when it is read', async () => {
    const { w, controller, get, change, send, leave } = await stage(isOptimistic);
    leave();
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(w.calls).toHaveLength(1);
    void controller.fetchIfStale(get, { id: 1 });
    expect(w.calls).toHaveLength(2);
  });

  test.each([
    ['of another field', { done: true }, { id: 1 }],
    ['with the same value', { title: 'mine' }, { id: 1 }],
    ['of another entity', { title: 'theirs' }, { id: 2 }],
  ])('[O15] a push %s sends no request', async (__, pushed, of) => {
    const { w, controller, change, send } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, of, pushed);
    await changing.answer(whole(1, { title: 'mine' }));
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] the echo of the own change after a push of another value settles it', async () => {
    const { w, controller, change, send } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await controller.set(Item, { id: 1 }, { title: 'mine' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a push before the mutation or after its response sends no request', async () => {
    const { w, controller, change, send, title } = await stage(isOptimistic);
    await controller.set(Item, { id: 1 }, { title: 'before' });
    await send(change, { id: 1 }, { title: 'mine' }).answer(whole(1, { title: 'mine' }));
    await controller.set(Item, { id: 1 }, { title: 'after' });
    expect(title()).toBe('after');
    expect(w.calls).toHaveLength(1);
  });

  test.each([
    ['that nobody has seen', []],
    ['that was pushed before', ['push']],
    ['that a read has brought', ['read']],
  ])(
    '[O15] a pushed deletion of a row %s, while its creation is in flight, is not undone by the response',
    async (__, seen) => {
      const { w, controller, list, create, asked, send } = await stage(isOptimistic);
      const rows = () => controller.get(list.schema, {})?.map(({ id }) => id);
      const creating = send(create, { title: 'new' });
      if (seen.includes('push')) await controller.set(Item, { id: 9 }, whole(9, { title: 'new' }));
      if (seen.includes('read')) {
        const reading = controller.fetch(w.read('other', [Item]), {});
        await asked('other')[0]?.answer([whole(9, { title: 'new' })]);
        await reading;
      }
      await controller.set(new Delete(Item), { id: 9 }, { id: 9 });
      await creating.answer(whole(9, { title: 'new' }));
      expect(rows()).toEqual([1, 2]);
      expect(controller.get(new All(Item))?.map(({ id }) => id)).toEqual([1, 2]);
      // a server may have given the key of the deleted row to the new row
      await asked('list')[0]?.answer([whole(1), whole(2), whole(9, { title: 'another' })]);
      expect(rows()).toEqual([1, 2, 9]);
    },
  );

  test('[O15] a creation whose row was stored before, and whose deletion is pushed, has the key of the deleted row', async () => {
    const { controller, list, create, send } = await stage(isOptimistic);
    const creating = send(create, { title: 'new' });
    await controller.set(new Delete(Item), { id: 2 }, { id: 2 });
    await creating.answer(whole(2, { title: 'new' }));
    const rows = controller.get(list.schema, {});
    expect(rows?.map(({ id, title }) => `${id} ${title}`)).toEqual(['1 t1', '2 new']);
  });

  test('[O15] after a mutation that fails, the push shows', async () => {
    const { w, controller, change, title } = await stage(isOptimistic);
    const failed = refused(controller.fetch(change, { id: 1 }, { title: 'mine' }));
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await w.call().fail(new Error('no'));
    await failed;
    expect(title()).toBe('theirs');
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a response with the pushed value settles it', async () => {
    const { w, controller, change, send, title } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'theirs' }));
    expect(title()).toBe('theirs');
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] decoded fields and arrays are compared by value', async () => {
    const { w, controller, change, asked, send } = await stage(isOptimistic);
    const first = send(change, { id: 1 }, { due: '2026-05-05', tags: ['a'] });
    await controller.set(Item, { id: 1 }, { due: '2026-05-05', tags: ['a'] });
    await first.answer(whole(1, { due: '2026-05-05', tags: ['a'] }));
    expect(w.calls).toHaveLength(1);
    const second = send(change, { id: 1 }, { due: '2026-06-06' });
    await controller.set(Item, { id: 1 }, { due: '2026-07-07' });
    await second.answer(whole(1, { due: '2026-06-06' }));
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] an empty response after a push of another value is refetched, too', async () => {
    const { controller, change, asked, send, title } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(null);
    expect(title()).toBe('mine');
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] a push of a form field counts', async () => {
    const { controller, change, asked, send } = await stage(false);
    const form = new FormData();
    form.set('title', 'mine');
    const changing = send(change, { id: 1 }, form);
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] a row that is created under a key of the caller and edited by a push is refetched', async () => {
    const { controller, create, asked, send } = await stage(isOptimistic);
    const creating = send(create, whole(5, { title: 'mine' }));
    await controller.set(Item, { id: 5 }, whole(5, { title: 'theirs' }));
    await creating.answer(whole(5, { title: 'mine' }));
    expect(controller.entity(Item, 5).value?.title).toBe('mine');
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] versions decide without a request', async () => {
    const { w, controller, change, send } = await stage(isOptimistic, Versioned);
    await controller.set(Versioned, { id: 1 }, { id: 1, title: 't1', version: 1 });
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Versioned, { id: 1 }, { title: 'theirs', version: 3 });
    await changing.answer({ id: 1, title: 'mine', version: 2 });
    expect(controller.entity(Versioned, 1).value?.title).toBe('theirs');
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a push while a transaction holds the response is refetched at its end', async () => {
    const { w, controller, change, asked, title } = await stage(isOptimistic);
    let held = false;
    const done = transaction(controller, async ({ fetch }) => {
      await fetch(change, { id: 1 }, { title: 'mine' });
      held = true;
      await fetch(change, { id: 2 }, { done: true });
    });
    await w.call().answer(whole(1, { title: 'mine' }));
    expect(held).toBe(true);
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await w.call().answer(whole(2, { done: true }));
    await done;
    expect(title()).toBe('mine');
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] a push that another tab received counts', async () => {
    const { controller, change, asked, send } = await stage(isOptimistic);
    const other = world();
    controller.on('request', (request) => replay(other.controller, request));
    other.controller.on('commit', (commit) => replay(controller, commit));
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await other.controller.set(Item, { id: 1 }, whole(1, { title: 'theirs' }));
    await changing.answer(whole(1, { title: 'mine' }));
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] other tabs refetch the entity, too', async () => {
    const { controller, list, change, send } = await stage(isOptimistic);
    const other = world();
    const copy = other.read('list', list.schema);
    controller.on('commit', (commit) => replay(other.controller, commit));
    await other.controller.setResponse(copy, {}, [whole(1)]);
    const leave = other.controller.view(copy, {}).retain();
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(other.log).toEqual(['list {}']);
    leave();
  });
});

test('[O15] a push while the mutation still waits for the key of its row sends no request', async () => {
  const { w, controller, list, change, create, asked, send } = await stage(true);
  const creating = send(create, { title: 'made' });
  const id = controller.getResponse(list, {}).data?.at(-1)?.id;
  controller.fetch(change, { id }, { title: 'renamed' }).catch(() => {});
  await controller.set(Item, { id }, { title: 'theirs' });
  await creating.answer(whole(9, { title: 'made' }));
  expect(asked('list')).toHaveLength(1);
  const before = w.calls.length;
  await asked('change')[0]?.answer(whole(9, { title: 'renamed' }));
  expect(w.calls).toHaveLength(before);
  expect(controller.entity(Item, 9).value?.title).toBe('renamed');
});
