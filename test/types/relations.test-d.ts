// Relations in queries: the types of the rows, of the functions and of the arguments, and faults that do not compile.
import {
  All,
  belongsTo,
  count,
  Entity,
  hasMany,
  hasOne,
  innerJoin,
  leftJoin,
  manyToMany,
  Query,
  RestEndpoint,
  sum,
  Union,
  withRelated,
} from 'signalbox';
import type { Controller, Relations } from 'signalbox';
import { expectTypeOf, test } from 'vitest';

declare const controller: Controller;

class Project extends Entity {
  id = 0;
  name = '';
}
class Issue extends Entity {
  id = 0;
  projectId = 0;
  open = true;
  rank = 0;
}
class Remark extends Entity {
  id = 0;
  issueId = 0;
  text = '';
}
class Label extends Entity {
  id = 0;
  name = '';
}
class Labeling extends Entity {
  id = 0;
  issueId = 0;
  labelId = 0;
}
const projects = new All(Project);

test('[N24] rows of a query with `include` have the types of their related rows', () => {
  const query = new Query(projects, {
    include: {
      issues: hasMany(Issue, 'projectId', {
        include: {
          remarks: hasMany(Remark, 'issueId'),
          labels: manyToMany(Label, Labeling, 'issueId', 'labelId', { sort: 'name' }),
          project: belongsTo(Project, 'projectId'),
        },
      }),
      first: hasOne(Issue, 'projectId', { sort: { rank: 'desc' } }),
      counts: hasMany(Issue, 'projectId', { groupBy: 'open', aggregate: { n: count() } }),
    },
  });
  const row = controller.get(query)?.[0];
  expectTypeOf(row?.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(row?.issues[0]?.remarks).toEqualTypeOf<Remark[] | undefined>();
  expectTypeOf(row?.issues[0]?.labels).toEqualTypeOf<Label[] | undefined>();
  expectTypeOf(row?.issues[0]?.project).toEqualTypeOf<Project | undefined>();
  expectTypeOf(row?.first).toEqualTypeOf<Issue | undefined>();
  const joined = new Query(new All(Issue), {
    include: { project: belongsTo(Project, 'projectId', { required: true }) },
  });
  expectTypeOf(controller.get(joined)?.[0]?.project.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(row?.counts['true']?.n).toEqualTypeOf<number | undefined>();
});

test('[N24] functions of a query receive related rows, and the query takes the arguments of all functions', () => {
  const query = new Query(projects, {
    include: {
      issues: hasMany(Issue, 'projectId', {
        include: {
          remarks: hasMany(Remark, 'issueId', { limit: (args: { most: number }) => args.most }),
        },
        filter: (issue, { text }: { text: string }) =>
          issue.remarks.some((one) => one.text === text),
      }),
    },
    filter: (project, { few }: { few: boolean }) => project.issues.length < 3 === few,
    sort: (a, b) => a.issues.length - b.issues.length,
  });
  controller.get(query, { most: 1, text: '', few: true });
  // @ts-expect-error `most` is missing
  controller.get(query, { text: '', few: true });
  // @ts-expect-error a text is no number
  controller.get(query, { most: '1', text: '', few: true });
  const plain = new Query(projects, { include: { issues: hasMany(Issue, 'projectId') } });
  expectTypeOf(controller.get(plain)?.[0]?.issues).toEqualTypeOf<Issue[] | undefined>();
});

test('[N24] relations with an unknown field or option do not compile', () => {
  // @ts-expect-error no such field
  void hasMany(Issue, 'projektId');
  // @ts-expect-error a method is no key
  void hasMany(Issue, 'pk');
  // @ts-expect-error no such field
  void hasMany(Issue, 'projectId', { sort: 'name' });
  // @ts-expect-error no such field
  void hasMany(Issue, 'projectId', { sort: { name: 'desc' } });
  // @ts-expect-error no such field
  void hasMany(Issue, 'projectId', { sort: ['rank', 'name'] });
  // @ts-expect-error no such field
  void hasMany(Issue, 'projectId', { sort: [{ name: 'desc' }] });
  // @ts-expect-error no such field
  void hasOne(Issue, 'projectId', { sort: { name: 'desc' } });
  // @ts-expect-error no such field
  void manyToMany(Label, Labeling, 'issueId', 'labelId', { sort: [{ rank: 'desc' }] });
  // @ts-expect-error a misspelt option
  void hasMany(Issue, 'projectId', { fliter: () => true });
  // @ts-expect-error the first of all: a limit has no effect
  void hasOne(Issue, 'projectId', { limit: 3 });
  // @ts-expect-error a link has the keys
  void manyToMany(Label, Labeling, 'issueId', 'labelId', { references: 'name' });
  // @ts-expect-error no such field
  void new Query(new All(Issue), { sort: [{ name: 'desc' }] });
  void hasMany(Issue, 'projectId', { sort: ['rank', { open: 'desc' }, (a, b) => a.id - b.id] });
  void hasMany(Issue, 'projectId', {
    include: { remarks: hasMany(Remark, 'issueId') },
    sort: [(a, b) => a.remarks.length - b.remarks.length, 'rank'],
    argsOfAll: (rows: readonly Project[]) => ({ ids: rows.map(({ id }) => id) }),
  });
  // @ts-expect-error an issue has no such field
  void hasMany(Issue, 'projectId', { include: { author: belongsTo(Project, 'authorId') } });
  // @ts-expect-error a project has no such field
  void new Query(projects, { include: { issue: belongsTo(Issue, 'issueId') } });
  // @ts-expect-error a link has no such field
  void manyToMany(Label, Labeling, 'issueId', 'tagId');
  // @ts-expect-error no such field
  void hasMany(Issue, 'projectId', { references: 5 });
  const bySlug = hasMany(Issue, 'projectId', { references: 'slug' });
  // @ts-expect-error a project has no such field
  void new Query(projects, { include: { issues: bySlug } });
  const byName = hasMany(Issue, 'projectId', { references: 'name' });
  expectTypeOf(new Query(projects, { include: { issues: byName } })).not.toBeAny();
});

class Author extends Entity {
  id = 0;
  name = '';
  declare readonly books: readonly Book[];
  static override relations: Relations<Author> = { books: hasMany(() => Book, 'authorId') };
}
class Book extends Entity {
  id = 0;
  authorId = 0;
  title = '';
  declare readonly author?: Author;
  static override relations: Relations<Book> = { author: belongsTo(Author, 'authorId') };
}

test('[N24] relations declared by a class have the types of the declared members', () => {
  const book = controller.get(Book, { id: 1 });
  expectTypeOf(book?.author).toEqualTypeOf<Author | undefined>();
  expectTypeOf(book?.author?.books).toEqualTypeOf<readonly Book[] | undefined>();
  const named = new Query(new All(Book), {
    filter: (one) => one.author?.name === 'Ada',
    include: { others: hasMany(Book, 'authorId', { references: 'authorId' }) },
  });
  expectTypeOf(controller.get(named)?.[0]?.others[0]?.author).toEqualTypeOf<Author | undefined>();
  class Novel extends Book {
    seriesId = 0;
    declare readonly series?: Project;
    static override relations: Relations<Novel> = { series: belongsTo(Project, 'seriesId') };
  }
  expectTypeOf(controller.get(Novel, { id: 1 })?.author?.name).toEqualTypeOf<string | undefined>();
});

test('[N24] an optional field can be the foreign key of a relation, in a class, a query and a join', () => {
  class Note extends Entity {
    id = 0;
    authorId?: number;
    about?: number | null;
    declare readonly author?: Author;
    declare readonly others: readonly Note[];
    static override relations: Relations<Note> = {
      author: belongsTo(Author, 'authorId'),
      others: hasMany(() => Note, 'about', { references: 'about' }),
    };
  }
  const named = new Query(new All(Note), { include: { book: belongsTo(Book, 'about') } });
  expectTypeOf(controller.get(named)?.[0]?.book?.title).toEqualTypeOf<string | undefined>();
  const joined = new Query(new All(Author), {
    join: {
      note: innerJoin(hasMany(Note, 'authorId')),
      book: leftJoin(belongsTo(Book, 'about'), 'note'),
    },
  });
  expectTypeOf(controller.get(joined)?.[0]?.book?.title).toEqualTypeOf<string | undefined>();
  // @ts-expect-error no such field of a note
  void new Query(new All(Note), { include: { book: belongsTo(Book, 'abuot') } });
});

test('[N24] withRelated takes the members of the data that are rows, at any depth, and nothing else', () => {
  const getBook = new RestEndpoint({ path: '/books/:id', schema: Book });
  const getBooks = new RestEndpoint({ path: '/books', schema: [Book] });
  expectTypeOf(withRelated(getBook, { author: { books: true } })).toEqualTypeOf(getBook);
  expectTypeOf(withRelated(getBooks, { author: true })).toEqualTypeOf(getBooks);
  // @ts-expect-error no such member
  withRelated(getBook, { autor: true });
  // @ts-expect-error no such member
  withRelated(getBooks, { author: { boks: true } });
  // @ts-expect-error a text
  withRelated(getBook, { title: true });
  class Leaf extends Entity {
    id = 0;
    words: string[] = [];
    declare readonly parent?: Project;
  }
  const getLeaf = new RestEndpoint({ path: '/leaves/:id', schema: Leaf });
  // @ts-expect-error a list of texts
  withRelated(getLeaf, { words: true });
  // @ts-expect-error true, or further members
  withRelated(getLeaf, { parent: false });
});

test('[N24] static relations that contradict the members of the class do not compile', () => {
  // @ts-expect-error no such field of a book
  void ({ author: belongsTo(Author, 'writerId') } satisfies Relations<Book>);
  // @ts-expect-error the class does not declare this member
  void ({ writer: belongsTo(Author, 'authorId') } satisfies Relations<Book>);
  // @ts-expect-error the member is an author
  void ({ author: belongsTo(Project, 'authorId') } satisfies Relations<Book>);
  // @ts-expect-error the member is one author
  void ({ author: hasMany(Author, 'id') } satisfies Relations<Book>);
  class Sure extends Book {
    declare readonly sure: Author;
  }
  // @ts-expect-error the member may be undefined
  void ({ sure: belongsTo(Author, 'authorId') } satisfies Relations<Sure>);
  // @ts-expect-error no such field of the other class
  void ({ books: hasMany(() => Book, 'writerId') } satisfies Relations<Author>);
  const filter = (book: Book, { text }: { text: string }) => book.title === text;
  // @ts-expect-error a class has no arguments
  void ({ books: hasMany(() => Book, 'authorId', { filter }) } satisfies Relations<Author>);
  const limit = ({ most }: { most: number }) => most;
  // @ts-expect-error a class has no arguments
  void ({ books: hasMany(() => Book, 'authorId', { limit }) } satisfies Relations<Author>);
  const include = { books: hasMany(() => Book, 'authorId', { filter }) };
  // @ts-expect-error a class has no arguments, nor has a relation of the class
  void ({ author: belongsTo(Author, 'authorId', { include }) } satisfies Relations<Book>);
  // @ts-expect-error a class leaves out no rows
  void ({ author: belongsTo(Author, 'authorId', { required: true }) } satisfies Relations<Book>);
  // @ts-expect-error a class leaves out no rows
  void ({ author: hasOne(Author, 'id', { required: true }) } satisfies Relations<Book>);
  const plain = {
    books: hasMany(() => Book, 'authorId', {
      filter: (book) => book.title !== '',
      include: { author: belongsTo(Author, 'authorId', { required: true }) },
      limit: () => 3,
    }),
  } satisfies Relations<Author>;
  expectTypeOf(plain).not.toBeAny();
  const relations = { books: hasMany(() => Book, 'authorId') } satisfies Relations<Author>;
  expectTypeOf(relations).not.toBeAny();
});

test('[N24] rows of a join, and the functions of the query, have the types of the joined rows', () => {
  const query = new Query(projects, {
    join: {
      issue: innerJoin(
        hasMany(Issue, 'projectId', {
          filter: (issue, { most }: { most: number }) => issue.rank < most,
        }),
      ),
      remark: leftJoin(hasMany(Remark, 'issueId'), 'issue'),
      label: leftJoin(manyToMany(Label, Labeling, 'issueId', 'labelId'), 'issue'),
      project: innerJoin(belongsTo(Project, 'projectId'), 'issue'),
    },
    filter: ({ issue, remark }, { text }: { text: string }) => issue.open && remark?.text === text,
    sort: (a, b) => a.issue.rank - b.issue.rank,
  });
  const row = controller.get(query, { most: 1, text: '' })?.[0];
  expectTypeOf(row?.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(row?.issue).toEqualTypeOf<Issue | undefined>();
  expectTypeOf(row?.project.name).toEqualTypeOf<string | undefined>();
  if (row !== undefined) expectTypeOf(row.remark).toEqualTypeOf<Remark | undefined>();
  // @ts-expect-error `most` is missing
  controller.get(query, { text: '' });
  const figures = new Query(projects, {
    join: { issue: innerJoin(hasMany(Issue, 'projectId')) },
    groupBy: ({ issue }) => issue.open,
    aggregate: { n: count(), rank: sum((each: { issue: Issue }) => each.issue.rank) },
  });
  expectTypeOf(controller.get(figures)?.['true']?.rank).toEqualTypeOf<number | undefined>();
});

test('[N24] joins with an unknown field, source or relation do not compile', () => {
  // @ts-expect-error a project has no such field
  void new Query(projects, { join: { issue: innerJoin(belongsTo(Issue, 'issueId')) } });
  void new Query(projects, {
    join: {
      issue: innerJoin(hasMany(Issue, 'projectId')),
      // @ts-expect-error no such join
      remark: leftJoin(hasMany(Remark, 'issueId'), 'isue'),
    },
  });
  void new Query(projects, {
    join: {
      issue: leftJoin(hasMany(Issue, 'projectId')),
      // @ts-expect-error an issue has no such field
      person: leftJoin(belongsTo(Project, 'personId'), 'issue'),
    },
  });
  // @ts-expect-error a relation, not a join
  void new Query(projects, { join: { issue: hasMany(Issue, 'projectId') } });
  // @ts-expect-error figures are no row
  void innerJoin(hasMany(Issue, 'projectId', { aggregate: { n: count() } }));
  const left = new Query(projects, {
    join: { issue: leftJoin(hasMany(Issue, 'projectId')) },
    // @ts-expect-error the issue may be missing
    filter: ({ issue }) => issue.open,
  });
  expectTypeOf(left).not.toBeAny();
});

class Vote extends Entity {
  id = 0;
  bookId = 0;
  onType = '';
  onId = 0;
  declare readonly on?: Author | Book;
  static override relations: Relations<Vote> = {
    on: belongsTo(() => votables, 'onId'),
  };
}
class Author2 extends Author {
  declare readonly votes: readonly Vote[];
  static override relations: Relations<Author2> = { votes: hasMany(() => Vote, 'on') };
}
const votables = new Union({ author: Author, book: Book }, 'onType');

test('[N24] relations to unions have rows of all classes, and keys that each class has', () => {
  const vote = controller.get(Vote, { id: 1 });
  expectTypeOf(vote?.on).toEqualTypeOf<Author | Book | undefined>();
  expectTypeOf(controller.get(Author2, { id: 1 })?.votes[0]?.on).toEqualTypeOf(vote?.on);
  const ofBook = new Union({ vote: Vote, remark: Remark, issue: Issue }, 'type');
  // @ts-expect-error not each class has the field
  void hasMany(ofBook, 'bookId');
  const rows = new Query(new All(Vote), {
    include: { target: belongsTo(votables, 'onId', { include: { issues: hasMany(Issue, 'id') } }) },
    filter: ({ target }) => target !== undefined && 'title' in target && target.title !== '',
  });
  const target = controller.get(rows)?.[0]?.target;
  expectTypeOf(target?.issues).toEqualTypeOf<Issue[] | undefined>();
  if (target !== undefined && 'title' in target) expectTypeOf(target.title).toEqualTypeOf<string>();
  const joined = new Query(new All(Author), {
    join: {
      vote: innerJoin(hasMany(Vote, 'on')),
      target: leftJoin(belongsTo(votables, 'onId'), 'vote'),
    },
    filter: (row) => row.target?.id === row.vote.onId,
  });
  const row = controller.get(joined)?.[0];
  if (row !== undefined) expectTypeOf(row.target).toEqualTypeOf<Author | Book | undefined>();
  const both = new Union({ issue: Issue, issues: Issue }, 'type');
  void hasMany(both, 'projectId', { filter: ({ open }) => open, sort: 'rank' });
  // @ts-expect-error no such field
  void hasMany(both, 'projectId', { sort: 'name' });
});

test('[N24] belongsTo a union without the field that names the class does not compile', () => {
  const byKind = new Union({ author: Author, book: Book }, 'kind');
  // @ts-expect-error a vote has no field of this name
  void ({ on: belongsTo(byKind, 'onId') } satisfies Relations<Vote>);
  // @ts-expect-error a vote has no field of this name
  void ({ on: belongsTo(votables, 'ownerId') } satisfies Relations<Vote>);
  const others = new Union({ author: Author, issue: Issue }, 'onType');
  // @ts-expect-error the member is no issue
  void ({ on: belongsTo(others, 'onId') } satisfies Relations<Vote>);
  const chosen = new Union({ author: Author, book: Book }, ({ onType }: Vote) => onType);
  expectTypeOf({ on: belongsTo(chosen, 'onId') } satisfies Relations<Vote>).not.toBeAny();
  // @ts-expect-error rows are entities
  void hasMany(new Union({ authors: [Author] }, 'type'), 'id');
  // @ts-expect-error an issue has no field that names the class
  void new Query(new All(Issue), { include: { on: belongsTo(votables, 'projectId') } });
});
