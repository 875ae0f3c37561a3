// An optimistic change of a missing row shows nothing until the row is there: never a fragment of a row.
import { All, Collection, createResource, Delete } from 'signalbox';
import type { Endpoint, OptimisticSnapshot } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, Todo, User, world } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';

type Params = { readonly id: number };

/** A resource of todos with optimistic mutations; the test sends the responses. */
function stage() {
  const w = world();
  const Todos = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });
  const inHand = <E extends { extend(options: never): unknown }>(endpoint: E, name: string): E =>
    endpoint.extend({
      fetch: (...args: unknown[]) => w.mutation(name, undefined)(...args),
    } as never) as E;
  const edit = inHand(Todos.partialUpdate, 'edit');
  const remove = inHand(Todos.delete, 'remove');
  const { controller } = w;
  const row = (id: number) => controller.get(Todo, { id });
  return { w, Todos, edit, remove, inHand, controller, row };
}

const ignore = () => {};
const list = (w: ReturnType<typeof stage>, ...ids: number[]) =>
  w.controller.setResponse(
    w.Todos.getList,
    {},
    ids.map((id) => ({ id, title: `t${id}` })),
  );

describe('an optimistic change of a row that is not stored', () => {
  test('[O14] an optimistic update of a row that is not stored shows nothing until the response', async () => {
    const { w, edit, controller, row } = stage();
    const done = controller.fetch(edit, { id: 7 }, { done: true });
    expect(row(7)).toBeUndefined();
    expect(controller.get(new All(Todo)) ?? []).toEqual([]);
    expect(
      controller.getResponse(createResource({ path: '/todos/:id', schema: Todo }).get, { id: 7 })
        .data,
    ).toBeUndefined();
    await w.call().answer({ id: 7, title: 'whole', done: true });
    await done;
    expect(row(7)).toMatchObject({ title: 'whole', done: true });
  });

  test('[O14] a change of a row that is not stored shows as soon as the row is stored', async () => {
    const s = stage();
    void s.controller.fetch(s.edit, { id: 7 }, { done: true }).catch(ignore);
    await list(s, 6, 7);
    expect(s.row(7)).toMatchObject({ title: 't7', done: true });
    await s.w.call().fail(refusal(400));
    expect(s.row(7)).toMatchObject({ title: 't7', done: false });
  });

  test('[O14] several changes of a row that is not stored show in their order as soon as the row is stored', async () => {
    const s = stage();
    void s.controller.fetch(s.edit, { id: 7 }, { title: 'first', done: true }).catch(ignore);
    void s.controller.fetch(s.edit, { id: 7 }, { title: 'second' }).catch(ignore);
    expect(s.row(7)).toBeUndefined();
    await list(s, 7);
    expect(s.row(7)).toMatchObject({ title: 'second', done: true });
  });

  test('[O14] an empty response to an update of a row that is not stored stores no part of the row', async () => {
    const { w, edit, controller, row } = stage();
    const done = controller.fetch(edit, { id: 7 }, { done: true });
    await w.call().answer(null);
    await done;
    expect(row(7)).toBeUndefined();
  });

  test('[O14] an optimistic move of a row that is not stored adds the row to no list', async () => {
    const s = stage();
    const move = s.inHand(
      s.Todos.getList.move.extend({
        getOptimisticResponse: (_: unknown, { id }: Params, body: object) => ({ id, ...body }),
      } as never),
      'move',
    ) as Endpoint<(params: Params, body: object) => Promise<unknown>, unknown, true>;
    await list(s, 1);
    void s.controller.fetch(move, { id: 7 }, { done: true }).catch(ignore);
    expect(s.row(7)).toBeUndefined();
    expect(s.controller.getResponse(s.Todos.getList, {}).data?.map(({ id }) => id)).toEqual([1]);
    await s.controller.set(Todo, { id: 7 }, { id: 7, title: 'known' });
    expect(s.row(7)).toMatchObject({ title: 'known', done: true });
    await s.w.call().fail(refusal(400));
    expect(s.controller.getResponse(s.Todos.getList, {}).data?.map(({ id }) => id)).toEqual([1]);
  });

  test('[O14] an optimistic change in an envelope of a row that is not stored shows nothing', () => {
    const w = world();
    const favourite = w.mutation(
      'favourite',
      { todo: Todo },
      {
        getOptimisticResponse: (_: unknown, { id }: Params) => ({ todo: { id, done: true } }),
      },
    );
    void w.controller.fetch(favourite, { id: 7 }).catch(ignore);
    expect(w.controller.get(Todo, { id: 7 })).toBeUndefined();
  });
});

describe('an optimistic change of a row that is being deleted', () => {
  test('[O14] an update of a row with a deletion in flight never shows the row, also when the update fails', async () => {
    const s = stage();
    await list(s, 6, 7);
    const ids = () => s.controller.getResponse(s.Todos.getList, {}).data?.map(({ id }) => id);
    const gone = s.controller.fetch(s.remove, { id: 7 });
    const edited = s.controller.fetch(s.edit, { id: 7 }, { done: true });
    edited.catch(ignore);
    expect([s.row(7), ids()]).toEqual([undefined, [6]]);
    const [removal, edit] = s.w.calls.slice(-2) as [Call, Call];
    await removal.answer({});
    await gone;
    expect([s.row(7), ids()]).toEqual([undefined, [6]]);
    await edit.fail(refusal(404));
    expect([s.row(7), ids()]).toEqual([undefined, [6]]);
  });

  test('[O14] an update of a row with a deletion in flight shows with the row when the deletion fails', async () => {
    const s = stage();
    await list(s, 6, 7);
    const ids = () => s.controller.getResponse(s.Todos.getList, {}).data?.map(({ id }) => id);
    s.controller.fetch(s.remove, { id: 7 }).catch(ignore);
    void s.controller.fetch(s.edit, { id: 7 }, { done: true }).catch(ignore);
    const [removal] = s.w.calls.slice(-2) as [Call, Call];
    await removal.fail(refusal(500));
    expect(s.row(7)).toMatchObject({ title: 't7', done: true });
    expect(ids()).toEqual([6, 7]);
  });
});

describe('a creation', () => {
  test('[O14] optimistic creations with a temporary key and with a key of the caller show in the list', async () => {
    const s = stage();
    await list(s, 1);
    const create = s.inHand(s.Todos.create, 'create');
    void s.controller.fetch(create, { title: 'temporary' }).catch(ignore);
    void s.controller.fetch(create, { id: 70, title: 'own' }).catch(ignore);
    const rows = s.controller.getResponse(s.Todos.getList, {}).data;
    expect(rows?.map(({ title }) => title)).toEqual(['t1', 'temporary', 'own']);
  });

  test('[O14] an optimistic POST without a list shows a row with the key in the body, and none with the key in the params', () => {
    const s = stage();
    const fields = (_: OptimisticSnapshot, ...args: object[]) =>
      Object.assign({}, ...args) as object;
    const post = s.inHand(
      s.Todos.create.extend({ schema: Todo, getOptimisticResponse: fields as never }),
      'post',
    );
    void s.controller.fetch(post, { id: 70, title: 'own' } as never).catch(ignore);
    expect(s.row(70)?.title).toBe('own');
    const finish = s.inHand(
      s.Todos.partialUpdate.extend({ method: 'POST', getOptimisticResponse: fields as never }),
      'finish',
    );
    void s.controller.fetch(finish, { id: 71 }, { done: true }).catch(ignore);
    expect(s.row(71)).toBeUndefined();
  });

  test('[O14] a row deleted and created again, both in flight, shows with the fields of the creation', async () => {
    const w = world();
    const todos = new Collection([Todo]);
    const remove = w.mutation('remove', new Delete(Todo), {
      getOptimisticResponse: (_: unknown, params: Params) => params,
    });
    const create = w.mutation('create', todos.push, {
      getOptimisticResponse: (_: unknown, fields: object) => fields,
    });
    await w.controller.set(Todo, { id: 7 }, { id: 7, title: 'old' });
    void w.controller.fetch(remove, { id: 7 }).catch(ignore);
    void w.controller.fetch(create, { id: 7, title: 'new' }).catch(ignore);
    expect(w.controller.get(Todo, { id: 7 })?.title).toBe('new');
  });

  test('[O14] a nested entity in an optimistic change of a known row shows inside the row', async () => {
    const s = stage();
    await list(s, 1);
    void s.controller.fetch(s.edit, { id: 1 }, { author: { id: 9, name: 'new' } }).catch(ignore);
    expect(s.row(1)?.author).toBeInstanceOf(User);
    expect(s.row(1)?.author?.name).toBe('new');
  });
});
