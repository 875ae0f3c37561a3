// Relations of a class: related rows read like nested members, in snapshots and live objects.
import {
  All,
  belongsTo,
  Collection,
  count,
  Delete,
  Entity,
  hasMany,
  hasOne,
  live,
  manyToMany,
  peek,
  Query,
  snapshot,
  transaction,
  Union,
} from 'signalbox';
import type { Denormalized, OptimisticSnapshot, Relations } from 'signalbox';
import { $ } from 'signalbox/preact';
import { expect, test } from 'vitest';
import type { World } from '../setup/world.ts';
import { watch, world } from '../setup/world.ts';

class User extends Entity {
  id = 0;
  name = '';
  active = true;
  declare readonly posts: readonly Post[];
  declare readonly profile?: Profile;
  static override relations: Relations<User> = {
    posts: hasMany(() => Post, 'authorId', { sort: 'title' }),
    profile: hasOne(() => Profile, 'userId'),
  };
}
class Profile extends Entity {
  id = 0;
  userId = 0;
  text = '';
}
class Tag extends Entity {
  id = 0;
  name = '';
}
class Tagging extends Entity {
  id = 0;
  postId = 0;
  tagId = 0;
}
class Post extends Entity {
  id = 0;
  title = '';
  authorId: number | null = null;
  declare readonly author?: User;
  declare readonly comments: readonly Comment[];
  declare readonly counts: { readonly n: number };
  declare readonly tags: readonly Tag[];
  static override relations: Relations<Post> = {
    author: belongsTo(User, 'authorId'),
    comments: hasMany(() => Comment, 'postId', { filter: (comment) => !comment.hidden }),
    counts: hasMany(() => Comment, 'postId', { aggregate: { n: count() } }),
    tags: manyToMany(Tag, Tagging, 'postId', 'tagId', { sort: 'name' }),
  };
  get byline(): string {
    return `${this.title} by ${this.author?.name ?? 'nobody'}`;
  }
}
class Comment extends Entity {
  id = 0;
  postId = 0;
  parentId: number | null = null;
  text = '';
  hidden = false;
  declare readonly post?: Post;
  declare readonly parent?: Comment;
  declare readonly replies: readonly Comment[];
  static override relations: Relations<Comment> = {
    post: belongsTo(Post, 'postId'),
    parent: belongsTo(() => Comment, 'parentId'),
    replies: hasMany(() => Comment, 'parentId'),
  };
}

async function filled() {
  const w = world();
  const { controller } = w;
  await controller.set([User], [{ id: 1, name: 'Ada' }]);
  await controller.set(
    [Post],
    [
      { id: 1, title: 'p1', authorId: 1 },
      { id: 2, title: 'p2', authorId: 2 },
    ],
  );
  await controller.set(
    [Comment],
    [
      { id: 1, postId: 1, text: 'c1' },
      { id: 2, postId: 1, text: 'c2', parentId: 1 },
      { id: 3, postId: 2, text: 'c3' },
    ],
  );
  return w;
}

const texts = (comments: readonly Comment[] | undefined) => comments?.map(({ text }) => text);

test('[N24] relations of a class are read like nested members, and are neither keys nor JSON of the entity', async () => {
  const { controller } = await filled();
  const post = controller.get(Post, { id: 1 });
  expect(post?.author?.name).toBe('Ada');
  expect(post?.byline).toBe('p1 by Ada');
  expect(texts(post?.comments)).toEqual(['c1', 'c2']);
  expect(post?.counts).toEqual({ n: 2 });
  expect(post?.tags).toEqual([]);
  expect(post?.comments[0]?.post).toBe(post);
  expect(post?.author?.posts).toEqual([post]);
  expect(post?.comments[1]?.parent?.replies[0]).toBe(post?.comments[1]);
  expect(Object.keys(post ?? {})).toEqual(['id', 'title', 'authorId']);
  expect(JSON.parse(JSON.stringify(post))).toEqual({ id: 1, title: 'p1', authorId: 1 });
});

/** A reader of the snapshots of a schema. */
function read<S>({ controller }: World, schema: S, ...args: readonly unknown[]) {
  const { result } = controller.query(schema as never, ...(args as []));
  return watch<Denormalized<S>>(() => result.value.data as Denormalized<S>);
}

test('[N24] an unknown related row is undefined, and is shown when any write stores the row', async () => {
  const w = await filled();
  const posts = read(w, new All(Post));
  const names = () => posts.last.map((post) => post.author?.name);
  expect(names()).toEqual(['Ada', undefined]);
  await w.controller.set(User, { id: 2 }, { id: 2, name: 'Bob' });
  expect(names()).toEqual(['Ada', 'Bob']);
  expect(posts.runs).toBe(2);
  expect(posts.last[1]?.author?.profile).toBeUndefined();
  await w.controller.set(Profile, { id: 1 }, { id: 1, userId: 2, text: 'me' });
  expect(posts.last[1]?.author?.profile?.text).toBe('me');
  await w.controller.set(new Delete(User), { id: 2 }, { id: 2 });
  expect(names()).toEqual(['Ada', undefined]);
});

test('[N24] a reader of an entity runs for a change of related rows only if the reader has read the relation', async () => {
  const w = await filled();
  const [first, second] = [read(w, Post, { id: 1 }), read(w, Post, { id: 2 })];
  await w.controller.set(Comment, { id: 1 }, { text: 'unread' });
  expect(first.runs).toBe(1);
  expect(texts(first.last.comments)).toEqual(['unread', 'c2']);
  await w.controller.set(Comment, { id: 1 }, { text: 'read' });
  expect(first.runs).toBe(2);
  // the value that was read before stays the same
  expect(texts(first.seen[0]?.comments)).toEqual(['unread', 'c2']);
  expect(texts(first.last.comments)).toEqual(['read', 'c2']);
  // no reader reads the author, and other comments are of another post
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  await w.controller.set(Comment, { id: 3 }, { text: 'other' });
  // no change of the rows that the relation selects
  await w.controller.set(Comment, { id: 4 }, { id: 4, postId: 1, hidden: true });
  await w.controller.set(Comment, { id: 4 }, { text: 'hidden' });
  expect(first.runs).toBe(2);
  expect(second.runs).toBe(1);
});

test('[N24] related rows and lists keep their reference until a row in them changes', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  const { comments, author } = post.last;
  expect(post.last.comments).toBe(comments);
  await w.controller.set(Post, { id: 1 }, { title: 'new' });
  expect(post.last.comments).toBe(comments);
  expect(post.last.author).toBe(author);
  await w.controller.set(Comment, { id: 2 }, { text: 'new' });
  expect(post.last.comments).not.toBe(comments);
  expect(post.last.comments[0]).toBe(comments[0]);
  expect(post.last.author).toBe(author);
});

test('[N24] a changed foreign key moves the row, and runs the readers of both parents', async () => {
  const w = await filled();
  const [first, second] = [read(w, Post, { id: 1 }), read(w, Post, { id: 2 })];
  const all = () => [texts(first.last.comments), texts(second.last.comments)];
  expect(all()).toEqual([['c1', 'c2'], ['c3']]);
  await w.controller.set(Comment, { id: 1 }, { postId: 2 });
  expect(all()).toEqual([['c2'], ['c1', 'c3']]);
  await w.controller.set(Post, { id: 1 }, { authorId: 2 });
  expect([first.runs, second.runs]).toEqual([3, 2]);
});

test('[N24] related members are correct at any depth and in cycles, and a change runs each reader once', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  const deep = (of: Post | undefined) =>
    of?.comments.map((one) => one.post?.author?.posts[0]?.title);
  expect(deep(post.last)).toEqual(['p1', 'p1']);
  await w.controller.set(Comment, { id: 2 }, { text: 'new' });
  expect(post.runs).toBe(2);
  expect(post.last.comments[0]?.post).toBe(post.last);
  await w.controller.set(Post, { id: 1 }, { title: 'new' });
  expect(deep(post.last)).toEqual(['new', 'new']);
  expect(post.runs).toBe(3);
  expect(post.last.comments[1]?.post).toBe(post.last);
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  expect(post.runs).toBe(4);
  expect(post.last.comments[0]?.post?.byline).toBe('new by Eve');
});

test('[N24] a row can be related to itself', async () => {
  const w = await filled();
  await w.controller.set(Comment, { id: 1 }, { parentId: 1 });
  const comment = read(w, Comment, { id: 1 });
  expect(comment.last.parent).toBe(comment.last);
  expect(comment.last.replies).toEqual([comment.last, comment.last.replies[1]]);
  await w.controller.set(Comment, { id: 1 }, { text: 'new' });
  expect(comment.last.parent?.replies[0]?.text).toBe('new');
  expect(comment.last.parent).toBe(comment.last);
  await w.controller.set(Comment, { id: 1 }, { parentId: null });
  expect(comment.last.parent).toBeUndefined();
  expect(texts(comment.last.replies)).toEqual(['c2']);
});

test('[N24] a relation with functions that read the same relation terminates', async () => {
  class Knot extends Entity {
    id = 0;
    of = 0;
    declare readonly knots: readonly Knot[];
    declare readonly sorted: readonly Knot[];
    static override relations: Relations<Knot> = {
      knots: hasMany(() => Knot, 'of', {
        filter: (knot): boolean => knot.knots.every(({ id }) => id > 0),
      }),
      sorted: hasMany(() => Knot, 'of', { sort: (a, b) => a.sorted.length - b.sorted.length }),
    };
  }
  const w = world();
  await w.controller.set(
    [Knot],
    [1, 2, 3].map((id) => ({ id, of: 1 })),
  );
  const knot = read(w, Knot, { id: 1 });
  const ids = () => [knot.last.knots.map(({ id }) => id), knot.last.sorted.map(({ id }) => id)];
  expect(ids().map((list) => new Set(list))).toEqual([new Set([1, 2, 3]), new Set([1, 2, 3])]);
  await w.controller.set(Knot, { id: 2 }, { of: 3 });
  await w.controller.set(Knot, { id: 4 }, { id: 4, of: 1 });
  expect(ids()[0]).toEqual([1, 3, 4]);
});

test('[N24] a live object tracks a related member like a field', async () => {
  const w = await filled();
  const post = live(w.controller, Post, 1);
  const comments = watch<readonly Comment[]>(() => post.comments);
  const author = watch<User | undefined>(() => post.author);
  const byline = watch($(post).byline);
  const title = watch(() => post.title);
  expect(comments.last[0]).toBe(live(w.controller, Comment, 1));
  expect(author.last).toBe(live(w.controller, User, 1));
  await w.controller.set(Comment, { id: 1 }, { text: 'new' });
  expect(comments.runs).toBe(1);
  expect(texts(comments.last)).toEqual(['new', 'c2']);
  await w.controller.set(Comment, { id: 1 }, { postId: 2 });
  expect(comments.runs).toBe(2);
  expect(texts(post.comments)).toEqual(['c2']);
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  expect([author.runs, byline.last]).toEqual([1, 'p1 by Eve']);
  await w.controller.set(new Delete(User), { id: 1 }, { id: 1 });
  expect([author.last, byline.last]).toEqual([undefined, 'p1 by nobody']);
  await w.controller.set(Tag, { id: 1 }, { id: 1, name: 'a' });
  expect(post.tags).toEqual([]);
  await w.controller.set(Tagging, { id: 1 }, { id: 1, postId: 1, tagId: 1 });
  expect(post.tags).toEqual([live(w.controller, Tag, 1)]);
  expect(post.counts).toEqual({ n: 1 });
  expect(title.runs).toBe(1);
  expect(peek(post).comments).toBe(snapshot(post.comments));
  expect(Object.keys(post)).toEqual(['id', 'title', 'authorId']);
});

test('[N24] functions of queries can read related members, and the queries follow the related rows', async () => {
  const w = await filled();
  const busy = new Query(new All(Post), {
    filter: (post) => post.comments.length > 1,
    sort: (a, b) => b.comments.length - a.comments.length,
  });
  const names = new Query(new All(Comment), (comments) =>
    comments.map(({ post }) => post?.author?.name ?? 'nobody').join(),
  );
  const [posts, authors] = [read(w, busy), read(w, names)];
  expect(posts.last.map(({ id }) => id)).toEqual([1]);
  await w.controller.set(Comment, { id: 4 }, { id: 4, postId: 2 });
  expect(posts.last.map(({ id }) => id)).toEqual([1, 2]);
  await w.controller.set(Comment, { id: 5 }, { id: 5, postId: 2 });
  expect(posts.last.map(({ id }) => id)).toEqual([2, 1]);
  expect(authors.last).toBe('Ada,Ada,nobody,nobody,nobody');
  await w.controller.set(User, { id: 2 }, { id: 2, name: 'Bob' });
  expect(authors.last).toBe('Ada,Ada,Bob,Bob,Bob');
  expect(w.controller.get(busy)?.[0]?.author?.name).toBe('Bob');
});

test('[N24] rows of a query with `include` have the relations of their class, too', async () => {
  const w = await filled();
  const query = new Query(new All(Post), {
    include: { comments: hasMany(Comment, 'postId', { filter: ({ id }) => id > 1 }) },
  });
  const posts = read(w, query);
  const shape = () => posts.last.map(({ author, comments }) => [author?.name, texts(comments)]);
  expect(shape()).toEqual([
    ['Ada', ['c2']],
    [undefined, ['c3']],
  ]);
  await w.controller.set(User, { id: 1 }, { name: 'Eve' });
  expect(shape()[0]).toEqual(['Eve', ['c2']]);
  expect(posts.runs).toBe(2);
});

const shown = {
  getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
};

test('[N24] optimistic rows show at once under their parent, and are rolled back when the requests fail', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  expect(texts(post.last.comments)).toEqual(['c1', 'c2']);
  const create = w.mutation('create', new Collection([Comment]).push, shown);
  const move = w.mutation('move', Comment, shown);
  const drop = w.mutation('drop', new Delete(Comment), shown);
  void w.controller.fetch(create, {}, { postId: 1, text: 'new' }).catch(() => {});
  void w.controller.fetch(move, { id: 1 }, { postId: 2 }).catch(() => {});
  expect(texts(post.last.comments)).toEqual(['c2', 'new']);
  void w.controller.fetch(drop, { id: 2 }).catch(() => {});
  expect(texts(post.last.comments)).toEqual(['new']);
  for (const at of [0, 1, 2]) await w.call(at).fail(new Error('refused'));
  expect(texts(post.last.comments)).toEqual(['c1', 'c2']);
});

test('[C10] a mounted detail keeps the related rows of a deleted row, also of a row with a failed deletion', async () => {
  const w = await filled();
  const { controller } = w;
  const get = w.read('get', Post);
  await controller.setResponse(get, { id: 1 }, { id: 1, title: 'p1', authorId: 1 });
  const view = controller.view(get, { id: 1 });
  const release = view.retain();
  const shown = watch(() => {
    const { data } = view.result.value;
    return data && [data.author?.name, ...data.comments.map(({ id }) => id)].join();
  });
  const before = 'Ada,1,2';
  expect(shown.last).toBe(before);
  const remove = w.mutation('remove', new Delete(Post), {
    getOptimisticResponse: (_: unknown, params: object) => params,
  });
  const failing = controller.fetch(remove, { id: 1 }).catch(() => {});
  expect(shown.last).toBe(before);
  await w.call().fail(new Error('no'));
  await failing;
  expect(shown.last).toBe(before);
  const removing = controller.fetch(remove, { id: 1 });
  await w.call().answer({});
  await removing;
  expect(shown.last).toBe(before);
  release();
});

test('[O13] class relations: rows of a parent with a temporary key stay related when the server assigns the key', async () => {
  const w = await filled();
  const posts = read(w, new All(Post));
  const create = w.mutation('post', new Collection([Post]).push, shown);
  void w.controller.fetch(create, {}, { title: 'new', authorId: 1 });
  const id = posts.last[2]?.id as number;
  expect(posts.last[2]?.comments).toEqual([]);
  await w.controller.set(Comment, { id: 50 }, { id: 50, postId: id, text: 'kept' });
  expect(texts(posts.last[2]?.comments)).toEqual(['kept']);
  await w.call().answer({ id: 7, title: 'new', authorId: 1 });
  expect(posts.last[2]?.id).toBe(7);
  expect(texts(posts.last[2]?.comments)).toEqual(['kept']);
  await w.controller.set(Comment, { id: 51 }, { id: 51, postId: 7, text: 'later' });
  expect(texts(posts.last[2]?.comments)).toEqual(['kept', 'later']);
  expect(w.controller.get(User, { id: 1 })?.posts.map((post) => post.id)).toEqual([7, 1]);
});

test('[O13] rows created for a parent with a temporary key stay related, without a read between the two responses', async () => {
  const w = await filled();
  const posts = new Collection([Post]);
  void w.controller.fetch(w.mutation('post', posts.push, shown), {}, { title: 'new' });
  const id = w.controller.get(new All(Post))?.[2]?.id;
  expect(w.controller.get(Post, { id })?.comments).toEqual([]);
  const comments = new Collection([Comment]);
  const comment = w.mutation('comment', comments.push, shown);
  void w.controller.fetch(comment, { postId: id }, { postId: id, text: 'mine' });
  await w.call(0).answer({ id: 7, title: 'new' });
  await w.call(1).answer({ id: 50, postId: 7, text: 'mine' });
  expect(texts(w.controller.get(Post, { id: 7 })?.comments)).toEqual(['mine']);
  await w.controller.set(Comment, { id: 51 }, { id: 51, postId: 7, text: 'later' });
  expect(texts(w.controller.get(Post, { id: 7 })?.comments)).toEqual(['mine', 'later']);
});

test('[N24] getOptimisticResponse gets the related rows of the entity', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  expect(post.last.comments).toHaveLength(2);
  const close = w.mutation('close', Post, {
    getOptimisticResponse: (snap: OptimisticSnapshot, params: { id: number }) => ({
      ...params,
      title: texts(snap.get(Post, params)?.comments)?.join('+'),
    }),
  });
  void w.controller.fetch(close, { id: 1 });
  expect(post.last.title).toBe('c1+c2');
});

test('[N24] a read within a transaction gets the related members that the transaction has written', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  const during: unknown[] = [texts(post.last.comments)];
  await transaction(w.controller, async (tx) => {
    await tx.set(Comment, { id: 1 }, { postId: 2 });
    during.push(texts(w.controller.get(Post, { id: 1 })?.comments));
    await tx.set(Comment, { id: 9 }, { id: 9, postId: 1, text: 'c9' });
    during.push(texts(w.controller.get(Post, { id: 1 })?.comments));
  });
  expect(during).toEqual([['c1', 'c2'], ['c2'], ['c2', 'c9']]);
  expect(texts(post.last.comments)).toEqual(['c2', 'c9']);
});

test('[C11] a filter of a class relation that throws does so only when the member is read, until the next valid value', async () => {
  class Chapter extends Entity {
    id = 0;
    title = '';
    declare readonly notes: readonly Note[];
    static override relations: Relations<Chapter> = {
      notes: hasMany(() => Note, 'chapterId', {
        filter: ({ text }) => {
          if (text === 'bad') throw new Error('bad text');
          return true;
        },
      }),
    };
  }
  class Note extends Entity {
    id = 0;
    chapterId = 0;
    text = '';
  }
  const w = world();
  await w.controller.set(Chapter, { id: 1 }, { id: 1, title: 'one' });
  const chapter = read(w, Chapter, { id: 1 });
  expect(chapter.last.notes).toEqual([]);
  await w.controller.set(Note, { id: 1 }, { id: 1, chapterId: 1, text: 'bad' });
  expect(chapter.last.title).toBe('one');
  expect(() => chapter.last.notes).toThrow('bad text');
  expect(() => chapter.last.notes).toThrow('bad text');
  await w.controller.set(Note, { id: 2 }, { id: 2, chapterId: 1, text: 'good' });
  expect(() => chapter.last.notes).toThrow('bad text');
  await w.controller.set(Note, { id: 1 }, { text: 'better' });
  expect(chapter.last.notes.map(({ text }) => text)).toEqual(['better', 'good']);
  await w.controller.set(Note, { id: 1 }, { text: 'bad' });
  expect(() => chapter.last.notes).toThrow('bad text');
  await w.controller.set([new Delete(Note)], [{ id: 1 }, { id: 2 }]);
  expect(chapter.last.notes).toEqual([]);
});

test('[O8] related members are empty after a reset, and have rows that are written later', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  expect(post.last.comments).toHaveLength(2);
  w.controller.reset();
  await w.controller.set(Post, { id: 1 }, { id: 1, title: 'again', authorId: 1 });
  expect([post.last.comments, post.last.author]).toEqual([[], undefined]);
  await w.controller.set(Comment, { id: 5 }, { id: 5, postId: 1, text: 'c5' });
  expect(texts(post.last.comments)).toEqual(['c5']);
});

test('[N24] a class inherits the relations of its base class, and can override members', async () => {
  class Article extends Post {
    sectionId = 0;
    declare readonly section?: Tag;
    static override key = 'Article';
    static override relations: Relations<Article> = { section: belongsTo(Tag, 'sectionId') };
  }
  class Headline extends Article {
    override get byline(): string {
      return this.title;
    }
  }
  // as a class without types overrides a member
  Object.defineProperty(Headline.prototype, 'comments', { get: () => [] });
  const w = await filled();
  await w.controller.set(Article, { id: 1 }, { id: 1, title: 'a1', authorId: 1, sectionId: 4 });
  await w.controller.set(Tag, { id: 4 }, { id: 4, name: 'news' });
  const article = w.controller.get(Article, { id: 1 });
  expect([article?.byline, article?.section?.name]).toEqual(['a1 by Ada', 'news']);
  expect(texts(article?.comments)).toEqual(['c1', 'c2']);
  await w.controller.set(Headline, { id: 2 }, { id: 2, title: 'h2', authorId: 1, sectionId: 4 });
  const headline = w.controller.get(Headline, { id: 2 });
  expect([headline?.author?.name, headline?.section?.name]).toEqual(['Ada', 'news']);
  expect(headline?.comments).toEqual([]);
});

/** A summary of a letter, and the whole letter, in the same table. */
function letters() {
  class Summary extends Entity {
    id = 0;
    title = '';
    authorId = 0;
    declare readonly author?: User;
    declare readonly notes: readonly Note[];
    static override key = 'Letter';
    static override relations: Relations<Summary> = {
      author: belongsTo(User, 'authorId'),
      notes: hasMany(() => Note, 'letterId', { limit: 1 }),
    };
  }
  class Letter extends Summary {
    body = '';
    declare readonly tags: readonly Tag[];
    static override relations: Relations<Letter> = {
      notes: hasMany(() => Note, 'letterId'),
      tags: hasMany(Tag, 'name', { references: 'title' }),
    };
  }
  class Note extends Entity {
    id = 0;
    letterId = 0;
  }
  return { Summary, Letter, Note };
}

test('[N24] a row of a summary class that is stored as a full class later has the relations of the full class', async () => {
  const w = await filled();
  const { Summary, Letter, Note } = letters();
  await w.controller.set([Summary], [{ id: 1, title: 'l1', authorId: 1 }]);
  await w.controller.set(
    [Note],
    [1, 2].map((id) => ({ id, letterId: 1 })),
  );
  await w.controller.set(Tag, { id: 1 }, { id: 1, name: 'l1' });
  const summary = w.controller.get(Summary, { id: 1 });
  expect([summary?.author?.name, summary?.notes.length]).toEqual(['Ada', 1]);
  const author = watch(
    () => w.controller.query(Summary, { id: 1 }).result.value.data?.author?.name,
  );
  await w.controller.set(Letter, { id: 1 }, { id: 1, body: 'whole' });
  const letter = w.controller.get(Letter, { id: 1 });
  expect([letter?.author?.name, letter?.notes.length, letter?.tags.length]).toEqual(['Ada', 2, 1]);
  // a value keeps what readers have seen
  expect(summary?.notes).toHaveLength(1);
  const counts = watch(() => w.controller.query(Letter, { id: 1 }).result.value.data?.notes.length);
  await w.controller.set(Note, { id: 3 }, { id: 3, letterId: 1 });
  await w.controller.set(User, { id: 1 }, { name: 'Ada L.' });
  expect([counts.last, author.last]).toEqual([3, 'Ada L.']);
});

test('[N24] a live row that is stored as a class with more relations later has these relations', async () => {
  const w = await filled();
  const { Summary, Letter, Note } = letters();
  await w.controller.set([Summary], [{ id: 1, title: 'l1', authorId: 1 }]);
  await w.controller.set(
    [Note],
    [1, 2].map((id) => ({ id, letterId: 1 })),
  );
  await w.controller.set(Tag, { id: 1 }, { id: 1, name: 'l1' });
  const letter = live(w.controller, Letter, 1);
  const notes = watch(() => letter.notes.length);
  const tags = watch(() => letter.tags?.length);
  expect([notes.last, tags.last]).toEqual([1, undefined]);
  await w.controller.set(Letter, { id: 1 }, { id: 1, body: 'whole' });
  expect([notes.last, tags.last]).toEqual([2, 1]);
  await w.controller.set(Note, { id: 3 }, { id: 3, letterId: 1 });
  await w.controller.set(Tag, { id: 2 }, { id: 2, name: 'l1' });
  expect([notes.last, tags.last]).toEqual([3, 2]);
});

test('[N24] rows of a union have the relations of their class', async () => {
  const feed = new Union({ post: Post, comment: Comment }, 'kind');
  const w = await filled();
  const endpoint = w.read('feed', [feed], {
    reply: () => [
      { kind: 'comment', id: 3 },
      { kind: 'post', id: 1 },
    ],
  });
  const rows = await w.controller.fetch(endpoint);
  expect((rows[0] as Comment).post?.title).toBe('p2');
  expect((rows[1] as Post).author?.name).toBe('Ada');
});

test('[N24] relations by keys of several fields and by nested entities have the matching rows', async () => {
  class City extends Entity {
    country = '';
    code = '';
    override pk() {
      return `${this.country}/${this.code}`;
    }
    declare readonly shops: readonly Shop[];
    static override relations: Relations<City> = {
      shops: hasMany(() => Shop, ['country', 'code']),
    };
  }
  class Shop extends Entity {
    id = 0;
    country = '';
    code = '';
    owner: User | null = null;
    static override schema = { owner: User };
    declare readonly city?: City;
    declare readonly siblings: readonly Shop[];
    static override relations: Relations<Shop> = {
      city: belongsTo(City, ['country', 'code']),
      siblings: hasMany(() => Shop, 'owner', { references: 'owner' }),
    };
  }
  const w = world();
  await w.controller.set(City, { country: 'fr', code: '75' }, { country: 'fr', code: '75' });
  await w.controller.set(
    [Shop],
    [
      { id: 1, country: 'fr', code: '75', owner: { id: 1, name: 'Ada' } },
      { id: 2, country: 'de', code: '75', owner: { id: 1, name: 'Ada' } },
    ],
  );
  const shop = w.controller.get(Shop, { id: 1 });
  expect(shop?.city?.shops).toEqual([shop]);
  expect(shop?.siblings.map(({ id }) => id)).toEqual([1, 2]);
  expect(w.controller.get(Shop, { id: 2 })?.city).toBeUndefined();
});

class Token {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

test.each([
  ['BigInt', BigInt, '12', '12'],
  ['String', String, 12, '12'],
  ['Number', Number, '12', '12'],
  ['a function', (text: string) => text.toUpperCase(), 'ab', 'AB'],
  ['a class', Token, 'ab', 'ab'],
  ['Date', Date, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'],
])('[N24] a foreign key that %s decodes equals a primary key', async (_, decoder, sent, pk) => {
  class Owner extends Entity {
    id = '';
    declare readonly things: readonly Thing[];
    static override relations: Relations<Owner> = { things: hasMany(() => Thing, 'ownerId') };
  }
  class Thing extends Entity {
    id = 0;
    ownerId: unknown = null;
    static override schema = { ownerId: decoder };
    declare readonly owner?: Owner;
    declare readonly siblings: readonly Thing[];
    static override relations: Relations<Thing> = {
      owner: belongsTo(Owner, 'ownerId'),
      siblings: hasMany(() => Thing, 'ownerId', { references: 'ownerId' }),
    };
  }
  const { controller } = world();
  await controller.set([Owner], [{ id: pk }, { id: 'other' }]);
  await controller.set([Thing], [{ id: 1, ownerId: sent }]);
  const owner = watch(() => controller.query(Thing, { id: 1 }).result.value.data?.owner?.id);
  const things = watch(() => controller.query(Owner, { id: pk }).result.value.data?.things.length);
  expect([owner.last, things.last]).toEqual([pk, 1]);
  expect(controller.get(Thing, { id: 1 })?.siblings).toHaveLength(1);
  await controller.set([Thing], [{ id: 2, ownerId: sent }]);
  expect(things.last).toBe(2);
  await controller.set(Thing, { id: 1 }, { ownerId: null });
  expect([owner.last, things.last]).toEqual([undefined, 1]);
});

test('[N13] an instance created by fromJS has empty related members', () => {
  const post = Post.fromJS({ id: 1, authorId: 1 });
  expect([post.author, post.comments, post.counts]).toEqual([undefined, [], { n: 0 }]);
  expect(post.comments).toBe(Post.fromJS().comments);
});

test('[N24] a relation with the name of a field rejects with S24', async () => {
  class Wrong extends Entity {
    id = 0;
    comments: readonly Comment[] = [];
    static override relations: Relations<Wrong> = { comments: hasMany(Comment, 'postId') };
  }
  const { controller } = world();
  await expect(controller.set(Wrong, { id: 1 }, { id: 1 })).rejects.toThrow('S24');
});

test('[N24] a class relation that needs arguments, or is required, rejects with S26', async () => {
  const { controller } = world();
  const refused = async (comments: ReturnType<typeof hasMany> | ReturnType<typeof belongsTo>) => {
    class Wrong extends Entity {
      id = 0;
      postId = 0;
      static override relations = { comments };
    }
    await expect(controller.set(Wrong, { id: 1 }, { id: 1 })).rejects.toThrow('S26');
  };
  const filter = (comment: Comment, { text }: { text: string }) => comment.text === text;
  await refused(hasMany(Comment, 'postId', { filter }));
  await refused(hasOne(Comment, 'postId', { filter }));
  await refused(hasMany(Comment, 'postId', { groupBy: filter }));
  await refused(hasMany(Comment, 'postId', { limit: (args: { most: number }) => args.most }));
  const include = { comments: hasMany(Comment, 'postId', { filter }) };
  await refused(belongsTo(Post, 'postId', { include }));
  await refused(belongsTo(Post, 'postId', { required: true }));
  await refused(hasOne(Comment, 'postId', { required: true }));
});

test('[N24] a response with a field named like a relation does not replace the related rows', async () => {
  const w = await filled();
  await w.controller.set(Post, { id: 1 }, { title: 'new', comments: [{ id: 99 }] });
  const post = w.controller.get(Post, { id: 1 });
  expect([post?.title, texts(post?.comments)]).toEqual(['new', ['c1', 'c2']]);
});

test.each([
  ['its comments', (post: Post) => post.comments.length],
  ['those of its author', (post: Post) => post.author?.posts[0]?.comments.length],
])(
  '[I2] a row that is invalidated or expires leaves the request of a post alone, after a reader has read %s',
  async (_, look) => {
    const w = world();
    const { controller } = w;
    const getPost = w.read('post', Post);
    const { result } = controller.view(getPost, { id: 1 });
    const getComments = w.read('comments', new Collection([Comment]));
    const comments = controller.view(getComments, {});
    void controller.fetch(getPost, { id: 1 });
    await w.call().answer({ id: 1, title: 'p1', authorId: 1 });
    void controller.fetch(getComments, {});
    await w.call().answer([{ id: 1, postId: 1, text: 'c1' }]);
    await controller.set(User, { id: 1 }, { id: 1, name: 'Ada' });
    const seen = watch(() => (result.value.data === undefined ? 'none' : look(result.value.data)));
    expect(seen.last).toBe(1);
    const releases = [comments, controller.view(getPost, { id: 1 })].map((one) => one.retain());
    w.calls.length = 0;
    void controller.fetch(w.mutation('change', Comment), { id: 1 }, { text: 'new' });
    await w.call().answer(null);
    expect(w.log.slice(1)).toEqual(['comments {}']);
    controller.invalidate(Comment, { id: 1 });
    expect(comments.result.peek().status).toBe('pending');
    expect(seen.seen).not.toContain('none');
    releases.forEach((release) => release());
  },
);

test('[I3] related rows of a mounted entity are kept by garbage collection, and all others are collected', async () => {
  const w = await filled();
  const post = read(w, Post, { id: 1 });
  expect(texts(post.last.comments)).toEqual(['c1', 'c2']);
  expect(texts(w.controller.get(Post, { id: 2 })?.comments)).toEqual(['c3']);
  const pks = (Class: typeof Comment | typeof Post | typeof User) =>
    [1, 2, 3, 4].filter((id) => w.controller.get(Class, { id }) !== undefined);
  w.controller.sweep();
  expect([pks(Post), pks(Comment), pks(User)]).toEqual([[1], [1, 2], []]);
  await w.controller.set(Comment, { id: 4 }, { id: 4, postId: 1, text: 'c4' });
  expect(texts(post.last.comments)).toEqual(['c1', 'c2', 'c4']);
  await w.controller.set(Comment, { id: 5 }, { id: 5, postId: 2 });
  await w.controller.set(Post, { id: 2 }, { id: 2 });
  expect(w.controller.get(Post, { id: 2 })?.comments.map(({ id }) => id)).toEqual([5]);
});

test('[I3] garbage collection keeps a row that was received after a reset, beside related rows of the row before', async () => {
  const givenUp: readonly ((w: World) => Promise<void>)[] = [
    // the row has changed since the last read
    async ({ controller }) => {
      expect(texts(controller.get(Post, { id: 1 })?.comments)).toEqual(['c1', 'c2']);
      await controller.set(Post, { id: 1 }, { title: 'new' });
      controller.reset();
    },
    // a component that still shows the row reads the relation later
    async ({ controller }) => {
      const post = controller.get(Post, { id: 1 });
      controller.reset();
      expect(texts(post?.comments)).toEqual([]);
    },
    // the same after the row was collected
    async ({ controller }) => {
      const post = controller.get(Post, { id: 1 });
      controller.sweep();
      expect(texts(post?.comments)).toEqual([]);
    },
  ];
  for (const giveUp of givenUp)
    for (const isCollectedBefore of [true, false]) {
      const w = await filled();
      await giveUp(w);
      if (isCollectedBefore) w.controller.sweep();
      await w.controller.set(Post, { id: 1 }, { id: 1, title: 'p1' });
      const post = read(w, Post, { id: 1 });
      w.controller.sweep();
      await w.controller.set(Post, { id: 1 }, { title: 'next' });
      expect(post.last.title).toBe('next');
      await w.controller.set(Comment, { id: 4 }, { id: 4, postId: 1, text: 'c4' });
      expect(texts(post.last.comments)).toEqual(['c4']);
    }
});

test('[V6] a related member that is not read is not recomputed when its rows change', async () => {
  const w = await filled();
  let calls = 0;
  class Shelf extends Entity {
    id = 0;
    declare readonly books: readonly Book[];
    static override relations: Relations<Shelf> = {
      books: hasMany(() => Book, 'shelfId', { filter: () => ++calls > 0 }),
    };
  }
  class Book extends Entity {
    id = 0;
    shelfId = 0;
    title = '';
  }
  await w.controller.set(Book, { id: 1 }, { id: 1, shelfId: 1 });
  await w.controller.set(Shelf, { id: 1 }, { id: 1 });
  const shelf = read(w, Shelf, { id: 1 });
  const rename = (title: number) => w.controller.set(Book, { id: 1 }, { title: `${title}` });
  expect(shelf.last.books).toHaveLength(1);
  for (let at = 0; at < 20; at++) await rename(at);
  calls = 0;
  await rename(20);
  expect([calls, shelf.runs]).toEqual([0, 2]);
  expect(shelf.last.books[0]?.title).toBe('20');
  await rename(21);
  expect(shelf.last.books[0]?.title).toBe('21');
});

test('[N24] a related row follows a foreign key that changes after another field, without reads between', async () => {
  const { controller } = world();
  await controller.set(
    [User],
    [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bob' },
    ],
  );
  await controller.set(Post, { id: 1 }, { title: 'a', authorId: 1 });
  const author = () => controller.get(Post, { id: 1 })?.author?.name;
  expect(author()).toBe('Ada');
  await controller.set(Post, { id: 1 }, { title: 'b' });
  await controller.set(Post, { id: 1 }, { authorId: 2 });
  expect(author()).toBe('Bob');
});

test('[N24] related rows by a field other than the primary key follow changes of that field', async () => {
  class Country extends Entity {
    id = 0;
    code = '';
    note = '';
    declare readonly cities: readonly City[];
    static override relations: Relations<Country> = {
      cities: hasMany(() => City, 'countryCode', { references: 'code' }),
    };
  }
  class City extends Entity {
    id = 0;
    note = '';
    countryCode = '';
    declare readonly country?: Country;
    static override relations: Relations<City> = {
      country: belongsTo(Country, 'countryCode', { references: 'code' }),
    };
  }
  const { controller } = world();
  for (const [at, code] of ['a', 'b'].entries())
    await controller.set(Country, { id: at + 1 }, { code });
  for (const [at, countryCode] of ['a', 'b', 'd'].entries())
    await controller.set(City, { id: at + 1 }, { countryCode });
  const shown = () => [
    controller.get(City, { id: 1 })?.country?.id,
    controller.get(Country, { id: 1 })?.cities.map(({ id }) => id),
  ];
  expect(shown()).toEqual([1, [1]]);
  await controller.set(City, { id: 1 }, { note: 'x' });
  await controller.set(City, { id: 1 }, { countryCode: 'b' });
  await controller.set(Country, { id: 1 }, { note: 'x' });
  await controller.set(Country, { id: 1 }, { code: 'd' });
  expect(shown()).toEqual([2, [3]]);
});
