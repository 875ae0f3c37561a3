// Random programs over related rows: a query with relations equals the same query made by hand, and shares what is unchanged.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import {
  All,
  belongsTo,
  Collection,
  count,
  Delete,
  Entity,
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

class Owner extends Entity {
  id = 0;
  name = '';
}
/** Without its owner a project is incomplete: lists leave it out. */
class Project extends Entity {
  id = 0;
  name = '';
  parentId: number | null = null;
  owner = Owner.fromJS();
  static override schema = { owner: Owner };
}
class Issue extends Entity {
  id = 0;
  projectId: number | null = 0;
  ownerId = 0;
  name = '';
  rank = 0;
}
class Link extends Entity {
  id = 0;
  issueId = 0;
  ownerId: number | null = 0;
}

interface Args {
  readonly name: string;
  readonly limit: number;
}

const projects = new Collection([Project], { argsKey: () => ({}) });
const issues = new Collection([Issue]);
const notNamed = (row: { name: string }, { name }: Args) => row.name !== name;

const include = {
  parent: belongsTo(Project, 'parentId', { include: { children: hasMany(Project, 'parentId') } }),
  top: hasOne(Issue, 'projectId', { sort: { rank: 'desc' } }),
  counts: hasMany(Issue, 'projectId', {
    groupBy: 'name',
    aggregate: { n: count(), sum: sum('rank') },
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
  const rows = <E extends typeof Project | typeof Issue | typeof Link | typeof Owner>(Class: E) =>
    (controller.get(new All(Class)) ?? []) as InstanceType<E>[];
  const find = <T extends { id: number }>(all: readonly T[], id: unknown) =>
    all.find((row) => row.id === id);
  const [allProjects, allIssues, links, owners] = [
    rows(Project),
    rows(Issue),
    rows(Link),
    rows(Owner),
  ];
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
  const olds = Array.isArray(before)
    ? new Map(before.map((row: { id?: number }, at) => [row.id ?? at, row]))
    : undefined;
  return Object.entries(now).flatMap(([name, member]: [string, unknown]) => {
    const id = (member as { id?: number } | null)?.id;
    const old: unknown =
      olds === undefined ? (before as Plain)[name] : olds.get(id ?? Number(name));
    return copies(old, member, `${path}.${name}`);
  });
}

type Step = (w: World) => unknown;
const id = fc.integer({ min: 1, max: 5 });
const name = fc.constantFrom('a', 'b', 'c');
const owner = fc.record({ id: fc.integer({ min: 1, max: 3 }), name }, { requiredKeys: ['id'] });
const project = fc.record(
  { id, name, parentId: fc.option(id), owner },
  { requiredKeys: ['id', 'owner'] },
);
const issue = fc.record(
  { id: fc.integer({ min: 1, max: 9 }), projectId: fc.option(id), ownerId: id, name, rank: id },
  { requiredKeys: ['id'] },
);
const link = fc.record({
  id,
  issueId: id,
  ownerId: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 }),
});
const said = <T>(
  what: fc.Arbitrary<T>,
  step: (w: World, value: T) => unknown,
): fc.Arbitrary<Step> =>
  what.map((value) =>
    Object.assign((w: World) => step(w, value), {
      toString: () => `${step.toString()} ${JSON.stringify(value)}`,
    }),
  );

const shown = {
  getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
};
const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});
/** A parent by its key, or the newest optimistic one. */
const parentOf = (w: World, at: number) =>
  at === 1 ? (w.controller.get(new All(Project))?.at(-1)?.id ?? at) : at;

const steps: fc.Arbitrary<Step> = fc.oneof(
  said(fc.array(project, { maxLength: 4 }), (w, rows) => w.controller.set(projects, {}, rows)),
  said(project, (w, row) => w.controller.set(Project, row, row)),
  said(fc.array(issue, { maxLength: 6 }), (w, rows) => w.controller.set([Issue], rows)),
  said(issue, (w, row) => w.controller.set(Issue, row, row)),
  said(fc.array(link, { maxLength: 5 }), (w, rows) => w.controller.set([Link], rows)),
  said(link, (w, row) => w.controller.set(Link, row, row)),
  said(owner, (w, row) => w.controller.set(Owner, row, row)),
  said(id, (w, at) => w.controller.set(new Delete(Project), { id: at }, { id: at })),
  said(id, (w, at) => w.controller.set(new Delete(Issue), { id: at }, { id: at })),
  said(id, (w, at) => w.controller.set(new Delete(Link), { id: at }, { id: at })),
  said(fc.integer({ min: 1, max: 3 }), (w, at) =>
    w.controller.set(new Delete(Owner), { id: at }, { id: at }),
  ),
  said(fc.record({ name, owner }), (w, body) =>
    quiet(w.controller.fetch(w.mutation('project', projects.push, shown), {}, body)),
  ),
  said(fc.record({ name, rank: id, at: id }), (w, { at, ...body }) => {
    const row = { ...body, projectId: parentOf(w, at), ownerId: 1 };
    quiet(w.controller.fetch(w.mutation('issue', issues.push, shown), {}, row));
  }),
  said(fc.record({ id, projectId: id }), (w, { id: of, projectId }) =>
    quiet(
      w.controller.fetch(
        w.mutation('move', Issue, shown),
        { id: of },
        { projectId: parentOf(w, projectId) },
      ),
    ),
  ),
  said(id, (w, at) => {
    const hide = { getOptimisticResponse: (_: unknown, params: object) => params };
    quiet(w.controller.fetch(w.mutation('drop', new Delete(Project), hide), { id: at }));
  }),
  said(fc.tuple(fc.nat(5), fc.boolean()), async (w, [at, succeeds]) => {
    const [call] = w.calls.splice(at % Math.max(1, w.calls.length), 1);
    if (call === undefined) return;
    const [params, body] = call.args as [Plain, Plain];
    const keyed = call.name === 'project' || call.name === 'issue' ? { id: 20 + at } : {};
    if (succeeds) await call.answer({ ...params, ...body, ...keyed });
    else await call.fail(new Error('refused'));
    await settled();
  }),
  said(fc.constant(null), (w) => w.controller.reset()),
);

const queryOf = (of: typeof projects | All<typeof Project>) =>
  new Query(of as typeof projects, { include, filter: withIssues });

test.each([
  ['All', new All(Project)],
  ['Collection', projects],
] as const)(
  '[N24] related rows over %s are the rows that a loop finds',
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
  60_000,
);

test('[N24] related rows that were not read for a while are correct at the next read', async () => {
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
}, 60_000);

test('[N24] related rows follow rows that nobody else has read', async () => {
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
}, 60_000);
