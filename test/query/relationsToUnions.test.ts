// Relations to and from unions: rows of several classes, and keys beside a field that names the class of the other row.
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
  live,
  manyToMany,
  Query,
  transaction,
  Union,
} from 'signalbox';
import type { Controller, Denormalized, Relations } from 'signalbox';
import { why } from 'signalbox/devtools';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { watch, world } from '../setup/world.ts';

class Project extends Entity {
  id = 0;
  name = '';
  declare readonly items: readonly (Post | Issue)[];
  declare readonly top: readonly (Post | Issue)[];
  declare readonly best?: Post | Issue;
  declare readonly counts: Readonly<Record<string, { readonly n: number }>>;
  static override relations: Relations<Project> = {
    items: hasMany(() => subjects, 'projectId', { sort: 'rank' }),
    top: hasMany(() => subjects, 'projectId', {
      filter: ({ rank }) => rank > 0,
      sort: { rank: 'desc' },
      limit: 2,
    }),
    best: hasOne(() => subjects, 'projectId', { sort: { rank: 'desc' } }),
    counts: hasMany(() => subjects, 'projectId', { groupBy: 'rank', aggregate: { n: count() } }),
  };
}
class Post extends Entity {
  id = 0;
  projectId = 0;
  rank = 0;
  title = '';
  declare readonly comments: readonly Comment[];
  declare readonly latest?: Comment;
  declare readonly tags: readonly Tag[];
  static override relations: Relations<Post> = {
    comments: hasMany(() => Comment, 'subject'),
    latest: hasOne(() => Comment, 'subject', { sort: { id: 'desc' } }),
    tags: manyToMany(
      () => Tag,
      () => Tagging,
      'taggableId',
      'tagId',
    ),
  };
}
class Issue extends Entity {
  id = 0;
  projectId = 0;
  rank = 0;
  text = '';
  declare readonly comments: readonly Comment[];
  static override relations: Relations<Issue> = {
    comments: hasMany(() => Comment, 'subjectId', { sort: 'text' }),
  };
}
class Comment extends Entity {
  id = 0;
  text = '';
  subjectType = '';
  subjectId: number | null = null;
  declare readonly subject?: Post | Issue;
  static override relations: Relations<Comment> = {
    subject: belongsTo(() => subjects, 'subjectId'),
  };
}
class Tag extends Entity {
  id = 0;
  name = '';
  declare readonly taggings: readonly Tagging[];
  declare readonly tagged: readonly (Post | Issue)[];
  static override relations: Relations<Tag> = {
    taggings: hasMany(() => Tagging, 'tagId'),
    tagged: manyToMany(
      () => taggables,
      () => Tagging,
      'tagId',
      'taggableId',
    ),
  };
}
class Tagging extends Entity {
  id = 0;
  tagId = 0;
  kind = '';
  taggableId = 0;
  declare readonly taggable?: Post | Issue;
  static override relations: Relations<Tagging> = {
    taggable: belongsTo(() => taggables, 'taggableId'),
  };
}
const subjects = new Union({ post: Post, issue: Issue }, 'subjectType');
const taggables = new Union({ Post, Issue }, 'kind');

async function filled() {
  const w = world();
  const { controller } = w;
  await controller.set(Project, { id: 1 }, { id: 1, name: 'p' });
  await controller.set(
    [Post],
    [
      { id: 1, projectId: 1, rank: 2, title: 'P1' },
      { id: 2, projectId: 2, rank: 9, title: 'P2' },
    ],
  );
  await controller.set(
    [Issue],
    [
      { id: 1, projectId: 1, rank: 1, text: 'I1' },
      { id: 2, projectId: 1, rank: 3, text: 'I2' },
    ],
  );
  await controller.set(
    [Comment],
    [
      { id: 1, subjectType: 'post', subjectId: 1, text: 'b' },
      { id: 2, subjectType: 'issue', subjectId: 1, text: 'c' },
      { id: 3, subjectType: 'issue', subjectId: 1, text: 'a' },
    ],
  );
  return w;
}

/** A reader of the snapshots of a schema. */
function read<S>(controller: Controller, schema: S, ...args: readonly unknown[]) {
  const { result } = controller.query(schema as never, ...(args as []));
  return watch<Denormalized<S>>(() => result.value.data as Denormalized<S>);
}

const nameOf = (row: Post | Issue | undefined) =>
  row && (row instanceof Post ? row.title : row.text);
const texts = (rows: readonly Comment[] | undefined) => rows?.map(({ text }) => text).join('');
const shown = {
  getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
};

test('[N24] belongsTo a union has the row of the class that a field names, and the reverse the rows of its class', async () => {
  const { controller } = await filled();
  const all = read(controller, new All(Comment));
  const subject = () => all.last.map((comment) => nameOf(comment.subject));
  expectTypeOf(controller.get(Comment, { id: 1 })?.subject).toEqualTypeOf<
    Post | Issue | undefined
  >();
  expect(subject()).toEqual(['P1', 'I1', 'I1']);
  const post = read(controller, Post, { id: 1 });
  const issue = read(controller, Issue, { id: 1 });
  const lists = () => [texts(post.last.comments), texts(issue.last.comments)];
  expect(lists()).toEqual(['b', 'ac']);
  expect(post.last.latest?.text).toBe('b');
  // the name alone changes
  await controller.set(Comment, { id: 1 }, { subjectType: 'issue' });
  expect([subject(), lists()]).toEqual([
    ['I1', 'I1', 'I1'],
    ['', 'abc'],
  ]);
  expect(post.last.latest).toBeUndefined();
  // both change
  await controller.set(Comment, { id: 3 }, { subjectType: 'post', subjectId: 2 });
  expect(subject()).toEqual(['I1', 'I1', 'P2']);
  expect(lists()).toEqual(['', 'bc']);
  // no class of the union, which is mostly a mistake, and no key
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await controller.set(Comment, { id: 3 }, { subjectType: 'page' });
  await controller.set(Comment, { id: 2 }, { subjectId: null });
  expect([subject(), lists()]).toEqual([
    ['I1', undefined, undefined],
    ['', 'b'],
  ]);
  expect(warned.mock.calls.flat().join()).toMatch(/S11.*"Post \| Issue" matches .*"page"/);
  warned.mockRestore();
  // rows that arrive later
  await controller.set(Comment, { id: 3 }, { subjectType: 'post', subjectId: 5 });
  expect(subject()?.[2]).toBeUndefined();
  await controller.set(Post, { id: 5 }, { id: 5, title: 'P5' });
  expect(subject()?.[2]).toBe('P5');
  await controller.set(new Delete(Issue), { id: 1 }, { id: 1 });
  expect(subject()).toEqual([undefined, undefined, 'P5']);
});

test('[N24] a reader of a row does not run for the comments of a row of another class with the same key', async () => {
  const { controller } = await filled();
  const post = watch(() => texts(controller.query(Post, { id: 1 }).result.value.data?.comments));
  const issue = watch(() => texts(controller.query(Issue, { id: 1 }).result.value.data?.comments));
  const before = [post.runs, issue.runs];
  await controller.set(Comment, { id: 2 }, { text: 'x' });
  await controller.set(Comment, { id: 9 }, { id: 9, subjectType: 'issue', subjectId: 1 });
  expect(post.runs).toBe(before[0]);
  expect(issue.runs).toBeGreaterThan(before[1] as number);
});

test('[N24] hasMany of a union has rows of each class, filtered, sorted, limited and counted together', async () => {
  const { controller } = await filled();
  const project = read(controller, Project, { id: 1 });
  const names = () => project.last.items.map(nameOf);
  const top = () => [project.last.top.map(nameOf), nameOf(project.last.best)];
  expect(names()).toEqual(['I1', 'P1', 'I2']);
  expect(top()).toEqual([['I2', 'P1'], 'I2']);
  expect(project.last.counts).toEqual({ 1: { n: 1 }, 2: { n: 1 }, 3: { n: 1 } });
  await controller.set(Post, { id: 2 }, { projectId: 1 });
  expect([names(), top()]).toEqual([
    ['I1', 'P1', 'I2', 'P2'],
    [['P2', 'I2'], 'P2'],
  ]);
  await controller.set(Issue, { id: 2 }, { rank: 0 });
  expect([names(), top()]).toEqual([
    ['I2', 'I1', 'P1', 'P2'],
    [['P2', 'P1'], 'P2'],
  ]);
  await controller.set(new Delete(Post), { id: 1 }, { id: 1 });
  await controller.set(Issue, { id: 1 }, { projectId: 3 });
  expect([names(), top()]).toEqual([
    ['I2', 'P2'],
    [['P2'], 'P2'],
  ]);
  expect(project.last.counts).toEqual({ 0: { n: 1 }, 9: { n: 1 } });
});

test('[N24] manyToMany leads to rows of a union, and from rows of a union, by links that name the class', async () => {
  const { controller } = await filled();
  await controller.set(
    [Tag],
    [
      { id: 1, name: 't1' },
      { id: 2, name: 't2' },
    ],
  );
  await controller.set(
    [Tagging],
    [
      { id: 1, tagId: 1, kind: 'Post', taggableId: 1 },
      { id: 2, tagId: 1, kind: 'Issue', taggableId: 1 },
      { id: 3, tagId: 2, kind: 'Issue', taggableId: 1 },
    ],
  );
  const tags = read(controller, new All(Tag));
  const post = read(controller, Post, { id: 1 });
  const found = () => [
    tags.last.map(({ tagged }) => tagged.map(nameOf)),
    post.last.tags.map(({ name }) => name),
  ];
  expect(found()).toEqual([[['P1', 'I1'], ['I1']], ['t1']]);
  await controller.set(Tagging, { id: 3 }, { kind: 'Post' });
  expect(found()).toEqual([
    [['P1', 'I1'], ['P1']],
    ['t1', 't2'],
  ]);
  await controller.set(Tagging, { id: 1 }, { kind: 'Issue' });
  expect(found()).toEqual([[['I1'], ['P1']], ['t2']]);
});

test('[N24] a query includes and joins related rows of a union', async () => {
  const { controller } = await filled();
  const either = new Union({ post: Post, issue: Issue }, 'subjectType');
  const tree = new Query(new All(Project), {
    include: {
      rows: hasMany(either, 'projectId', {
        filter: ({ rank }, { least }: { least: number }) => rank >= least,
        sort: { rank: 'desc' },
        include: { remarks: hasMany(Comment, 'subjectId', { sort: 'text', limit: 2 }) },
      }),
    },
  });
  const flat = new Query(new All(Comment), {
    join: {
      about: innerJoin(belongsTo(either, 'subjectId')),
      other: leftJoin(hasMany(Comment, 'text', { references: 'text' })),
    },
    filter: ({ about }) => about.rank < 9,
    groupBy: (row) => nameOf(row.about) ?? '',
    aggregate: { n: count() },
  });
  const rows = read(controller, tree, { least: 1 });
  const shape = () =>
    rows.last.map((row) => row.rows.map((one) => [nameOf(one), texts(one.remarks)]));
  expect(shape()).toEqual([
    [
      ['I2', ''],
      ['P1', 'b'],
      ['I1', 'ac'],
    ],
  ]);
  const groups = read(controller, flat);
  expect(groups.last).toEqual({ P1: { n: 1 }, I1: { n: 2 } });
  const [, post] = rows.last[0]?.rows ?? [];
  await controller.set(Comment, { id: 2 }, { subjectId: 2 });
  expect(rows.last[0]?.rows[1]).toBe(post);
  await controller.set(Comment, { id: 1 }, { subjectType: 'issue' });
  expect(shape()).toEqual([
    [
      ['I2', 'c'],
      ['P1', ''],
      ['I1', 'ab'],
    ],
  ]);
  expect(groups.last).toEqual({ I1: { n: 2 }, I2: { n: 1 } });
});

test('[N24] live objects track rows of unions', async () => {
  const { controller } = await filled();
  const comment = live(controller, Comment, 1);
  const post = live(controller, Post, 1);
  const project = live(controller, Project, 1);
  const subject = watch<Post | Issue | undefined>(() => comment.subject);
  const comments = watch<readonly Comment[]>(() => post.comments);
  const items = watch(() => project.items.map(nameOf));
  expect(subject.last).toBe(post);
  expect(comments.last).toEqual([comment]);
  await controller.set(Comment, { id: 1 }, { subjectType: 'issue' });
  expect(subject.last).toBe(live(controller, Issue, 1));
  expect(comments.last).toEqual([]);
  await controller.set(Issue, { id: 1 }, { text: 'new' });
  expect([subject.runs, items.last]).toEqual([2, ['new', 'P1', 'I2']]);
});

test('[N24] optimistic rows of a union, and rows that name one, are shown at once and rolled back', async () => {
  const w = await filled();
  const { controller } = w;
  const post = read(controller, Post, { id: 1 });
  const project = read(controller, Project, { id: 1 });
  const found = () => [texts(post.last.comments), project.last.items.map(nameOf)];
  const before = ['b', ['I1', 'P1', 'I2']];
  expect(found()).toEqual(before);
  const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});
  quiet(controller.fetch(w.mutation('move', Comment, shown), { id: 2 }, { subjectType: 'post' }));
  quiet(controller.fetch(w.mutation('item', Issue, shown), { id: 1 }, { projectId: 7 }));
  expect(found()).toEqual(['bc', ['P1', 'I2']]);
  for (const at of [0, 1]) await w.call(at).fail(new Error('refused'));
  expect(found()).toEqual(before);
  await transaction(controller, async (tx) => {
    await tx.set(Comment, { id: 3 }, { subjectType: 'post' });
    expect(texts(controller.get(Post, { id: 1 })?.comments)).toBe('ba');
  });
  controller.reset();
  expect(project.last).toBeUndefined();
  await controller.set(Comment, { id: 1 }, { id: 1, subjectType: 'post', subjectId: 4 });
  await controller.set(Post, { id: 4 }, { id: 4, title: 'P4' });
  expect(nameOf(controller.get(Comment, { id: 1 })?.subject)).toBe('P4');
});

test('[O13] comments of a row with a temporary key stay related when the server assigns the key', async () => {
  const w = await filled();
  const { controller } = w;
  const posts = new Collection([Post]);
  void controller.fetch(w.mutation('post', posts.push, shown), {}, { projectId: 1, title: 'new' });
  const made = controller.get(new All(Post))?.at(-1);
  const row = { subjectType: 'post', subjectId: made?.id, text: 'x' };
  const comments = new Collection([Comment]);
  void controller.fetch(w.mutation('comment', comments.push, shown), {}, row);
  const last = watch(() =>
    texts(controller.query(new All(Post)).result.value.data?.at(-1)?.comments),
  );
  expect(last.last).toBe('x');
  await w.call(0).answer({ id: 1_000, projectId: 1, title: 'new' });
  expect(last.last).toBe('x');
  await w.call(1).answer({ id: 50, subjectType: 'post', subjectId: 1_000, text: 'x' });
  expect(last.last).toBe('x');
  expect(controller.get(Comment, { id: 50 })?.subject).toBe(controller.get(Post, { id: 1_000 }));
  expect(texts(controller.get(Issue, { id: 1 })?.comments)).toBe('ac');
});

test('[N24] classes of a union that share a table are one set of rows', async () => {
  class Summary extends Entity {
    id = 0;
    projectId = 0;
    type = '';
    declare readonly comments: readonly Note[];
    static override key = 'Page';
    static override relations: Relations<Summary> = { comments: hasMany(() => Note, 'page') };
  }
  class Page extends Summary {
    body = '';
  }
  class Note extends Entity {
    id = 0;
    pageType = '';
    pageId = 0;
    declare readonly page?: Page | Summary;
    static override relations: Relations<Note> = {
      page: belongsTo(() => new Union({ page: Page, summary: Summary }, 'pageType'), 'pageId'),
    };
  }
  const pages = new Union({ page: Page, summary: Summary }, 'type');
  const { controller } = world();
  const projects = new Query(new All(Project), { include: { pages: hasMany(pages, 'projectId') } });
  const seen = read(controller, projects);
  await controller.set(Project, { id: 1 }, { id: 1 });
  await controller.set([pages], [
    { id: 1, type: 'summary', projectId: 1 },
    { id: 2, type: 'page', projectId: 1 },
  ] as never);
  const list = () => seen.last[0]?.pages.map((page) => [page.id, page instanceof Page]);
  expect(list()).toEqual([
    [1, false],
    [2, true],
  ]);
  await controller.set(Note, { id: 1 }, { id: 1, pageType: 'summary', pageId: 2 });
  expect(controller.get(Note, { id: 1 })?.page).toBe(controller.get(Page, { id: 2 }));
  expect(controller.get(Page, { id: 2 })?.comments).toHaveLength(1);
  await controller.set(new Delete(Summary), { id: 1 }, { id: 1 });
  expect(list()).toEqual([[2, true]]);
});

test('[N24] hasMany of a class has the rows of its subclasses that have a table of their own', async () => {
  class Animal extends Entity {
    id = 0;
    projectId = 0;
    name = '';
  }
  class Dog extends Animal {}
  class Puppy extends Dog {}
  class Cat extends Animal {}
  const w = world();
  const { controller } = w;
  const query = new Query(new All(Project), {
    include: {
      animals: hasMany(Animal, 'projectId', { sort: 'name' }),
      dogs: hasMany(Dog, 'projectId', { sort: 'name' }),
    },
  });
  const projects = read(controller, query);
  await controller.set(Project, { id: 1 }, { id: 1 });
  const names = () =>
    [projects.last[0]?.animals, projects.last[0]?.dogs].map((rows) =>
      rows?.map(({ name }) => name).join(''),
    );
  expect(names()).toEqual(['', '']);
  // each is the first row of its table
  await controller.set(Dog, { id: 1 }, { id: 1, projectId: 1, name: 'd' });
  expect(names()).toEqual(['d', 'd']);
  const create = w.mutation('cat', new Collection([Cat]).push, shown);
  const creating = controller.fetch(create, {}, { projectId: 1, name: 'c' }).catch(() => {});
  expect(names()).toEqual(['cd', 'd']);
  await w.call().fail(new Error('refused'));
  await creating;
  expect(names()).toEqual(['d', 'd']);
  await controller.set(Animal, { id: 1 }, { id: 1, projectId: 1, name: 'a' });
  await controller.set(Puppy, { id: 1 }, { id: 1, projectId: 1, name: 'p' });
  expect(names()).toEqual(['adp', 'dp']);
  await controller.set(Puppy, { id: 1 }, { projectId: 2 });
  expect(names()).toEqual(['ad', 'd']);
  await controller.set(new Delete(Dog), { id: 1 }, { id: 1 });
  expect(names()).toEqual(['a', '']);
  controller.reset();
  await controller.set(Puppy, { id: 1 }, { id: 1, projectId: 1, name: 'p' });
  await controller.set(Project, { id: 1 }, { id: 1 });
  expect(names()).toEqual(['p', 'p']);
  // tables that exist before the first read
  const later = new Query(new All(Project), {
    include: { all: hasMany(Animal, 'name', { references: 'name' }) },
  });
  await controller.set(Project, { id: 1 }, { name: 'p' });
  expect(controller.get(later)?.[0]?.all.map(({ id }) => id)).toEqual([1]);
});

test('[N24] a nested entity of a union is a key of the rows of its class alone', async () => {
  class Vote extends Entity {
    id = 0;
    on: Post | Issue | null = null;
    static override schema = { on: new Union({ post: Post, issue: Issue }, 'type') };
  }
  const { controller } = await filled();
  const voted = <E extends typeof Post | typeof Issue>(Class: E) =>
    new Query(new All(Class as typeof Post), { include: { votes: hasMany(Vote, 'on') } });
  const [posts, issues] = [Post, Issue].map((Class) =>
    read(controller, voted(Class as typeof Post)),
  );
  await controller.set([Vote], [{ id: 1, on: { type: 'issue', id: 1 } }] as never);
  const counts = () => [posts, issues].map((seen) => seen?.last.map((row) => row.votes.length));
  expect(counts()).toEqual([
    [0, 0],
    [1, 0],
  ]);
  await controller.set([Vote], [{ id: 1, on: { type: 'post', id: 1 } }] as never);
  expect(counts()).toEqual([
    [1, 0],
    [0, 0],
  ]);
});

test('[N24] keys of several fields, and keys with `references`, lead to rows of the class that a field names', async () => {
  class Shop extends Entity {
    city = '';
    code = '';
    slug = '';
    declare readonly sales: readonly Sale[];
    declare readonly mentions: readonly Sale[];
    static override relations: Relations<Shop> = {
      sales: hasMany(() => Sale, 'place'),
      mentions: hasMany(() => Sale, 'mentioned'),
    };
    override pk() {
      return `${this.city}-${this.code}`;
    }
  }
  class Site extends Shop {
    static override relations: Relations<Site> = { sales: hasMany(() => Sale, ['city', 'code']) };
  }
  class Sale extends Entity {
    id = 0;
    kind = '';
    city = '';
    code = '';
    slug = '';
    declare readonly place?: Shop | Site;
    declare readonly mentioned?: Shop | Site;
    static override relations: Relations<Sale> = {
      place: belongsTo(() => places, ['city', 'code']),
      mentioned: belongsTo(() => places, 'slug', { references: 'slug' }),
    };
  }
  const places = new Union({ shop: Shop, site: Site }, 'kind');
  const { controller } = world();
  await controller.set([Shop], [{ city: 'x', code: '1', slug: 's' }]);
  await controller.set([Site], [{ city: 'x', code: '1', slug: 's' }]);
  const sale = { city: 'x', code: '1', slug: 's' };
  await controller.set([Sale], [{ id: 1, kind: 'shop', ...sale }]);
  await controller.set([Sale], [{ id: 2, kind: 'site', ...sale }]);
  const [shops, sites] = [read(controller, new All(Shop)), read(controller, new All(Site))];
  const sales = read(controller, new All(Sale));
  const found = () => [
    [shops, sites].map(({ last: [row] }) =>
      [row?.sales, row?.mentions].map((rows) => rows?.map(({ id }) => id)),
    ),
    sales.last.map(({ place, mentioned }) =>
      [place, mentioned].map((row) => row?.constructor.name),
    ),
  ];
  expect(found()).toEqual([
    [
      [[1], [1]],
      [[2], [2]],
    ],
    [
      ['Shop', 'Shop'],
      ['Site', 'Site'],
    ],
  ]);
  await controller.set(Sale, { id: 1 }, { kind: 'site' });
  expect(found()).toEqual([
    [
      [[], []],
      [
        [1, 2],
        [1, 2],
      ],
    ],
    [
      ['Site', 'Site'],
      ['Site', 'Site'],
    ],
  ]);
  await controller.set(Sale, { id: 1 }, { code: '2', slug: 't' });
  await controller.set(Site, { city: 'x', code: '1' }, { city: 'x', code: '1', slug: 't' });
  expect(found()).toEqual([
    [
      [[], []],
      [[2], [1]],
    ],
    [
      [undefined, 'Site'],
      ['Site', undefined],
    ],
  ]);
});

test('[N24] hasMany by the name of a belongsTo has the rows of its key, in a tree with a cycle', async () => {
  class Folder extends Entity {
    id = 0;
    parentId: number | null = null;
    declare readonly parent?: Folder;
    declare readonly folders: readonly Folder[];
    static override relations: Relations<Folder> = {
      parent: belongsTo(() => Folder, 'parentId'),
      folders: hasMany(() => Folder, 'parent'),
    };
  }
  const { controller } = world();
  await controller.set(
    [Folder],
    [
      { id: 1, parentId: 3 },
      { id: 2, parentId: 1 },
      { id: 3, parentId: 2 },
    ],
  );
  const first = read(controller, Folder, { id: 1 });
  const below = (folder: Folder, depth: number): unknown =>
    depth === 0 ? folder.id : [folder.id, ...folder.folders.map((one) => below(one, depth - 1))];
  expect(below(first.last, 3)).toEqual([1, [2, [3, 1]]]);
  await controller.set(Folder, { id: 3 }, { parentId: 1 });
  expect(below(first.last, 3)).toEqual([1, [2], [3, [1, 2, 3]]]);
});

test('[H10] the reverse of a union that a function chooses fails with E18, which names the cure', async () => {
  class Remark extends Entity {
    id = 0;
    kind = '';
    subjectId = 0;
    declare readonly subject?: Post | Issue;
    static override relations: Relations<Remark> = {
      subject: belongsTo(
        new Union({ post: Post, issue: Issue }, ({ kind }: Remark) => kind.toLowerCase()),
        'subjectId',
      ),
    };
  }
  const { controller } = await filled();
  await controller.set(Remark, { id: 1 }, { id: 1, kind: 'POST', subjectId: 1 });
  expect(nameOf(controller.get(Remark, { id: 1 })?.subject)).toBe('P1');
  const query = new Query(new All(Post), { include: { remarks: hasMany(Remark, 'subject') } });
  expect(() => controller.get(query)).toThrow(/E18.*union names a field, not a function/);
});

test('[N24] why() names the readers of a row through a relation to a union', async () => {
  const { controller } = await filled();
  const post = controller.query(Post, { id: 1 });
  const seen = watch(() => texts(post.result.value.data?.comments));
  expect(seen.last).toBe('b');
  const readers = why(controller, Comment, 1, 'text')?.readers ?? [];
  expect(readers.filter(({ read }) => read).length).toBeGreaterThan(0);
});
