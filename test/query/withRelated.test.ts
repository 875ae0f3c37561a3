// Readers that fetch related rows together with their parents.
import {
  belongsTo,
  Collection,
  Delete,
  Entity,
  hasMany,
  hasOne,
  Query,
  Union,
  withRelated,
} from 'signalbox';
import type { EndpointInterface, Relations } from 'signalbox';
import { expect, onTestFinished, test } from 'vitest';
import { settled, watch, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

/** Classes with relations that name the endpoints of a world. */
function blog(w: World) {
  class User extends Entity {
    id = 0;
    name = '';
  }
  class Post extends Entity {
    id = 0;
    title = '';
    authorId: number | null = null;
    declare readonly author?: User;
    declare readonly comments: readonly Comment[];
    static override relations: Relations<Post> = {
      author: belongsTo(User, 'authorId', { from: () => getUser }),
      comments: hasMany(() => Comment, 'postId', { from: () => getComments }),
    };
  }
  class Comment extends Entity {
    id = 0;
    postId = 0;
    authorId: number | null = null;
    text = '';
    declare readonly author?: User;
    static override relations: Relations<Comment> = {
      author: belongsTo(User, 'authorId', {
        from: () => getUsers,
        argsOfAll: (comments: readonly Comment[]) => ({
          ids: [...new Set(comments.map(({ authorId }) => authorId))].join(),
        }),
      }),
    };
  }
  const getUser = w.read('user', User);
  const getUsers = w.read('users', new Collection([User]));
  const getComments = w.read('comments', new Collection([Comment]));
  const getPost = w.read('post', Post);
  const getPosts = w.read('posts', new Collection([Post]));
  return { User, Post, Comment, getUser, getPost, getPosts, getComments };
}

const related = { author: true, comments: { author: true } } as const;

test('[N24] withRelated fetches related rows in parallel after the parent, and the reader suspends once', async () => {
  const w = world();
  const { getPost } = blog(w);
  const reader = w.controller.view(withRelated(getPost, related), { id: 1 });
  const ready = reader.ensure(true);
  let waits = true;
  void ready?.then(() => (waits = false));
  expect(reader.ensure(true)).toBe(ready);
  expect(w.log).toEqual(['post {"id":1}']);
  await w.call().answer({ id: 1, title: 'p1', authorId: 7 });
  expect(w.log.slice(1)).toEqual(['user {"id":7}', 'comments {"postId":1}']);
  // the author is still on the way
  await w.call(2).answer([
    { id: 1, postId: 1, text: 'c1', authorId: 8 },
    { id: 2, postId: 1, text: 'c2', authorId: 9 },
    { id: 3, postId: 1, text: 'c3', authorId: 8 },
  ]);
  expect(w.log.slice(3)).toEqual(['users {"ids":"8,9"}']);
  expect([waits, reader.ensure(true)]).toEqual([true, ready]);
  await w.call(1).answer({ id: 7, name: 'Ada' });
  expect(waits).toBe(true);
  await w.call(3).answer([
    { id: 8, name: 'Bob' },
    { id: 9, name: 'Eve' },
  ]);
  expect([waits, reader.ensure(true)]).toEqual([false, undefined]);
  const { data } = reader.result.peek();
  expect([data?.author?.name, data?.comments.map(({ author }) => author?.name)]).toEqual([
    'Ada',
    ['Bob', 'Eve', 'Bob'],
  ]);
  expect(w.calls).toHaveLength(4);
});

type GetPost = ReturnType<typeof blog>['getPost'];

/** The requests for related rows of a post with an author and a comment. */
async function requestsOf(relate: (getPost: GetPost) => GetPost) {
  const w = world();
  void w.controller.view(relate(blog(w).getPost), { id: 1 }).ensure(true);
  await w.call().answer({ id: 1, title: 'p1', authorId: 7 });
  const comments = w.calls.find(({ name }) => name === 'comments');
  await comments?.answer([{ id: 1, postId: 1, text: 'c1', authorId: 8 }]);
  return w.log.slice(1).sort();
}

test('[N24] nested calls of withRelated fetch the relations of all calls', async () => {
  const all = ['comments {"postId":1}', 'user {"id":7}', 'users {"ids":"8"}'];
  const both = await requestsOf((getPost) =>
    withRelated(withRelated(getPost, { comments: true }), { author: true }),
  );
  expect(both).toEqual(all.slice(0, 2));
  const deeper = await requestsOf((getPost) =>
    withRelated(withRelated(getPost, { author: true, comments: true }), {
      comments: { author: true },
    }),
  );
  expect(deeper).toEqual(all);
  const lessDeep = await requestsOf((getPost) =>
    withRelated(withRelated(getPost, { comments: { author: true } }), {
      author: true,
      comments: true,
    }),
  );
  expect(lessDeep).toEqual(all);
  // as TypeScript allows without `exactOptionalPropertyTypes`
  const none = { author: undefined } as {};
  expect(await requestsOf((getPost) => withRelated(getPost, none))).toEqual([]);
});

test('[N24] withRelated does not fetch related rows that are stored and fresh', async () => {
  const w = world();
  const { User, getPost, getComments } = blog(w);
  await w.controller.set(User, { id: 7 }, { id: 7, name: 'Ada' });
  void w.controller.fetch(getComments, { postId: 1 });
  await w.call().answer([]);
  const reader = w.controller.view(withRelated(getPost, related), { id: 1 });
  void reader.ensure(true);
  await w.call().answer({ id: 1, title: 'p1', authorId: 7 });
  await reader.ready;
  expect(w.log).toEqual(['comments {"postId":1}', 'post {"id":1}']);
  expect(reader.ensure(true)).toBeUndefined();
});

test('[N24] a mounted reader fetches related rows of new parents in the background, and refetches stale rows', async () => {
  const w = world();
  const { Post, getPosts } = blog(w);
  const endpoint = withRelated(getPosts, { comments: true });
  const reader = w.controller.view(endpoint, {});
  void reader.ensure(true);
  await w.call().answer([{ id: 1, title: 'p1' }]);
  await w.call().answer([{ id: 1, postId: 1, text: 'c1' }]);
  await reader.ready;
  const release = reader.retain();
  reader.revalidate();
  const shown = watch(reader.result);
  expect(w.calls).toHaveLength(2);
  await w.controller.set(getPosts.schema.push, {}, { id: 2, title: 'p2' });
  await settled();
  expect(w.log.slice(2)).toContain('comments {"postId":2}');
  expect([reader.ensure(false), shown.last.status]).toEqual([undefined, 'success']);
  for (const call of w.calls.slice(2)) await call.answer([]);
  w.clock.advance(60_001);
  w.calls.length = 0;
  w.page.comeBack('focus');
  await settled();
  expect(w.log.sort()).toEqual(['comments {"postId":1}', 'comments {"postId":2}', 'posts {}']);
  release();
  w.calls.length = 0;
  await w.controller.set(Post, { id: 1 }, { authorId: 7 });
  w.page.comeBack('focus');
  await settled();
  expect(w.log).toEqual([]);
});

test('[N24] a reader with related rows gets the error of a request for related rows', async () => {
  const w = world();
  const { getPost } = blog(w);
  const reader = w.controller.view(withRelated(getPost, { author: true }), { id: 1 });
  void reader.ensure(true);
  await w.call().answer({ id: 1, title: 'p1', authorId: 7 });
  await w.call().fail(Object.assign(new Error('no access'), { status: 403 }));
  await reader.ready;
  expect(reader.result.peek()).toMatchObject({ status: 'error', error: { message: 'no access' } });
  expect(w.controller.getResponse(getPost, { id: 1 }).data).toMatchObject({ title: 'p1' });
});

test('[N24] a related row that the server does not have is undefined, and its 404 no error of the reader', async () => {
  const w = world();
  const { getPosts } = blog(w);
  const reader = w.controller.view(withRelated(getPosts, { author: true }), {});
  void reader.ensure(true);
  const notFound = () => Object.assign(new Error('gone'), { status: 404 });
  await w.call().answer([
    { id: 1, title: 'p1', authorId: 7 },
    { id: 2, title: 'p2', authorId: 8 },
  ]);
  await w.call(1).fail(notFound());
  expect(reader.ready.status).toBe('pending');
  await w.call(2).answer({ id: 8, name: 'ada' });
  await reader.ready;
  const names = () => reader.result.peek().data?.map(({ author }) => author?.name);
  expect(names()).toEqual([undefined, 'ada']);
  expect(reader.result.peek()).toMatchObject({ status: 'success' });
  expect(reader).toMatchObject({ failure: undefined, expiresAt: 1_060_000 });
  onTestFinished(reader.retain());
  // a later failure of another row hides nothing
  await w.controller.set(getPosts.schema as never, {}, ((posts: object[]) => [
    ...posts,
    { id: 3, title: 'p3', authorId: 9 },
  ]) as never);
  await w.call(3).fail(Object.assign(new Error('down'), { status: 500 }));
  expect(names()).toEqual([undefined, 'ada', undefined]);
});

test('[N24] fetchIfStale and prefetch fetch missing related rows, too, without waiting for others', async () => {
  const w = world();
  const { getPost } = blog(w);
  const post = withRelated(getPost, related);
  const fetched = w.controller.fetchIfStale(post, { id: 1 });
  await w.call(0).answer({ id: 1, title: 'p1', authorId: 7 });
  expect(w.log.slice(1).sort()).toEqual(['comments {"postId":1}', 'user {"id":7}']);
  const answer = (name: string, value: unknown) =>
    w.calls.find((call) => call.name === name)?.answer(value);
  await answer('comments', [{ id: 3, postId: 1, authorId: 8, text: 'hello' }]);
  expect(w.log.at(-1)).toBe('users {"ids":"8"}');
  await answer('users', [{ id: 8, name: 'eve' }]);
  await answer('user', { id: 7, name: 'ada' });
  const { author, comments } = await fetched;
  expect([author?.name, comments[0]?.author?.name]).toEqual(['ada', 'eve']);
  w.controller.prefetch(post, { id: 1 });
  await settled();
  expect(w.log).toHaveLength(4);
  w.controller.expireAll({ testKey: (key) => key.startsWith('comments') });
  w.controller.prefetch(post, { id: 1 });
  await settled();
  expect(w.log.slice(4)).toEqual(['comments {"postId":1}']);
});

test('[N24] the request for a related row names the field that pk() returns', async () => {
  class Page extends Entity {
    slug = '';
    override pk(): string {
      return this.slug;
    }
  }
  class Note extends Entity {
    id = 0;
    page = '';
    declare readonly of?: Page;
    static override relations: Relations<Note> = {
      of: belongsTo(Page, 'page', { from: () => getPage }),
    };
  }
  const w = world();
  const getPage = w.read('page', Page);
  void w.controller.view(withRelated(w.read('note', Note), { of: true }), { id: 1 }).ensure(true);
  await w.call().answer({ id: 1, page: 'a' });
  expect(w.log.slice(1)).toEqual(['page {"slug":"a"}']);
});

test('[N24] the request for a related row names the primary key of a nested entity', async () => {
  class User extends Entity {
    id = 0;
    name = '';
  }
  class Task extends Entity {
    id = 0;
    user: User | null = null;
    declare readonly doer?: User;
    declare readonly others: readonly Task[];
    static override schema = { user: User };
    static override relations: Relations<Task> = {
      doer: belongsTo(User, 'user', { from: () => getUser }),
      others: hasMany(() => Task, 'user', { references: 'user', from: () => getTasks }),
    };
  }
  const w = world();
  const getUser = w.read('user', User);
  const getTasks = w.read('tasks', new Collection([Task]));
  const getTask = withRelated(w.read('task', Task), { doer: true, others: true });
  const reader = w.controller.view(getTask, { id: 1 });
  void reader.ensure(true);
  await w.call().answer({ id: 1, user: { id: 7 } });
  expect(w.log.slice(1)).toEqual(['user {"id":7}', 'tasks {"user":7}']);
  void w.controller.view(getTask, { id: 2 }).ensure(true);
  await w.call().answer({ id: 2, user: null });
  expect(w.log.slice(4)).toEqual([]);
});

test('[C11] an exception of `args` is the error of the reader, which later rows recover', async () => {
  class Post extends Entity {
    id = 0;
    tags: readonly string[] | null = null;
    declare readonly comments: readonly Comment[];
    static override relations: Relations<Post> = {
      comments: hasMany(() => Comment, 'postId', {
        from: () => getComments,
        args: ({ tags }: Post) => ({ tag: (tags as readonly string[])[0] }),
      }),
    };
  }
  class Comment extends Entity {
    id = 0;
    postId = 0;
  }
  const w = world();
  const getComments = w.read('comments', new Collection([Comment]), { reply: () => [] });
  const getPost = withRelated(w.read('post', Post), { comments: true });
  const reader = w.controller.view(getPost, { id: 1 });
  const ready = reader.ensure(true);
  await w.call().answer({ id: 1 });
  await ready;
  expect(reader.result.peek()).toMatchObject({ status: 'error', thrown: true });
  expect(reader.ensure(true)).toBeUndefined();
  const release = reader.retain();
  const shown = watch(reader.result);
  await w.controller.set(Post, { id: 1 }, { tags: ['a'] });
  await settled();
  expect([shown.last.status, w.log.slice(1)]).toEqual(['success', ['comments {"tag":"a"}']]);
  await w.controller.set(Post, { id: 1 }, { tags: null });
  expect([shown.last.status, reader.fetching.peek()]).toEqual(['error', false]);
  await w.controller.set(Post, { id: 1 }, { tags: ['b'] });
  await settled();
  expect([shown.last.status, w.log.slice(2)]).toEqual(['success', ['comments {"tag":"b"}']]);
  release();
});

test('[N24] withRelated sends no request for null arguments and for null foreign keys', async () => {
  const w = world();
  const { getPost, Post } = blog(w);
  const endpoint = withRelated(getPost, { author: true });
  expect(w.controller.view(endpoint, null as never).ensure(true)).toBeUndefined();
  const reader = w.controller.view(endpoint, { id: 1 });
  void reader.ensure(true);
  await w.call().answer({ id: 1, title: 'p1', authorId: null });
  await reader.ready;
  expect(w.log).toEqual(['post {"id":1}']);
  // no row has such a key
  for (const authorId of ['', NaN, undefined]) {
    const post = w.controller.view(endpoint, { id: 2 });
    await w.controller.set(Post, { id: 2 }, { id: 2, title: 'p2', authorId });
    expect([post.ensure(true), post.result.peek().status]).toEqual([undefined, 'success']);
  }
});

test('[H10] a member that no endpoint fetches is the error E18 of the reader, unless its own members are fetched', async () => {
  class Tag extends Entity {
    id = 0;
    postId = 0;
  }
  const w = world();
  const { Post, Comment, getPost } = blog(w);
  class Story extends Post {
    declare readonly first?: InstanceType<typeof Comment>;
    static override relations: Relations<Story> = {
      first: hasOne(Comment, 'postId'),
    };
  }
  const tagged = new Query(new Collection([Post]), { include: { tags: hasMany(Tag, 'postId') } });
  const errorOf = async <E extends EndpointInterface>(endpoint: E, answer: unknown) => {
    const reader = w.controller.view(endpoint as EndpointInterface, {});
    void reader.ensure(true);
    await w.calls.find(({ name }) => name === endpoint.name)?.answer(answer);
    return reader.result.peek().error?.message;
  };
  const posts = withRelated(w.read('tagged', tagged), { tags: true });
  expect(await errorOf(posts, [{ id: 1, title: 'p1' }])).toContain(
    'E18] "withRelated" got "tags": it takes relations of the class with `from`',
  );
  const story = withRelated(w.read('story', Story), { first: true });
  expect(await errorOf(story, { id: 1, title: 'p1' })).toContain('"first"');
  const deep = withRelated(w.read('deep', Story), { first: { author: true } });
  expect(await errorOf(deep, { id: 1, title: 'p1' })).toBeUndefined();
  expect(await errorOf(getPost, { id: 1, title: 'p1' })).toBeUndefined();
});

test('[N24] requests for related rows are aborted when the last reader unmounts', async () => {
  const w = world();
  const { getPost } = blog(w);
  const reader = w.controller.view(withRelated(getPost, related), { id: 1 });
  void reader.ensure(true);
  await w.call().answer({ id: 1, title: 'p1', authorId: 7 });
  const release = reader.retain();
  expect(reader.fetching.value).toBe(true);
  release();
  w.clock.advance(1_000);
  await settled();
  expect(w.calls.slice(1).map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});

const optimistic = {
  getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
};

/** A mounted reader of a post with comments. */
async function mounted(w: World) {
  const { getPosts, getComments } = blog(w);
  const reader = w.controller.view(withRelated(getPosts, { comments: true }), {});
  void reader.ensure(true);
  await w.call().answer([{ id: 1, title: 'p1' }]);
  await w.call().answer([{ id: 1, postId: 1, text: 'c1' }]);
  await reader.ready;
  const release = reader.retain();
  reader.revalidate();
  w.calls.length = 0;
  return { getPosts, getComments, reader, release, shown: watch(reader.result) };
}

test('[N24] a mounted reader refetches invalidated related rows, and none after a reset or an unmount', async () => {
  const w = world();
  const { getComments, reader, release, shown } = await mounted(w);
  w.controller.invalidate(getComments, { postId: 1 });
  await settled();
  expect([w.log, shown.last.status]).toEqual([['comments {"postId":1}'], 'success']);
  await w.call().answer([{ id: 1, postId: 1, text: 'c2' }]);
  expect(shown.last.data?.[0]?.comments[0]?.text).toBe('c2');
  w.calls.length = 0;
  w.controller.reset();
  void reader.ensure(false);
  await settled();
  expect(w.log).toEqual(['posts {}']);
  await w.call().answer([{ id: 3, title: 'p3' }]);
  await settled();
  expect(w.log.slice(1)).toEqual(['comments {"postId":3}']);
  release();
  w.calls.length = 0;
  w.controller.invalidate(getComments, { postId: 3 });
  await settled();
  expect(w.log).toEqual([]);
});

test('[N24] `fetching` of a reader is true while related rows of a later row are requested', async () => {
  const w = world();
  const { getPosts, reader } = await mounted(w);
  const fetching = watch(reader.fetching);
  expect([fetching.last, reader.fetching.peek()]).toEqual([false, false]);
  await w.controller.set(getPosts.schema.push, {}, { id: 2, title: 'p2' });
  await settled();
  expect([fetching.last, fetching.runs]).toEqual([true, 2]);
  await w.call().answer([]);
  expect([fetching.last, fetching.runs]).toEqual([false, 3]);
  fetching.stop();
  void w.controller.fetch(getPosts, {});
  expect(reader.fetching.peek()).toBe(true);
});

test('[N24] the related rows of an optimistic row are requested once, with the key of the server', async () => {
  const w = world();
  const { getPosts, shown } = await mounted(w);
  const create = w.mutation('create', getPosts.schema.push, optimistic);
  void w.controller.fetch(create, {}, { title: 'new' });
  await settled();
  expect([shown.last.data?.length, w.log]).toEqual([2, ['create {} {"title":"new"}']]);
  await w.call().answer({ id: 5, title: 'new' });
  w.clock.advance(1_000);
  await settled();
  expect(w.log.slice(1)).toEqual(['comments {"postId":5}']);
  expect(w.call().signal?.aborted).toBe(false);
});

test('[N24] each response with related rows of one of many parents costs no computation for the others', async () => {
  class Post extends Entity {
    id = 0;
    declare readonly comments: readonly Comment[];
    static override relations: Relations<Post> = {
      comments: hasMany(() => Comment, 'postId', {
        from: () => getComments,
        args: ({ id }: Post) => ({ postId: ((calls += 1), id) }),
      }),
    };
  }
  class Comment extends Entity {
    id = 0;
    postId = 0;
  }
  let calls = 0;
  const w = world();
  const getComments = w.read('comments', new Collection([Comment]));
  const getPosts = w.read('posts', new Collection([Post]));
  const ids = Array.from({ length: 50 }, (_, at) => at + 1);
  for (const isMounted of [false, true]) {
    const reader = w.controller.view(withRelated(getPosts, { comments: true }), { isMounted });
    const ready = reader.ensure(true);
    const posts = ids.map((id) => ({ id: isMounted ? id + 100 : id }));
    await w.call().answer(posts);
    const release = isMounted ? reader.retain() : undefined;
    calls = 0;
    for (const call of w.calls.slice(-ids.length)) await call.answer([]);
    await ready;
    release?.();
    expect(calls).toBeLessThanOrEqual(ids.length);
  }
});

test('[C10] a reader that keeps a deleted row requests no related rows, until the deletion is refused', async () => {
  const w = world();
  const { Post, getPost } = blog(w);
  const reader = w.controller.view(withRelated(getPost, { comments: true }), { id: 1 });
  void reader.ensure(true);
  await w.call().answer({ id: 1, title: 'p1' });
  await w.call().answer([{ id: 1, postId: 1, text: 'c1' }]);
  const release = reader.retain();
  const shown = watch(() => reader.result.value.data?.comments[0]?.text);
  const hide = { getOptimisticResponse: (_: unknown, params: object) => params };
  const drop = w.mutation('drop', new Delete(Post), hide);
  const comeBack = async () => {
    w.calls.length = 0;
    w.clock.advance(60_001);
    w.page.comeBack('focus');
    await settled();
    return w.log.sort();
  };
  void w.controller.fetch(drop, { id: 1 }).catch(() => {});
  const refused = w.call();
  expect([await comeBack(), shown.last]).toEqual([[], 'c1']);
  await refused.fail(new Error('no'));
  for (const call of w.calls.splice(0))
    await call.answer(
      call.name === 'post' ? { id: 1, title: 'p1' } : [{ id: 1, postId: 1, text: 'c2' }],
    );
  expect(shown.last).toBe('c2');
  void w.controller.fetch(drop, { id: 1 });
  await w.call().answer({ id: 1 });
  expect([await comeBack(), shown.last, reader.result.peek().status]).toEqual([
    [],
    'c2',
    'success',
  ]);
  release();
});

/** Posts with one request for the comments of all posts. */
function blogOfAll(w: World) {
  class Post extends Entity {
    id = 0;
    title = '';
    declare readonly comments: readonly Comment[];
    static override relations: Relations<Post> = {
      comments: hasMany(() => Comment, 'postId', {
        from: () => getComments,
        argsOfAll: (posts: readonly Post[]) => ({ postId: posts.map(({ id }) => id) }),
      }),
    };
  }
  class Comment extends Entity {
    id = 0;
    postId = 0;
  }
  const getComments = w.read('comments', new Collection([Comment]));
  const getPosts = w.read('posts', new Collection([Post]));
  return { getPosts };
}

test('[N24] one request for the related rows of all rows is not repeated for other orders, and its later response removes rows', async () => {
  const w = world();
  const { getPosts } = blogOfAll(w);
  const byAge = withRelated(getPosts, { comments: true });
  void w.controller.view(byAge, { sort: 'age' }).ensure(true);
  await w.call().answer([{ id: 2 }, { id: 10 }, { id: 9 }]);
  expect(w.log.slice(1)).toEqual(['comments {"postId":[2,9,10]}']);
  await w.call().answer([1, 2].map((id) => ({ id, postId: id * 5 - 3 })));
  const reader = w.controller.view(byAge, { sort: 'title' });
  void reader.ensure(true);
  await w.call().answer([{ id: 10 }, { id: 9 }, { id: 2 }]);
  expect([w.log.length, reader.ensure(true)]).toEqual([3, undefined]);
  const release = reader.retain();
  const shown = watch(() => reader.result.value.data?.map(({ comments }) => comments.length));
  expect(shown.last).toEqual([0, 0, 1]);
  w.clock.advance(60_001);
  w.page.comeBack('focus');
  await w.calls.find(({ name }, at) => at > 2 && name === 'comments')?.answer([]);
  expect(shown.last).toEqual([0, 0, 0]);
  release();
});

test('[N24] one request for the related rows of all rows omits the keys of optimistic rows', async () => {
  const w = world();
  const { getPosts } = blogOfAll(w);
  await w.controller.set(getPosts.schema, {}, [{ id: 1, title: 'p1' }]);
  const create = w.mutation('create', getPosts.schema.push, optimistic);
  void w.controller.fetch(create, {}, { title: 'new' });
  const reader = w.controller.view(withRelated(getPosts, { comments: true }), {});
  void reader.ensure(true);
  await settled();
  expect(w.log.slice(1)).toContain('comments {"postId":[1]}');
  expect(w.log.filter((line) => line.startsWith('comments'))).toHaveLength(1);
});

test('[N24] one request for the related rows of all rows is not sent for optimistic rows alone', async () => {
  const w = world();
  const { getPosts } = blogOfAll(w);
  const reader = w.controller.view(withRelated(getPosts, { comments: true }), {});
  onTestFinished(reader.retain());
  void reader.ensure(true);
  await w.call().answer([]);
  const getOptimisticResponse = () => ({});
  const create = w.mutation('create', getPosts.schema.push, { getOptimisticResponse });
  void w.controller.fetch(create, {}, {});
  expect(w.log).toEqual(['posts {}', 'create {} {}']);
  await w.call(1).answer({ id: 4 });
  expect(w.log.slice(2)).toEqual(['comments {"postId":[4]}']);
});

test('[C7] a soft error of related rows is returned at the first load, and not if data are stored', async () => {
  const w = world();
  const { getPosts, getComments, shown } = await mounted(w);
  await w.controller.set(getPosts.schema.push, {}, { id: 2, title: 'p2' });
  await settled();
  await w.call().fail(Object.assign(new Error('down'), { status: 500 }));
  expect([shown.last.status, shown.last.data?.length]).toEqual(['success', 2]);
  w.controller.invalidate(getComments, { postId: 1 });
  await settled();
  await w.call().fail(Object.assign(new Error('down'), { status: 500 }));
  expect(shown.last.status).toBe('success');
  const first = w.controller.view(withRelated(blog(w).getPost, { comments: true }), { id: 1 });
  void first.ensure(true);
  await w.call().answer({ id: 1, title: 'p1' });
  await w.call().fail(Object.assign(new Error('down'), { status: 500 }));
  expect(first.result.peek()).toMatchObject({ status: 'error', error: { message: 'down' } });
});

test('[N24] a row that a later response with all rows of the parent omits is no longer related', async () => {
  const w = world();
  const { getComments, Comment, Post } = blog(w);
  const fetchComments = async (...ids: readonly number[]) => {
    void w.controller.fetch(getComments, { postId: 1 });
    await w.call().answer(ids.map((id) => ({ id, postId: 1, text: `c${id}` })));
  };
  await w.controller.set(Post, { id: 1 }, { id: 1, title: 'p1' });
  await fetchComments(1, 2);
  const { result } = w.controller.query(Post, { id: 1 });
  const texts = watch(() => result.value.data?.comments.map(({ text }) => text));
  await fetchComments(1);
  expect(texts.seen).toEqual([['c1', 'c2'], ['c1']]);
  // the row is known again, and equal
  await w.controller.set(Comment, { id: 2 }, { id: 2, postId: 1, text: 'c2' });
  expect(texts.last).toEqual(['c1', 'c2']);
  await fetchComments(2);
  expect(texts.last).toEqual(['c2']);
  // the server lists the row again
  await fetchComments(2, 1);
  expect(texts.last).toEqual(['c1', 'c2']);
  // other rows are concerned by lists of their own parent
  await w.controller.set(Comment, { id: 3 }, { id: 3, postId: 1, text: 'c3' });
  void w.controller.fetch(getComments, { postId: 2 });
  await w.call().answer([]);
  expect(texts.last).toEqual(['c1', 'c2', 'c3']);
});

test('[N24] a response removes related rows only if the arguments are the foreign key, and no page or filter', async () => {
  const left = async (
    isRead: boolean,
    given: object,
    ids: readonly number[],
    rest: object = {},
  ) => {
    const w = world();
    class Post extends Entity {
      id = 0;
      declare readonly comments: readonly Comment[];
      static override relations: Relations<Post> = { comments: hasMany(() => Comment, 'postId') };
    }
    class Comment extends Entity {
      id = 0;
      postId = 0;
      hidden = false;
    }
    const comments = new Collection([Comment]);
    const isEnvelope = 'next' in rest;
    const read = w.read<object>('comments', isEnvelope ? { comments, next: 0 } : comments);
    await w.controller.set(Post, { id: 1 }, { id: 1 });
    const rows = [1, 2].map((id) => ({ id, postId: 1 }));
    await w.controller.set([Comment], rows);
    const idsIn = () => w.controller.get(Post, { id: 1 })?.comments.map(({ id }) => id);
    if (isRead) idsIn();
    void w.controller.fetch(read, given);
    const listed = rows.filter(({ id }) => ids.includes(id));
    await w.call().answer(isEnvelope ? { comments: listed, ...rest } : listed);
    return idsIn();
  };
  for (const isRead of [true, false]) {
    expect(await left(isRead, { postId: 1 }, [2])).toEqual([2]);
    expect(await left(isRead, { postId: '1', sort: 'id' }, [])).toEqual([]);
    expect(await left(isRead, { postId: [1, 3] }, [1])).toEqual([1]);
    // these may leave out rows for another reason
    expect(await left(isRead, { postId: 1, hidden: false }, [2])).toEqual([1, 2]);
    expect(await left(isRead, { postId: 1, search: 'a' }, [2])).toEqual([1, 2]);
    expect(await left(isRead, { postId: 1, limit: 1 }, [2])).toEqual([1, 2]);
    expect(await left(isRead, { postId: 1 }, [2], { next: 2 })).toEqual([1, 2]);
    expect(await left(isRead, { postId: 3 }, [])).toEqual([1, 2]);
    expect(await left(isRead, {}, [])).toEqual([1, 2]);
  }
});

test('[N24] an optimistic row, and a row stored after the request, stay related when a response omits them', async () => {
  const w = world();
  const { Post, Comment, getComments } = blog(w);
  const texts = () => w.controller.get(Post, { id: 1 })?.comments.map(({ text }) => text);
  await w.controller.set(Post, { id: 1 }, { id: 1, title: 'p1' });
  void w.controller.fetch(getComments, { postId: 1 });
  await w.controller.set(Comment, { id: 3 }, { id: 3, postId: 1, text: 'theirs' });
  await w.call().answer([]);
  expect(texts()).toEqual(['theirs']);
  const create = w.mutation('create', getComments.schema.push, optimistic);
  void w.controller.fetch(create, { postId: 1 }, { postId: 1, text: 'mine' });
  void w.controller.fetch(getComments, { postId: 1 });
  await w.call().answer([{ id: 3, postId: 1, text: 'theirs' }]);
  expect(texts()).toEqual(['theirs', 'mine']);
  await w.call(1).answer({ id: 4, postId: 1, text: 'mine' });
  expect(texts()).toEqual(['theirs', 'mine']);
});

test('[N24] a row moved by an own mutation leaves its parent with the next response issued after the confirmation', async () => {
  const w = world();
  const { Post, Comment, getComments } = blog(w);
  const ids = () =>
    [1, 2].map((id) => w.controller.get(Post, { id })?.comments.map((comment) => comment.id));
  await w.controller.set(
    [Post],
    [1, 2].map((id) => ({ id, title: `p${id}` })),
  );
  for (const postId of [1, 2]) {
    void w.controller.fetch(getComments, { postId });
    await w.call().answer([{ id: postId, postId, text: '' }]);
  }
  const move = w.mutation('move', Comment, optimistic);
  void w.controller.fetch(move, { id: 1 }, { postId: 2 });
  expect(ids()).toEqual([[], [1, 2]]);
  void w.controller.fetch(getComments, { postId: 2 });
  await w.call().answer([{ id: 2, postId: 2, text: '' }]);
  expect(ids()).toEqual([[], [1, 2]]);
  await w.call(2).answer({ id: 1, postId: 2, text: '' });
  expect(ids()).toEqual([[], [1, 2]]);
  void w.controller.fetch(getComments, { postId: 2 });
  await w.call().answer([{ id: 2, postId: 2, text: '' }]);
  expect(ids()).toEqual([[], [2]]);
});

/** Classes with relations to and from unions. */
function forum(w: World) {
  class Project extends Entity {
    id = 0;
    declare readonly items: readonly (Post | Issue)[];
    static override relations: Relations<Project> = {
      items: hasMany(() => items, 'projectId', { from: () => getItems }),
    };
  }
  class Post extends Entity {
    id = 0;
    projectId = 0;
    declare readonly comments: readonly Comment[];
    static override relations: Relations<Post> = {
      comments: hasMany(() => Comment, 'subject', { from: () => getComments }),
    };
  }
  class Issue extends Post {}
  class Comment extends Entity {
    id = 0;
    subjectType = '';
    subjectId: number | null = null;
    declare readonly subject?: Post | Issue;
    declare readonly about?: Post | Issue;
    static override relations: Relations<Comment> = {
      subject: belongsTo(() => subjects, 'subjectId', {
        from: ({ subjectType }: Comment) => (subjectType === 'post' ? getPost : getIssue),
      }),
      about: belongsTo(() => subjects, 'subjectId', {
        from: ({ subjectType }: Comment) => (subjectType === 'post' ? getPosts : getIssues),
        argsOfAll: (all: readonly Comment[]) => ({ ids: all.map(({ subjectId }) => subjectId) }),
      }),
    };
  }
  const subjects = new Union({ post: Post, issue: Issue }, 'subjectType');
  const items = new Union({ post: Post, issue: Issue }, 'type');
  const getProject = w.read('project', Project);
  const getPost = w.read('post', Post);
  const getIssue = w.read('issue', Issue);
  const getPosts = w.read('posts', new Collection([Post]));
  const getIssues = w.read('issues', new Collection([Issue]));
  const getItems = w.read('items', new Collection([items]));
  const getComments = w.read('comments', new Collection([Comment]));
  return { Post, Issue, Comment, getProject, getComments };
}

test('[N24] withRelated fetches the rows of a union from the endpoint of each class', async () => {
  const w = world();
  const { getComments } = forum(w);
  const rows = [
    { id: 1, subjectType: 'post', subjectId: 1 },
    { id: 2, subjectType: 'issue', subjectId: 1 },
    { id: 3, subjectType: 'post', subjectId: 2 },
    { id: 4, subjectType: 'page', subjectId: 3 },
    { id: 5, subjectType: 'issue', subjectId: null },
  ];
  void w.controller.view(withRelated(getComments, { subject: true }), { all: 1 }).ensure(true);
  await w.call().answer(rows);
  expect(w.log.slice(1)).toEqual(['post {"id":1}', 'issue {"id":1}', 'post {"id":2}']);
  void w.controller.view(withRelated(getComments, { about: true }), { all: 2 }).ensure(true);
  await w.call(4).answer(rows.slice(0, 3));
  expect(w.log.slice(5)).toEqual(['posts {"ids":[1,2]}', 'issues {"ids":[1]}']);
});

test('[N24] withRelated fetches the rows that name a class of a union, and a later response removes rows of this class', async () => {
  const w = world();
  const { Issue, Post, getProject, getComments } = forum(w);
  const reader = w.controller.view(withRelated(getProject, { items: { comments: true } }), {
    id: 7,
  });
  void reader.ensure(true);
  await w.call().answer({ id: 7 });
  await w.call(1).answer([
    { type: 'post', id: 1, projectId: 7 },
    { type: 'issue', id: 1, projectId: 7 },
  ]);
  expect(w.log.slice(1)).toEqual([
    'items {"projectId":7}',
    'comments {"subjectType":"post","subjectId":1}',
    'comments {"subjectType":"issue","subjectId":1}',
  ]);
  await w.call(2).answer([{ id: 1, subjectType: 'post', subjectId: 1 }]);
  await w.call(3).answer([{ id: 2, subjectType: 'issue', subjectId: 1 }]);
  const lists = () =>
    [Post, Issue].map((Class) => w.controller.get(Class, { id: 1 })?.comments.map(({ id }) => id));
  const shown = watch(() => reader.result.value.data?.items.map(({ comments }) => comments.length));
  expect([lists(), shown.last]).toEqual([
    [[1], [2]],
    [1, 1],
  ]);
  void w.controller.fetch(getComments, { subjectType: 'post', subjectId: 1 });
  await w.call(4).answer([]);
  expect([lists(), shown.last]).toEqual([
    [[], [2]],
    [0, 1],
  ]);
});
