// Random programs over joins: the rows of a query equal those of nested loops, and keep unchanged references.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import {
  All,
  belongsTo,
  count,
  hasMany,
  hasOne,
  innerJoin,
  leftJoin,
  liveResult,
  manyToMany,
  Query,
  sum,
} from 'signalbox';
import type { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { settled, watch, world } from '../setup/world.ts';
import {
  inOrder,
  Issue,
  Link,
  Memo,
  Note,
  Owner,
  parts,
  Project,
  projects,
  steps,
  subjects,
} from './relationPrograms.ts';

interface Args {
  readonly name: string;
  readonly limit: number;
}

interface Row {
  readonly id: number;
  readonly name: string;
}
type Joined = Row & Readonly<Record<string, Row | undefined>>;

/** A join by hand: the rows that belong to the row under `of`, or to the row of the query. */
interface Loop {
  readonly name: string;
  readonly of?: string;
  readonly isLeft?: boolean;
  readonly find: (row: Row, tables: Tables) => readonly (Row | undefined)[];
}

interface Tables {
  readonly projects: readonly Project[];
  readonly issues: readonly Issue[];
  readonly links: readonly Link[];
  readonly owners: readonly Owner[];
  readonly notes: readonly Note[];
}

function tablesOf(controller: Controller): Tables {
  return {
    projects: controller.get(new All(Project)) ?? [],
    issues: controller.get(new All(Issue)) ?? [],
    links: controller.get(new All(Link)) ?? [],
    owners: controller.get(new All(Owner)) ?? [],
    notes: [Note, Memo].flatMap((Class) => controller.get(new All(Class)) ?? []).sort(inOrder),
  };
}

function loop(rows: readonly Joined[], { name, of, isLeft, find }: Loop, all: Tables): Joined[] {
  return rows.flatMap((row) => {
    const source = of === undefined ? row : row[of];
    const found = source === undefined ? [] : find(source, all).filter((one) => one !== undefined);
    const joined = found.length === 0 && isLeft === true ? [undefined] : found;
    return joined.map((one) => ({ ...row, [name]: one }));
  });
}

const one = <T extends Row>(rows: readonly T[], id: unknown): T | undefined =>
  rows.find((row) => row.id === id);
const byRank = (a: Issue, b: Issue): number => b.rank - a.rank;
const issuesOf = ({ id }: Row, { issues }: Tables): Issue[] =>
  issues.filter(({ projectId }) => projectId === id);
const linkedOwners = ({ id }: Row, { links, owners }: Tables): (Owner | undefined)[] => [
  ...new Set(
    links.filter(({ issueId }) => issueId === id).map(({ ownerId }) => one(owners, ownerId)),
  ),
];
const ofList = projects;
const ofAll = new All(Project) as unknown as typeof projects;

/** Queries, each with the result of loops over all rows. */
const samples = {
  'a left join of a left join': {
    query: new Query(ofAll, {
      join: {
        issue: leftJoin(
          hasMany(Issue, 'projectId', { filter: ({ name }, args: Args) => name !== args.name }),
        ),
        holder: leftJoin(belongsTo(Owner, 'ownerId'), 'issue'),
      },
    }),
    loops: ({ name }: Args): Loop[] => [
      {
        name: 'issue',
        isLeft: true,
        find: (row, all) => issuesOf(row, all).filter((issue) => issue.name !== name),
      },
      {
        name: 'holder',
        of: 'issue',
        isLeft: true,
        find: (row, { owners }) => [one(owners, (row as Issue).ownerId)],
      },
    ],
    outcome: (rows: Joined[]): unknown => rows,
  },
  'an inner join, and sorted rows behind it': {
    query: new Query(ofList, {
      join: {
        parent: innerJoin(belongsTo(Project, 'parentId')),
        issue: innerJoin(
          hasMany(Issue, 'projectId', { sort: { rank: 'desc' }, limit: 2 }),
          'parent',
        ),
        holder: leftJoin(manyToMany(Owner, Link, 'issueId', 'ownerId'), 'issue'),
      },
    }),
    loops: (): Loop[] => [
      { name: 'parent', find: (row, all) => [one(all.projects, (row as Project).parentId)] },
      {
        name: 'issue',
        of: 'parent',
        find: (row, all) => issuesOf(row, all).sort(byRank).slice(0, 2),
      },
      { name: 'holder', of: 'issue', isLeft: true, find: linkedOwners },
    ],
    outcome: (rows: Joined[]): unknown => rows,
  },
  'two joins of one row, sorted, filtered and limited': {
    query: new Query(ofList, {
      join: {
        child: innerJoin(hasMany(Project, 'parentId')),
        issue: leftJoin(hasMany(Issue, 'projectId', { sort: { rank: 'desc' } })),
      },
      filter: ({ child, issue }, { name }: Args) => child.name !== name || issue === undefined,
      sort: [(a, b) => (a.issue?.rank ?? 0) - (b.issue?.rank ?? 0)],
      limit: ({ limit }: Args) => limit,
    }),
    loops: (): Loop[] => [
      {
        name: 'child',
        find: ({ id }, all) => all.projects.filter(({ parentId }) => parentId === id),
      },
      { name: 'issue', isLeft: true, find: (row, all) => issuesOf(row, all).sort(byRank) },
    ],
    outcome: (rows: Joined[], { name, limit }: Args): unknown => {
      const rankOf = ({ issue }: Joined) => (issue as Issue | undefined)?.rank ?? 0;
      return rows
        .filter(({ child, issue }) => child?.name !== name || issue === undefined)
        .sort((a, b) => rankOf(a) - rankOf(b))
        .slice(0, limit);
    },
  },
  'rows of unions, and rows that name a class of a union': {
    query: new Query(ofAll, {
      join: {
        note: innerJoin(hasMany(Note, 'subject', { sort: inOrder })),
        same: leftJoin(belongsTo(subjects, 'aboutId'), 'note'),
        part: leftJoin(hasMany(parts, 'projectId', { sort: inOrder, limit: 3 })),
      },
    }),
    loops: (): Loop[] => [
      {
        name: 'note',
        find: ({ id }, { notes }) =>
          notes.filter(({ about, aboutId }) => about === 'project' && aboutId === id),
      },
      {
        name: 'same',
        of: 'note',
        isLeft: true,
        find: (row, all) => [one(all.projects, (row as Note).aboutId)],
      },
      {
        name: 'part',
        isLeft: true,
        find: (row, all) =>
          [...issuesOf(row, all), ...all.notes.filter(({ projectId }) => projectId === row.id)]
            .sort(inOrder)
            .slice(0, 3),
      },
    ],
    outcome: (rows: Joined[]): unknown => rows,
  },
  'figures of groups': {
    query: new Query(ofAll, {
      join: {
        top: leftJoin(hasOne(Issue, 'projectId', { sort: { rank: 'desc' } })),
        issue: innerJoin(
          hasMany(Issue, 'projectId', { include: { owner: belongsTo(Owner, 'ownerId') } }),
        ),
      },
      groupBy: ({ issue }) => issue.owner?.name,
      aggregate: {
        n: count(),
        sum: sum(
          (row: { issue: Issue; top: Issue | undefined }) =>
            (row.top?.rank ?? 0) * 10 + row.issue.rank,
        ),
      },
    }),
    loops: (): Loop[] => [
      {
        name: 'top',
        isLeft: true,
        find: (row, all) => issuesOf(row, all).sort(byRank).slice(0, 1),
      },
      {
        name: 'issue',
        find: (row, all) =>
          issuesOf(row, all).map((issue) => ({ ...issue, owner: one(all.owners, issue.ownerId) })),
      },
    ],
    outcome: (rows: Joined[]): unknown => {
      const groups: Record<string, { n: number; sum: number }> = {};
      for (const { top, issue } of rows as unknown as {
        top?: Issue;
        issue: Issue & { owner?: Owner };
      }[]) {
        const group = (groups[String(issue.owner?.name)] ??= { n: 0, sum: 0 });
        group.n++;
        group.sum += (top?.rank ?? 0) * 10 + issue.rank;
      }
      return groups;
    },
  },
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const keyOf = (row: Row): string =>
  Object.values(row)
    .map((value) => (typeof value === 'object' ? (value as Row | null)?.id : value))
    .join();

/** Rows and groups with equal content and another reference. */
function copies(before: unknown, now: unknown): unknown[] {
  if (!Array.isArray(now) || !Array.isArray(before))
    return before !== now && isDeepStrictEqual(before, now) ? [now] : [];
  const olds = new Map(before.map((row: Row) => [keyOf(row), row]));
  const copied = now.filter((row: Row) => {
    const old = olds.get(keyOf(row));
    return old !== undefined && old !== row && isDeepStrictEqual(old, row);
  });
  return before !== now && isDeepStrictEqual(before, now) ? [...copied, now] : copied;
}

function byHand(controller: Controller, { query, loops, outcome }: Sample, args: Args): unknown {
  const all = tablesOf(controller);
  const list = controller.get<typeof projects>(query.schema, {});
  if (list === undefined) return undefined;
  const rows = loops(args).reduce<Joined[]>((joined, each) => loop(joined, each, all), [
    ...list,
  ] as unknown as Joined[]);
  return outcome(rows, args);
}

type Sample = (typeof samples)[keyof typeof samples];
const argsOf = [
  { name: 'a', limit: 3 },
  { name: 'z', limit: 99 },
];

test.each(Object.entries(samples))(
  '[N24] joins give the rows of nested loops: %s',
  async (_, sample) => {
    const query = sample.query as (typeof samples)['a left join of a left join']['query'];
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (program) => {
        const w = world();
        const readers = argsOf.map((args) => {
          const reader = w.controller.query(query, args);
          return { args, shown: watch(reader.result), live: watch(liveResult(reader)) };
        });
        for (const step of program) {
          const before = readers.map(({ shown: { runs: ran, last } }) => [ran, last.data] as const);
          await step(w);
          await settled();
          readers.forEach(({ args, shown: now, live }, at) => {
            const [ran, old] = before[at] as (typeof before)[number];
            const { data } = now.last;
            expect(plain(data)).toEqual(plain(byHand(w.controller, sample, args)));
            expect(copies(old, data)).toEqual([]);
            expect(w.controller.get(query, args)).toBe(data);
            expect(now.runs === ran || data !== old).toBe(true);
            expect(live.last.data).toBe(data);
          });
        }
        for (const { shown: one, live } of readers) [one, live].forEach(({ stop }) => stop());
      }),
      runs(0.3),
    );
  },
  600_000,
);

test('[N24] joins that are read only at times equal the rows of nested loops at each read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(samples)),
      fc.array(fc.tuple(steps, fc.boolean()), { maxLength: 25 }),
      async (sample, program) => {
        const w = world();
        const query = sample.query as (typeof samples)['a left join of a left join']['query'];
        const args = { name: 'a', limit: 2 };
        for (const [step, reads] of program) {
          await step(w);
          await settled();
          if (!reads) continue;
          expect(plain(w.controller.get(query, args))).toEqual(
            plain(byHand(w.controller, sample, args)),
          );
        }
      },
    ),
    runs(0.3),
  );
}, 600_000);
