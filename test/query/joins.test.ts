// Joins in queries: flat rows of two or three classes, kept up to date.
import {
  All,
  belongsTo,
  Collection,
  count,
  Delete,
  Entity,
  hasMany,
  hasOne,
  innerJoin,
  leftJoin,
  liveResult,
  manyToMany,
  Query,
  sum,
} from 'signalbox';
import { expect, test } from 'vitest';
import { Label, Person, Project } from '../setup/samples.ts';
import { watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

class Issue extends Entity {
  id = 0;
  projectId: number | null = 0;
  personId = 0;
  title = '';
  hours = 0;
}
class Remark extends Entity {
  id = 0;
  issueId = 0;
  text = '';
}
class Labeling extends Entity {
  id = 0;
  issueId = 0;
  labelId = 0;
}

const list = new Collection([Project]);

async function filled(): Promise<World> {
  const w = world();
  await w.controller.set(
    [Project],
    [
      { id: 1, name: 'Site' },
      { id: 2, name: 'Shop' },
      { id: 3, name: 'Blog' },
    ],
  );
  await w.controller.set(
    [Issue],
    [
      { id: 1, projectId: 1, personId: 1, title: 'Font', hours: 3 },
      { id: 2, projectId: 1, personId: 9, title: 'Logo', hours: 1 },
      { id: 3, projectId: 2, personId: 1, title: 'Cart', hours: 5 },
      { id: 4, projectId: 7, personId: 1, title: 'Lost', hours: 8 },
    ],
  );
  await w.controller.set(
    [Remark],
    [
      { id: 1, issueId: 1, text: 'Serif?' },
      { id: 2, issueId: 1, text: 'No' },
      { id: 3, issueId: 3, text: 'Soon' },
    ],
  );
  await w.controller.set([Person], [{ id: 1, name: 'Ada' }]);
  return w;
}

interface Shown {
  readonly name: string;
  readonly issue?: Issue | undefined;
  readonly remark?: Remark | undefined;
}
const shown = (rows: readonly Shown[] | undefined): string[] | undefined =>
  rows?.map(({ name, issue, remark }) => `${name} ${issue?.title} ${remark?.text}`);

const remarks = new Query(new All(Project), {
  join: {
    issue: innerJoin(hasMany(Issue, 'projectId', { sort: 'title' })),
    remark: leftJoin(hasMany(Remark, 'issueId'), 'issue'),
  },
});

test('[N24] a join has a row for each combination of three classes', async () => {
  const w = await filled();
  const rows = w.controller.get(remarks);
  expect(shown(rows)).toEqual([
    'Site Font Serif?',
    'Site Font No',
    'Site Logo undefined',
    'Shop Cart Soon',
  ]);
  const [first] = rows ?? [];
  expect(first).toBeInstanceOf(Project);
  expect(Object.isFrozen(first)).toBe(true);
  expect(first?.issue).toBe(w.controller.get(Issue, { id: 1 }));
  expect(first?.remark).toBe(w.controller.get(Remark, { id: 1 }));
});

test('[N24] a left join keeps rows without a related row, also for the joins behind it', async () => {
  const w = await filled();
  const all = new Query(new All(Project), {
    join: {
      issue: leftJoin(hasMany(Issue, 'projectId')),
      person: leftJoin(belongsTo(Person, 'personId'), 'issue'),
    },
  });
  const people = () =>
    w.controller
      .get(all)
      ?.map(({ name, issue, person }) => `${name} ${issue?.title} ${person?.name}`);
  expect(people()).toEqual([
    'Site Font Ada',
    'Site Logo undefined',
    'Shop Cart Ada',
    'Blog undefined undefined',
  ]);
  await w.controller.set(Issue, { id: 3 }, { projectId: 3 });
  expect(people()?.slice(2)).toEqual(['Shop undefined undefined', 'Blog Cart Ada']);
});

test('[N24] an inner join on a left join omits rows without a row of the inner join', async () => {
  const w = await filled();
  const query = new Query(new All(Project), {
    join: {
      issue: leftJoin(hasMany(Issue, 'projectId')),
      person: innerJoin(belongsTo(Person, 'personId'), 'issue'),
    },
  });
  expect(shown(w.controller.get(query))).toEqual(['Site Font undefined', 'Shop Cart undefined']);
});

test('[N24] joined rows are filtered, sorted, limited, grouped and aggregated', async () => {
  const w = await filled();
  const join = { issue: innerJoin(hasMany(Issue, 'projectId')) };
  const longest = new Query(new All(Project), {
    join,
    filter: ({ issue }, { most }: { most: number }) => issue.hours < most,
    sort: (a, b) => b.issue.hours - a.issue.hours,
    limit: 1,
  });
  const hours = new Query(new All(Project), {
    join,
    groupBy: 'name',
    aggregate: { n: count(), hours: sum((row: { issue: Issue }) => row.issue.hours) },
  });
  expect(w.controller.get(longest, { most: 9 })?.[0]?.issue.title).toBe('Cart');
  expect(w.controller.get(longest, { most: 4 })?.[0]?.issue.title).toBe('Font');
  const figures = watch(w.controller.query(hours).result);
  expect(figures.last.data).toEqual({ Site: { n: 2, hours: 4 }, Shop: { n: 1, hours: 5 } });
  const { Site } = figures.last.data ?? {};
  await w.controller.set(Issue, { id: 4 }, { projectId: 3 });
  await w.controller.set(new Delete(Issue), { id: 3 }, { id: 3 });
  expect(figures.last.data).toEqual({ Site: { n: 2, hours: 4 }, Blog: { n: 1, hours: 8 } });
  expect(figures.last.data?.['Site']).toBe(Site);
});

test('[N24] rows and the list of a join keep their reference until one of their rows changes', async () => {
  const w = await filled();
  const reader = w.controller.query(remarks);
  const rows = watch(reader.result);
  const live = watch(liveResult(reader));
  const before = rows.last.data;
  await w.controller.set(Issue, { id: 4 }, { hours: 9 });
  await w.controller.set(Person, { id: 1 }, { name: 'Grace' });
  expect(rows.last.data).toBe(before);
  expect(rows.runs).toBe(1);
  await w.controller.set(Remark, { id: 2 }, { text: 'Yes' });
  const after = rows.last.data;
  expect(shown(after)?.[1]).toBe('Site Font Yes');
  expect(after?.map((row, at) => row === before?.[at])).toEqual([true, false, true, true]);
  await w.controller.set(Project, { id: 1 }, { name: 'Home' });
  expect(rows.last.data?.map((row, at) => row === after?.[at])).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(live.last.data).toBe(rows.last.data);
});

test('[N24] a row that is added and removed within one commit notifies no reader of a join', async () => {
  const w = world();
  await w.controller.set([Issue], [{ id: 1, projectId: 2, title: 'Cart' }]);
  await w.controller.set(list, {}, [{ id: 1, name: 'Site' }]);
  const rows = watch(
    w.controller.query(
      new Query(list, { join: { issue: innerJoin(hasMany(Issue, 'projectId')) } }),
      {},
    ).result,
  );
  await w.controller.set(list, {}, [{ id: 3, name: 'Blog' }]);
  expect(rows.last.data).toEqual([]);
  expect(rows.runs).toBe(1);
});

test('[N24] joined rows keep their reference when a response reorders the list', async () => {
  const w = world();
  await w.controller.set(
    [Issue],
    [
      { id: 1, projectId: 1, title: 'Font' },
      { id: 2, projectId: 2, title: 'Cart' },
      { id: 3, projectId: 3, title: 'Post' },
    ],
  );
  const set = (...ids: number[]) =>
    w.controller.set(
      list,
      {},
      ids.map((id) => ({ id, name: `p${id}` })),
    );
  await set(1, 2, 3);
  const query = new Query(list, { join: { issue: innerJoin(hasMany(Issue, 'projectId')) } });
  const rows = watch(w.controller.query(query, {}).result);
  const [first, second, third] = rows.last.data ?? [];
  await set(3, 1, 2);
  expect(rows.last.data).toEqual([third, first, second]);
  expect(rows.last.data?.map((row, at) => row === [third, first, second][at])).toEqual([
    true,
    true,
    true,
  ]);
});

test('[N24] a join over hasOne has the first related row of each row, and over manyToMany each linked row once', async () => {
  const w = await filled();
  await w.controller.set(
    [Label],
    [
      { id: 1, name: 'new' },
      { id: 2, name: 'old' },
    ],
  );
  await w.controller.set(
    [Labeling],
    [
      { id: 1, issueId: 1, labelId: 1 },
      { id: 2, issueId: 1, labelId: 1 },
      { id: 3, issueId: 1, labelId: 2 },
    ],
  );
  const query = new Query(new All(Project), {
    join: {
      issue: innerJoin(hasOne(Issue, 'projectId', { sort: { hours: 'desc' } })),
      label: leftJoin(manyToMany(Label, Labeling, 'issueId', 'labelId', { sort: 'name' }), 'issue'),
    },
  });
  const labels = () =>
    w.controller.get(query)?.map(({ issue, label }) => `${issue.title} ${label?.name}`);
  expect(labels()).toEqual(['Font new', 'Font old', 'Cart undefined']);
  await w.controller.set(new Delete(Labeling), { id: 1 }, { id: 1 });
  expect(labels()?.length).toBe(3);
  await w.controller.set(Issue, { id: 2 }, { hours: 4 });
  expect(labels()).toEqual(['Logo undefined', 'Cart undefined']);
});

test('[N24] joined rows have the related rows of their `include`, and follow added rows', async () => {
  const w = await filled();
  const query = new Query(new All(Project), {
    join: {
      issue: innerJoin(
        hasMany(Issue, 'projectId', { include: { remarks: hasMany(Remark, 'issueId') } }),
      ),
    },
  });
  const rows = watch(w.controller.query(query).result);
  await w.controller.set([Remark], [{ id: 4, issueId: 2, text: 'Blue' }]);
  expect(rows.last.data?.map(({ issue }) => issue.remarks.map(({ text }) => text))).toEqual([
    ['Serif?', 'No'],
    ['Blue'],
    ['Soon'],
  ]);
});

test('[N24] readers get the error of a function of a join, and recover with the next valid value', async () => {
  const w = await filled();
  const query = new Query(new All(Project), {
    join: { issue: innerJoin(hasMany(Issue, 'projectId')) },
    filter: ({ issue }) => {
      if (issue.title === 'bad') throw new Error('bad title');
      return true;
    },
  });
  const rows = watch(w.controller.query(query).result);
  await w.controller.set(Issue, { id: 1 }, { title: 'bad' });
  expect(rows.last.error?.message).toBe('bad title');
  await w.controller.set(Issue, { id: 1 }, { title: 'good' });
  expect(shown(rows.last.data)?.[0]).toBe('Site good undefined');
});

test('[N24] a join from a join that is not declared before throws S25, and over an array fails with S23', async () => {
  const w = await filled();
  const query = new Query(new All(Project), {
    join: {
      remark: leftJoin(hasMany(Remark, 'issueId'), 'issue'),
      issue: innerJoin(hasMany(Issue, 'projectId')),
    },
  });
  expect(() => w.controller.get(query)).toThrow('S25');
  const overValue = new Query([Project], {
    join: { issue: innerJoin(hasMany(Issue, 'projectId')) },
  });
  const read = w.read('projects', overValue);
  void w.controller.fetch(read).catch(() => {});
  await w.calls[0]?.answer([{ id: 1, name: 'Site' }]);
  expect(w.controller.view(read).result.value.error).toMatchObject({ code: 'S23' });
});
