// Entities found by other fields than their primary key.
import { Delete, Entity, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, watch, world } from '../setup/world.ts';

class Member extends Entity {
  id = 0;
  username = '';
  name = '';
  static override indexes = ['username'] as const;
}

function members() {
  const w = world();
  const find = (username: string) => w.controller.get(Member, { username })?.id;
  return { w, find };
}

test('[N12] an index finds an entity by its field, before and after later responses', async () => {
  const { w, find } = members();
  expect(find('ada')).toBeUndefined();
  await w.controller.set(
    [Member],
    [
      { id: 1, username: 'ada' },
      { id: 2, username: 'bob' },
    ],
  );
  expect([find('ada'), find('bob')]).toEqual([1, 2]);
  await w.controller.set(
    [Member],
    [
      { id: 3, username: 'cyd' },
      { id: 1, name: 'Ada' },
    ],
  );
  expect([find('ada'), find('bob'), find('cyd')]).toEqual([1, 2, 3]);
});

test('[N12] an index follows a changed field', async () => {
  const { w, find } = members();
  await w.controller.set(Member, {}, { id: 1, username: 'ada' });
  expect(find('ada')).toBe(1);
  await w.controller.set(Member, { id: 1 }, { username: 'eve' });
  expect([find('ada'), find('eve')]).toEqual([undefined, 1]);
  await w.controller.set(Member, {}, { id: 2, username: 'ada' });
  expect([find('ada'), find('eve')]).toEqual([2, 1]);
});

test('[N12] an index follows changes of an entity that was not read', async () => {
  const { w, find } = members();
  await w.controller.set(
    [Member],
    [
      { id: 1, username: 'ada' },
      { id: 2, username: 'bob' },
    ],
  );
  expect(find('ada')).toBe(1);
  await w.controller.set(Member, { id: 2 }, { username: 'eve' });
  expect([find('eve'), find('bob')]).toEqual([2, undefined]);
});

test('[N12] an index does not find a deleted entity, and finds the restored entity', async () => {
  const { w, find } = members();
  await w.controller.set(Member, {}, { id: 1, username: 'ada' });
  expect(find('ada')).toBe(1);
  await w.controller.set(new Delete(Member), { id: 1 }, {});
  expect(find('ada')).toBeUndefined();
  await w.controller.set(Member, {}, { id: 1, username: 'ada' });
  expect(find('ada')).toBe(1);
});

test('[N12] an index lookup by null, NaN, an object or an array finds nothing, by a number or boolean finds its text', async () => {
  const { w } = members();
  const texts = ['null', 'NaN', '[object Object]', 'undefined', 'a', '5', 'true', ''];
  await w.controller.set(
    [Member],
    texts.map((username, at) => ({ id: at + 1, username })),
  );
  const find = (username: unknown) =>
    w.controller.get(Member, { username: username as string })?.id;
  expect([null, Number.NaN, {}, undefined, ['a'], [null]].map(find)).toEqual(
    Array.from({ length: 6 }),
  );
  expect([5, 5n, true, ''].map(find)).toEqual([6, 6, 7, 8]);
  const get = w.read('get', Member);
  expect(w.controller.view(get, { username: null } as never).ensure(true)).toBeDefined();
  expect(w.log).toEqual(['get {"username":null}']);
});

test('[N12] an index finds the first of two entities with one value, and the second once the first is deleted', async () => {
  const { w, find } = members();
  await w.controller.set(
    [Member],
    [
      { id: 2, username: 'ada' },
      { id: 1, username: 'ada' },
    ],
  );
  expect(find('ada')).toBe(2);
  await w.controller.set(new Delete(Member), { id: 2 }, {});
  expect(find('ada')).toBe(1);
});

test('[C6] a detail by an indexed field is fresh after a set of the entity, without a request', async () => {
  const { w } = members();
  const get = w.read('get', Member);
  const watcher = watch(w.controller.signal(get, { username: 'ada' }));
  await w.controller.set([Member], [{ id: 1, username: 'ada', name: '' }]);
  expect(w.controller.view(get, { username: 'ada' }).ensure(true)).toBeUndefined();
  expect(watcher.last).toBe(w.controller.entity(Member, 1).value);
  await w.controller.set(Member, { id: 1 }, { name: 'Ada' });
  await w.controller.set(Member, {}, { id: 2, username: 'bob' });
  expect(watcher.seen.map((value) => value?.name)).toEqual([undefined, '', 'Ada']);
});

test('[N12] an invalidated detail by an indexed field has no data until the refetch, and the index stays', async () => {
  const { w } = members();
  const get = w.read('get', Member, { reply: () => ({ id: 1, username: 'ada' }) });
  await w.controller.fetch(get, { username: 'ada' });
  w.controller.invalidate(get, { username: 'ada' });
  expect(w.controller.signal(get, { username: 'ada' }).value).toBeUndefined();
  expect(w.controller.get(Member, { username: 'ada' })?.id).toBe(1);
  await w.controller.fetch(get, { username: 'ada' });
  expect(w.controller.signal(get, { username: 'ada' }).value?.id).toBe(1);
});

test('[V5] a live reader by an indexed field follows the entity that has the value', async () => {
  const { w } = members();
  const view = w.controller.view(w.read('get', Member), { username: 'ada' });
  const watcher = watch(() => liveResult(view).value.data?.id);
  await w.controller.set(Member, {}, { id: 1, username: 'ada', name: 'Ada' });
  await w.controller.set(Member, { id: 1 }, { username: 'eve' });
  await w.controller.set(Member, {}, { id: 2, username: 'ada', name: 'Ada' });
  expect(watcher.seen).toEqual([undefined, 1, undefined, 2]);
});

test('[N12] a reset empties an index', async () => {
  const { w, find } = members();
  await w.controller.set(Member, {}, { id: 1, username: 'ada' });
  expect(find('ada')).toBe(1);
  w.controller.reset();
  expect(find('ada')).toBeUndefined();
});

test('[N12] an index follows an optimistic change and its rollback', async () => {
  const { w, find } = members();
  await w.controller.set([Member], [{ id: 1, username: 'ada' }]);
  const update = w.mutation('update', Member, {
    getOptimisticResponse: (_: unknown, params: object, fields: object) => ({
      ...params,
      ...fields,
    }),
  });
  const one = w.controller.fetch(update, { id: 1 }, { username: 'eve' });
  expect([find('ada'), find('eve')]).toEqual([undefined, 1]);
  void w.call().fail(refusal(500));
  await refused(one);
  expect([find('ada'), find('eve')]).toEqual([1, undefined]);
});
