// Random programs over related rows: a query with relations equals the query by hand, and keeps unchanged references.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import {
  All,
  belongsTo,
  count,
  hasMany,
  hasOne,
  liveResult,
  manyToMany,
  Query,
  sum,
} from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { settled, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';
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

const notNamed = (row: { name: string }, { name }: Args) => row.name !== name;

const include = {
  parent: belongsTo(Project, 'parentId', { include: { children: hasMany(Project, 'parentId') } }),
  top: hasOne(Issue, 'projectId', { sort: { rank: 'desc' } }),
  counts: hasMany(Issue, 'projectId', {
    groupBy: 'name',
    aggregate: { n: count(), sum: sum('rank') },
  }),
  notes: hasMany(Note, 'subject', {
    sort: inOrder,
    include: {
      of: belongsTo(subjects, 'aboutId', {
        include: { n: hasMany(Note, 'aboutId', { aggregate: { n: count() } }) },
      }),
    },
  }),
  parts: hasMany(parts, 'projectId', {
    filter: (part, args: Args) => notNamed(part, args),
    sort: inOrder,
    limit: ({ limit }: Args) => limit,
    include: { remarks: hasMany(Note, 'aboutId', { sort: inOrder }) },
  }),
  issues: hasMany(Issue, 'projectId', {
    filter: (issue, args: Args) => notNamed(issue, args),
    sort: [{ rank: 'desc' }],
    limit: ({ limit }: Args) => limit,
    include: {
      owner: belongsTo(Owner, 'ownerId'),
      owners: manyToMany(Owner, Link, 'issueId', 'ownerId', {
        include: { owned: hasMany(Project, 'owner') },
      }),
    },
  }),
};
const withIssues = (project: { readonly issues?: readonly unknown[] }) =>
  project.issues?.length !== 1;

type Plain = Record<string, unknown>;
const stable = <T>(rows: readonly T[], order: (a: T, b: T) => number) => [...rows].sort(order);

/** The same by hand, from all rows. */
function byHand(
  w: World,
  of: typeof projects | All<typeof Project>,
  args: Args,
): Plain[] | undefined {
  const { controller } = w;
  type AnyClass = typeof Project | typeof Issue | typeof Link | typeof Owner | typeof Note;
  const rows = <E extends AnyClass>(Class: E) =>
    (controller.get(new All(Class)) ?? []) as InstanceType<E>[];
  const find = <T extends { id: number }>(all: readonly T[], id: unknown) =>
    all.find((row) => row.id === id);
  const [allProjects, allIssues, links, owners] = [
    rows(Project),
    rows(Issue),
    rows(Link),
    rows(Owner),
  ];
  const notes = [...rows(Note), ...rows(Memo)].sort(inOrder);
  const about = (name: string, row: { id: number } | undefined) =>
    notes.filter((note) => note.about === name && note.aboutId === row?.id);
  const subjectOf = ({ about: name, aboutId }: Note) => {
    if (name === '') return undefined;
    const all: readonly (Project | Issue)[] = name === 'project' ? allProjects : allIssues;
    const of = find(all, aboutId);
    return of && { ...of, n: { n: about(name, of).length } };
  };
  const withRelations = (project: Project) => {
    const own = allIssues.filter(({ projectId }) => projectId === project.id);
    const ranked = stable(own, (a, b) => b.rank - a.rank);
    const parent = find(allProjects, project.parentId);
    const children = allProjects.filter(({ parentId }) => parentId === parent?.id);
    const names = [...new Set(own.map(({ name }) => name))].sort();
    const counts = names.map((name) => {
      const some = own.filter((issue) => issue.name === name);
      return [name, { n: some.length, sum: some.reduce((all, { rank }) => all + rank, 0) }];
    });
    const shown = ranked.filter((issue) => notNamed(issue, args)).slice(0, args.limit);
    const withOwners = (issue: Issue) => {
      const linked = links.filter(({ issueId }) => issueId === issue.id);
      const found = [...new Set(linked.map(({ ownerId }) => find(owners, ownerId)))];
      return {
        ...issue,
        owner: find(owners, issue.ownerId),
        owners: found
          .filter((owner) => owner !== undefined)
          .map((owner) => ({
            ...owner,
            owned: allProjects.filter((one) => one.owner.id === owner.id),
          })),
      };
    };
    return {
      ...project,
      parent: parent && { ...parent, children },
      top: ranked[0],
      counts: Object.fromEntries(counts) as unknown,
      notes: about('project', project).map((note) => ({ ...note, of: subjectOf(note) })),
      parts: [...own, ...notes.filter(({ projectId }) => projectId === project.id)]
        .filter((part) => notNamed(part, args))
        .sort(inOrder)
        .slice(0, args.limit)
        .map((part) => ({ ...part, remarks: part instanceof Issue ? about('issue', part) : [] })),
      issues: shown.map(withOwners),
    };
  };
  const list = controller.get<typeof projects>(of as typeof projects, {});
  return list?.map(withRelations).filter(withIssues);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Places at which equal content has another reference. */
function copies(before: unknown, now: unknown, path = ''): string[] {
  if (before === now || typeof before !== 'object' || typeof now !== 'object') return [];
  if (before === null || now === null) return [];
  if (isDeepStrictEqual(before, now)) return [path];
  const nameOf = (row: unknown, at: string | number) =>
    `${Object(row).constructor.name} ${(row as { id?: number } | null)?.id ?? at}`;
  const olds = Array.isArray(before)
    ? new Map(before.map((row: unknown, at) => [nameOf(row, at), row]))
    : undefined;
  return Object.entries(now).flatMap(([name, member]: [string, unknown]) => {
    const old: unknown =
      olds === undefined ? (before as Plain)[name] : olds.get(nameOf(member, name));
    return copies(old, member, `${path}.${name}`);
  });
}

const queryOf = (of: typeof projects | All<typeof Project>) =>
  new Query(of as typeof projects, { include, filter: withIssues });

test.each([
  ['All', new All(Project)],
  ['Collection', projects],
] as const)(
  '[N24] related rows over %s equal the rows of a loop after each change',
  async (_, of) => {
    const query = queryOf(of);
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (program) => {
        const w = world();
        const readers = [
          { name: 'a', limit: 2 },
          { name: 'z', limit: 9 },
        ].map((args) => {
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
            expect(plain(data)).toEqual(plain(byHand(w, of, args)));
            expect(copies(old, data)).toEqual([]);
            expect(w.controller.get(query, args)).toBe(data);
            expect(now.runs === ran || data !== old).toBe(true);
            expect(live.last.data).toBe(data);
          });
        }
        for (const { shown: one, live } of readers) [one, live].forEach(({ stop }) => stop());
      }),
      runs(0.5),
    );
  },
  600_000,
);

test('[N24] related rows that are read only at times equal the rows of a loop at each read', async () => {
  const query = queryOf(new All(Project));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(steps, fc.boolean()), { maxLength: 25 }),
      async (program) => {
        const w = world();
        const args = { name: 'a', limit: 2 };
        for (const [step, reads] of program) {
          await step(w);
          await settled();
          if (!reads) continue;
          expect(plain(w.controller.get(query, args))).toEqual(
            plain(byHand(w, new All(Project), args)),
          );
        }
      },
    ),
    runs(0.3),
  );
}, 600_000);

test('[N24] related rows equal the rows of a loop for a reader that begins in the middle of the changes', async () => {
  const query = queryOf(new All(Project));
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 12 }), fc.nat(6), async (program, from) => {
      const w = world();
      const args = { name: 'a', limit: 2 };
      const readers: (() => unknown)[] = [];
      for (const [at, step] of program.entries()) {
        if (at === from) {
          const reader = watch(w.controller.query(query, args).result);
          readers.push(() => reader.last.data);
        }
        await step(w);
      }
      await settled();
      const rows = w.controller.get(query, args);
      expect(readers.filter((read) => read() !== rows)).toEqual([]);
      expect(plain(rows)).toEqual(plain(byHand(w, new All(Project), args)));
    }),
    runs(1),
  );
}, 600_000);
