// A declared query equals the value derived anew after every change, and notifies of no more.
import * as fc from 'fast-check';
import {
  All,
  Collection,
  count,
  Delete,
  Entity,
  max,
  min,
  Query,
  sum,
  liveResult,
} from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { User, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

/** A task whose author is deleted is incomplete: lists omit such a task. */
class Task extends Entity {
  id = 0;
  title = '';
  done = false;
  points: number | null = null;
  author = User.fromJS();
  static override schema = { author: User };
}

interface Args {
  readonly list: string;
  readonly done: boolean;
  readonly limit?: number;
}

const all = new All(Task);
const list = new Collection([Task], { argsKey: ({ list: name }: Args) => ({ list: name }) });
const stays = (task: Task, { done }: Args) => task.done === done || task.author.name === 'b';
const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const byName = (a: Task, b: Task) => byText(a.author.name, b.author.name);
const byPoints = (a: Task, b: Task) => (b.points ?? -99) - (a.points ?? -99);

const figures = {
  n: count(),
  total: sum('points'),
  least: min('title'),
  most: max('title'),
} as const;
function summed(tasks: readonly Task[]) {
  const titles = tasks.map(({ title }) => title).sort();
  const total = tasks.reduce((part, { points }) => part + (points ?? 0), 0);
  return { n: tasks.length, total, least: titles[0], most: titles.at(-1) };
}
function grouped<T>(tasks: readonly Task[], content: (tasks: Task[]) => T): Record<string, T> {
  const names = [...new Set(tasks.map(({ author }) => author.name))].sort();
  return Object.fromEntries(
    names.map((name) => [name, content(tasks.filter(({ author }) => author.name === name))]),
  );
}

/** Each declaration beside the same by hand. Sorting of arrays is stable. */
const pairs = (of: typeof all | typeof list) =>
  [
    [
      new Query(of, {
        filter: stays,
        sort: [byName, { points: 'desc' }],
        limit: ({ limit }: Args) => limit,
      }),
      (tasks: Task[], args: Args) =>
        tasks
          .filter((task) => stays(task, args))
          .sort((a, b) => byName(a, b) || byPoints(a, b))
          .slice(0, args.limit),
    ],
    [
      new Query(of, { sort: 'title', offset: 1, limit: 3 }),
      (tasks: Task[]) => tasks.sort((a, b) => byText(a.title, b.title)).slice(1, 4),
    ],
    [
      new Query(of, { filter: stays }),
      (tasks: Task[], args: Args) => tasks.filter((task) => stays(task, args)),
    ],
    [
      new Query(of, { groupBy: ({ author }: Task) => author.name, sort: byPoints }),
      (tasks: Task[]) => grouped(tasks, (some) => some.sort(byPoints)),
    ],
    [
      new Query(of, { filter: stays, aggregate: figures }),
      (tasks: Task[], args: Args) => summed(tasks.filter((task) => stays(task, args))),
    ],
    [
      new Query(of, { groupBy: ({ author }: Task) => author.name, aggregate: figures }),
      (tasks: Task[]) => grouped(tasks, summed),
    ],
  ] as const;

type Step = (w: World) => unknown;
const id = fc.integer({ min: 1, max: 9 });
const name = fc.constantFrom('a', 'b', 'c');
const where = fc.constantFrom('x', 'y').map((at) => ({ list: at }));
const task = fc.record(
  {
    id,
    title: name,
    done: fc.boolean(),
    points: fc.option(fc.constantFrom(0.5, 0.25, 3, -7)),
    author: fc.record({ id: fc.integer({ min: 1, max: 3 }), name }, { requiredKeys: ['id'] }),
  },
  { requiredKeys: ['id', 'author'] },
);
const tasks = fc.array(task, { maxLength: 9 });
const said = <T>(
  what: fc.Arbitrary<T>,
  step: (w: World, value: T) => unknown,
): fc.Arbitrary<Step> =>
  what.map((value) =>
    Object.assign((w: World) => step(w, value), {
      toString: () => `${step.toString()} ${JSON.stringify(value)}`,
    }),
  );
const steps: fc.Arbitrary<Step> = fc.oneof(
  said(task, (w, value) => w.controller.set(Task, value, value)),
  said(tasks, (w, value) => w.controller.set([Task], value)),
  said(fc.record({ id, title: name }), (w, value) =>
    w.controller.set(Task, { id: value.id }, value),
  ),
  said(id, (w, value) => w.controller.set(new Delete(Task), { id: value }, { id: value })),
  said(fc.record({ id: fc.integer({ min: 1, max: 3 }), name }), (w, value) =>
    w.controller.set(User, value, value),
  ),
  said(fc.integer({ min: 1, max: 3 }), (w, value) =>
    w.controller.set(new Delete(User), { id: value }, { id: value }),
  ),
  said(fc.tuple(where, tasks), (w, [args, value]) => w.controller.set(list, args, value)),
  said(fc.tuple(where, task), (w, [args, value]) => w.controller.set(list.push, args, value)),
  said(fc.tuple(where, tasks), (w, [args, value]) => w.controller.set(list.unshift, args, value)),
  said(fc.tuple(where, task), (w, [args, value]) => w.controller.set(list.remove, args, value)),
  said(fc.tuple(where, task), (w, [args, value]) => w.controller.set(list.move, args, value)),
  said(fc.constant(null), (w) => w.controller.reset()),
);

const variants: readonly Args[] = [
  { list: 'x', done: true, limit: 2 },
  { list: 'y', done: false },
];

/** A query with arguments, its readers, and the expected result. */
function readerOf(w: World, of: typeof all | typeof list, at: number, args: Args) {
  const [query, byHand] = pairs(of)[at] as unknown as [
    Query<typeof all, (rows: Task[]) => unknown>,
    (rows: Task[], args: Args) => unknown,
  ];
  const reader = w.controller.query(query, args);
  const expected = () => {
    const rows = w.controller.get<typeof all>(of as typeof all, args);
    return rows && byHand([...rows], args);
  };
  return { query, args, expected, shown: watch(reader.result), live: watch(liveResult(reader)) };
}

/** A live value as plain data. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

test.each([
  ['All', all],
  ['Collection', list],
] as const)('[N17] a declared query over %s equals a recomputation', async (_, of) => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (program) => {
      const w = world();
      const readers = pairs(of).flatMap((_pair, at) =>
        variants.map((args) => readerOf(w, of, at, args)),
      );
      for (const step of program) {
        const before = readers.map(
          ({ shown, live }) => [shown.runs, shown.last.data, live.runs] as const,
        );
        await step(w);
        readers.forEach(({ query, args, expected, shown, live }, at) => {
          const [ran, data, livelyRan] = before[at] as (typeof before)[number];
          const now = shown.last.data;
          expect(now).toEqual(expected());
          expect(w.controller.get(query, args)).toBe(now);
          expect(shown.runs - ran).toBe(Number(now !== data));
          expect(live.runs - livelyRan).toBeLessThanOrEqual(1);
          expect(plain(live.last.data)).toEqual(plain(now));
        });
      }
      for (const { shown, live } of readers) [shown, live].forEach(({ stop }) => stop());
    }),
    runs(0.5),
  );
});

test('[N17] a declared query that is read only at times equals a recomputation at each read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(steps, fc.boolean()), { maxLength: 25 }),
      async (program) => {
        const w = world();
        const readers = [all, list].flatMap((of) =>
          pairs(of).map((_pair, at) => {
            const reader = readerOf(w, of, at, { list: 'x', done: true, limit: 4 });
            reader.shown.stop();
            reader.live.stop();
            return reader;
          }),
        );
        for (const [step, reads] of program) {
          await step(w);
          const read = reads ? readers : [];
          expect(read.map(({ query, args }) => w.controller.get(query, args))).toEqual(
            read.map(({ expected }) => expected()),
          );
        }
      },
    ),
    runs(0.3),
  );
});
