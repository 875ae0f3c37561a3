// Responses of mutations that omit sent fields: the fields are confirmed as sent, and the entity is refetched.
import {
  Collection,
  createResource,
  Delete,
  Entity,
  optimistic,
  replay,
  transaction,
} from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, refused, watch, world } from '../setup/world.ts';

class Author extends Entity {
  id = 0;
  name = '';
}

class Item extends Entity {
  id = 0;
  title = '';
  done = false;
  votes = 0;
  due = new Date(0);
  author: Author | null = null;
  updatedAt = '';
  static override schema = { due: Date, author: Author };
}

const whole = (id: number, fields: object = {}) => ({
  id,
  title: `t${id}`,
  done: false,
  votes: 1,
  due: '2026-01-01',
  author: { id: 7, name: 'Ada' },
  updatedAt: 'a',
  ...fields,
});

/** Removes repetitions. */
const distinct = (seen: readonly (string | undefined)[]) =>
  seen.filter((text, at) => text !== seen[at - 1]);

async function stage(isOptimistic: boolean, options: object = {}) {
  const w = world({ optimistic });
  const { controller } = w;
  const items = new Collection([Item]);
  const list = w.read('list', items);
  const get = w.read('get', Item);
  const wanted = (_: unknown, params: object, body: object) => ({ ...params, ...body });
  const change = w.mutation('change', Item, {
    method: 'PATCH',
    ...(isOptimistic && { getOptimisticResponse: wanted }),
    ...options,
  } as object);
  const create = w.mutation('create', items.push, {
    ...(isOptimistic && { getOptimisticResponse: (_: unknown, body: object) => body }),
  });
  await controller.setResponse(list, {}, [whole(1), whole(2)]);
  const leave = controller.view(list, {}).retain();
  const titles = watch<string | undefined>(() =>
    controller
      .signal(list, {})
      .value?.map(({ title }) => title)
      .join(),
  );
  const asked = (name: string) => w.calls.filter((call) => call.name === name);
  return { w, controller, list, get, change, create, titles, asked, leave };
}

describe.each([
  ['without optimism', false],
  ['with optimism', true],
])('%s', (_, isOptimistic) => {
  test.each([
    ['a date', { updatedAt: new Date(0) }, { updatedAt: '1970-01-01T00:00:00.000Z' }],
    ['a url', { title: new URL('https://a.example/') }, { title: 'https://a.example/' }],
    ['a file', { title: new File(['x'], 'x.png'), votes: 5 }, { title: 't1', votes: 5 }],
    ['a date for a decoder', { due: new Date(0) }, { due: new Date(0) }],
    ['a body with toJSON', { toJSON: () => ({ title: 'sent' }) }, { title: 'sent' }],
  ])(
    '[N23] %s in a body is confirmed in the form in which JSON sends the value',
    async (_what, body, shown) => {
      const { w, controller, change, asked } = await stage(isOptimistic, {
        getOptimisticResponse: undefined,
      });
      const changing = controller.fetch(change, { id: 1 }, body);
      void asked('change')[0]?.answer({ id: 1 });
      await changing;
      expect(controller.get(Item, { id: 1 })).toMatchObject(shown);
      expect(w.calls.at(-1)?.name).toBe('list');
    },
  );

  test.each([
    ['the key alone', { id: 1 }],
    ['the key and another field', { id: 1, updatedAt: 'b' }],
    ['nothing', null],
  ])(
    '[N23] an update answered with %s confirms the sent fields, and never shows the former value again',
    async (__, answer) => {
      const { w, controller, list, change, titles, asked } = await stage(isOptimistic);
      void controller.fetch(change, { id: 1 }, { title: 'new' });
      await w.call().answer(answer);
      expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
      expect(asked('list')).toHaveLength(1);
      await asked('list')[0]?.answer([whole(1, { title: 'new', votes: 5 }), whole(2)]);
      expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
      expect(controller.getResponse(list, {}).data?.[0]?.votes).toBe(5);
    },
  );

  test('[N23] a read issued before an update does not undo sent fields that the response to the update omits', async () => {
    const { w, controller, get, change } = await stage(isOptimistic);
    void controller.fetch(get, { id: 1 });
    const reading = w.call();
    void controller.fetch(change, { id: 1 }, { title: 'new' });
    await w.call().answer({ id: 1 });
    await reading.answer(whole(1));
    expect(controller.entity(Item, 1).value?.title).toBe('new');
  });

  test.each([
    ['the key alone', { id: 3 }],
    ['nothing', null],
  ])(
    '[N23] a row that a mounted list gets from a read in flight, while an update of the row is answered with %s, is refetched',
    async (__, answer) => {
      for (const isStored of [true, false]) {
        const { w, controller, list, change, asked } = await stage(isOptimistic);
        if (isStored) await controller.set(Item, { id: 3 }, whole(3));
        const other = controller.view(list, { votes: 1 });
        other.retain();
        const reads = () => asked('list').filter(({ args }) => 'votes' in (args[0] as object));
        void controller.fetch(change, { id: 3 }, { title: ' new ' });
        const changing = w.call();
        other.revalidate();
        await changing.answer(answer);
        await reads()[0]?.answer([whole(3)]);
        expect(reads()).toHaveLength(2);
        await reads()[1]?.answer([whole(3, { title: 'new', updatedAt: 'b' })]);
        const data = controller.getResponse(list, { votes: 1 }).data;
        expect(data?.[0]).toMatchObject({ title: 'new', updatedAt: 'b' });
        expect(reads()).toHaveLength(2);
      }
    },
  );

  test('[N23] after a partial response an unmounted detail is refetched when read', async () => {
    const { w, controller, get, change } = await stage(isOptimistic);
    void controller.fetch(get, { id: 2 });
    await w.call().answer(whole(2));
    void controller.fetch(change, { id: 2 }, { done: true });
    await w.call().answer({ id: 2 });
    const sent = w.calls.filter(({ name }) => name === 'get').length;
    void controller.fetchIfStale(get, { id: 2 });
    expect(w.calls.filter(({ name }) => name === 'get')).toHaveLength(sent + 1);
  });

  test('[N23] a creation answered with the key alone keeps the sent fields, and the mounted list is refetched', async () => {
    const { w, controller, create, titles, asked } = await stage(isOptimistic);
    void controller.fetch(create, { title: 'made', due: new Date(5) });
    await w.call().answer({ id: 9 });
    expect(distinct(titles.seen)).toEqual(['t1,t2', 't1,t2,made']);
    expect(controller.entity(Item, 9).value?.due).toEqual(new Date(5));
    expect(asked('list')).toHaveLength(1);
  });

  test.each([
    ['a row', { title: 'made' }, { id: 9 }],
    ['several rows', [{ title: 'x' }, { title: 'made' }], [{ id: 8 }, { id: 9 }]],
    ['a form', new FormData(), { id: 9, title: 'made' }],
    ['a row whose body has the field, too', { title: 'made', votes: 4 }, { id: 9 }],
  ])(
    '[N23] %s created with params has the fields of the params, unless the body has these fields',
    async (_what, body, answer) => {
      const { w, controller, list } = await stage(isOptimistic);
      const items = createResource({ path: '/lists/:votes/items/:id', schema: Item });
      const create = w.mutation('create', (list.schema as Collection<[typeof Item]>).push, {
        ...(isOptimistic && {
          getOptimisticResponse: items.create.getOptimisticResponse as never,
        }),
      });
      const votes = 'votes' in body ? 4 : 5;
      void controller.fetch(create, { votes: 5, page: 2 }, body);
      await w.call().answer(answer);
      expect(controller.entity(Item, 9).value).toMatchObject({ title: 'made', votes });
      expect({ ...controller.entity(Item, 9).value }).not.toHaveProperty('page');
    },
  );

  test('[N23] a creation is not refetched for fields of its params that the response leaves out', async () => {
    const { w, controller, list } = await stage(isOptimistic);
    const { push } = list.schema as Collection<[typeof Item]>;
    const create = w.mutation('create', push, {
      ...(isOptimistic && {
        getOptimisticResponse: (_: unknown, params: object, body: object) => ({
          ...params,
          ...body,
        }),
      }),
    });
    void controller.fetch(create, { votes: 5 }, { title: 'made' });
    await w.call().answer({ id: 9, title: 'made' });
    expect(controller.entity(Item, 9).value?.votes).toBe(5);
    expect(w.calls).toHaveLength(1);
    void controller.fetch(create, { votes: 6 }, {});
    await w.call().answer({ id: 10 });
    expect(controller.entity(Item, 10).value?.votes).toBe(6);
    expect(w.calls.slice(2).map(({ name }) => name)).toEqual(['list']);
  });

  test('[N23] params of an update that name a field do not change the field of the stored row', async () => {
    const { w, controller, change } = await stage(isOptimistic, {
      getOptimisticResponse: undefined,
    });
    void controller.fetch(change, { id: 1, votes: 7 }, { title: 'new' });
    await w.call().answer({ id: 1 });
    expect(controller.entity(Item, 1).value).toMatchObject({ title: 'new', votes: 1 });
  });

  test('[N23] several creations of one request keep the sent fields of each', async () => {
    const { w, controller, create, titles } = await stage(isOptimistic);
    void controller.fetch(create, [{ title: 'x' }, { title: 'y' }]);
    await w.call().answer([{ id: 9 }, { id: 10 }]);
    expect(titles.last).toBe('t1,t2,x,y');
  });

  test('[N23] a response with all sent fields causes no refetch', async () => {
    const { w, controller, change, titles } = await stage(isOptimistic);
    void controller.fetch(change, { id: 1 }, { title: 'new' });
    await w.call().answer({ id: 1, title: 'trimmed' });
    expect(titles.last).toBe('trimmed,t2');
    expect(w.calls).toHaveLength(1);
  });

  test.each([
    ['nothing', null, 2],
    ['the key alone', { id: 1 }, 2],
    ['no declared field', { ok: true }, 2],
    ['another field', { updatedAt: 'b' }, 2],
    ['the whole row', whole(1, { title: 'new' }), 1],
  ])(
    '[N23] a call without a body, answered with %s, keeps its optimistic values over an overlapping read, in both orders of the responses',
    async (__, answer, readCount) => {
      for (const isReadFirst of [true, false]) {
        const { w, controller, list, change, titles } = await stage(isOptimistic, {
          getOptimisticResponse: (___: unknown, params: object) => ({ ...params, title: 'new' }),
        });
        void controller.fetch(change, { id: 1 });
        const changing = w.call();
        void controller.fetch(list, {});
        const reading = w.call();
        const former = [whole(1), whole(2)];
        if (isReadFirst) await reading.answer(former);
        await changing.answer(answer);
        if (!isReadFirst) await reading.answer(former);
        expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
        expect(w.log.filter((line) => line.startsWith('list'))).toHaveLength(readCount);
      }
    },
  );

  test.each([
    ['the whole row', (done: boolean) => whole(1, { done })],
    ['the key alone', () => ({ id: 1 })],
    ['nothing', () => null],
  ])(
    '[O3] of two calls without a body in flight, both answered with %s, the optimistic value of the later call is kept, in both orders of the responses',
    async (__, answer) => {
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        for (const before of [true, false]) {
          const { w, controller, list } = await stage(isOptimistic);
          await controller.setResponse(list, {}, [whole(1, { done: before }), whole(2)]);
          const seen = watch(() => controller.entity(Item, 1).value?.done);
          for (const done of [!before, before]) {
            const getOptimisticResponse = (___: unknown, params: object) => ({ ...params, done });
            const star = w.mutation('star', Item, { getOptimisticResponse });
            void controller.fetch(star, { id: 1 });
          }
          const calls = w.calls.filter(({ name }) => name === 'star');
          for (const at of order) await calls[at]?.answer(answer(at === 0 ? !before : before));
          expect(distinct(seen.seen.map(String))).toEqual([before, !before, before].map(String));
        }
      }
    },
  );

  test.each([
    ['the sent field', { title: 'new' }, false],
    ['another field', { updatedAt: 'b' }, true],
    ['no declared field', { ok: true }, true],
  ])(
    '[N23] an update with a body, answered with %s and without the key, changes the row that the call names',
    async (__, answer, isRefetched) => {
      const { w, controller, change, titles, asked } = await stage(isOptimistic);
      const changing = controller.fetch(change, { id: 1 }, { title: 'new' });
      await w.call().answer(answer);
      expect(await changing).toMatchObject({ id: 1, title: 'new' });
      expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
      expect(asked('list')).toHaveLength(isRefetched ? 1 : 0);
    },
  );

  test.each([
    ['the key alone', { id: 1 }, true],
    ['a changed field', { id: 1, title: 'new' }, false],
    ['the key of a row that is not stored', { id: 9 }, false],
  ])(
    '[N23] a call that names no row and sends no declared field, answered with %s, is refetched where its row may have changed',
    async (__, answer, isRefetched) => {
      const { w, controller, change, asked } = await stage(isOptimistic, {
        getOptimisticResponse: undefined,
      });
      const picture = new FormData();
      picture.set('file', new File(['x'], 'x.png'));
      void controller.fetch(change, picture);
      await w.call().answer(answer);
      expect(asked('list')).toHaveLength(isRefetched ? 1 : 0);
    },
  );

  test('[N23] an update in an envelope, answered without the key, changes the row that the call names', async () => {
    const { w, controller, titles } = await stage(isOptimistic);
    const change = w.mutation(
      'publish',
      { item: Item },
      {
        ...(isOptimistic && {
          getOptimisticResponse: (__: unknown, params: object, body: object) => ({
            item: { ...params, ...body },
          }),
        }),
      },
    );
    void controller.fetch(change, { id: 1 }, { title: 'new' });
    await w.call().answer({ item: { title: 'new' } });
    expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
  });

  test('[N23] a move answered without the key changes the row that the call names', async () => {
    const { w, controller, titles } = await stage(isOptimistic);
    const move = w.mutation('move', new Collection([Item]).move);
    void controller.fetch(move, { id: 1 }, { title: 'new' });
    await w.call().answer({ title: 'new' });
    expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
  });

  test('[N23] a creation answered without the key changes no row, also of the key in the path', async () => {
    const { w, controller, create, titles } = await stage(isOptimistic);
    const creating = refused(controller.fetch(create, { id: 1 }, { title: 'new' }));
    await w.call().answer({ title: 'new' });
    expect(await creating).toMatchObject({ code: 'S1' });
    expect(titles.last).toBe('t1,t2');
  });

  test('[N23] a response with a changed field and without the key causes no refetch', async () => {
    const { w, controller, change, titles } = await stage(isOptimistic, {
      getOptimisticResponse: undefined,
    });
    void controller.fetch(change, { id: 1 });
    await w.call().answer({ title: 'new' });
    expect(titles.last).toBe('new,t2');
    expect(w.calls).toHaveLength(1);
  });

  test('[N23] a field that the class does not declare is neither stored nor refetched', async () => {
    const { w, controller, create } = await stage(isOptimistic);
    const done = controller.fetch(create, { title: 'made', password: 'secret' });
    await w.call().answer({ id: 9, title: 'made' });
    expect({ ...(await done) }).not.toHaveProperty('password');
    expect(w.calls).toHaveLength(1);
  });

  test('[N23] an explicit null in the response replaces the sent value, and causes no refetch', async () => {
    const { w, controller, change } = await stage(isOptimistic);
    void controller.fetch(change, { id: 1 }, { author: 7 });
    await w.call().answer({ id: 1, author: null });
    expect(controller.entity(Item, 1).value?.author).toBeNull();
    expect(w.calls).toHaveLength(1);
  });

  test('[N23] fields of a nested entity that the response leaves out are confirmed as sent', async () => {
    const { w, controller, change, asked } = await stage(isOptimistic);
    void controller.fetch(change, { id: 1 }, { author: { id: 7, name: 'Eve' } });
    await w.call().answer({ id: 1, author: { id: 7 } });
    expect(controller.entity(Item, 2).value?.author?.name).toBe('Eve');
    expect(asked('list')).toHaveLength(1);
  });

  test('[N23] another nested entity in the response replaces the sent nested entity', async () => {
    const { w, controller, change } = await stage(isOptimistic);
    void controller.fetch(change, { id: 1 }, { author: { id: 8, name: 'Eve' } });
    await w.call().answer({ id: 1, author: { id: 7 } });
    expect(controller.entity(Item, 1).value?.author?.name).toBe('Ada');
  });

  test('[N23] an entity in an envelope that omits sent fields keeps the sent fields', async () => {
    const { w, controller, titles } = await stage(isOptimistic);
    const change = w.mutation(
      'changeData',
      { data: Item, at: '' },
      {
        ...(isOptimistic && {
          getOptimisticResponse: (__: unknown, params: object, body: object) => ({
            data: { ...params, ...body },
          }),
        }),
      },
    );
    void controller.fetch(change, { id: 1 }, { title: 'new' });
    await w.call().answer({ data: { id: 1 }, at: 'now' });
    expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
  });

  test('[N23] sent fields that responses in a transaction omit show before and after the end, and are refetched once', async () => {
    const { w, controller, change, create, titles, asked } = await stage(isOptimistic);
    const done = transaction(controller, async ({ fetch }) => {
      await fetch(change, { id: 1 }, { title: 'new' });
      await fetch(create, { title: 'made' });
    });
    await w.call().answer({ id: 1 });
    await w.call().answer({ id: 9 });
    await done;
    expect(distinct(titles.seen).slice(0, 2)).toEqual(['t1,t2', 'new,t2']);
    expect(distinct(titles.seen).slice(2)).toEqual(['new,t2,made']);
    expect(asked('list')).toHaveLength(1);
  });

  test('[N23] after a partial response another tab shows the sent fields, and refetches the entity', async () => {
    const { w, controller, list, change } = await stage(isOptimistic);
    const other = world();
    const copy = other.read('list', list.schema);
    await other.controller.setResponse(copy, {}, [whole(1), whole(2)]);
    const leave = other.controller.view(copy, {}).retain();
    controller.on('commit', (commit) => replay(other.controller, commit));
    void controller.fetch(change, { id: 1 }, { title: 'new' });
    await w.call().answer({ id: 1 });
    expect(other.controller.entity(Item, 1).value?.title).toBe('new');
    expect(other.log).toEqual(['list {}']);
    leave();
  });

  test('[N23] a field of a later own write is not replaced by an earlier sent value', async () => {
    const { w, controller, change } = await stage(isOptimistic);
    void controller.fetch(change, { id: 1 }, { title: 'first' });
    void controller.fetch(change, { id: 1 }, { title: 'second' });
    await w.call(1).answer({ id: 1 });
    await w.call(0).answer({ id: 1 });
    expect(controller.entity(Item, 1).value?.title).toBe('second');
  });

  test('[N23] a failed mutation confirms no sent fields', async () => {
    const { w, controller, change, titles } = await stage(isOptimistic);
    const failed = refused(controller.fetch(change, { id: 1 }, { title: 'new' }));
    await w.call().fail(new Error('no'));
    await failed;
    expect(titles.last).toBe('t1,t2');
  });

  test('[N23] text fields of a form are confirmed as sent, and the list is refetched', async () => {
    const { w, controller, titles, asked } = await stage(false);
    const items = createResource({ path: '/items/:id', schema: Item, optimistic: isOptimistic });
    const send = w.mutation('form', Item, {
      ...(isOptimistic && {
        getOptimisticResponse: items.partialUpdate.getOptimisticResponse as never,
      }),
    });
    const form = new FormData();
    form.set('title', 'new');
    void controller.fetch(send, { id: 1 }, form);
    await w.call().answer({ id: 1 });
    expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
    expect(asked('list')).toHaveLength(1);
  });
});

describe('a mutation that sends no field, and whose optimistic response changes fields', () => {
  const starred = { id: 1, title: 'new', due: new Date(5) };
  const wanted = {
    'the changed fields': () => starred,
    'the whole row': (snapshot: OptimisticSnapshot) => ({
      ...snapshot.get(Item, { id: 1 }),
      ...starred,
    }),
  };
  const answers = [
    ['its key', { id: 1 }],
    ['its key and another field', { id: 1, updatedAt: 'b' }],
    ['{ok: true}', { ok: true }],
    ['nothing', null],
  ] as const;
  const calls = [
    ['without a body', [{ id: 1 }]],
    ['with an empty body', [{ id: 1 }, {}]],
    ['with a body of undeclared fields', [{ id: 1 }, { star: 5 }]],
  ] as const;
  const cases = Object.entries(wanted).flatMap(([form, getOptimisticResponse]) =>
    answers.flatMap(([answer, value]) =>
      calls.flatMap(([call, args]) =>
        // with a body, the response has to identify the row
        value && !('id' in value) && args.length > 1
          ? []
          : [{ form, getOptimisticResponse, answer, value, call, args }],
      ),
    ),
  );
  test.each(cases)(
    '[N23] $call, answered with $answer, shows $form until the refetch has ended',
    async ({ getOptimisticResponse, value, args }) => {
      const { w, controller, list, change, titles, asked } = await stage(true, {
        getOptimisticResponse,
      });
      void controller.fetch(change, ...(args as unknown as [object, object]));
      await w.call().answer(value);
      expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
      expect(controller.get(Item, { id: 1 })).toMatchObject({ votes: 1, due: new Date(5) });
      expect(controller.get(Item, { id: 1 })?.author?.name).toBe('Ada');
      expect(asked('list')).toHaveLength(1);
      await asked('list')[0]?.answer([whole(1, { title: 'new', votes: 5 }), whole(2)]);
      expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
      expect(controller.getResponse(list, {}).data?.[0]?.votes).toBe(5);
    },
  );

  test('[N23] in a transaction and in another tab the changed fields show until the refetch has ended', async () => {
    const { w, controller, change, list, titles, asked } = await stage(true, {
      getOptimisticResponse: wanted['the changed fields'],
    });
    const other = world({ optimistic }).controller;
    await other.setResponse(list, {}, [whole(1), whole(2)]);
    controller.on('commit', (commit) => replay(other, commit));
    const done = transaction(controller, (tx) => tx.fetch(change, { id: 1 }));
    await w.call().answer({ id: 1 });
    await done;
    expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2']);
    expect(other.get(Item, { id: 1 })?.title).toBe('new');
    expect(asked('list')).toHaveLength(1);
  });

  test.each(Object.entries(wanted))(
    '[N23] returns %s: a response with each changed field replaces the expected values without a refetch',
    async (_, getOptimisticResponse) => {
      const { w, controller, change, titles, asked } = await stage(true, { getOptimisticResponse });
      void controller.fetch(change, { id: 1 });
      await w.call().answer({ id: 1, title: 'served', due: '2026-01-01' });
      expect(distinct(titles.seen)).toEqual(['t1,t2', 'new,t2', 'served,t2']);
      expect(asked('list')).toEqual([]);
    },
  );
});

test('[N23] a row created by a form has the fields of the form, converted to the types of the class', async () => {
  const { w, controller, create, titles } = await stage(false);
  const form = new FormData();
  form.set('title', 'made');
  form.set('votes', '3');
  void controller.fetch(create, form);
  await w.call().answer({ id: 9 });
  expect(titles.last).toBe('t1,t2,made');
  expect(controller.entity(Item, 9).value?.votes).toBe(3);
});

test('[N23] without the optimistic module, a row created by a form has the text fields of the form', async () => {
  const w = world({ optimistic: undefined as never });
  const create = w.mutation('create', Item);
  const form = new FormData();
  form.set('title', 'made');
  form.set('file', new Blob(['x']));
  void w.controller.fetch(create, form);
  await w.call().answer({ id: 9 });
  expect(w.controller.entity(Item, 9).value?.title).toBe('made');
});

test('[N23] a sent value that the decoder of its field rejects is not confirmed, and the stored value stays', async () => {
  class Strict extends Entity {
    id = 0;
    size = 0n;
    static override schema = { size: BigInt };
  }
  const w = world();
  const change = w.mutation('change', Strict);
  await w.controller.set(Strict, { id: 1 }, { id: 1, size: '4' });
  const done = w.controller.fetch(change, { id: 1 }, { size: 'four' });
  await w.call().answer({ id: 1 });
  expect((await done).size).toBe(4n);
});

test('[N23] a creation answered with the key alone expires the list when an optimistic deletion of its row fails', async () => {
  const { w, controller, list, create, asked, leave } = await stage(false);
  leave();
  const remove = w.mutation('remove', new Delete(Item), {
    getOptimisticResponse: (_: unknown, params: object) => params,
  });
  void controller.fetch(create, { title: 'made' });
  const removing = controller.fetch(remove, { id: 9 });
  await asked('create')[0]?.answer({ id: 9 });
  const failing = refused(removing);
  await asked('remove')[0]?.fail(refusal(500));
  await failing;
  expect(controller.get(Item, { id: 9 })?.title).toBe('made');
  expect(controller.getResponse(list, {}).expiresAt).toBe(0);
});

test('[N23] an empty response to an update of a row that is not stored stores no row', async () => {
  const { w, controller, change } = await stage(false);
  void controller.fetch(change, { id: 5 }, { title: 'new' });
  await w.call().answer(null);
  expect(controller.entity(Item, 5).value).toBeUndefined();
});

test('[N23] an empty response to a creation under a key of the caller expires the row', async () => {
  const { w, controller, get, create } = await stage(true);
  void controller.fetch(create, whole(5));
  await w.call().answer(null);
  void controller.fetchIfStale(get, { id: 5 });
  expect(w.log.at(-1)).toBe('get {"id":5}');
});

test('[O3] a read issued before a form was confirmed cannot undo its fields', async () => {
  const { w, controller, get, change } = await stage(false);
  const form = new FormData();
  form.set('title', 'new');
  void controller.fetch(change, { id: 1 }, form);
  const sending = w.call();
  void controller.fetch(get, { id: 1 });
  const reading = w.call();
  await sending.answer(whole(1, { title: 'new' }));
  await reading.answer(whole(1));
  expect(controller.entity(Item, 1).value?.title).toBe('new');
});
