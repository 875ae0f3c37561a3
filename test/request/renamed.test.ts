// A renamed entity afterwards: its lists, other tabs, deletions, resets, and the old key.
import { Collection, Delete, Entity, replay } from 'signalbox';
import type { Commit } from 'signalbox';
import { expect, test } from 'vitest';
import { Note } from '../setup/samples.ts';
import { watch, world } from '../setup/world.ts';

class Post extends Entity {
  slug = '';
  title = '';
  notes: Note[] = [];
  static override schema = {
    notes: new Collection([Note], { nestKey: ({ slug }: Post) => ({ post: slug }) }),
  };
  override pk(): string {
    return this.slug;
  }
}

/** A renamed post with notes: nested notes, and a list at a separate address. */
async function stage(others: readonly object[] = []) {
  const w = world();
  const { controller } = w;
  const commits: Commit[] = [];
  controller.on('commit', (commit) => commits.push(commit));
  const posts = new Collection([Post]);
  const list = w.read('list', posts);
  const get = w.read('get', Post);
  const comments = new Collection([Note]);
  const getComments = w.read('comments', comments);
  const comment = w.mutation('comment', comments.push, { method: 'POST' } as object);
  const update = w.mutation('update', Post, { method: 'PUT' } as object);
  const create = w.mutation('create', posts.push, { method: 'POST' } as object);
  const remove = w.mutation('remove', posts.remove, { method: 'POST' } as object);
  void controller.fetch(list, {});
  const old = { slug: 'old', title: 'Old', notes: [{ id: 1, text: 'nested' }] };
  await w.call().answer([old, ...others]);
  void controller.fetch(getComments, { slug: 'old' });
  await w.call().answer([{ id: 2, text: 'direct' }]);
  void controller.fetch(update, { slug: 'old' }, { title: 'New' });
  await w.call().answer({ slug: 'new', title: 'New' });
  const rows = () => controller.get(posts, {})?.map(({ slug }) => slug);
  const endpoints = { list, get, getComments, comment, create, remove };
  return { w, controller, commits, posts, comments, rows, ...endpoints };
}

test('[N19] nested lists, and lists with the key of a renamed entity in their arguments, move to the new key', async () => {
  const { w, controller, comments, getComments, comment } = await stage();
  expect(controller.get(Post, { slug: 'new' })?.notes.map(({ id }) => id)).toEqual([1]);
  expect(controller.get(comments, { slug: 'new' })?.map(({ id }) => id)).toEqual([2]);
  void controller.fetch(comment, { slug: 'old' }, { text: 'more' });
  expect(w.log.at(-1)).toBe('comment {"slug":"new"} {"text":"more"}');
  await w.call().answer({ id: 3, text: 'more' });
  const { data } = controller.getResponse(getComments, { slug: 'old' });
  expect((data as readonly Note[]).map(({ id }) => id)).toEqual([2, 3]);
  void controller.fetch(getComments, { slug: 'old' });
  expect(w.log.at(-1)).toBe('comments {"slug":"new"}');
});

test('[N19] lists with the old key in their arguments move to a row that a read stored under the new key', async () => {
  const { w, controller, comments, getComments, comment } = await stage([{ slug: 'new' }]);
  expect(controller.get(comments, { slug: 'new' })?.map(({ id }) => id)).toEqual([2]);
  void controller.fetch(comment, { slug: 'old' }, { text: 'more' });
  await w.call().answer({ id: 3, text: 'more' });
  const { data } = controller.getResponse(getComments, { slug: 'old' });
  expect((data as readonly Note[]).map(({ id }) => id)).toEqual([2, 3]);
});

test('[N19] an entity created later under the old key is separate from the renamed entity', async () => {
  const { w, controller, get, create, rows } = await stage();
  void controller.fetch(create, { slug: 'old', title: 'Second' });
  await w.call().answer({ slug: 'old', title: 'Second' });
  expect(rows()).toEqual(['new', 'old']);
  expect(controller.get(Post, { slug: 'old' })?.title).toBe('Second');
  expect(controller.get(Post, { slug: 'new' })?.title).toBe('New');
  void controller.fetch(get, { slug: 'old' });
  expect(w.log.at(-1)).toBe('get {"slug":"old"}');
});

test('[N19] a request with the old key in its arguments is sent again once another entity has this key', async () => {
  const { w, controller, get, getComments, comment, create } = await stage();
  void controller.fetch(get, { slug: 'old' });
  await w.call().answer({ slug: 'new', title: 'New' });
  expect(controller.getResponse(get, { slug: 'old' }).data).toMatchObject({ title: 'New' });
  void controller.fetch(create, { slug: 'old', title: 'Second' });
  await w.call().answer({ slug: 'old', title: 'Second' });
  // the page of the second post
  const stops = [
    controller.view(get, { slug: 'old' }),
    controller.view(getComments, { slug: 'old' }),
  ];
  for (const view of stops) view.retain();
  for (const view of stops) view.revalidate();
  const [asked, askedComments] = w.calls.slice(-2);
  expect(w.log.slice(-2)).toEqual(['get {"slug":"old"}', 'comments {"slug":"old"}']);
  await asked?.answer({ slug: 'old', title: 'Second' });
  await askedComments?.answer([]);
  expect(controller.getResponse(get, { slug: 'old' }).data).toMatchObject({ title: 'Second' });
  void controller.fetch(comment, { slug: 'old' }, { text: 'first' });
  await w.call().answer({ id: 4, text: 'first' });
  const { data } = controller.getResponse(getComments, { slug: 'old' });
  expect((data as readonly Note[]).map(({ id }) => id)).toEqual([4]);
});

test('[N19] a row with the old key in the response of a later read is separate from the renamed entity', async () => {
  const { w, controller, list, rows } = await stage();
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'new' }, { slug: 'old', title: 'Second' }]);
  expect(rows()).toEqual(['new', 'old']);
  expect(controller.get(Post, { slug: 'old' })?.title).toBe('Second');
  expect(controller.get(Post, { slug: 'new' })?.title).toBe('New');
});

test('[N19] a removal by the old key is sent with the new key, and removes the renamed entity from its list', async () => {
  const { w, controller, remove, rows } = await stage();
  void controller.fetch(remove, { slug: 'old' }, {});
  expect(w.log.at(-1)).toBe('remove {"slug":"new"} {}');
  await w.call().answer({ slug: 'new' });
  expect(rows()).toEqual([]);
});

test('[N19] a deletion by the old key deletes the renamed entity', async () => {
  const { w, controller, rows } = await stage();
  const destroy = w.mutation('delete', new Delete(Post), { path: '/posts/:slug' } as object);
  void controller.fetch(destroy, { slug: 'old' });
  expect(w.log.at(-1)).toBe('delete {"slug":"new"}');
  await w.call().answer({});
  expect(rows()).toEqual([]);
  expect(controller.get(Post, { slug: 'old' })).toBeUndefined();
});

test('[N19] a reset removes an entity with two keys under both', async () => {
  const { w, controller, list, rows } = await stage();
  controller.reset();
  expect(controller.get(Post, { slug: 'old' })).toBeUndefined();
  expect(controller.get(Post, { slug: 'new' })).toBeUndefined();
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'old', title: 'Second' }]);
  expect(rows()).toEqual(['old']);
});

test('[N19] signals of both keys, created before the rename, have the entity', async () => {
  const w = world();
  const { controller } = w;
  const list = w.read('list', [Post]);
  const update = w.mutation('update', Post, { method: 'PUT' } as object);
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'old', title: 'a' }]);
  const readers = ['old', 'new', 'newest'].map((slug) => watch(controller.entity(Post, slug)));
  const titles = () => readers.map(({ last }) => last?.title);
  void controller.fetch(update, { slug: 'old' }, { slug: 'new' });
  await w.call().answer({ slug: 'new', title: 'b' });
  expect(titles()).toEqual(['b', 'b', undefined]);
  await controller.set(Post, { slug: 'new' }, { title: 'c' });
  expect(titles()).toEqual(['c', 'c', undefined]);
  void controller.fetch(update, { slug: 'new' }, { slug: 'newest' });
  const sent = w.call();
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'newest', title: 'c' }]);
  await sent.answer({ slug: 'newest', title: 'c' });
  expect(titles()).toEqual(['c', 'c', 'c']);
  await controller.set(Post, { slug: 'newest' }, { title: 'e' });
  expect(titles()).toEqual(['e', 'e', 'e']);
  expect(new Set(readers.map(({ last }) => last)).size).toBe(1);
});

test('[O8] after a reset the old key does not resolve to the entity with the new key', async () => {
  const { w, controller, list, get, rows } = await stage();
  controller.reset();
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'new', title: 'New' }]);
  expect(rows()).toEqual(['new']);
  expect(controller.get(Post, { slug: 'old' })).toBeUndefined();
  void controller.fetch(get, { slug: 'old' });
  expect(w.log.at(-1)).toBe('get {"slug":"old"}');
});

test('[N19] another controller that replays the commits renames the entity', async () => {
  const { controller, commits, posts } = await stage();
  const other = world().controller;
  for (const commit of commits) replay(other, commit);
  expect(other.get(posts, {})?.map(({ slug }) => slug)).toEqual(['new']);
  expect(other.get(Post, { slug: 'old' })).toBe(other.get(Post, { slug: 'new' }));
  expect(controller.get(posts, {})).toHaveLength(1);
});
