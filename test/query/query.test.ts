// Declared queries: filter, order, groups, limit and aggregates.
import {
  All,
  avg,
  Collection,
  count,
  Entity,
  liveResult,
  max,
  min,
  Query,
  sum,
  Union,
  Values,
} from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { Todo, User, watch, world } from '../setup/world.ts';

const rows = [
  { id: 1, title: 'b', userId: 1, done: true, author: { id: 1, name: 'Eve' } },
  { id: 2, title: 'a', userId: 2, author: { id: 2, name: 'Ada' } },
  { id: 3, title: 'a', userId: 1 },
  { id: 4, title: 'c', userId: 3, author: { id: 1, name: 'Eve' } },
];

async function filled() {
  const w = world();
  await w.controller.set([Todo], rows);
  return w;
}

const ids = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id);

test('[N17] filter, sort and limit decide which rows are in the result, in which order, and how many', async () => {
  const w = await filled();
  const open = new Query(new All(Todo), {
    filter: (todo, { done }: { done: boolean }) => todo.done === done,
    sort: 'title',
    limit: ({ limit }: { limit?: number }) => limit,
  });
  expect(ids(w.controller.get(open, { done: false }))).toEqual([2, 3, 4]);
  expect(ids(w.controller.get(open, { done: false, limit: 2 }))).toEqual([2, 3]);
  expect(ids(w.controller.get(open, { done: true }))).toEqual([1]);
  expectTypeOf(w.controller.get(open, {} as { done: boolean })).toEqualTypeOf<Todo[] | undefined>();
});

test('[N17] rows that compare as equal keep the order of arrival', async () => {
  const w = await filled();
  const sorted = new Query(new All(Todo), {
    sort: [{ title: 'desc' }, (a, b) => b.userId - a.userId],
  });
  expect(ids(w.controller.get(sorted))).toEqual([4, 1, 2, 3]);
  const byTitle = new Query(new All(Todo), { sort: { title: 'asc' }, offset: 1, limit: 2 });
  expect(ids(w.controller.get(byTitle))).toEqual([3, 1]);
  expect(ids(w.controller.get(new Query(new All(Todo), {})))).toEqual([1, 2, 3, 4]);
});

test('[N17] a commit that changes rows but not the rows within offset and limit notifies no reader', async () => {
  class Task extends Entity {
    id = 0;
    title = '';
    author = User.fromJS();
    static override schema = { author: User };
  }
  const rows = (...titles: [number, string][]) =>
    titles.map(([id, title]) => ({ id, title, author: { id: 1 } }));
  const w = world();
  const list = new Collection([Task]);
  await w.controller.set(list.unshift, {}, rows([4, 'a'], [5, 'a'], [3, ''], [1, 'a']));
  const sorted = new Query(new All(Task), { sort: 'title', offset: 1, limit: 3 });
  const shown = watch(w.controller.query(sorted).result);
  const before = shown.runs;
  await w.controller.set(list.unshift, {}, rows([3, 'b'], [2, '']));
  expect((shown.last.data as Task[]).map(({ id }) => id)).toEqual([4, 5, 1]);
  expect(shown.runs).toBe(before);
});

test('[N17] a live reader of a limited query shows a change that is undone, beside an earlier read of a snapshot', async () => {
  const w = await filled();
  const first = new Query(new All(Todo), { sort: 'title', limit: 1 });
  const reader = w.controller.query(first);
  const live = watch(() => ids(liveResult(reader).value.data));
  expect(ids(w.controller.get(first))).toEqual([2]);
  const rename = (title: string) => w.controller.set(Todo, { id: 1 }, { title });
  await rename('');
  expect(live.last).toEqual([1]);
  await rename('b');
  expect(live.last).toEqual([2]);
  const before = live.runs;
  await rename('z');
  expect([live.last, live.runs]).toEqual([[2], before]);
});

test('[N17] rows without a value of the sorted field come last, ascending and descending', async () => {
  class Score extends Todo {
    points: number | null | undefined = undefined;
  }
  const w = world();
  await w.controller.set(
    [Score],
    [{ id: 1, points: null }, { id: 2, points: 2 }, { id: 3 }, { id: 4, points: 10 }],
  );
  for (const [way, order] of [
    ['asc', [2, 4, 1, 3]],
    ['desc', [4, 2, 1, 3]],
  ] as const) {
    const query = new Query(new All(Score), { sort: { points: way } });
    expect(ids(w.controller.get(query))).toEqual(order);
  }
});

test('[N17] groupBy groups rows by the text of a field or of the result of a function', async () => {
  const w = await filled();
  const byUser = new Query(new All(Todo), { groupBy: 'userId', sort: 'title' });
  const groups = w.controller.get(byUser);
  expect(Object.entries(groups ?? {}).map(([name, todos]) => [name, ids(todos)])).toEqual([
    ['1', [3, 1]],
    ['2', [2]],
    ['3', [4]],
  ]);
  expect(Object.isFrozen(groups)).toBe(true);
  expectTypeOf(groups).toEqualTypeOf<Record<string, Todo[]> | undefined>();
  const byAuthor = new Query(new All(Todo), {
    groupBy: (todo) => todo.author?.name ?? '__proto__',
    limit: 1,
  });
  const named = w.controller.get(byAuthor) ?? {};
  expect(Object.keys(named)).toEqual(['Ada', 'Eve', '__proto__']);
  expect(ids(named['Eve'])).toEqual([1]);
});

test('[N17] aggregate computes figures of all rows, or of each group', async () => {
  const w = await filled();
  const figures = new Query(new All(Todo), {
    filter: (todo) => todo.id < 4,
    aggregate: {
      all: count(),
      users: sum('userId'),
      mean: avg((todo: Todo) => todo.userId),
      first: min('title'),
      last: max((todo: Todo) => todo.author?.name),
    },
  });
  const all = w.controller.get(figures);
  expect(all).toEqual({ all: 3, users: 4, mean: 4 / 3, first: 'a', last: 'Eve' });
  expectTypeOf(all).toEqualTypeOf<
    | {
        readonly all: number;
        readonly users: number;
        readonly mean: number | undefined;
        readonly first: string | undefined;
        readonly last: string | undefined;
      }
    | undefined
  >();
  const perUser = new Query(new All(Todo), { groupBy: 'userId', aggregate: { all: count() } });
  expect(w.controller.get(perUser)).toEqual({ 1: { all: 2 }, 2: { all: 1 }, 3: { all: 1 } });
  await w.controller.set(Todo, { id: 1 }, { userId: 2 });
  expect(w.controller.get(perUser)).toEqual({ 1: { all: 1 }, 2: { all: 2 }, 3: { all: 1 } });
});

test('[N17] without rows count and sum are 0, and avg, min and max are undefined', async () => {
  const w = await filled();
  const none = new Query(new All(Todo), {
    filter: () => false,
    aggregate: { n: count(), s: sum('id'), a: avg('id'), least: min('id'), most: max('id') },
  });
  expect(w.controller.get(none)).toEqual({ n: 0, s: 0, a: undefined, least: undefined });
});

test('[N17] sum and avg are exact after a value of 1e300 has changed to NaN', async () => {
  const w = world();
  const total = new Query(new All(Todo), {
    aggregate: { total: sum('userId'), mean: avg('userId') },
  });
  const watcher = watch(w.controller.query(total).result);
  await w.controller.set(
    [Todo],
    [
      { id: 1, userId: 0.1 },
      { id: 2, userId: 0.2 },
    ],
  );
  await w.controller.set(Todo, { id: 3 }, { userId: 1e300 });
  await w.controller.set(Todo, { id: 3 }, { userId: Number.NaN });
  expect(watcher.last.data).toEqual({ total: 0.1 + 0.2, mean: (0.1 + 0.2) / 2 });
});

test('[N17] max of dates follows each change of the rows', async () => {
  const w = await filled();
  const latest = new Query(new All(Todo), {
    aggregate: { at: max(({ userId }: Todo) => new Date(userId)) },
  });
  const watcher = watch(w.controller.query(latest).result);
  for (const userId of [9, 9, 7, 5]) await w.controller.set(Todo, { id: 4 }, { userId });
  await w.controller.set(Todo, { id: 1 }, { userId: 9 });
  await w.controller.set(Todo, { id: 1 }, { userId: 1 });
  expect(watcher.seen.map(({ data }) => Number(data?.at))).toEqual([3, 9, 7, 5, 9, 5]);
});

test('[N17] a declared query over a table or a list that was never stored is undefined', async () => {
  const w = world();
  const all = new Query(new All(Todo), { sort: 'title' });
  const todos = new Collection([Todo]);
  const list = new Query(todos, { aggregate: { n: count() } });
  const watcher = watch(w.controller.query(list, { userId: 1 }).result);
  expect([w.controller.get(all), w.controller.get(list, { userId: 1 })]).toEqual([
    undefined,
    undefined,
  ]);
  await w.controller.set(todos, { userId: 1 }, []);
  expect(watcher.seen.map(({ data }) => data)).toEqual([undefined, { n: 0 }]);
  w.controller.reset();
  expect([watcher.last.status, w.controller.get(list, { userId: 1 })]).toEqual([
    'pending',
    undefined,
  ]);
});

test('[N17] a declared query filters and sorts arrays, maps and Collections in the response of an endpoint', async () => {
  const w = world();
  const how = { filter: (todo: Todo) => !todo.done, sort: 'title' } as const;
  const reply = () => ({ a: rows[0], b: rows[3], c: rows[1] });
  const values = w.read('values', new Query(new Values(Todo), how), { reply });
  expect(ids(await w.controller.fetch(values, {}))).toEqual([2, 4]);
  const array = w.read('array', new Query([Todo], how), { reply: () => rows });
  expect(ids(await w.controller.fetch(array, {}))).toEqual([2, 3, 4]);
  const list = w.read('list', new Query(new Collection([Todo]), how), { reply: () => rows });
  expect(ids(await w.controller.fetch(list, {}))).toEqual([2, 3, 4]);
  const watcher = watch(w.controller.signal(list, {}));
  await w.controller.set(new Collection([Todo]).unshift, {}, { id: 9, title: 'a' });
  expect(ids(watcher.last)).toEqual([9, 2, 3, 4]);
  await w.controller.set(Todo, { id: 2 }, { done: true });
  expect(ids(watcher.last)).toEqual([9, 3, 4]);
  expect(ids(w.controller.getResponse(array, {}).data)).toEqual([3, 4]);
  const { data } = w.controller.getResponse(values, {});
  expectTypeOf(data).toEqualTypeOf<Todo[] | undefined>();
  expect(ids(data)).toEqual([4]);
});

test('[N17] a declared query over a Collection of Values follows added, changed and removed entries', async () => {
  const w = world();
  const map = new Collection(new Values(Todo));
  const get = w.read('map', map);
  await w.controller.setResponse(get, {}, { a: rows[0], b: rows[3] });
  const open = new Query(map, { filter: (todo: Todo) => !todo.done, sort: { id: 'desc' } });
  const watcher = watch(w.controller.query(open, {}).result);
  await w.controller.set(map.assign, {}, { c: rows[1] });
  await w.controller.set(Todo, { id: 1 }, { done: false });
  await w.controller.set(map.remove, {}, { id: 4 });
  expect(watcher.seen.map(({ data }) => ids(data))).toEqual([[4], [4, 2], [4, 2, 1], [2, 1]]);
  expect(w.controller.get(new Query(map, { aggregate: { n: count() } }), {})).toEqual({ n: 2 });
});

test('[N17] data of an endpoint with a declared query are undefined after an invalidation, and notify once after a fetch', async () => {
  const w = world();
  const open = new Query(new Collection([Todo]), { filter: (todo) => !todo.done, sort: 'title' });
  const get = w.read('open', open, { reply: () => rows });
  await w.controller.fetch(get, {});
  const watcher = watch(w.controller.view(get, {}).result);
  w.controller.invalidate(get, {});
  await w.controller.set(Todo, { id: 2 }, { title: 'z' });
  expect(watcher.seen.map(({ data }) => ids(data))).toEqual([[2, 3, 4], undefined]);
  const before = watcher.runs;
  await w.controller.fetch(get, {});
  expect([ids(watcher.last.data), watcher.runs - before]).toEqual([[2, 3, 4], 1]);
  const { data } = watcher.last;
  await w.controller.fetch(get, {});
  expect([watcher.last.data === data, watcher.runs - before]).toEqual([true, 1]);
});

test('[N17] a declared query over All of a Union has the rows of each of its classes', async () => {
  class Cat extends Todo {
    kind = 'cat';
  }
  class Dog extends Todo {
    kind = 'dog';
  }
  const w = world();
  const pets = new All(new Union({ cat: Cat, dog: Dog }, 'kind'));
  const sorted = new Query(pets, { sort: 'title' });
  const watcher = watch(w.controller.query(sorted).result);
  await w.controller.set([Dog], [{ id: 1, title: 'b' }]);
  await w.controller.set(
    [Cat],
    [
      { id: 2, title: 'b' },
      { id: 3, title: 'a' },
    ],
  );
  expect(ids(watcher.last.data as Todo[])).toEqual([3, 2, 1]);
});

test('[N17] a filter that throws gives its readers the error, and is called again after the next change', async () => {
  const w = await filled();
  let broken = false;
  const query = new Query(new All(Todo), {
    filter: (todo) => {
      if (broken) throw new Error('broken');
      return todo.done;
    },
  });
  const reader = w.controller.query(query);
  const { stop } = watch(reader.result);
  stop();
  broken = true;
  await w.controller.set(Todo, { id: 2 }, { done: true });
  expect(reader.result.peek().error?.message).toBe('broken');
  expect(() => w.controller.get(query)).toThrow('broken');
  broken = false;
  await w.controller.set(Todo, { id: 3 }, { done: true });
  expect(ids(reader.result.peek().data)).toEqual([1, 2, 3]);
});

test('[N17] a declared query in the schema of an entity follows the nested list', async () => {
  class Project extends User {
    todos: Todo[] = [];
    static override schema = {
      todos: new Query(
        new Collection([Todo], { nestKey: ({ id }: { id: number }) => ({ projectId: id }) }),
        { filter: (todo) => !todo.done, sort: 'title' },
      ),
    };
  }
  const w = world();
  await w.controller.set(Project, { id: 5 }, { id: 5, todos: rows });
  const watcher = watch(w.controller.entity(Project, 5));
  expect(ids(watcher.last?.todos)).toEqual([2, 3, 4]);
  await w.controller.set(Todo, { id: 4 }, { title: '0' });
  expect(ids(watcher.last?.todos)).toEqual([4, 2, 3]);
  await w.controller.set(Todo, { id: 1 }, { title: '1' });
  expect(watcher.runs).toBe(2);
});
