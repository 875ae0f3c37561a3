// Random programs over projects, issues, owners, links and notes of projects or issues: the steps, and the classes with their relations.
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
  manyToMany,
  transaction,
  Union,
} from 'signalbox';
import type { Relations } from 'signalbox';
import { settled } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

export class Owner extends Entity {
  id = 0;
  name = '';
  declare readonly projects: readonly Project[];
  static override relations: Relations<Owner> = { projects: hasMany(() => Project, 'owner') };
}
/** A project without an owner is incomplete: lists omit such a project. */
export class Project extends Entity {
  id = 0;
  name = '';
  parentId: number | null = null;
  owner = Owner.fromJS();
  static override schema = { owner: Owner };
  declare readonly above?: Project;
  declare readonly below: readonly Project[];
  declare readonly best?: Issue;
  declare readonly ranked: readonly Issue[];
  declare readonly tally: Readonly<Record<string, { readonly n: number }>>;
  declare readonly notes: readonly Note[];
  declare readonly parts: readonly (Issue | Note)[];
  static override relations: Relations<Project> = {
    notes: hasMany(() => Note, 'subject', { sort: inOrder }),
    parts: hasMany(() => parts, 'projectId', { sort: inOrder, limit: 4 }),
    above: belongsTo(() => Project, 'parentId'),
    below: hasMany(() => Project, 'parentId', { filter: ({ name }) => name !== 'c' }),
    best: hasOne(() => Issue, 'projectId', { sort: { rank: 'desc' } }),
    ranked: hasMany(() => Issue, 'projectId', { sort: { rank: 'desc' }, limit: 3 }),
    tally: hasMany(() => Issue, 'projectId', { groupBy: 'name', aggregate: { n: count() } }),
  };
}
export class Issue extends Entity {
  id = 0;
  projectId: number | null = 0;
  ownerId = 0;
  name = '';
  rank = 0;
  declare readonly within?: Project;
  declare readonly holder?: Owner;
  declare readonly holders: readonly Owner[];
  declare readonly notes: readonly Note[];
  static override relations: Relations<Issue> = {
    notes: hasMany(() => Note, 'aboutId', { sort: inOrder }),
    within: belongsTo(Project, 'projectId'),
    holder: belongsTo(Owner, 'ownerId'),
    holders: manyToMany(Owner, () => Link, 'issueId', 'ownerId'),
  };
}
export class Link extends Entity {
  id = 0;
  issueId = 0;
  ownerId: number | null = 0;
}

/** A note of a project or of an issue. */
export class Note extends Entity {
  id = 0;
  name = '';
  projectId: number | null = null;
  about: 'project' | 'issue' | '' = '';
  aboutId: number | null = null;
  declare readonly subject?: Project | Issue;
  static override relations: Relations<Note> = { subject: belongsTo(() => subjects, 'aboutId') };
}
/** In a table of its own. */
export class Memo extends Note {}
export const subjects = new Union({ project: Project, issue: Issue }, 'about');
export const parts = new Union({ issue: Issue, note: Note }, 'kind');

const classes: readonly unknown[] = [Issue, Note, Memo];
/** By name, class and key. */
export function inOrder(one: Issue | Note, other: Issue | Note): number {
  const placeOf = ({ constructor }: object) => classes.indexOf(constructor);
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return placeOf(one) - placeOf(other) || one.id - other.id;
}

export const projects = new Collection([Project], { argsKey: () => ({}) });
const issues = new Collection([Issue]);
const notes = new Collection([Note]);

type Plain = Record<string, unknown>;

export type Step = (w: World) => unknown;
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
const about = fc.record({ about: fc.constantFrom('project', 'issue', ''), aboutId: fc.option(id) });
const note = fc
  .tuple(fc.record({ id, projectId: fc.option(id), name }, { requiredKeys: ['id'] }), about)
  .map(([row, key]) => ({ ...row, ...key }));
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
/** A parent by key, or the newest optimistic parent. */
const parentOf = (w: World, at: number) =>
  at === 1 ? (w.controller.get(new All(Project))?.at(-1)?.id ?? at) : at;

const change = fc.oneof(
  ...([Project, Issue, Link, Owner, Note, Memo] as const).map((Class, at) =>
    fc.tuple(
      fc.constantFrom<typeof Project | Delete<typeof Project>>(
        Class as typeof Project,
        new Delete(Class as typeof Project),
      ),
      [project, issue, link, owner, note, note][at] as typeof project,
    ),
  ),
);

export const steps: fc.Arbitrary<Step> = fc.oneof(
  said(fc.array(project, { maxLength: 4 }), (w, rows) => w.controller.set(projects, {}, rows)),
  said(project, (w, row) => w.controller.set(Project, row, row)),
  said(fc.array(issue, { maxLength: 6 }), (w, rows) => w.controller.set([Issue], rows)),
  said(issue, (w, row) => w.controller.set(Issue, row, row)),
  said(fc.array(link, { maxLength: 5 }), (w, rows) => w.controller.set([Link], rows)),
  said(link, (w, row) => w.controller.set(Link, row, row)),
  said(owner, (w, row) => w.controller.set(Owner, row, row)),
  said(fc.array(note, { maxLength: 5 }), (w, rows) => w.controller.set([Note], rows as never)),
  said(note, (w, row) => w.controller.set(Memo, row, row as never)),
  said(fc.tuple(id, about), (w, [at, key]) => w.controller.set(Note, { id: at }, key as never)),
  said(id, (w, at) => w.controller.set(new Delete(Note), { id: at }, { id: at })),
  said(id, (w, at) => w.controller.set(new Delete(Memo), { id: at }, { id: at })),
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
  said(fc.tuple(id, note), (w, [at, row]) => {
    const aboutId = row.about === 'project' ? parentOf(w, at) : row.aboutId;
    const body = { ...row, id: undefined, aboutId };
    quiet(w.controller.fetch(w.mutation('note', notes.push, shown), {}, body as never));
  }),
  said(fc.tuple(id, about), (w, [of, key]) =>
    quiet(w.controller.fetch(w.mutation('turn', Note, shown), { id: of }, key as never)),
  ),
  said(id, (w, at) => {
    const hide = { getOptimisticResponse: (_: unknown, params: object) => params };
    quiet(w.controller.fetch(w.mutation('drop', new Delete(Project), hide), { id: at }));
  }),
  said(fc.tuple(fc.nat(5), fc.boolean()), async (w, [at, succeeds]) => {
    const [call] = w.calls.splice(at % Math.max(1, w.calls.length), 1);
    if (call === undefined) return;
    const [params, body] = call.args as [Plain, Plain];
    const keyed = ['project', 'issue', 'note'].includes(call.name) ? { id: 20 + at } : {};
    if (succeeds) await call.answer({ ...params, ...body, ...keyed });
    else await call.fail(new Error('refused'));
    await settled();
  }),
  // several changes in a single commit: the last of each row counts
  said(fc.array(change, { minLength: 2, maxLength: 4 }), (w, changes) =>
    transaction(w.controller, ({ set }) => {
      for (const [schema, row] of changes) void set(schema, row, row);
    }),
  ),
  said(fc.constant(null), (w) => w.controller.reset()),
);
