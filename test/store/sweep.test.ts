/** Unread data are removed after their time; data that a component shows, or may show at any time, stay. */
import { collected } from '../setup/garbage.ts';
import {
  StoppedClock,
  Tag,
  Todo,
  User,
  refusal,
  refused,
  watch,
  wholeTodo,
  world,
} from '../setup/world.ts';
import {
  All,
  Collection,
  Controller,
  Delete,
  Entity,
  Query,
  live as liveOf,
  liveResult,
} from 'signalbox';
import { expect, test } from 'vitest';

const MINUTE = 60_000;
const todos = new Collection([Todo]);
const row = wholeTodo({ author: { id: 7, name: 'Ada' }, tags: [{ id: 3, label: 'x' }] });

async function filled() {
  const w = world();
  const list = w.read('list', todos, { reply: () => [row] });
  await w.controller.fetch(list, {});
  return { w, list };
}

test('[I3] data without readers are kept for five minutes after their expiry', async () => {
  const { w } = await filled();
  w.clock.advance(6 * MINUTE - 1);
  expect(w.controller.get(Todo, { id: 1 })?.author?.name).toBe('Ada');
});

test('[I3] requests, lists and entities without readers are removed after these five minutes', async () => {
  const { w, list } = await filled();
  w.clock.advance(8 * MINUTE);
  expect(w.controller.sweep()).toBe(0);
  expect(w.controller.getResponse(list, {}).data).toBeUndefined();
  expect(w.controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(w.controller.get(User, { id: 7 })).toBeUndefined();
});

test.each(['invalidate', 'expireAll'] as const)(
  '[I3] a key expired by %s is refetched after its collection if its entity was not collected',
  async (verb) => {
    const w = world({ dataExpiryLength: Infinity });
    const reply = () => [row];
    const list = w.read('list', todos, { reply });
    await w.controller.fetch(list, {});
    const view = w.controller.view(list, {});
    view.retain();
    const get = w.read('get', Todo);
    expect(w.controller.getResponse(get, { id: 1 }).expiresAt).toBe(Infinity);
    w.controller[verb](get, { id: 1 });
    await collected();
    w.controller.sweep();
    w.controller.prefetch(get, { id: 1 });
    expect(w.log).toEqual(['list {}', 'get {"id":1}']);
  },
);

test('[I3] data without readers are removed after `sweepAfter` of the controller', async () => {
  const w = world({ sweepAfter: 1_000, dataExpiryLength: 10 });
  await w.controller.set(Todo, row);
  w.clock.advance(900);
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('a');
  w.clock.advance(1_600);
  expect(w.controller.get(Todo, { id: 1 })).toBeUndefined();
});

test('[I3] data without readers are kept if `sweepAfter` is Infinity', async () => {
  const w = world({ sweepAfter: Infinity });
  await w.controller.set(Todo, row);
  w.clock.advance(1e9);
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('a');
});

test('[I3] data that do not expire are kept', async () => {
  const w = world({ dataExpiryLength: Infinity });
  await w.controller.set(Todo, row);
  w.clock.advance(1e9);
  expect(w.controller.get(Todo, { id: 1 })?.tags[0]?.label).toBe('x');
});

test('[I3] a read restarts the time until removal, for all related entities', async () => {
  const { w, list } = await filled();
  for (let turn = 0; turn < 20; turn++) {
    w.clock.advance(4 * MINUTE);
    expect(w.controller.signal(list, {}).peek()?.[0]?.tags[0]?.label).toBe('x');
    await collected(1);
  }
});

test('[I3] errors, deleted entities and missing entities without readers are removed', async () => {
  const w = world();
  const list = w.read('list', todos);
  const sent = refused(w.controller.fetch(list, {}));
  await w.call().fail(refusal(404));
  await sent;
  await w.controller.set(Todo, row);
  await w.controller.set(new Delete(Todo), { id: 1 }, {});
  w.controller.get(User, { id: 99 });
  expect(w.controller.getError(list, {})).toBeDefined();
  await collected();
  w.clock.advance(10 * MINUTE);
  expect(w.controller.sweep()).toBe(0);
  expect(w.controller.getError(list, {})).toBeUndefined();
});

test('[I3] records of settled mutations are removed', async () => {
  const w = world();
  const create = w.mutation('create', todos.push, { reply: (body: object) => body });
  const remove = w.mutation('remove', new Delete(Todo), { reply: ({ id }: Todo) => ({ id }) });
  for (let id = 1; id <= 50; id++) {
    await w.controller.fetch(create, { id, title: 't' });
    await w.controller.fetch(remove, { id });
  }
  await collected();
  w.clock.advance(10 * MINUTE);
  expect(w.controller.sweep()).toBe(0);
});

test('[I3] data with a reader of any kind are not removed', async () => {
  const { w, list } = await filled();
  const named = new Query(new All(Tag), (tags) => tags.map(({ label }) => label).join());
  const readers = [
    watch(() => w.controller.signal(list, {}).value?.[0]?.author?.name),
    watch(() => liveResult(w.controller.view(list, {})).value.data?.[0]?.title),
    watch(() => liveOf(w.controller, Todo, 1).tags[0]?.label),
    watch(() => w.controller.query(named).result.value.data),
    watch(() => w.controller.entity(User, 7).value?.name),
  ];
  const seen = readers.map(({ last }) => last);
  for (let turn = 0; turn < 10; turn++) {
    w.clock.advance(10 * MINUTE);
    await collected(1);
  }
  w.controller.sweep();
  expect(readers.map(({ runs }) => runs)).toEqual([1, 1, 1, 1, 1]);
  await w.controller.set(Todo, { ...row, title: 'b', author: { id: 7, name: 'Bob' } });
  await w.controller.set(Tag, { id: 3 }, { label: 'y' });
  expect(seen).toEqual(['Ada', 'a', 'x', 'x', 'Ada']);
  expect(readers.map(({ last }) => last)).toEqual(['Bob', 'b', 'y', 'y', 'Bob']);
  for (const reader of readers) reader.stop();
  await collected();
  w.clock.advance(10 * MINUTE);
  expect(w.controller.sweep()).toBe(0);
});

test('[I3] data of a listener or a mounted view are not removed', async () => {
  const { w, list } = await filled();
  let told = 0;
  const keep = async (hold: () => () => void) => {
    const release = hold();
    await collected();
    await collected();
    w.controller.sweep();
    const shown = w.controller.signal(list, {}).peek()?.[0]?.author?.name;
    release();
    return shown;
  };
  expect(await keep(() => w.controller.view(list, {}).listen(() => told++))).toBe('Ada');
  expect(await keep(() => w.controller.view(list, {}).retain())).toBe('Ada');
  await collected();
  expect(w.controller.sweep()).toBe(0);
  expect(told).toBe(0);
});

test('[I3] signals, live objects and views created before a sweep read data written later', async () => {
  const { w, list } = await filled();
  const signal = w.controller.entity(Todo, 1);
  const live = liveOf(w.controller, User, 7);
  const view = w.controller.view(list, {});
  w.clock.advance(60 * MINUTE);
  w.controller.sweep();
  await w.controller.set(Todo, { id: 1 }, { title: 'b', author: { id: 7, name: 'Bob' } });
  expect([signal.value?.title, live.name]).toEqual(['b', 'Bob']);
  expect(view.result.value.data?.[0]?.title).toBe('b');
});

test('[I3] indexes and All omit collected entities, and contain entities written later', async () => {
  class Named extends Entity {
    id = 0;
    name = '';
    static override indexes = ['name'];
  }
  const w = world();
  const all = new All(Named);
  await w.controller.set(
    [Named],
    [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ],
  );
  expect(w.controller.get(Named, { name: 'b' })?.id).toBe(2);
  expect(w.controller.get(all)).toHaveLength(2);
  expect(w.controller.sweep()).toBe(0);
  expect(w.controller.get(all)).toBeUndefined();
  expect(w.controller.get(Named, { name: 'b' })).toBeUndefined();
  await w.controller.set(Named, { id: 3, name: 'b' });
  expect(w.controller.get(Named, { name: 'b' })?.id).toBe(3);
  expect(w.controller.get(all)?.map(({ id }) => id)).toEqual([3]);
});

test('[I3] a request in flight keeps its key during a sweep, and is joined', async () => {
  const w = world();
  const get = w.read('get', Todo);
  const sent = w.controller.fetch(get, { id: 1 });
  w.clock.advance(60 * MINUTE);
  w.controller.sweep();
  void w.controller.fetch(get, { id: 1 });
  expect(w.calls).toHaveLength(1);
  await w.call().answer(row);
  expect(await sent).toBe(w.controller.get(Todo, { id: 1 }));
});

test('[I3] a list whose row is deleted optimistically stays during a sweep, and shows the row after the rollback', async () => {
  const { w, list } = await filled();
  const drop = w.mutation('drop', new Delete(Todo), {
    getOptimisticResponse: (_: unknown, params: object) => params,
  });
  const sent = refused(w.controller.fetch(drop, { id: 1 }));
  w.controller.sweep();
  await w.call().fail(refusal(500));
  await sent;
  expect(w.controller.get(list.schema, {})).toMatchObject([{ id: 1 }]);
  expect(w.controller.sweep()).toBe(0);
});

test('[O4] a deletion is remembered while an older request is in flight, also after a sweep', async () => {
  const w = world();
  await w.controller.set(Todo, row);
  // the key of the read does not name the todo: only the order of writes needs the deletion
  const late = w.controller.fetch(w.read('all', [Todo]), {});
  await w.controller.set(new Delete(Todo), { id: 1 }, {});
  await collected();
  w.clock.advance(60 * MINUTE);
  w.controller.sweep();
  await w.call().answer([row]);
  expect(await late).toEqual([]);
  expect(w.controller.get(Todo, { id: 1 })).toBeUndefined();
  await collected();
  expect(w.controller.sweep()).toBe(0);
});

test('[O4] garbage collection keeps the time of an own write while an older read is in flight', async () => {
  const w = world();
  const late = w.controller.fetch(w.read('all', [Todo]), {});
  const update = w.mutation('update', Todo, { reply: ({ id }, body) => ({ id, ...body }) });
  await w.controller.fetch(update, { id: 1 }, { title: 'mine' });
  w.clock.advance(60 * MINUTE);
  w.controller.sweep();
  await w.call(0).answer([row]);
  await late;
  expect(w.controller.get(Todo, { id: 1 })?.title).toBe('mine');
});

test('[O4] a creation is remembered in its list while an older read is in flight, also after a sweep', async () => {
  const { w } = await filled();
  const late = w.controller.fetch(w.read('all', { todos }), {});
  const create = w.mutation('create', todos.push, { reply: (body: object) => body });
  await w.controller.fetch(create, { id: 2, title: 'mine' });
  await collected();
  w.clock.advance(60 * MINUTE);
  w.controller.sweep();
  await w.call(1).answer({ todos: [row] });
  await late;
  const shown = w.controller.get(todos, {}) as Todo[];
  expect(shown.map(({ title }) => title)).toEqual(['a', 'mine']);
});

/** Knows which timers wait. */
class CountedClock extends StoppedClock {
  readonly #waiting = new Set<unknown>();

  override get waiting(): number {
    return this.#waiting.size;
  }
  override after(ms: number, job: () => void): unknown {
    const timer = super.after(ms, job);
    this.#waiting.add(timer);
    return timer;
  }
  override clear(timer: unknown): void {
    this.#waiting.delete(timer);
    super.clear(timer);
  }
}

test('[I3] no timer is set while there are no data to remove', async () => {
  const clock = new CountedClock();
  const controller = new Controller({ clock });
  expect(clock.waiting).toBe(0);
  await controller.set(Todo, row);
  expect(clock.waiting).toBe(1);
  clock.advance(10 * MINUTE);
  expect(clock.waiting).toBe(0);
  await controller.set(Todo, row);
  controller.reset();
  expect(clock.waiting).toBe(0);
});
