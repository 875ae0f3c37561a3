// The cost of a changed row in a declared query, counted in calls of the user's functions; and the holders of the row index.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  All,
  Collection,
  count,
  Delete,
  Entity,
  hasMany,
  innerJoin,
  leftJoin,
  liveResult,
  max,
  Query,
  sum,
} from 'signalbox';
import { expect, test } from 'vitest';
import { collected } from '../setup/garbage.ts';
import { Project } from '../setup/samples.ts';
import { Todo, User, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const made = (size: number) =>
  Array.from({ length: size }, (_, at) => ({
    id: at + 1,
    title: `t${(at * 7919) % size}`,
    done: at % 3 === 0,
    userId: at % 10,
    author: { id: (at % 100) + 1, name: `n${at % 7}` },
  }));

const list = new Collection([Todo]);

/** A sorted, filtered view of `size` rows with a reader, and the calls since the last `calls()`. */
async function counted(of: typeof list | All<typeof Todo>, size: number) {
  let calls = 0;
  const w = world();
  await w.controller.set(list, {}, made(size));
  const query = new Query(of, {
    filter: (todo) => (calls++, !todo.done),
    sort: (a, b) => (calls++, a.title < b.title ? -1 : Number(a.title > b.title)),
  });
  const figures = new Query(of, {
    filter: (todo) => (calls++, !todo.done),
    groupBy: (todo) => (calls++, todo.userId),
    aggregate: { n: count(), most: max((todo: Todo) => (calls++, todo.title)) },
  });
  const readers = [query, figures].map((one) => watch(w.controller.query(one, {}).result));
  const callsOf = async (change: (w: World) => unknown) => {
    calls = 0;
    await change(w);
    return calls;
  };
  return { w, query, readers, callsOf };
}

// for a removal and an insertion in n sorted rows, and some for filters, groups and figures
const allowed = (size: number) => 2 * Math.ceil(Math.log2(size)) + 16;

test.each([
  ['All', new All(Todo)],
  ['Collection', list],
] as const)(
  '[N17] one changed row in a query over %s calls user functions O(log n) times',
  async (_, of) => {
    const changes: ((w: World) => unknown)[] = [
      (w) => w.controller.set(Todo, { id: 500 }, { title: 'zz' }),
      (w) => w.controller.set(Todo, { id: 501 }, { done: true }),
      (w) => w.controller.set(Todo, { id: 501 }, { done: false, userId: 4 }),
      (w) => w.controller.set(list.push, {}, { id: 200_001, title: 'm' }),
      (w) => w.controller.set(list.unshift, {}, { id: 200_002, title: 'm' }),
      (w) => w.controller.set(new Delete(Todo), { id: 700 }, { id: 700 }),
    ];
    for (const size of [1000, 10_000, 100_000]) {
      const { callsOf, readers } = await counted(of, size);
      for (const [at, change] of changes.entries()) {
        expect(await callsOf(change), `change ${at} of ${size} rows`).toBeLessThan(allowed(size));
      }
      expect(readers.map(({ last }) => last.status)).toEqual(['success', 'success']);
    }
  },
  60_000,
);

test('[N17] a changed nested entity re-evaluates only the rows that contain the entity', async () => {
  const { callsOf } = await counted(list, 10_000);
  const calls = await callsOf((w) => w.controller.set(User, { id: 5 }, { name: 'new' }));
  expect(calls).toBeGreaterThan(100);
  expect(calls).toBeLessThan(100 * allowed(10_000));
});

test('[N17] rows behind the limit that keep their place cost two comparisons each', async () => {
  let calls = 0;
  const w = world();
  await w.controller.set(list, {}, made(10_000));
  const sort = (a: Todo, b: Todo) => (calls++, a.userId - b.userId);
  const reader = watch(w.controller.query(new Query(list, { sort, limit: 10 }), {}).result);
  const [first] = reader.last.data as [Todo];
  calls = 0;
  await w.controller.set(User, { id: first.author?.id ?? 0 }, { name: 'new' });
  expect((reader.last.data as Todo[]).map((todo) => todo.author?.name === 'new')).toEqual(
    Array.from({ length: 10 }, (_, at) => at === 0),
  );
  expect(reader.runs).toBe(2);
  expect(calls).toBeGreaterThan(100);
  // the visible row is looked for
  expect(calls).toBeLessThan(100 * 2 + allowed(10_000));
});

test('[N17] a response with one more row in a list compares only that row', async () => {
  const { callsOf, w, query } = await counted(list, 1000);
  const sent = made(1000);
  const row = { id: 5000, title: 'm', done: false };
  sent.splice(500, 0, row as (typeof sent)[number]);
  expect(await callsOf(() => w.controller.set(list, {}, sent))).toBeLessThan(allowed(1000));
  const again = w.controller.get(
    new Query(list, { filter: ({ done }) => !done, sort: 'title' }),
    {},
  );
  expect(w.controller.get(query, {})).toEqual(again);
});

test('[N17] a response that reorders a list changes the order of rows that compare as equal', async () => {
  const w = world();
  const sent = made(40);
  await w.controller.set(list, {}, sent);
  const plain = watch(w.controller.query(new Query(list, {}), {}).result);
  const sorted = watch(w.controller.query(new Query(list, { sort: 'userId' }), {}).result);
  const total = watch(
    w.controller.query(new Query(list, { aggregate: { n: count() } }), {}).result,
  );
  await w.controller.set(list, {}, sent.reverse());
  expect(plain.last.data?.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
  const byUser = [...sent].sort((a, b) => a.userId - b.userId);
  expect(sorted.last.data?.map(({ id }) => id)).toEqual(byUser.map(({ id }) => id));
  expect([plain.runs, sorted.runs, total.runs]).toEqual([2, 2, 1]);
  const [some, rest] = [sent.slice(0, 20), sent.slice(20)];
  const more = [...some, { id: 98 }, { id: 99 }, ...rest];
  await w.controller.set(list, {}, more);
  expect(plain.last.data?.map(({ id }) => id)).toEqual(more.map(({ id }) => id));
});

test('[N17] a sorted list of 3,000 rows equals a recomputation after each of 300 edits', async () => {
  const { w, query } = await counted(list, 3000);
  const anew = () =>
    [...(w.controller.get(list, {}) ?? [])]
      .filter(({ done }) => !done)
      .sort((a, b) => (a.title < b.title ? -1 : Number(a.title > b.title)));
  const numbers = new Query(list, { sort: { userId: 'desc' }, offset: 10, limit: 700 });
  const watcher = watch(w.controller.query(numbers, {}).result);
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 300; round++) {
    const some = Array.from({ length: 1 + random(40) }, () => ({
      id: 1 + random(4000),
      title: `t${random(50)}`,
      done: random(4) === 0,
      userId: random(30),
    }));
    if (round % 3 === 0) await w.controller.set([Todo], some);
    else if (round % 3 === 1)
      await w.controller.set(list[round % 2 ? 'push' : 'unshift'], {}, some);
    else await w.controller.set(list.remove, {}, some);
    expect(w.controller.get(query, {})).toEqual(anew());
    const byUser = [...(w.controller.get(list, {}) ?? [])].sort((a, b) => b.userId - a.userId);
    expect(watcher.last.data).toEqual(byUser.slice(10, 710));
  }
});

test('[N17] an inconsistent sort function loses no row', async () => {
  const w = world();
  await w.controller.set(list, {}, made(50));
  let turn = 0;
  const odd = new Query(list, { sort: () => (turn++ % 3) - 1 });
  const watcher = watch(w.controller.query(odd, {}).result);
  for (let id = 1; id <= 50; id++) await w.controller.set(Todo, { id }, { title: 'x' });
  expect(new Set(watcher.last.data?.map(({ id }) => id)).size).toBe(50);
  await w.controller.set(list, {}, []);
  expect(watcher.last.data).toEqual([]);
});

test('[V3] a reader of a limited query runs only for changes of the rows in its result', async () => {
  const w = world();
  await w.controller.set(list, {}, made(100));
  const top = new Query(list, { sort: { id: 'desc' }, limit: 3 });
  const shown = watch(w.controller.query(top, {}).result);
  const live = watch(liveResult(w.controller.query(top, {})));
  await w.controller.set(Todo, { id: 1 }, { title: 'unseen' });
  await w.controller.set(list.push, {}, { id: 0 });
  expect([shown.runs, live.runs]).toEqual([1, 1]);
  await w.controller.set(Todo, { id: 99 }, { title: 'seen' });
  expect([shown.runs, live.runs]).toEqual([2, 1]);
  expect(live.last.data?.map(({ title }) => title)[1]).toBe('seen');
  await w.controller.set(list.push, {}, { id: 101 });
  expect([shown.runs, live.runs]).toEqual([3, 2]);
});

test('[V3] groups without a changed row keep their reference', async () => {
  const w = world();
  await w.controller.set(list, {}, made(100));
  const groups = new Query(list, { groupBy: 'userId' });
  const figures = new Query(list, { groupBy: 'userId', aggregate: { n: sum('id') } });
  const [rowsBefore, figuresBefore] = [groups, figures].map((one) => w.controller.get(one, {}));
  await w.controller.set(Todo, { id: 1 }, { userId: 4 });
  const [rows, sums] = [groups, figures].map((one) => w.controller.get(one, {}));
  for (const [before, now] of [
    [rowsBefore, rows],
    [figuresBefore, sums],
  ]) {
    const same = Object.keys(now ?? {}).filter((name) => now?.[name] === before?.[name]);
    expect(same).toEqual(['1', '2', '3', '5', '6', '7', '8', '9']);
  }
});

test('[V6] the row index of a declared query is garbage collected without readers', async () => {
  const w = world();
  await w.controller.set(list, {}, made(3));
  // only the query holds each date but the latest
  let first: WeakRef<Date> | undefined;
  const dateOf = ({ id }: Todo) => {
    const date = new Date(id);
    if (id === 1) first = new WeakRef(date);
    return date;
  };
  const latest = new Query(list, { aggregate: { latest: max(dateOf) } });
  const isThere = async () => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => void setTimeout(resolve, 5));
      collect();
    }
    return first?.deref() !== undefined;
  };
  const { stop } = watch(w.controller.query(latest, {}).result);
  expect(await isThere()).toBe(true);
  stop();
  expect(await isThere()).toBe(false);
  const stopLive = watch(liveResult(w.controller.query(latest, {}))).stop;
  await w.controller.set(Todo, { id: 1 }, { title: 'again' });
  expect(await isThere()).toBe(true);
  stopLive();
  expect(await isThere()).toBe(false);
  expect(w.controller.get(latest, {})?.latest).toEqual(new Date(3));
});

class Issue extends Entity {
  id = 0;
  projectId = 0;
  rank = 0;
}
class Remark extends Entity {
  id = 0;
  issueId = 0;
  text = '';
}

/** Projects with ten issues each, and issues with ten remarks each; every function of the query is counted. */
async function related(projects: number) {
  let calls = 0;
  const w = world();
  const ids = (length: number) => Array.from({ length }, (_, at) => at + 1);
  const parent = (id: number) => Math.ceil(id / 10);
  await w.controller.set(
    [Remark],
    ids(projects * 100).map((id) => ({ id, issueId: parent(id), text: `t${id}` })),
  );
  await w.controller.set(
    [Issue],
    ids(projects * 10).map((id) => ({ id, projectId: parent(id), rank: (id * 7919) % 100 })),
  );
  await w.controller.set(
    [Project],
    ids(projects).map((id) => ({ id, name: `p${id}` })),
  );
  const query = new Query(new All(Project), {
    sort: (a, b) => (calls++, a.id - b.id),
    include: {
      issues: hasMany(Issue, 'projectId', {
        sort: (a, b) => (calls++, a.rank - b.rank),
        include: { remarks: hasMany(Remark, 'issueId', { filter: () => (calls++, true) }) },
      }),
    },
  });
  const reader = watch(w.controller.query(query).result);
  const callsOf = async (change: () => unknown) => {
    calls = 0;
    await change();
    return calls;
  };
  return { w, reader, callsOf };
}

test('[N24] one changed related row calls user functions O(log n) times in the number of its siblings', async () => {
  for (const size of [10, 100, 400]) {
    const { w, reader, callsOf } = await related(size);
    const { controller } = w;
    const changes: (() => unknown)[] = [
      () => controller.set(Remark, { id: 55 }, { text: 'new' }),
      () => controller.set(Remark, { id: 200_001 }, { id: 200_001, issueId: 3, text: 'more' }),
      () => controller.set(Remark, { id: 55 }, { issueId: 3 }),
      () => controller.set(Issue, { id: 7 }, { projectId: 2 }),
      () => controller.set(new Delete(Issue), { id: 9 }, { id: 9 }),
      () => controller.set(Project, { id: 3 }, { name: 'new' }),
    ];
    for (const [at, change] of changes.entries()) {
      const ran = reader.runs;
      // ten siblings at each of two levels, and the projects
      expect(await callsOf(change), `change ${at} of ${size} projects`).toBeLessThan(
        2 * Math.ceil(Math.log2(size)) + 32,
      );
      expect(reader.runs).toBe(ran + 1);
    }
  }
}, 60_000);

test('[V4] a changed related row replaces its parents, and no other rows of the result', async () => {
  const { w, reader } = await related(100);
  const before = reader.last.data;
  await w.controller.set(Remark, { id: 55 }, { text: 'new' });
  const after = reader.last.data;
  const changed = after?.filter((project, at) => project !== before?.[at]);
  expect(changed?.map(({ id }) => id)).toEqual([1]);
  const issues = changed?.[0]?.issues.filter(
    (issue) => before?.[0]?.issues.includes(issue) !== true,
  );
  expect(issues?.map(({ id }) => id)).toEqual([6]);
});

test('[I3] related rows are kept in memory while the query is read, and collected with the query', async () => {
  const w = world({ sweepAfter: 1000 });
  const { controller, clock } = w;
  await controller.set([Project], [{ id: 1 }]);
  await controller.set([Issue], [{ id: 1, projectId: 1 }]);
  await controller.set(
    [Remark],
    [
      { id: 1, issueId: 1 },
      { id: 2, issueId: 99 },
    ],
  );
  const query = new Query(new All(Project), {
    include: {
      issues: hasMany(Issue, 'projectId', { include: { remarks: hasMany(Remark, 'issueId') } }),
    },
  });
  let seen: ReturnType<typeof watch> | undefined = watch(controller.query(query).result);
  clock.advance(600_000);
  await collected();
  controller.sweep();
  expect(controller.get(Remark, { id: 1 })?.issueId).toBe(1);
  expect(controller.get(Remark, { id: 2 })).toBeUndefined();
  seen.stop();
  seen = undefined;
  await collected();
  clock.advance(600_000);
  controller.sweep();
  expect([controller.get(Remark, { id: 1 }), controller.get(Project, { id: 1 })]).toEqual([
    undefined,
    undefined,
  ]);
});

test('[V6] rows shared by several queries are garbage collected after the last query', async () => {
  const w = world({ sweepAfter: 1000 });
  const { controller, clock } = w;
  await controller.set([Project], [{ id: 1 }]);
  await controller.set([Issue], [{ id: 1, projectId: 1 }]);
  await controller.set([Remark], [{ id: 1, issueId: 1 }]);
  const query = new Query(new All(Project), {
    include: {
      issues: hasMany(Issue, 'projectId', {
        filter: ({ id }, { from }: { from: number }) => id >= from,
        include: { remarks: hasMany(Remark, 'issueId') },
      }),
    },
  });
  const readers = [0, 1].map((from) => watch(controller.query(query, { from }).result));
  const rows = readers.map(({ last }) => new WeakRef(last.data?.[0]?.issues[0] as Issue));
  const stopLast = async (): Promise<void> => {
    readers.pop()?.stop();
    // the query is collected first, then the rows that the query has linked
    for (let sweep = 0; sweep < 3; sweep++) {
      clock.advance(600_000);
      controller.sweep();
      await collected();
    }
  };
  expect(rows[0]?.deref() === rows[1]?.deref()).toBe(true);
  await stopLast();
  expect(rows[0]?.deref() === undefined).toBe(false);
  await stopLast();
  // the shared rows go with the next commit
  await controller.set(Project, { id: 2 }, { id: 2 });
  await collected();
  expect(rows.every((row) => row.deref() === undefined)).toBe(true);
});

test('[N24] a changed row of a join calls user functions O(log n) times, also if all rows share a member', async () => {
  for (const size of [1_000, 10_000]) {
    let calls = 0;
    const w = world();
    const { controller } = w;
    const ids = Array.from({ length: size }, (_, at) => at + 1);
    await controller.set([Project], [{ id: 1 }, { id: 2 }]);
    await controller.set(
      [Issue],
      ids.map((id) => ({ id, projectId: 1, rank: (id * 7919) % 997 })),
    );
    await controller.set(
      [Remark],
      ids.map((id) => ({ id, issueId: id })),
    );
    const query = new Query(new All(Project), {
      join: {
        issue: innerJoin(
          hasMany(Issue, 'projectId', { sort: (a, b) => (calls++, a.rank - b.rank) }),
        ),
        remark: leftJoin(hasMany(Remark, 'issueId'), 'issue'),
      },
      filter: () => (calls++, true),
      sort: (a, b) => (calls++, (a.remark?.id ?? 0) - (b.remark?.id ?? 0)),
    });
    const reader = watch(controller.query(query).result);
    expect(reader.last.data?.length).toBe(size);
    const changes: (() => unknown)[] = [
      () => controller.set(Remark, { id: 55 }, { text: 'new' }),
      () => controller.set(Remark, { id: 200_001 }, { id: 200_001, issueId: 3, text: 'more' }),
      () => controller.set(Remark, { id: 55 }, { issueId: 3 }),
      () => controller.set(Issue, { id: 7 }, { projectId: 2 }),
      () => controller.set(Issue, { id: 8 }, { rank: 55 }),
      () => controller.set(new Delete(Issue), { id: 9 }, { id: 9 }),
      () => controller.set(Project, { id: 2 }, { name: 'new' }),
    ];
    for (const [at, change] of changes.entries()) {
      const ran = reader.runs;
      calls = 0;
      await change();
      expect(calls, `change ${at} of ${size} issues`).toBeLessThan(12 * Math.log2(size));
      expect(reader.runs).toBe(ran + 1);
    }
  }
}, 60_000);

test('[I3] rows of a join are kept by garbage collection while the join is read, and collected afterwards', async () => {
  const w = world();
  const { controller, clock } = w;
  await controller.set([Project], [{ id: 1 }]);
  await controller.set([Issue], [{ id: 1, projectId: 1 }]);
  await controller.set(
    [Remark],
    [
      { id: 1, issueId: 1 },
      { id: 2, issueId: 99 },
    ],
  );
  const query = new Query(new All(Project), {
    join: {
      issue: innerJoin(hasMany(Issue, 'projectId')),
      remark: leftJoin(hasMany(Remark, 'issueId'), 'issue'),
    },
  });
  let seen: ReturnType<typeof watch> | undefined = watch(controller.query(query).result);
  clock.advance(600_000);
  await collected();
  controller.sweep();
  expect(controller.get(Remark, { id: 1 })?.issueId).toBe(1);
  expect(controller.get(Remark, { id: 2 })).toBeUndefined();
  seen.stop();
  seen = undefined;
  await collected();
  clock.advance(600_000);
  controller.sweep();
  expect([controller.get(Remark, { id: 1 }), controller.get(Project, { id: 1 })]).toEqual([
    undefined,
    undefined,
  ]);
});
