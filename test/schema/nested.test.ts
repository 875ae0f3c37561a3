/** Nested members: optional and required members, and the completeness of the parent. */
import { Collection, Delete, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Tag, Todo, User, watch, world } from '../setup/world.ts';

const drop = new Delete(User);

test('[N6] an entity without a received required member is undefined, and its detail is pending', async () => {
  const w = world();
  await w.controller.set(Article, { id: 1 }, { title: 'a' });
  expect(w.controller.entity(Article, 1).value).toBeUndefined();
  expect(w.controller.view(w.read('get', Article), { id: 1 }).result.value.status).toBe('pending');
});

test('[N6] an incomplete entity becomes readable when the required member arrives', async () => {
  const w = world();
  await w.controller.set(Article, { id: 1 }, { title: 'a', author: 2 });
  const watcher = watch(w.controller.entity(Article, 1));
  expect(watcher.last).toBeUndefined();
  await w.controller.set(User, { id: 2 }, { name: 'Ada' });
  expect(watcher.runs).toBe(2);
  expect(watcher.last?.author.name).toBe('Ada');
});

test('[N6] a parent is undefined while a required member is deleted, and readable after a new write of the member', async () => {
  const w = world();
  await w.controller.set(Article, { id: 1 }, { author: { id: 2, name: 'Ada' } });
  const watcher = watch(w.controller.entity(Article, 1));
  await w.controller.set(drop, { id: 2 }, {});
  expect(watcher.last).toBeUndefined();
  await w.controller.set(User, { id: 2 }, { name: 'Bob' });
  expect(watcher.last?.author.name).toBe('Bob');
  expect(watcher.runs).toBe(3);
});

test.each([
  ['null', null],
  ['undefined', undefined],
  ["''", ''],
  ['0', 0],
])('[N6] a deleted member with the default %s has the default', async (_, fallback) => {
  class Post extends Entity {
    id = 0;
    author: unknown = fallback;
    static override schema = { author: User };
  }
  const w = world();
  await w.controller.set(Post, { id: 1 }, { author: { id: 2, name: 'Ada' } });
  const post = watch(w.controller.entity(Post, 1));
  await w.controller.set(drop, { id: 2 }, {});
  expect(post.last?.author).toBe(fallback);
  expect(post.runs).toBe(2);
});

test('[N6] an absent list member is an empty list', async () => {
  const w = world();
  await w.controller.set(Todo, { id: 1 }, { title: 'a' });
  expect(w.controller.entity(Todo, 1).value?.tags).toEqual([]);
});

test('[N6] a deleted entity makes its parents incomplete through required members only', async () => {
  class Issue extends Entity {
    id = 0;
    article = Article.fromJS();
    static override schema = { article: Article };
  }
  class Board extends Entity {
    id = 0;
    issue: Issue | null = null;
    static override schema = { issue: Issue };
  }
  const w = world();
  const issue = { id: 1, article: { id: 1, author: { id: 2, name: 'Ada' } } };
  await w.controller.set(Board, { id: 1 }, { issue });
  expect(w.controller.entity(Board, 1).value?.issue?.article.author.name).toBe('Ada');
  await w.controller.set(drop, { id: 2 }, {});
  expect(w.controller.entity(Issue, 1).value).toBeUndefined();
  expect(w.controller.entity(Board, 1).value?.issue).toBeNull();
});

test.each([
  ['makes the parent incomplete if the default is truthy', { author: new User() }, undefined],
  ['is null if the default is null', null, null],
])('[N6] an object member with a deleted entity %s', async (_, fallback, shown) => {
  class Paper extends Entity {
    id = 0;
    by: { author: User } | null = fallback;
    static override schema = { by: { author: User } };
  }
  const w = world();
  await w.controller.set(Paper, { id: 1 }, { by: { author: { id: 2, name: 'Ada' } } });
  const paper = watch(w.controller.entity(Paper, 1));
  expect(paper.last?.by?.author.name).toBe('Ada');
  await w.controller.set(drop, { id: 2 }, {});
  expect(paper.last === undefined ? undefined : paper.last.by).toBe(shown);
  await w.controller.set(User, { id: 2 }, { name: 'Bob' });
  expect(paper.last?.by?.author.name).toBe('Bob');
});

test('[N7] arrays omit missing and deleted entities', async () => {
  const w = world();
  const answer = { id: 1, tags: [{ id: 1, label: 'a' }, 9, null, { id: 2, label: 'b' }] };
  await w.controller.set(Todo, { id: 1 }, answer);
  const labels = watch(() => w.controller.entity(Todo, 1).value?.tags.map(({ label }) => label));
  expect(labels.last).toEqual(['a', 'b']);
  await w.controller.set(new Delete(Tag), { id: 1 }, {});
  expect(labels.last).toEqual(['b']);
  await w.controller.set(Tag, { id: 9 }, { label: 'z' });
  expect(labels.last).toEqual(['z', 'b']);
});

test.each([
  ['an array', [Article]],
  ['a collection', new Collection([Article])],
])('[N7] %s omits incomplete entities', async (_, schema) => {
  const w = world();
  const list = w.read('list', schema, {
    reply: () => [
      { id: 1, author: 1 },
      { id: 2, author: { id: 2 } },
    ],
  });
  const ids = (rows: unknown) => (rows as Article[] | undefined)?.map(({ id }) => id);
  await w.controller.fetch(list, {});
  const watcher = watch(() => ids(w.controller.signal(list, {}).value));
  expect(watcher.last).toEqual([2]);
  await w.controller.set(User, { id: 1 }, { name: 'Ada' });
  expect(watcher.last).toEqual([1, 2]);
});

test('[N7] an object with a deleted entity is undefined, and its reader refetches', async () => {
  const w = world();
  const get = w.read('get', { data: User }, { reply: () => ({ data: { id: 1, name: 'Ada' } }) });
  await w.controller.fetch(get, {});
  const watcher = watch(w.controller.signal(get, {}));
  await w.controller.set(drop, { id: 1 }, {});
  expect(watcher.last).toBeUndefined();
  expect(w.controller.view(get, {}).ensure(true)).toBeInstanceOf(Promise);
});

test('[N7] an entity that occurs twice in a response is merged in order', async () => {
  const w = world();
  const get = w.read('get', [User], {
    reply: () => [
      { id: 1, name: 'first', a: 1 },
      { id: 1, name: 'second', b: 2 },
    ],
  });
  const [user, again] = await w.controller.fetch(get, {});
  expect({ ...user }).toEqual({ id: 1, name: 'second', a: 1, b: 2 });
  expect(again).toBe(user);
});

test('[N7] an entity that occurs several times in a response notifies its reader once', async () => {
  const w = world();
  const watcher = watch(w.controller.entity(User, 1));
  const answer = { id: 3, author: { id: 1, name: 'a' }, tags: [] };
  const get = w.read('get', [Todo], { reply: () => [answer, { ...answer, id: 4 }, { id: 1 }] });
  await w.controller.fetch(get, {});
  expect(watcher.runs).toBe(2);
});
