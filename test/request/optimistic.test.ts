// The expected result of a mutation is shown at once, above every confirmed value, until the request settles.
import { All, Collection, Delete, Entity, live as liveOf } from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, refused, settled, Todo, User, watch, world } from '../setup/world.ts';

interface Params {
  readonly id: number;
}

const body = (_: unknown, params: Params, fields: object) => ({ ...params, ...fields });

/** A list of two todos that is shown, and the mutations of a todo. */
async function stage() {
  const w = world();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  const get = w.read('get', Todo);
  const update = w.mutation('update', Todo, { getOptimisticResponse: body });
  const remove = w.mutation('remove', new Delete(Todo), {
    getOptimisticResponse: (_: unknown, params: Params) => params,
  });
  const create = w.mutation('create', todos.push, {
    getOptimisticResponse: (_: unknown, fields: object) => fields,
  });
  const { controller } = w;
  void controller.fetch(list, {});
  await w.call().answer([
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ]);
  const title = (id: number) => controller.get(Todo, { id })?.title;
  const titles = () => controller.get(todos, {})?.map((todo) => todo.title);
  return { w, controller, todos, list, get, update, remove, create, title, titles };
}

describe('a change', () => {
  test('[O5] an optimistic change shows at once and is dropped in the commit of its response', async () => {
    const { w, controller, update, title } = await stage();
    const seen = watch(() => controller.entity(Todo, 1).value?.title);
    const done = controller.fetch(update, { id: 1 }, { title: 'mine' });
    expect(title(1)).toBe('mine');
    await w.call().answer({ id: 1, title: "the server's" });
    expect(await done).toBe(controller.get(Todo, { id: 1 }));
    expect(seen.seen).toEqual(['one', 'mine', "the server's"]);
  });

  test('[O5] a response equal to the optimistic value notifies no reader', async () => {
    const { w, controller, update } = await stage();
    const seen = watch(controller.entity(Todo, 1));
    void controller.fetch(update, { id: 1 }, { title: 'mine' });
    const shown = controller.get(Todo, { id: 1 });
    await w.call().answer({ id: 1, title: 'mine' });
    expect(seen.runs).toBe(2);
    expect(controller.get(Todo, { id: 1 })).toBe(shown);
  });

  test('[O5] a failed optimistic change is rolled back, and a change of another row stays', async () => {
    const { w, controller, update, title } = await stage();
    const one = controller.fetch(update, { id: 1 }, { title: 'mine' });
    void controller.fetch(update, { id: 2 }, { title: 'also mine' });
    void w.call(-2).fail(refusal(500));
    await refused(one);
    expect([title(1), title(2)]).toEqual(['one', 'also mine']);
  });

  test('[O5] an aborted optimistic change is rolled back at once', async () => {
    const { controller, update, title } = await stage();
    const abort = new AbortController();
    const done = controller.fetch(
      update.extend({ signal: abort.signal }),
      { id: 1 },
      { title: 'x' },
    );
    expect(title(1)).toBe('x');
    abort.abort();
    expect(await refused(done)).toMatchObject({ name: 'AbortError' });
    expect(title(1)).toBe('one');
  });

  test('[O5] an optimistic change stays above the response to a read, whenever the read was issued', async () => {
    const { w, controller, get, update, title } = await stage();
    void controller.fetch(get, { id: 1 });
    const before = w.call();
    void controller.fetch(update, { id: 1 }, { title: 'mine' });
    const own = w.call();
    await before.answer({ id: 1, title: 'old', done: true });
    void controller.fetch(get, { id: 1 });
    await w.call().answer({ id: 1, title: 'older', userId: 7 });
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'mine', done: true, userId: 7 });
    await own.answer({ id: 1, title: 'mine' });
    expect(title(1)).toBe('mine');
  });

  test('[O5] an optimistic change stays above a push of its field, and other pushed fields show', async () => {
    const { controller, update, title } = await stage();
    void controller.fetch(update, { id: 1 }, { title: 'mine' });
    await controller.set(Todo, { id: 1 }, { title: 'pushed', done: true });
    expect(title(1)).toBe('mine');
    expect(controller.get(Todo, { id: 1 })?.done).toBe(true);
  });

  test('[O5] if the second of three optimistic changes fails, the others stay in order', async () => {
    const { w, controller, update, title } = await stage();
    const calls = ['a', 'b', 'c'].map((text, at) => {
      const done = controller.fetch(
        update,
        { id: 1 },
        at === 1 ? { title: text, done: true } : { title: text },
      );
      return { done, call: w.call() };
    });
    const [first, middle, last] = calls as [
      (typeof calls)[0],
      (typeof calls)[0],
      (typeof calls)[0],
    ];
    void middle.call.fail(refusal(500));
    await refused(middle.done);
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'c', done: false });
    void last.call.fail(refusal(500));
    await refused(last.done);
    expect(title(1)).toBe('a');
    await first.call.answer({ id: 1, title: 'a' });
    expect(title(1)).toBe('a');
  });

  test('[O5] an optimistic change does not hide a later own write after its confirmation', async () => {
    const { w, controller, update, title } = await stage();
    void controller.fetch(update, { id: 1 }, { title: 'first', done: true });
    void controller.fetch(update, { id: 1 }, { title: 'second' });
    await w.call(-1).answer({ id: 1, title: 'second' });
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'second', done: true });
    await w.call(-2).answer({ id: 1, title: 'first', done: true });
    expect(title(1)).toBe('second');
  });

  test('[O5] an optimistic change does not restore a row that a later own deletion has removed', async () => {
    const { w, controller, update, remove } = await stage();
    void controller.fetch(update, { id: 1 }, { title: 'first' });
    void controller.fetch(remove, { id: 1 });
    await w.call(-1).answer({});
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    await w.call(-2).answer({ id: 1, title: 'first' });
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  });

  test('[O5] a nested entity of an optimistic change is stored, and removed when the change fails', async () => {
    const { w, controller, update } = await stage();
    const done = controller.fetch(update, { id: 1 }, { author: { id: 9, name: 'Ada' } });
    expect(controller.get(Todo, { id: 1 })?.author).toBe(controller.get(User, { id: 9 }));
    void w.call().fail(refusal(500));
    await refused(done);
    expect(controller.get(Todo, { id: 1 })?.author).toBeNull();
    expect(controller.get(User, { id: 9 })).toBeUndefined();
  });

  test('[O5] a new field of an optimistic change shows in snapshots and live objects until the change fails', async () => {
    const { w, controller, update } = await stage();
    const live = liveOf(controller, Todo, 1);
    const names = watch<string[]>(() => Object.keys(live));
    const done = controller.fetch(update, { id: 1 }, { colour: 'red' });
    expect(controller.get(Todo, { id: 1 })).toHaveProperty('colour', 'red');
    void w.call().fail(refusal(500));
    await refused(done);
    expect(controller.get(Todo, { id: 1 })).not.toHaveProperty('colour');
    expect(names.seen.map((seen: readonly string[]) => seen.includes('colour'))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('[O5] an optimistic change and its rollback notify only readers of the changed field', async () => {
    const { w, controller, update } = await stage();
    const live = liveOf(controller, Todo, 1);
    const readers = [watch(() => live.title), watch(() => live.done), watch(() => live.userId)];
    const done = controller.fetch(update, { id: 1 }, { title: 'mine' });
    void w.call().fail(refusal(500));
    await refused(done);
    expect(readers.map(({ runs }) => runs)).toEqual([3, 1, 1]);
  });
});

describe('a snapshot', () => {
  const like = (snapshot: OptimisticSnapshot, { id }: Params) => {
    const todo = snapshot.get(Todo, { id });
    if (todo === undefined) throw snapshot.abort;
    return { id, userId: todo.userId + 1 };
  };

  test('[O5] an optimistic snapshot has the confirmed data and earlier layers, and is recomputed when the data change', async () => {
    const { w, controller, get } = await stage();
    const add = w.mutation('add', Todo, { getOptimisticResponse: like });
    const count = () => controller.get(Todo, { id: 1 })?.userId;
    void controller.fetch(get, { id: 1 });
    void controller.fetch(add, { id: 1 });
    void controller.fetch(add, { id: 1 });
    expect(count()).toBe(2);
    await w.call(1).answer({ id: 1, userId: 10 });
    expect(count()).toBe(12);
    await w.call(2).answer({ id: 1, userId: 11 });
    expect(count()).toBe(12);
    await w.call(3).answer({ id: 1, userId: 12 });
    expect(count()).toBe(12);
  });

  test('[O5] an optimistic function that throws snapshot.abort shows nothing until the row is stored', async () => {
    const { w, controller, get } = await stage();
    const add = w.mutation('add', Todo, { getOptimisticResponse: like });
    void controller.fetch(add, { id: 5 });
    expect(controller.get(Todo, { id: 5 })).toBeUndefined();
    void controller.fetch(get, { id: 5 });
    await w.call().answer({ id: 5, userId: 3 });
    expect(controller.get(Todo, { id: 5 })?.userId).toBe(4);
  });

  test('[O5] an optimistic value is recomputed when an entity or a list that the function read changes', async () => {
    const { w, controller, todos } = await stage();
    const sum = w.mutation('sum', Todo, {
      getOptimisticResponse: (snapshot: OptimisticSnapshot, { id }: Params) => ({
        id,
        userId:
          (snapshot.get(User, { id: 1 })?.id ?? 0) * 100 + (snapshot.get(todos, {})?.length ?? 0),
      }),
    });
    void controller.fetch(sum, { id: 1 });
    expect(controller.get(Todo, { id: 1 })?.userId).toBe(2);
    await controller.set(User, { id: 1 }, { name: 'Ada' });
    expect(controller.get(Todo, { id: 1 })?.userId).toBe(102);
    await controller.set(todos.push, {}, { id: 3, title: 'three' });
    expect(controller.get(Todo, { id: 1 })?.userId).toBe(103);
  });

  test('[O5] snapshot.getResponse and getError return the stored response and error, snapshot.fetchedAt the present time', async () => {
    const { w, controller, list } = await stage();
    const seen: unknown[] = [];
    const peek = w.mutation('peek', Todo, {
      getOptimisticResponse: (snapshot: OptimisticSnapshot) => {
        const { data, error } = snapshot.getResponse(list, {});
        seen.push((data as Todo[]).length, error, snapshot.getError(list, {}), snapshot.fetchedAt);
        throw snapshot.abort;
      },
    });
    void controller.fetch(peek, {});
    expect(seen).toEqual([2, undefined, undefined, w.clock.now()]);
  });

  test('[O5] a mutation is sent, and resolves with the response, if getOptimisticResponse throws', async () => {
    const { w, controller } = await stage();
    const bad = w.mutation('bad', Todo, {
      getOptimisticResponse: () => {
        throw new TypeError('mine');
      },
    });
    const done = controller.fetch(bad, { id: 1 });
    await w.call().answer({ id: 1, title: 'done' });
    expect(await done).toMatchObject({ title: 'done' });
  });
});

describe('a deletion', () => {
  test('[O5] an optimistic deletion hides the row everywhere, and its failure restores the row in place', async () => {
    const { w, controller, remove, titles } = await stage();
    const done = controller.fetch(remove, { id: 1 });
    expect(titles()).toEqual(['two']);
    expect(controller.get(Todo, { id: 1 })).toBeUndefined();
    void w.call().fail(refusal(500));
    await refused(done);
    expect(titles()).toEqual(['one', 'two']);
  });

  test('[O5] an optimistic deletion hides the row after a read that contains the row', async () => {
    const { w, controller, list, remove, titles } = await stage();
    void controller.fetch(remove, { id: 1 });
    void controller.fetch(list, {});
    await w.call().answer([
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
    ]);
    expect(titles()).toEqual(['two']);
    await w.call(1).answer({});
    expect(titles()).toEqual(['two']);
  });

  test.each(['changed', 'created'])(
    '[O5] a row restored by a failed deletion enters a list before a row %s later and confirmed first',
    async (how) => {
      const { w, controller, todos, update, create, remove } = await stage();
      const three = { id: 3, title: 'three', userId: 7 };
      await controller.setResponse(w.read('list', todos), { userId: 7 }, []);
      if (how === 'changed') await controller.set(Todo, { id: 3 }, { title: 'three', userId: 1 });
      const removal = refused(controller.fetch(remove, { id: 1 }));
      void controller.fetch(update, { id: 1 }, { userId: 7 });
      if (how === 'changed') void controller.fetch(update, { id: 3 }, { userId: 7 });
      else void controller.fetch(create, { title: 'three', userId: 7 });
      const shown = () => controller.get(todos, { userId: 7 })?.map(({ title }) => title);
      await w.call(-1).answer(three);
      expect(shown()).toEqual(['three']);
      await w.call(-3).fail(refusal(400));
      await removal;
      expect(shown()).toEqual(['one', 'three']);
      await w.call(-2).answer({ id: 1, title: 'one', userId: 7 });
      expect(shown()).toEqual(['one', 'three']);
    },
  );

  test('[O5] an optimistic deletion notifies readers once, and the confirmation does not', async () => {
    const { w, controller, todos, remove } = await stage();
    const seen = watch(() => controller.signal(w.read('list', todos), {}).value?.length);
    void controller.fetch(remove, { id: 2 });
    await w.call().answer({});
    expect(seen.seen).toEqual([2, 1]);
  });
});

describe('a creation', () => {
  test('[O6] an optimistic creation has a temporary key and stays the same row under the key of the server', async () => {
    const { w, controller, create, todos, titles } = await stage();
    const done = controller.fetch(create, { title: 'three' });
    const shown = controller.get(todos, {})?.at(-1);
    const live = liveOf(controller, Todo, shown?.id as number);
    const reader = watch(() => live.title);
    expect(titles()).toEqual(['one', 'two', 'three']);
    expect(shown?.pk()).toBe(shown?.id);
    await w.call().answer({ id: 3, title: 'three' });
    expect(await done).toBe(controller.get(Todo, { id: 3 }));
    expect(liveOf(controller, Todo, 3)).toBe(live);
    expect(live.id).toBe(3);
    expect(reader.runs).toBe(1);
    expect(controller.get(todos, {})?.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test('[O6] an optimistic creation keeps its position in any order of confirmation', async () => {
    const { w, controller, create, titles } = await stage();
    for (const title of ['x', 'y', 'z']) void controller.fetch(create, { title });
    expect(titles()).toEqual(['one', 'two', 'x', 'y', 'z']);
    await w.call(3).answer({ id: 30, title: 'z' });
    expect(titles()).toEqual(['one', 'two', 'x', 'y', 'z']);
    await w.call(1).answer({ id: 10, title: 'x' });
    await w.call(2).answer({ id: 20, title: 'y' });
    expect(titles()).toEqual(['one', 'two', 'x', 'y', 'z']);
  });

  test('[O6] a failed optimistic creation leaves no temporary row', async () => {
    const { w, controller, create, todos, titles } = await stage();
    const done = controller.fetch(create, { title: 'three' });
    const id = controller.get(todos, {})?.at(-1)?.id;
    void w.call().fail(refusal(500));
    await refused(done);
    expect(titles()).toEqual(['one', 'two']);
    expect(controller.get(Todo, { id })).toBeUndefined();
  });

  test('[O6] an optimistic creation shows one row if a read contained the row before the response', async () => {
    const { w, controller, create, list, titles } = await stage();
    void controller.fetch(create, { title: 'three' });
    void controller.fetch(list, {});
    await w.call().answer([
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
      { id: 3, title: 'three' },
    ]);
    await w.call(1).answer({ id: 3, title: 'three' });
    expect(titles()).toEqual(['one', 'two', 'three']);
  });

  describe('a creation whose temporary row is changed by a push', () => {
    /** A creation is in flight, and the row was pushed. */
    async function pushed() {
      const first = await stage();
      const { controller, create, todos } = first;
      const done = controller.fetch(create, { title: 'three' });
      const id = controller.get(todos, {})?.at(-1)?.id as number;
      const live = liveOf(controller, Todo, id);
      await controller.set(Todo, { id }, { userId: 5 });
      const all = () => controller.get(new All(Todo))?.map((todo) => todo.id);
      return { ...first, done, id, live, all };
    }

    test('[O6] a temporary row changed by a push stays one row, with the pushed values, under the server key', async () => {
      const { w, controller, done, id, live, all, titles } = await pushed();
      expect(live.userId).toBe(5);
      await w.call(1).answer({ id: 50, title: 'three' });
      await done;
      expect(liveOf(controller, Todo, 50)).toBe(live);
      expect({ ...controller.get(Todo, { id: 50 }) }).toMatchObject({
        id: 50,
        title: 'three',
        userId: 5,
      });
      expect([live.id, live.userId]).toEqual([50, 5]);
      expect(controller.get(Todo, { id })).toBe(controller.get(Todo, { id: 50 }));
      expect([all(), titles()]).toEqual([
        [1, 2, 50],
        ['one', 'two', 'three'],
      ]);
      // later responses update the live object
      await controller.set(Todo, { id: 50 }, { title: 'later' });
      expect([live.title, live.id]).toEqual(['later', 50]);
    });

    test('[O6] a temporary row changed by a push is removed when the creation fails', async () => {
      const { w, controller, done, id, all, titles } = await pushed();
      void w.call(1).fail(refusal(500));
      await refused(done);
      expect([all(), titles()]).toEqual([
        [1, 2],
        ['one', 'two'],
      ]);
      expect(controller.get(Todo, { id })).toBeUndefined();
    });

    test('[O6] a temporary row changed by a push keeps its temporary key after an empty response', async () => {
      const { w, done, id, live, all } = await pushed();
      await w.call(1).answer(null);
      await done;
      expect(all()).toEqual([1, 2, id]);
      expect([live.title, live.userId]).toEqual(['three', 5]);
    });

    test('[O6] a temporary row changed by a push is replaced by a row that was stored under the server key before', async () => {
      const { w, controller, done, all, titles } = await pushed();
      await controller.set(Todo, { id: 50 }, { title: 'three' });
      await w.call(1).answer({ id: 50, title: 'three' });
      await done;
      expect([all(), titles()]).toEqual([
        [1, 2, 50],
        ['one', 'two', 'three'],
      ]);
    });

    test('[O6] a temporary row changed by a push is removed when the response cannot be stored', async () => {
      const { w, controller, done, id, all } = await pushed();
      void w.call(1).answer({ id: 50, title: 'three', author: { name: 'no key' } });
      expect(await refused(done)).toMatchObject({ status: 400 });
      expect(all()).toEqual([1, 2]);
      expect(controller.get(Todo, { id })).toBeUndefined();
      expect(controller.get(Todo, { id: 50 })).toBeUndefined();
    });
  });

  test('[O6] an optimistic creation joins a list that is read for the first time while the creation is in flight', async () => {
    const { w, controller, create, todos } = await stage();
    const other = w.read('other', todos);
    void controller.fetch(create, { title: 'three', userId: 7 });
    void controller.fetch(other, { userId: 7 });
    await w.call().answer([{ id: 8, title: 'eight' }]);
    expect(controller.get(todos, { userId: 7 })?.map(({ title }) => title)).toEqual([
      'eight',
      'three',
    ]);
    await w.call(1).answer({ id: 3, title: 'three', userId: 7 });
    expect(controller.get(todos, { userId: 7 })?.map(({ id }) => id)).toEqual([8, 3]);
  });

  test('[O6] a change of a temporary row waits, and is sent with the server key', async () => {
    const { w, controller, create, update, todos } = await stage();
    void controller.fetch(create, { title: 'three' });
    const id = controller.get(todos, {})?.at(-1)?.id;
    const done = controller.fetch(update, { id }, { title: 'changed' });
    expect(controller.get(Todo, { id })?.title).toBe('changed');
    expect(w.calls).toHaveLength(2);
    await w.call(1).answer({ id: 3, title: 'three' });
    expect(w.log.at(-1)).toBe('update {"id":3} {"title":"changed"}');
    expect(controller.get(Todo, { id: 3 })?.title).toBe('changed');
    await w.call().answer({ id: 3, title: 'changed' });
    expect(await done).toBe(controller.get(Todo, { id: 3 }));
    expect(controller.get(todos, {})?.map(({ title }) => title)).toEqual(['one', 'two', 'changed']);
  });

  test('[O6] changes of a temporary row are sent before later changes under the server key', async () => {
    const { w, controller, create, update, todos } = await stage();
    const created = controller.fetch(create, { title: 'three' });
    const id = controller.get(todos, {})?.at(-1)?.id;
    void controller.fetch(update, { id }, { title: 'four' });
    void controller.fetch(update, { id }, { title: 'five' });
    // a reader, and then the caller
    const stop = controller.on('commit', ({ cause }) => {
      if (cause === 'answer') stop();
      if (cause === 'answer') void controller.fetch(update, { id: 3 }, { title: 'six' });
    });
    void created.then(() => controller.fetch(update, { id: 3 }, { title: 'seven' }));
    await w.call(1).answer({ id: 3, title: 'three' });
    expect(w.calls.slice(2).map(({ args }) => args[1])).toEqual(
      ['four', 'five', 'six', 'seven'].map((title) => ({ title })),
    );
  });

  test('[O6] a change of a temporary row rejects with E6, and is not sent, if the creation fails', async () => {
    const { w, controller, create, update, todos } = await stage();
    const created = controller.fetch(create, { title: 'three' });
    const id = controller.get(todos, {})?.at(-1)?.id;
    const done = controller.fetch(update, { id }, { title: 'changed' });
    void w.call(1).fail(refusal(422));
    await refused(created);
    expect(await refused(done)).toMatchObject({ code: 'E6' });
    expect(w.calls).toHaveLength(2);
    expect(controller.get(todos, {})).toHaveLength(2);
  });

  test('[O6] an optimistic creation with a key of the caller shows the row under that key', async () => {
    const { w, controller, create, todos } = await stage();
    void controller.fetch(create, { id: 77, title: 'mine' });
    expect(controller.get(todos, {})?.at(-1)?.id).toBe(77);
    await w.call().answer({ id: 77, title: 'mine' });
    expect(controller.get(todos, {})?.map(({ id }) => id)).toEqual([1, 2, 77]);
  });

  test.each([
    ['in the order of the call', [77, 7]],
    ['in another order', [7, 77]],
  ])('[O6] the server assigns a key only to rows created without a key, %s', async (_, keys) => {
    const { w, controller, create, update, todos } = await stage();
    void controller.fetch(create, [{ id: 77, title: 'mine' }, { title: 'three' }]);
    const mine = watch(() => controller.entity(Todo, 77).value?.title);
    const id = controller.get(todos, {})?.at(-1)?.id;
    void controller.fetch(update, { id }, { done: true });
    await w.call(1).answer(keys.map((pk) => ({ id: pk, title: pk === 77 ? 'mine' : 'three' })));
    expect(mine.seen).toEqual(['mine']);
    expect(controller.get(todos, {})?.map((todo) => todo.id)).toEqual([1, 2, ...keys]);
    expect(w.log.at(-1)).toBe('update {"id":7} {"done":true}');
  });

  test('[O6] a second row in the response of a creation leaves the row with the key of the caller unchanged', async () => {
    const { w, controller, create, todos } = await stage();
    void controller.fetch(create, { id: 77, title: 'mine' });
    const mine = watch(() => controller.entity(Todo, 77).value?.title);
    await w.call().answer([
      { id: 77, title: 'mine' },
      { id: 8, title: 'added' },
    ]);
    expect(mine.seen).toEqual(['mine']);
    expect(controller.get(todos, {})?.map(({ id }) => id)).toEqual([1, 2, 77, 8]);
  });

  test('[R8] an empty response keeps the optimistic value until the response of a later read', async () => {
    const { w, controller, update, title } = await stage();
    const done = controller.fetch(update, { id: 1 }, { title: 'mine' });
    await w.call().answer(null);
    expect(await done).toBeNull();
    expect(title(1)).toBe('mine');
    void controller.fetch(w.read('get', Todo), { id: 1 });
    await w.call().answer({ id: 1, title: "the server's" });
    expect(title(1)).toBe("the server's");
  });
});

test('[N2] an optimistic row shows the value that its class computes for a field', async () => {
  class Note extends Entity {
    id = 0;
    text = '';
    get short() {
      return this.text.slice(0, 1);
    }
  }
  const w = world();
  const create = w.mutation('create', new Collection([Note]).push, {
    getOptimisticResponse: (_: unknown, fields: object) => fields,
  });
  const done = w.controller.fetch(create, { id: 1, text: 'one', short: 'mine' });
  expect(w.controller.get(Note, { id: 1 })).toMatchObject({ text: 'one', short: 'o' });
  await w.call().answer({ id: 1, text: 'one', short: 'mine' });
  expect(await done).toMatchObject({ text: 'one', short: 'o' });
});

test('[O8] a reset drops optimistic changes and creations, and rejects their requests with ResetError', async () => {
  const { w, controller, update, create, todos } = await stage();
  const done = [
    controller.fetch(update, { id: 1 }, { title: 'mine' }),
    controller.fetch(create, { title: 'three' }),
  ];
  controller.reset();
  for (const each of done) expect(await refused(each)).toMatchObject({ name: 'ResetError' });
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  void controller.fetch(w.read('list', todos), {});
  await w.call().answer([{ id: 1, title: 'anew' }]);
  expect(controller.get(todos, {})?.map(({ title }) => title)).toEqual(['anew']);
  await settled();
});

test('[O5] merge() of the class combines an optimistic change with the stored entity', async () => {
  class Counter extends Entity {
    id = 0;
    tags: string[] = [];
    static override merge(existing: Counter, incoming: Counter) {
      return { ...existing, ...incoming, tags: [...existing.tags, ...(incoming.tags ?? [])] };
    }
  }
  const w = world();
  await w.controller.set(Counter, { id: 1 }, { tags: ['a'] });
  const tag = w.mutation('tag', Counter, { getOptimisticResponse: body });
  const done = w.controller.fetch(tag, { id: 1 }, { tags: ['b'] });
  expect(w.controller.get(Counter, { id: 1 })?.tags).toEqual(['a', 'b']);
  void w.call().fail(refusal(500));
  await refused(done);
  expect(w.controller.get(Counter, { id: 1 })?.tags).toEqual(['a']);
});
