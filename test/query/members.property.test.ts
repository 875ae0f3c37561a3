// Random programs over class relations: members equal the result of loops over all rows, in snapshots and live objects.
import * as fc from 'fast-check';
import { All, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { settled, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';
import { inOrder, Issue, Link, Memo, Note, Owner, Project, steps } from './relationPrograms.ts';

/** How a drawing follows the relations. */
interface Follow {
  projects(owner: Owner): readonly Project[];
  above(project: Project): Project | undefined;
  below(project: Project): readonly Project[];
  best(project: Project): Issue | undefined;
  ranked(project: Project): readonly Issue[];
  tally(project: Project): Project['tally'];
  within(issue: Issue): Project | undefined;
  holder(issue: Issue): Owner | undefined;
  holders(issue: Issue): readonly Owner[];
  notes(row: Project | Issue): readonly Note[];
  parts(project: Project): readonly (Issue | Note)[];
  subject(note: Note): Project | Issue | undefined;
}

const byMembers: Follow = {
  projects: (owner) => owner.projects,
  above: (project) => project.above,
  below: (project) => project.below,
  best: (project) => project.best,
  ranked: (project) => project.ranked,
  tally: (project) => project.tally,
  within: (issue) => issue.within,
  holder: (issue) => issue.holder,
  holders: (issue) => issue.holders,
  notes: (row) => row.notes,
  parts: (project) => project.parts,
  subject: (note) => note.subject,
};

/** The same from all rows. */
function byLoops({ controller }: World): Follow {
  type AnyClass = typeof Project | typeof Issue | typeof Link | typeof Owner | typeof Note;
  const all = <E extends AnyClass>(Class: E) =>
    (controller.get(new All(Class)) ?? []) as InstanceType<E>[];
  const [projects, issues, links, owners] = [all(Project), all(Issue), all(Link), all(Owner)];
  const notes = [...all(Note), ...all(Memo)].sort(inOrder);
  const find = <T extends { id: number }>(rows: readonly T[], id: unknown) =>
    rows.find((row) => row.id === id);
  const ranked = (project: Project) =>
    issues
      .filter(({ projectId }) => projectId === project.id)
      .sort((one, other) => other.rank - one.rank);
  return {
    projects: (of) => projects.filter(({ owner }) => owner.id === of.id),
    above: ({ parentId }) => find(projects, parentId),
    below: ({ id }) => projects.filter(({ parentId, name }) => parentId === id && name !== 'c'),
    best: (project) => ranked(project)[0],
    ranked: (project) => ranked(project).slice(0, 3),
    tally: (project) => {
      const names = ranked(project).map(({ name }) => name);
      const counts = names.map((name) => [name, { n: names.filter((it) => it === name).length }]);
      return Object.fromEntries(counts) as Project['tally'];
    },
    within: ({ projectId }) => find(projects, projectId),
    holder: ({ ownerId }) => find(owners, ownerId),
    holders: (issue) => {
      const linked = links.filter(({ issueId }) => issueId === issue.id);
      const ids = [...new Set(linked.map(({ ownerId }) => ownerId))];
      return ids.map((id) => find(owners, id)).filter((owner) => owner !== undefined);
    },
    notes: (row) => {
      const name = row instanceof Issue ? 'issue' : 'project';
      return notes.filter(({ about, aboutId }) => about === name && aboutId === row.id);
    },
    parts: ({ id }) =>
      [...issues, ...notes]
        .filter(({ projectId }) => projectId === id)
        .sort(inOrder)
        .slice(0, 4),
    subject: ({ about, aboutId }) =>
      about === ''
        ? undefined
        : find<Project | Issue>(about === 'issue' ? issues : projects, aboutId),
  };
}

type Drawing = Record<string, unknown>;

const drawOwner = (owner: Owner, by: Follow): Drawing => ({
  id: owner.id,
  name: owner.name,
  projects: by.projects(owner).map(({ id, name }) => `${id} ${name}`),
});

const drawNote = (note: Note, by: Follow): Drawing => {
  const subject = by.subject(note);
  const others = subject && by.notes(subject).map(({ id }) => id);
  return { id: note.id, name: note.name, of: subject?.name, others };
};

const drawIssue = (issue: Issue, by: Follow, depth: number): Drawing => {
  const [within, holder] = [by.within(issue), by.holder(issue)];
  return {
    id: issue.id,
    name: issue.name,
    rank: issue.rank,
    notes: by.notes(issue).map((note) => drawNote(note, by)),
    holder: holder && drawOwner(holder, by),
    holders: by.holders(issue).map((owner) => drawOwner(owner, by)),
    within: within && drawProject(within, by, depth - 1),
  };
};

function drawProject(project: Project, by: Follow, depth: number): Drawing {
  const { id, name, owner } = project;
  if (depth < 0) return { id, name };
  const [above, best] = [by.above(project), by.best(project)];
  return {
    id,
    name,
    owner: owner.name,
    above: above && drawProject(above, by, depth - 1),
    below: by.below(project).map((each) => drawProject(each, by, depth - 1)),
    best: best?.id,
    ranked: by.ranked(project).map((issue) => drawIssue(issue, by, depth)),
    tally: { ...by.tally(project) },
    notes: by.notes(project).map((note) => drawNote(note, by)),
    parts: by.parts(project).map(({ id: key, name: of }) => `${key} ${of}`),
  };
}

const draw = (projects: readonly Project[] | undefined, by: Follow): Drawing[] | undefined =>
  projects?.map((project) => drawProject(project, by, 1));

test('[N24] related members of a class equal the rows of a loop after each change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (program) => {
      const w = world();
      const reader = w.controller.query(new All(Project));
      const shown = watch(reader.result);
      const live = liveResult(reader);
      const drawn = watch<Drawing[] | undefined>(() => draw(live.value.data, byMembers));
      const earlier: (readonly [readonly Project[] | undefined, unknown])[] = [];
      for (const step of program) {
        await step(w);
        await settled();
        const expected = draw(w.controller.get(new All(Project)), byLoops(w));
        const rows = shown.last.data;
        expect(draw(rows, byMembers)).toEqual(expected);
        expect(drawn.last).toEqual(expected);
        expect(w.controller.get(new All(Project))).toBe(rows);
        earlier.push([rows, expected]);
      }
      // values are immutable
      for (const [rows, was] of earlier) expect(draw(rows, byMembers)).toEqual(was);
      for (const { stop } of [shown, drawn]) stop();
    }),
    runs(0.5),
  );
}, 600_000);

test('[N24] related members that are read only at times equal the rows of a loop at each read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(steps, fc.nat(3)), { maxLength: 30 }),
      fc.boolean(),
      async (program, isWatched) => {
        const w = world();
        const shown = isWatched ? watch(w.controller.query(new All(Project)).result) : undefined;
        for (const [step, reads] of program) {
          await step(w);
          await settled();
          if (reads > 1) continue;
          const rows = reads > 0 || !shown ? w.controller.get(new All(Project)) : shown.last.data;
          expect(draw(rows, byMembers)).toEqual(draw(rows, byLoops(w)));
        }
        shown?.stop();
      },
    ),
    runs(0.3),
  );
}, 600_000);
