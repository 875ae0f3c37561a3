// If the response of a mutation gives the entity another primary key, the record is renamed.
import { All, Collection, Entity, EntityMixin, Query, Union, live as liveOf } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, refused, watch, world } from '../setup/world.ts';
import { Post, Review, stage, Video } from './blog.ts';

describe('an update whose response has another key', () => {
  test('[N19] a response with another key renames the row in place in every list, and the old key resolves to it', async () => {
    const { w, controller, posts, rows, post, update } = await stage();
    const other = w.read('other', posts);
    void controller.fetch(other, { tag: 'a' });
    await w.call().answer([{ slug: 'two' }, { slug: 'old' }]);
    const live = liveOf(controller, Post, 'old');
    const reader = watch(() => live.title);
    const link = watch(() => live.slug);
    const done = controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    expect(rows()).toEqual(['new: New', 'two: Two']);
    expect(controller.get(posts, { tag: 'a' })?.map(({ slug }) => slug)).toEqual(['two', 'new']);
    expect(post('old')).toBe(post('new'));
    expect(await done).toBe(post('new'));
    expect(liveOf(controller, Post, 'new')).toBe(live);
    expect([link.seen, reader.seen]).toEqual([
      ['old', 'new'],
      ['Old', 'New'],
    ]);
    expect(controller.get(new All(Post))).toHaveLength(2);
  });

  test('[N19] an entity in an envelope response with another key is renamed', async () => {
    const { w, controller, rows, post, enveloped } = await stage();
    void controller.fetch(enveloped, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ post: { slug: 'new', title: 'New', likes: 1 } });
    expect(rows()).toEqual(['new: New', 'two: Two']);
    expect(post('old')).toBe(post('new'));
  });

  test('[N19] a renaming notifies a reader of the list once', async () => {
    const { w, controller, list, update } = await stage();
    const slugs = () => controller.signal(list, {}).value?.map(({ slug }: Post) => slug);
    const seen = watch(() => slugs()?.join());
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    expect(seen.seen).toEqual(['old,two', 'new,two']);
  });

  test('[N19] a reader of the old key shows the renamed entity, and fetches with the new key', async () => {
    const { w, controller, get, update } = await stage();
    const seen = watch(() => controller.signal(get, { slug: 'old' }).value?.title);
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    expect(seen.seen).toEqual(['Old', 'New']);
    const done = controller.fetch(get, { slug: 'old' });
    expect(w.log.at(-1)).toBe('get {"slug":"new"}');
    await w.call().answer({ slug: 'new', title: 'Newer', likes: 1 });
    expect((await done).title).toBe('Newer');
    expect(seen.seen).toEqual(['Old', 'New', 'Newer']);
  });

  test('[N19] after a renaming fetchIfStale by either key returns the entity without a request', async () => {
    const { w, controller, get, update } = await stage();
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    const before = w.calls.length;
    expect((await controller.fetchIfStale(get, { slug: 'new' })).title).toBe('New');
    expect((await controller.fetchIfStale(get, { slug: 'old' })).title).toBe('New');
    expect(w.calls).toHaveLength(before);
  });

  test('[N19] a renaming to a key that could not be read before lets a later read by that key succeed', async () => {
    const { w, controller, rows, get, update } = await stage();
    const seen = watch(() => controller.signal(get, { slug: 'new' }).value?.title);
    const failed = controller.fetch(get, { slug: 'new' });
    void w.call().fail(refusal(404));
    await refused(failed);
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    expect(rows()).toEqual(['new: New', 'two: Two']);
    w.clock.advance(2_000);
    void controller.fetch(get, { slug: 'new' });
    await w.call().answer({ slug: 'new', title: 'Newer', likes: 1 });
    expect(rows()).toEqual(['new: Newer', 'two: Two']);
    expect(seen.seen.at(-1)).toBe('Newer');
  });

  test('[N19] a renaming to a key that a read has stored leaves one row in lists, tables and references', async () => {
    const { w, controller, posts, list, rows, post, update } = await stage();
    const reviews = w.read('reviews', [Review]);
    const other = w.read('other', posts);
    void controller.fetch(other, { tag: 'a' });
    await w.call().answer([{ slug: 'old' }]);
    void controller.fetch(reviews);
    const nested = { id: 1, post: { slug: 'old' }, related: [{ slug: 'old' }, { slug: 'two' }] };
    await w.call().answer([nested]);
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    const sent = w.call();
    void controller.fetch(list, {});
    await w.call().answer([
      { slug: 'new', title: 'New', likes: 1 },
      { slug: 'two', title: 'Two', likes: 2 },
    ]);
    await sent.answer({ slug: 'new', title: 'New', likes: 1 });
    expect(rows()).toEqual(['new: New', 'two: Two']);
    expect(controller.get(posts, { tag: 'a' })?.map(({ slug }) => slug)).toEqual(['new']);
    expect(post('old')).toBe(post('new'));
    expect(controller.get(new All(Post))).toHaveLength(2);
    const review = controller.get(Review, { id: 1 });
    expect([review?.post?.slug, review?.related.map(({ slug }) => slug)]).toEqual([
      'new',
      ['new', 'two'],
    ]);
  });

  test('[N19] two renamings in a row, answered in reverse order, leave one row under the later key', async () => {
    const { w, controller, list, rows, post, update } = await stage();
    void controller.fetch(update, { slug: 'old' }, { slug: 'new' });
    const first = w.call();
    void controller.fetch(list, {});
    await w.call().answer([
      { slug: 'new', title: 'Old', likes: 1 },
      { slug: 'two', title: 'Two', likes: 2 },
    ]);
    void controller.fetch(update, { slug: 'new' }, { slug: 'newest' });
    await w.call().answer({ slug: 'newest', title: 'Old', likes: 1 });
    await first.answer({ slug: 'new', title: 'Old', likes: 1 });
    expect(rows()).toEqual(['newest: Old', 'two: Two']);
    expect(post('old')).toBe(post('newest'));
    expect(post('new')).toBe(post('newest'));
    expect(controller.get(new All(Post))).toHaveLength(2);
  });

  test('[N19] a reader of the key of the earlier of two renamings, answered last, gets the row under the later key', async () => {
    const { w, controller, rows, post, update } = await stage();
    const reader = watch(controller.entity(Post, 'new'));
    void controller.fetch(update, { slug: 'old' }, { slug: 'new' });
    const first = w.call();
    void controller.fetch(update, { slug: 'old' }, { slug: 'newest' });
    await w.call().answer({ slug: 'newest', title: 'Old', likes: 1 });
    await first.answer({ slug: 'new', title: 'Old', likes: 1 });
    expect(rows()).toEqual(['newest: Old', 'two: Two']);
    expect(post('new')).toBe(post('newest'));
    expect(reader.last).toBe(post('newest'));
    expect(controller.get(new All(Post))).toHaveLength(2);
  });

  test('[N19] a renaming updates indexes, queries, unions and nested references', async () => {
    const { w, controller, posts, post, update } = await stage();
    const titles = new Query(posts, (all: readonly Post[]) => all.map(({ title }) => title));
    const feed = w.read('feed', [new Union({ post: Post, video: Video }, 'type')]);
    void controller.fetch(feed);
    await w.call().answer([
      { type: 'post', slug: 'old' },
      { type: 'video', id: 1 },
    ]);
    void controller.fetch(w.read('reviews', [Review]));
    await w.call().answer([{ id: 1, post: { slug: 'old' } }]);
    expect(controller.get(titles, {})).toEqual(['Old', 'Two']);
    expect(controller.get(Post, { title: 'Old' })?.slug).toBe('old');
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    expect(controller.get(titles, {})).toEqual(['New', 'Two']);
    expect(controller.get(Post, { title: 'Old' })).toBeUndefined();
    expect(controller.get(Post, { title: 'New' })).toBe(post('new'));
    expect(controller.get(Review, { id: 1 })?.post).toBe(post('new'));
    const { data } = controller.getResponse(feed) as { data?: readonly unknown[] };
    expect(data?.[0]).toBe(post('new'));
  });
});

test('[N19] live readers get the new key from the pk field of EntityMixin, and from id', async () => {
  class Page extends EntityMixin(
    class {
      name = '';
      text = '';
    },
    { pk: 'name' },
  ) {}
  class Part extends Entity {
    id = '';
    text = '';
  }
  const w = world();
  const { controller } = w;
  await controller.set(Page, {}, { name: 'old', text: 'x' });
  await controller.set(Part, {}, { id: 'old', text: 'x' });
  const [page, part] = [liveOf(controller, Page, 'old'), liveOf(controller, Part, 'old')];
  const links = [watch(() => page.name), watch(() => `${part.id} ${part.text}`)];
  const put = { method: 'PUT' } as object;
  void controller.fetch(w.mutation('page', Page, put), { name: 'old' }, { name: 'new' });
  await w.call().answer({ name: 'new', text: 'x' });
  void controller.fetch(w.mutation('part', Part, put), { id: 'old' }, { id: 'new' });
  await w.call().answer({ id: 'new', text: 'x' });
  expect(links.map(({ seen }) => seen)).toEqual([
    ['old', 'new'],
    ['old x', 'new x'],
  ]);
});

describe('requests for the old key', () => {
  test('[N19] a read issued before the renaming writes to the row under its new key', async () => {
    const { w, controller, list, rows, update } = await stage();
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    const sent = w.call();
    void controller.fetch(list, {});
    const read = w.call();
    await sent.answer({ slug: 'new', title: 'New', likes: 1 });
    await read.answer([
      { slug: 'old', title: 'Old', likes: 7 },
      { slug: 'two', title: 'Two', likes: 2 },
    ]);
    expect(rows()).toEqual(['new: New', 'two: Two']);
    expect(controller.get(Post, { slug: 'new' })?.likes).toBe(7);
  });

  test('[N19] a mutation issued before the renaming writes to the row under its new key', async () => {
    const { w, controller, rows, post, update, like } = await stage();
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    const sent = w.call();
    void controller.fetch(like, { slug: 'old' });
    const liked = w.call();
    await sent.answer({ slug: 'new', title: 'New', likes: 1 });
    await liked.answer({ slug: 'old', title: 'Old', likes: 2 });
    expect(rows()).toEqual(['new: New', 'two: Two']);
    expect(post('new')?.likes).toBe(2);
    expect(controller.get(new All(Post))).toHaveLength(2);
  });

  test('[N19] optimistic values move to the new key, and are confirmed or rolled back there', async () => {
    const { w, controller, rows, post, update, patch } = await stage();
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    const sent = w.call();
    const failing = controller.fetch(patch, { slug: 'old' }, { likes: 9 });
    const patched = w.call();
    await sent.answer({ slug: 'new', title: 'New', likes: 1 });
    expect([rows()?.[0], post('new')?.likes]).toEqual(['new: New', 9]);
    void patched.fail(refusal(500));
    await refused(failing);
    expect([rows()?.[0], post('new')?.likes]).toEqual(['new: New', 1]);
  });

  test('[N19] a change of an optimistic new key applies to the row that the server renames to that key', async () => {
    const { w, controller, rows, post, patch } = await stage();
    const live = liveOf(controller, Post, 'old');
    void controller.fetch(patch, { slug: 'old' }, { slug: 'new', title: 'New' });
    const sent = w.call();
    void controller.fetch(patch, { slug: 'new' }, { likes: 9 });
    expect([post('new')?.title, post('new')?.likes]).toEqual(['New', 9]);
    await sent.answer({ slug: 'new', title: 'New', likes: 1 });
    expect(rows()).toEqual(['new: New', 'two: Two']);
    expect([liveOf(controller, Post, 'new'), post('new')?.likes]).toEqual([live, 9]);
    await w.call().answer({ slug: 'new', title: 'New', likes: 10 });
    expect([post('old')?.likes, controller.get(new All(Post))?.length]).toEqual([10, 2]);
  });

  test('[N19] an earlier update answered after a later one does not rename the row back', async () => {
    const { w, controller, rows, post, update } = await stage();
    void controller.fetch(update, { slug: 'old' }, { title: 'A' });
    void controller.fetch(update, { slug: 'old' }, { title: 'B' });
    const [first, second] = [w.call(-2), w.call(-1)];
    await second.answer({ slug: 'b', title: 'B', likes: 1 });
    await first.answer({ slug: 'a', title: 'A', likes: 1 });
    expect(rows()).toEqual(['b: B', 'two: Two']);
    expect(post('a')).toBe(post('b'));
    expect(controller.get(new All(Post))).toHaveLength(2);
  });

  test('[N19] a mutation by the old key after the renaming is sent with the new key, and can rename the row back', async () => {
    const { w, controller, rows, update, remove } = await stage();
    void controller.fetch(update, { slug: 'old' }, { title: 'New' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    void controller.fetch(update, { slug: 'old' }, { slug: 'old', title: 'Old' });
    expect(w.log.at(-1)).toBe('update {"slug":"new"} {"slug":"old","title":"Old"}');
    await w.call().answer({ slug: 'old', title: 'Old', likes: 1 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
    const path = { path: '/posts/:slug' } as object;
    void controller.fetch(remove.extend(path), { slug: 'new' });
    expect(w.log.at(-1)).toBe('remove {"slug":"old"}');
    await w.call().answer({});
    expect(rows()).toEqual(['two: Two']);
  });
});

class Cat extends Entity {
  id = 0;
  type = 'cat';
  lives = 9;
}
class Dog extends Entity {
  id = 0;
  type = 'dog';
  bark = '';
}
const pet = new Union({ cat: Cat, dog: Dog }, 'type');

test('[N18] an update that gives a row of a union another class refetches the list and the detail', async () => {
  const w = world();
  const list = w.read('list', new Collection([pet]));
  const get = w.read('get', pet);
  const update = w.mutation('update', pet);
  const cat = { id: 1, type: 'cat', lives: 9 };
  const dog = { id: 1, type: 'dog', bark: 'woof' };
  const rex = { id: 2, type: 'dog', bark: 'wuff' };
  await w.controller.setResponse(list, {}, [cat, rex]);
  await w.controller.setResponse(get, { id: 1 }, cat);
  const views = [w.controller.view(list, {}), w.controller.view(get, { id: 1 })];
  for (const view of views) view.retain();
  void w.controller.fetch(update, { id: 1 }, { type: 'dog' });
  await w.call().answer(dog);
  expect(w.log).toEqual(['update {"id":1} {"type":"dog"}', 'list {}', 'get {"id":1}']);
  await w.call(1).answer([dog, rex]);
  await w.call(2).answer(dog);
  expect(views.map(({ result }) => result.peek().data)).toEqual([[dog, rex], dog]);
  // and back: the former row is stored, but nothing shows the former row
  void w.controller.fetch(update, { id: 1 }, { type: 'cat' });
  await w.call().answer(cat);
  await w.call(4).answer([cat, rex]);
  await w.call(5).answer(cat);
  expect(views.map(({ result }) => result.peek().data)).toEqual([[cat, rex], cat]);
});

test('[N18] an update of a row that a list shows beside a row of another class with the same key refetches nothing', async () => {
  const w = world();
  const list = w.read('list', new Collection([pet]));
  const update = w.mutation('update', pet);
  const dog = { id: 1, type: 'dog', bark: 'woof' };
  w.controller.view(list, {}).retain();
  await w.controller.setResponse(list, {}, [{ id: 1, type: 'cat', lives: 9 }, dog]);
  void w.controller.fetch(update, { id: 1 }, { bark: 'loud' });
  await w.call().answer({ ...dog, bark: 'loud' });
  expect(w.calls).toHaveLength(1);
});
