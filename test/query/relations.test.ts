// Relations in queries: rows with their related rows, at any depth, kept up to date.
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
  Scalar,
  sum,
  transaction,
  Union,
} from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Label, Person } from '../setup/samples.ts';
import { watch, world } from '../setup/world.ts';

class Project extends Entity {
  id = 0;
  name = '';
  ownerId: number | null = null;
}
class Issue extends Entity {
  id = 0;
  projectId = 0;
  title = '';
  rank = 0;
  open = true;
}
class Remark extends Entity {
  id = 0;
  issueId = 0;
  text = '';
}
class Labeling extends Entity {
  id = 0;
  issueId = 0;
  labelId: number | null = 0;
}

const tree = new Query(new All(Project), {
  include: {
    owner: belongsTo(Person, 'ownerId'),
    issues: hasMany(Issue, 'projectId', {
      sort: 'rank',
      include: {
        remarks: hasMany(Remark, 'issueId'),
        labels: manyToMany(Label, Labeling, 'issueId', 'labelId', { sort: 'name' }),
      },
    }),
  },
});

async function filled() {
  const w = world();
  const { controller } = w;
  await controller.set(
    [Project],
    [
      { id: 1, name: 'p1', ownerId: 1 },
      { id: 2, name: 'p2', ownerId: 2 },
    ],
  );
  await controller.set([Person], [{ id: 1, name: 'Ada' }]);
  await controller.set(
    [Issue],
    [
      { id: 1, projectId: 1, title: 'i1', rank: 2 },
      { id: 2, projectId: 1, title: 'i2', rank: 1 },
      { id: 3, projectId: 2, title: 'i3', rank: 1 },
    ],
  );
  await controller.set(
    [Remark],
    [
      { id: 1, issueId: 1, text: 'r1' },
      { id: 2, issueId: 1, text: 'r2' },
      { id: 3, issueId: 3, text: 'r3' },
    ],
  );
  await controller.set(
    [Label],
    [
      { id: 1, name: 'b' },
      { id: 2, name: 'a' },
    ],
  );
  await controller.set(
    [Labeling],
    [
      { id: 1, issueId: 1, labelId: 1 },
      { id: 2, issueId: 1, labelId: 2 },
      { id: 3, issueId: 1, labelId: 2 },
    ],
  );
  return w;
}

function shapes(
  rows:
    | readonly {
        id: number;
        owner: Person | undefined;
        issues: readonly { id: number; remarks: Remark[]; labels: Label[] }[];
      }[]
    | undefined,
) {
  return rows?.map(({ id, owner, issues }) => [
    id,
    owner?.name,
    issues.map((issue) => [
      issue.id,
      issue.remarks.map((remark) => remark.text).join(),
      issue.labels.map((label) => label.name).join(),
    ]),
  ]);
}

test('[N24] a query includes related rows at any depth', async () => {
  const w = await filled();
  const rows = w.controller.get(tree);
  expect(shapes(rows)).toEqual([
    [
      1,
      'Ada',
      [
        [2, '', ''],
        [1, 'r1,r2', 'a,b'],
      ],
    ],
    [2, undefined, [[3, 'r3', '']]],
  ]);
  const [first] = rows ?? [];
  expect(first).toBeInstanceOf(Project);
  expect(first?.issues[0]).toBeInstanceOf(Issue);
  expect(Object.isFrozen(first)).toBe(true);
  expectTypeOf(first?.owner).toEqualTypeOf<Person | undefined>();
  expectTypeOf(first?.issues[0]?.remarks).toEqualTypeOf<Remark[] | undefined>();
});

test('[N24] rows, lists and nested rows keep their reference until a row in them changes', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  const before = seen.last.data;
  await w.controller.set(Remark, { id: 3 }, { text: 'new' });
  const after = seen.last.data;
  expect(seen.runs).toBe(2);
  expect(shapes(after)?.[1]).toEqual([2, undefined, [[3, 'new', '']]]);
  expect(after?.[0]).toBe(before?.[0]);
  expect(after?.[1]).not.toBe(before?.[1]);
  await w.controller.set(Issue, { id: 2 }, { title: 'again' });
  const last = seen.last.data;
  expect(last?.[1]).toBe(after?.[1]);
  expect(last?.[0]?.issues[1]).toBe(after?.[0]?.issues[1]);
  expect(last?.[0]?.issues[1]?.labels).toBe(after?.[0]?.issues[1]?.labels);
  expect(last?.[0]?.issues[0]?.title).toBe('again');
  expect(seen.runs).toBe(3);
  await w.controller.set(Remark, { id: 3 }, { text: 'new' });
  expect(seen.runs).toBe(3);
});

test('[N24] a changed foreign key moves the row from one parent to another, and keeps the reference of its rows', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  const remarks = seen.last.data?.[0]?.issues[1]?.remarks;
  await w.controller.set(Issue, { id: 1 }, { projectId: 2 });
  expect(seen.last.data?.[1]?.issues[1]?.remarks).toBe(remarks);
  expect(shapes(seen.last.data)).toEqual([
    [1, 'Ada', [[2, '', '']]],
    [
      2,
      undefined,
      [
        [3, 'r3', ''],
        [1, 'r1,r2', 'a,b'],
      ],
    ],
  ]);
  expect(seen.runs).toBe(2);
  await w.controller.set(Project, { id: 2 }, { ownerId: 1 });
  await w.controller.set(Project, { id: 1 }, { ownerId: null });
  expect(seen.last.data?.map(({ owner }) => owner?.name)).toEqual([undefined, 'Ada']);
});

test('[N24] filter, sort, limit and figures of a relation apply per parent, and get the arguments at each level', async () => {
  const w = await filled();
  const query = new Query(new All(Project), {
    filter: (project, { least }: { least: number }) => project.figures.n >= least,
    sort: (a, b) => b.figures.ranks - a.figures.ranks,
    include: {
      figures: hasMany(Issue, 'projectId', { aggregate: { n: count(), ranks: sum('rank') } }),
      first: hasOne(Issue, 'projectId', { sort: { rank: 'asc' } }),
      issues: hasMany(Issue, 'projectId', {
        filter: (issue, { text }: { text: string }) =>
          issue.remarks.some((remark) => remark.text.includes(text)),
        include: { remarks: hasMany(Remark, 'issueId', { limit: 1, sort: { id: 'desc' } }) },
      }),
    },
  });
  const seen = watch(w.controller.query(query, { least: 1, text: 'r' }).result);
  const found = () =>
    seen.last.data?.map(({ id, figures, first, issues }) => [
      id,
      figures,
      first?.id,
      issues.map((issue) => issue.remarks.map((remark) => remark.text)),
    ]);
  expect(found()).toEqual([
    [1, { n: 2, ranks: 3 }, 2, [['r2']]],
    [2, { n: 1, ranks: 1 }, 3, [['r3']]],
  ]);
  await w.controller.set(Issue, { id: 1 }, { projectId: 2 });
  await w.controller.set(Remark, { id: 3 }, { text: 'x' });
  expect(found()).toEqual([
    [2, { n: 2, ranks: 3 }, 3, [['r2']]],
    [1, { n: 1, ranks: 1 }, 2, []],
  ]);
  await w.controller.set(Issue, { id: 2 }, { projectId: 2 });
  expect(found()?.map(([id]) => id)).toEqual([2]);
  expect(seen.runs).toBe(4);
});

test('[N24] related rows of relations without arguments are shared by readers with different arguments', async () => {
  const w = await filled();
  const from = ({ rank }: Issue, { least }: { least: number }) => rank >= least;
  const query = new Query(new All(Project), {
    include: {
      issues: hasMany(Issue, 'projectId', {
        filter: from,
        include: { remarks: hasMany(Remark, 'issueId', { sort: { id: 'desc' } }) },
      }),
    },
  });
  const all = watch(w.controller.query(query, { least: 0 }).result);
  const some = watch(w.controller.query(query, { least: 2 }).result);
  const issueIn = (seen: typeof all, id: number) =>
    seen.last.data?.flatMap(({ issues }) => issues).find((issue) => issue.id === id);
  expect(issueIn(some, 1)?.remarks.map(({ id }) => id)).toEqual([2, 1]);
  expect(issueIn(some, 1)).toBe(issueIn(all, 1));
  expect(issueIn(some, 2)).toBeUndefined();
  await w.controller.set(Remark, { id: 1 }, { text: 'changed' });
  expect(issueIn(some, 1)?.remarks[1]?.text).toBe('changed');
  expect(issueIn(some, 1)).toBe(issueIn(all, 1));
  some.stop();
  await w.controller.set(Remark, { id: 1 }, { issueId: 2 });
  expect(issueIn(all, 1)?.remarks.map(({ id }) => id)).toEqual([2]);
  expect(issueIn(all, 2)?.remarks.map(({ id }) => id)).toEqual([1]);
});

test('[N24] related rows with a Scalar have the value for the arguments of each reader', () => {
  const { controller } = world();
  class Price extends Entity {
    id = 0;
    issueId = 0;
    amount = 0;
    static override schema = {
      amount: new Scalar({
        lens: ([params]: [{ currency?: string }?]) => params?.currency,
        key: 'currency',
      }),
    };
  }
  const query = new Query(new All(Project), {
    include: {
      issues: hasMany(Issue, 'projectId', { include: { prices: hasMany(Price, 'issueId') } }),
    },
  });
  void controller.set([Project], [{ id: 1 }]);
  void controller.set([Issue], [{ id: 1, projectId: 1 }]);
  const amounts = (currency: string) => {
    void controller.set([Price], { currency }, [
      { id: 1, issueId: 1, amount: currency === 'EUR' ? 9 : 10 },
    ]);
    return watch(controller.query(query, { currency }).result);
  };
  const seen = [amounts('EUR'), amounts('USD')];
  expect(seen.map(({ last }) => last.data?.[0]?.issues[0]?.prices[0]?.amount)).toEqual([9, 10]);
});

test('[N24] an unknown related row is undefined, and is shown when any write stores the row', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  expect(seen.last.data?.[1]?.owner).toBeUndefined();
  await w.controller.set(Person, { id: 2 }, { id: 2, name: 'Bob' });
  expect(seen.last.data?.[1]?.owner).toBe(w.controller.get(Person, { id: 2 }));
  expect(seen.runs).toBe(2);
  // the children arrive before the parent
  await w.controller.set(Issue, { id: 9 }, { id: 9, projectId: 8 });
  await w.controller.set(Remark, { id: 9 }, { id: 9, issueId: 9, text: 'early' });
  expect(seen.runs).toBe(2);
  await w.controller.set(Project, { id: 8 }, { id: 8, name: 'late' });
  expect(shapes(seen.last.data)?.[2]).toEqual([8, undefined, [[9, 'early', '']]]);
});

test('[N24] deleted related rows and links leave their parent, which stays, and shared rows stay elsewhere', async () => {
  const w = await filled();
  const { controller } = w;
  const seen = watch(controller.query(tree).result);
  await controller.set(Labeling, { id: 4 }, { id: 4, issueId: 2, labelId: 2 });
  await controller.set(new Delete(Labeling), { id: 3 }, { id: 3 });
  expect(shapes(seen.last.data)?.[0]).toEqual([
    1,
    'Ada',
    [
      [2, '', 'a'],
      [1, 'r1,r2', 'a,b'],
    ],
  ]);
  await controller.set(new Delete(Labeling), { id: 2 }, { id: 2 });
  expect(shapes(seen.last.data)?.[0]).toEqual([
    1,
    'Ada',
    [
      [2, '', 'a'],
      [1, 'r1,r2', 'b'],
    ],
  ]);
  await controller.set(new Delete(Issue), { id: 2 }, { id: 2 });
  expect(shapes(seen.last.data)?.[0]).toEqual([1, 'Ada', [[1, 'r1,r2', 'b']]]);
  await controller.set(new Delete(Issue), { id: 1 }, { id: 1 });
  await controller.set(new Delete(Person), { id: 1 }, { id: 1 });
  expect(shapes(seen.last.data)?.[0]).toEqual([1, undefined, []]);
  await controller.set(Issue, { id: 2 }, { id: 2, projectId: 1 });
  expect(shapes(seen.last.data)?.[0]).toEqual([1, undefined, [[2, '', 'a']]]);
});

test('[N24] a manyToMany link without a target shows its row when the target is set and stored', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  const labels = () => seen.last.data?.[0]?.issues[0]?.labels.map(({ name }) => name);
  await w.controller.set(Labeling, { id: 5 }, { id: 5, issueId: 2, labelId: null });
  expect(labels()).toEqual([]);
  await w.controller.set(Labeling, { id: 5 }, { labelId: 1 });
  expect(labels()).toEqual(['b']);
  await w.controller.set(Labeling, { id: 5 }, { labelId: 8 });
  expect(labels()).toEqual([]);
  await w.controller.set(Label, { id: 8 }, { id: 8, name: 'c' });
  expect(labels()).toEqual(['c']);
});

test('[N24] a reader of one parent does not run for changes of the related rows of another parent', async () => {
  const w = await filled();
  const of = (id: number) =>
    new Query(new All(Project), {
      filter: (project) => project.id === id,
      include: { issues: hasMany(Issue, 'projectId') },
    });
  const [one, two] = [1, 2].map((id) => watch(w.controller.query(of(id)).result));
  await w.controller.set(Issue, { id: 3 }, { title: 'new' });
  expect([one?.runs, two?.runs]).toEqual([1, 2]);
  await w.controller.set(Issue, { id: 3 }, { projectId: 77 });
  expect([one?.runs, two?.runs]).toEqual([1, 3]);
  await w.controller.set(Issue, { id: 3 }, { projectId: 1 });
  expect([one?.runs, two?.runs]).toEqual([2, 3]);
});

const shown = {
  getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
};

test('[N24] optimistic rows show at once under their parent, and are rolled back when the requests fail', async () => {
  const w = await filled();
  const { controller } = w;
  const seen = watch(controller.query(tree).result);
  const before = seen.last.data;
  const create = w.mutation('create', new Collection([Issue]).push, shown);
  const move = w.mutation('move', Issue, shown);
  const drop = w.mutation('drop', new Delete(Issue), shown);
  const ids = () =>
    seen.last.data?.map(({ issues }) => issues.map(({ id, rank }) => (rank === 7 ? 'new' : id)));
  void controller.fetch(create, {}, { projectId: 1, rank: 7 }).catch(() => {});
  expect(ids()).toEqual([[2, 1, 'new'], [3]]);
  void controller.fetch(move, { id: 2 }, { projectId: 2 }).catch(() => {});
  void controller.fetch(drop, { id: 3 }).catch(() => {});
  expect(ids()).toEqual([[1, 'new'], [2]]);
  for (const at of [0, 1, 2]) await w.call(at).fail(new Error('refused'));
  expect(ids()).toEqual([[2, 1], [3]]);
  expect(seen.last.data).toEqual(before);
});

test('[O13] rows of a parent with a temporary key stay related when the server assigns the key', async () => {
  const w = await filled();
  const { controller } = w;
  const seen = watch(controller.query(tree).result);
  const projects = new Collection([Project]);
  void controller.fetch(w.mutation('project', projects.push, shown), {}, { name: 'new' });
  const id = seen.last.data?.at(-1)?.id as number;
  // pushed by a stream: no own request replaces the temporary key in the row
  await controller.set(Issue, { id: 50 }, { id: 50, projectId: id, title: 'kept' });
  const kept = seen.last.data?.at(-1)?.issues[0];
  expect(kept?.title).toBe('kept');
  await w.call().answer({ id: 7, name: 'new' });
  const named = seen.last.data?.at(-1);
  expect([named?.id, named?.issues[0]]).toEqual([7, kept]);
  expect(named?.issues[0]).toBe(kept);
  await controller.set(Issue, { id: 51 }, { id: 51, projectId: 7 });
  expect(seen.last.data?.at(-1)?.issues.map((issue) => issue.id)).toEqual([50, 51]);
  expect(controller.get(tree)).toBe(seen.last.data);
});

test('[O13] a row stored under the server key before the response gets the related rows of the temporary key', async () => {
  const w = await filled();
  const { controller } = w;
  const seen = watch(controller.query(tree).result);
  const projects = new Collection([Project]);
  void controller.fetch(w.mutation('project', projects.push, shown), {}, { name: 'new' });
  const id = seen.last.data?.at(-1)?.id as number;
  await controller.set(Issue, { id: 50 }, { id: 50, projectId: id, title: 'kept' });
  await controller.set(Project, { id: 7 }, { id: 7, name: 'new' });
  await w.call().answer({ id: 7, name: 'new' });
  const rows = seen.last.data
    ?.slice(2)
    .map((project) => [project.id, project.issues.map((one) => one.id)]);
  expect(rows).toEqual([[7, [50]]]);
});

class Page extends Entity {
  slug = '';
  override pk(): string {
    return this.slug;
  }
}

class Mark extends Entity {
  id = 0;
  page = '';
  other = '';
}

test('[N19] rows that hold the former key of an entity are related to a new entity with that key', async () => {
  const pages = new Collection([Page]);
  const withMarks = new Query(new All(Page), {
    include: {
      marks: hasMany(Mark, 'page'),
      others: manyToMany(Page, Mark, 'page', 'other'),
    },
  });
  const withPages = new Query(new All(Mark), {
    include: {
      to: belongsTo(Page, 'page', { include: { marks: hasMany(Mark, 'page') } }),
      other: belongsTo(Page, 'other'),
    },
  });
  const w = world();
  const { controller } = w;
  await controller.set([Page], [{ slug: 'old' }, { slug: 'x' }]);
  await controller.set(
    [Mark],
    [
      { id: 1, page: 'old', other: 'x' },
      { id: 2, page: 'x', other: 'old' },
    ],
  );
  const pageReader = watch(controller.query(withMarks).result);
  const markReader = watch(controller.query(withPages).result);
  const shape = () => [
    pageReader.last.data?.map(({ slug, marks, others }) =>
      [slug, ...marks.map(({ id }) => id), ...others.map((other) => other.slug)].join(),
    ),
    markReader.last.data?.map(({ to, other }) => [to?.slug, to?.marks.length, other?.slug].join()),
  ];
  void controller.fetch(
    w.mutation('update', Page, { method: 'PUT' } as object),
    { slug: 'old' },
    {},
  );
  await w.call().answer({ slug: 'new' });
  expect(shape()).toEqual([
    ['new,1,x', 'x,2,new'],
    ['new,1,x', 'x,1,new'],
  ]);
  const create = w.mutation('create', pages.push);
  void controller.fetch(create, {}, { slug: 'old' });
  await w.call().answer({ slug: 'old' });
  expect(shape()).toEqual([
    ['new', 'x,2,old', 'old,1,x'],
    ['old,1,x', 'x,1,old'],
  ]);
});

test('[N19] rows that hold the new key of an entity already are related to the renamed entity', async () => {
  const query = new Query(new All(Mark), {
    include: {
      to: belongsTo(Page, 'page', { include: { marks: hasMany(Mark, 'page') } }),
      others: manyToMany(Page, Mark, 'id', 'other'),
    },
  });
  for (const isKnown of [true, false]) {
    const w = world();
    const { controller } = w;
    if (isKnown) await controller.set(Page, { slug: 'old' }, { slug: 'old' });
    else await controller.set(Page, { slug: 'new' }, { slug: 'new' });
    await controller.set([Mark], [{ id: 1, page: isKnown ? 'new' : 'old', other: 'new' }]);
    const { result } = controller.query(query);
    const seen = watch(() =>
      result.value.data?.map(({ to, others }) => [
        to?.slug,
        to?.marks.length,
        ...others.map(({ slug }) => slug),
      ]),
    );
    expect(seen.last).toEqual([isKnown ? [undefined, undefined] : [undefined, undefined, 'new']]);
    const update = { ...shown, method: 'PUT' } as object;
    void controller.fetch(w.mutation('update', Page, update), { slug: 'old' }, {});
    await w.call().answer({ slug: 'new' });
    expect(seen.last).toEqual([['new', 1, 'new']]);
  }
});

test('[N24] relations by several fields, by other fields than the primary key, and by nested entities', async () => {
  class Shop extends Entity {
    code = '';
    city = '';
    override pk() {
      return `${this.city}-${this.code}`;
    }
  }
  class Sale extends Entity {
    id = 0;
    city = '';
    code = '';
    person: Person | null = null;
    name = '';
    static override schema = { person: Person };
  }
  const w = world();
  const shops = new Query(new All(Shop), {
    include: {
      sales: hasMany(Sale, ['city', 'code']),
      named: hasMany(Sale, 'name', { references: 'code' }),
    },
  });
  const sales = new Query(new All(Sale), {
    include: {
      shop: belongsTo(Shop, ['city', 'code']),
      byName: belongsTo(Person, 'name', { references: 'name' }),
    },
  });
  const people = new Query(new All(Person), { include: { sales: hasMany(Sale, 'person') } });
  const [a, b, c] = [shops, sales, people].map((query) =>
    watch(w.controller.query(query as typeof shops).result),
  );
  await w.controller.set(
    [Shop],
    [
      { city: 'x', code: '1' },
      { city: 'x', code: '2' },
    ],
  );
  await w.controller.set(
    [Sale],
    [
      { id: 1, city: 'x', code: '1', name: '2', person: { id: 1, name: 'Ada' } },
      { id: 2, city: 'x', code: '3', name: 'Ada', person: null },
    ],
  );
  const ids = (rows: readonly { id: number }[] | undefined) => rows?.map(({ id }) => id);
  expect(a?.last.data?.map((shop) => [ids(shop.sales), ids(shop.named)])).toEqual([
    [[1], []],
    [[], [1]],
  ]);
  const sold = () =>
    ((b?.last.data ?? []) as unknown as { shop?: Shop; byName?: Person }[]).map(
      ({ shop, byName }) => [shop?.code, byName?.id],
    );
  expect(sold()).toEqual([
    ['1', undefined],
    [undefined, 1],
  ]);
  expect(
    ((c?.last.data ?? []) as unknown as { sales: Sale[] }[]).map((one) => ids(one.sales)),
  ).toEqual([[1]]);
  await w.controller.set(Sale, { id: 2 }, { code: '2', name: 'x', person: 1 });
  expect(a?.last.data?.map((shop) => ids(shop.sales))).toEqual([[1], [2]]);
  expect(sold()).toEqual([
    ['1', undefined],
    ['2', undefined],
  ]);
  expect(
    ((c?.last.data ?? []) as unknown as { sales: Sale[] }[]).map((one) => ids(one.sales)),
  ).toEqual([[1, 2]]);
});

test('[N24] a row can be related to itself, and to other rows of its class', async () => {
  class Folder extends Entity {
    id = 0;
    parentId: number | null = null;
  }
  const w = world();
  const query = new Query(new All(Folder), {
    include: {
      parent: belongsTo(Folder, 'parentId'),
      children: hasMany(Folder, 'parentId', { include: { children: hasMany(Folder, 'parentId') } }),
    },
  });
  const seen = watch(w.controller.query(query).result);
  await w.controller.set(
    [Folder],
    [
      { id: 1, parentId: 1 },
      { id: 2, parentId: 1 },
      { id: 3, parentId: 2 },
    ],
  );
  const found = () =>
    seen.last.data?.map(({ id, parent, children }) => [
      id,
      parent?.id,
      children.map((child) => [child.id, child.children.map((one) => one.id)]),
    ]);
  expect(found()).toEqual([
    [
      1,
      1,
      [
        [1, [1, 2]],
        [2, [3]],
      ],
    ],
    [2, 1, [[3, []]]],
    [3, 2, []],
  ]);
  await w.controller.set(Folder, { id: 1 }, { parentId: null });
  await w.controller.set(Folder, { id: 1 }, { parentId: 3 });
  expect(found()).toEqual([
    [1, 3, [[2, [3]]]],
    [2, 1, [[3, [1]]]],
    [3, 2, [[1, [2]]]],
  ]);
});

test('[N24] a row related to itself follows changes of both fields of the relation', async () => {
  class Part extends Entity {
    id = 0;
    name = '';
    under = '';
  }
  const w = world();
  const query = new Query(new All(Part), {
    include: {
      parts: hasMany(Part, 'under', { references: 'name' }),
      whole: belongsTo(Part, 'under', { references: 'name' }),
    },
  });
  const seen = watch(w.controller.query(query).result);
  const found = () => seen.last.data?.map(({ parts, whole }) => [parts.length, whole?.name]);
  await w.controller.set(Part, { id: 1 }, { id: 1, name: 'a', under: 'a' });
  expect(found()).toEqual([[1, 'a']]);
  await w.controller.set(Part, { id: 1 }, { under: 'b' });
  expect(found()).toEqual([[0, undefined]]);
  await w.controller.set(Part, { id: 1 }, { name: 'b' });
  expect(found()).toEqual([[1, 'b']]);
});

test('[N24] a read within a transaction gets the related rows that the transaction has written', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  const during: unknown[] = [];
  await transaction(w.controller, async (tx) => {
    await tx.set(Issue, { id: 1 }, { projectId: 2 });
    during.push(w.controller.get(tree)?.map(({ issues }) => issues.map(({ id }) => id)));
    await tx.set(Issue, { id: 9 }, { id: 9, projectId: 1 });
    during.push(w.controller.get(tree)?.map(({ issues }) => issues.map(({ id }) => id)));
  });
  expect(during).toEqual([
    [[2], [3, 1]],
    [
      [9, 2],
      [3, 1],
    ],
  ]);
  expect(seen.last.data?.map(({ issues }) => issues.length)).toEqual([2, 2]);
});

test('[N24] a filter of a relation that throws gives readers the error, until the next valid value', async () => {
  const w = await filled();
  const query = new Query(new All(Project), {
    include: {
      issues: hasMany(Issue, 'projectId', {
        filter: (issue) => {
          if (issue.title === 'bad') throw new Error('bad title');
          return true;
        },
      }),
    },
  });
  const reader = w.controller.query(query);
  const seen = watch(reader.result);
  await w.controller.set(Issue, { id: 3 }, { title: 'bad' });
  expect(seen.last.error?.message).toBe('bad title');
  expect(() => w.controller.get(query)).toThrow('bad title');
  await w.controller.set(Issue, { id: 3 }, { title: 'good' });
  expect(seen.last.data?.[1]?.issues[0]?.title).toBe('good');
});

test('[N24] `include` in a query over an array, which is no stored list, fails with S23', async () => {
  const w = await filled();
  const query = new Query([Project], { include: { issues: hasMany(Issue, 'projectId') } });
  const read = w.read('projects', query, { reply: () => [{ id: 1 }] });
  await w.controller.fetch(read).catch(() => {});
  expect(w.controller.view(read).result.value.error).toMatchObject({ code: 'S23' });
});

const eitherList = new Union({ labels: [Label], people: [Person] }, 'type');
/** As in JavaScript, and after a circular import. */
const wrong = (value: unknown) => value as typeof Issue & typeof Labeling;

test.each([
  ['a circular import', () => hasMany(wrong(undefined), 'projectId')],
  ['a circular import behind a function', () => belongsTo(() => wrong(undefined), 'ownerId')],
  ['a union of lists', () => hasMany(wrong(eitherList), 'projectId')],
  ['a union of lists behind a function', () => hasOne(() => wrong(eitherList), 'projectId')],
  ['a list', () => hasMany(wrong([Issue]), 'projectId')],
  ['an instance', () => belongsTo(wrong(new Project()), 'ownerId')],
  ['links of no class', () => manyToMany(Label, wrong([Labeling]), 'issueId', 'labelId')],
])('[H10] a relation to anything but entity classes fails with E18: %s', async (_, relate) => {
  const w = await filled();
  const takes = 'an entity class, a union of entity classes, or a function that returns one';
  const message = expect.stringContaining(takes);
  const error = { code: 'E18', message };
  const query = new Query(new All(Project), { include: { related: relate() } });
  expect(() => w.controller.get(query)).toThrow(expect.objectContaining(error));
  class Related extends Entity {
    id = 0;
    ownerId = 1;
    declare readonly related: unknown;
    static override relations: object = { related: relate() };
  }
  await w.controller.set(Related, { id: 1 }, { id: 1 });
  expect(() => w.controller.get(Related, { id: 1 })?.related).toThrow(
    expect.objectContaining(error),
  );
});

test('[N24] a row moved from one parent to another and back follows changes of its own related rows', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  const texts = () =>
    seen.last.data?.map(({ issues }) =>
      issues.map(({ remarks }) => remarks.map((one) => one.text)),
    );
  await w.controller.set([Remark], [{ id: 1, issueId: 1, text: 'r' }]);
  for (const projectId of [2, 1, 2]) {
    await w.controller.set(Issue, { id: 1 }, { projectId });
    const text = `in ${projectId}`;
    await w.controller.set(Remark, { id: 1 }, { text });
    expect(texts()?.[projectId - 1]?.flat()).toContain(text);
  }
});

test('[N24] rows without a required related row are omitted at both levels, after any random changes', async () => {
  const query = new Query(new All(Issue), {
    include: {
      project: belongsTo(Project, 'projectId', {
        required: true,
        include: { owner: belongsTo(Person, 'ownerId', { required: true }) },
      }),
    },
  });
  const id = fc.integer({ min: 1, max: 3 });
  const step = fc.oneof(
    fc.record({ of: fc.constant(Person), id }),
    fc.record({ of: fc.constant(Project), id, ownerId: fc.option(id) }),
    fc.record({ of: fc.constant(Issue), id, projectId: id }),
    fc.record({ drop: fc.constantFrom(Person, Project, Issue), id }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (program) => {
      const { controller } = world();
      const seen = watch(controller.query(query).result);
      for (const { id: pk, ...given } of program) {
        if ('drop' in given) await controller.set(new Delete(given.drop), { id: pk }, { id: pk });
        else {
          const { of, ...fields } = given;
          await controller.set(of as typeof Issue, { id: pk }, { id: pk, ...fields } as never);
        }
        const all = <E extends typeof Person | typeof Project | typeof Issue>(Class: E) =>
          (controller.get(new All(Class)) ?? []) as InstanceType<E>[];
        const [people, projects] = [all(Person), all(Project)];
        const owned = projects.filter((each) => people.some((one) => one.id === each.ownerId));
        const expected = all(Issue).filter((each) =>
          owned.some((one) => one.id === each.projectId),
        );
        expect((seen.last.data ?? []).map((row) => row.id)).toEqual(expected.map((row) => row.id));
      }
    }),
    runs(),
  );
});

test('[O8] related rows are removed by a reset, and have rows that are written later', async () => {
  const w = await filled();
  const seen = watch(w.controller.query(tree).result);
  w.controller.reset();
  expect(seen.last.data).toBeUndefined();
  await w.controller.set(Project, { id: 1 }, { id: 1, name: 'again' });
  expect(shapes(seen.last.data)).toEqual([[1, undefined, []]]);
  await w.controller.set(Remark, { id: 1 }, { id: 1, issueId: 1, text: 'r' });
  await w.controller.set(Issue, { id: 1 }, { id: 1, projectId: 1 });
  expect(shapes(seen.last.data)).toEqual([[1, undefined, [[1, 'r', '']]]]);
});

test('[N24] flat rows by nested belongsTo relations are filtered, sorted and grouped, with and without `required`', async () => {
  const w = await filled();
  await w.controller.set(Labeling, { id: 9 }, { id: 9, issueId: 77, labelId: 1 });
  const flat = new Query(new All(Labeling), {
    filter: (row) => row.issue.open,
    sort: [(a, b) => a.issue.rank - b.issue.rank, { id: 'desc' }],
    include: {
      label: belongsTo(Label, 'labelId'),
      issue: belongsTo(Issue, 'issueId', {
        required: true,
        include: { project: belongsTo(Project, 'projectId', { required: true }) },
      }),
    },
  });
  const perProject = new Query(new All(Labeling), {
    groupBy: (row) => row.issue?.project?.name ?? 'none',
    aggregate: { n: count(), ranks: sum((row: { issue: Issue | undefined }) => row.issue?.rank) },
    include: {
      issue: belongsTo(Issue, 'issueId', { include: { project: belongsTo(Project, 'projectId') } }),
    },
  });
  const seen = watch(w.controller.query(flat).result);
  const rows = () =>
    seen.last.data?.map(({ id, label, issue }) => [id, label?.name, issue.id, issue.project.name]);
  const [three, two, one] = [
    [3, 'a', 1, 'p1'],
    [2, 'a', 1, 'p1'],
    [1, 'b', 1, 'p1'],
  ];
  expect(rows()).toEqual([three, two, one]);
  expect(w.controller.get(perProject)).toEqual({
    p1: { n: 3, ranks: 6 },
    none: { n: 1, ranks: 0 },
  });
  await w.controller.set(new Delete(Label), { id: 1 }, { id: 1 });
  await w.controller.set(Issue, { id: 77 }, { id: 77, rank: 9 });
  expect(rows()).toEqual([three, two, [1, undefined, 1, 'p1']]);
  await w.controller.set(Issue, { id: 77 }, { projectId: 2 });
  expect(rows()?.at(-1)).toEqual([9, undefined, 77, 'p2']);
  await w.controller.set(new Delete(Project), { id: 1 }, { id: 1 });
  expect(rows()).toEqual([[9, undefined, 77, 'p2']]);
  expect(w.controller.get(perProject)).toEqual({
    p2: { n: 1, ranks: 9 },
    none: { n: 3, ranks: 6 },
  });
});

test('[N24] a live reader runs once for a changed related row, and gets the data of snapshot readers', async () => {
  const w = await filled();
  const reader = w.controller.query(tree);
  const live = watch(liveResult(reader));
  await w.controller.set(Remark, { id: 3 }, { text: 'new' });
  expect(live.runs).toBe(2);
  expect(live.last.data).toBe(reader.result.peek().data);
});
