// A new key and a deletion of the same row, both in flight: in every order of issue and of responses.
import { All, Collection, Delete, Entity, Query } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, watch, world } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';

class Post extends Entity {
  slug = '';
  title = '';
  override pk(): string {
    return this.slug;
  }
}

/** A list with the post "old", and its readers. */
async function stage(optimistic: boolean) {
  const w = world();
  const { controller } = w;
  const posts = new Collection([Post]);
  const list = w.read('list', posts);
  const expected = (_: unknown, params: object) => params;
  const options = optimistic ? { getOptimisticResponse: expected } : {};
  const update = w.mutation('update', Post, { method: 'PUT' } as object);
  const remove = w.mutation('delete', new Delete(Post), { method: 'DELETE', ...options } as object);
  const all = new Query(new All(Post), (rows) => rows.map(({ slug }) => slug));
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'old', title: 'Old' }, { slug: 'other' }]);
  const rename = () => {
    controller.fetch(update, { slug: 'old' }, { slug: 'new' }).catch(() => {});
    return w.call();
  };
  const deletion = (slug = 'old') => {
    controller.fetch(remove, { slug }).catch(() => {});
    return w.call();
  };
  const shown = () => ({
    old: controller.get(Post, { slug: 'old' })?.slug,
    new: controller.get(Post, { slug: 'new' })?.slug,
    list: controller.get(posts, {})?.map(({ slug }) => slug),
    all: controller.get(all),
  });
  return { w, controller, list, rename, deletion, shown };
}

const GONE = { old: undefined, new: undefined, list: ['other'], all: ['other'] };
const RENAMED = { old: 'new', new: 'new', list: ['new', 'other'], all: ['new', 'other'] };
const renamed = (call: Call) => call.answer({ slug: 'new', title: 'Old' });
const deleted = (call: Call) => call.answer({});

describe.each([
  ['plain', false],
  ['optimistic', true],
] as const)('a %s deletion and a new key', (_, optimistic) => {
  test('[O4] a renamed row stays deleted under both keys if the deletion is answered before the renaming', async () => {
    const { w, controller, rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion()];
    const row = watch(controller.entity(Post, 'new'));
    await deleted(removal);
    await renamed(change);
    expect(shown()).toEqual(GONE);
    expect(new Set(row.seen)).toEqual(new Set([undefined]));
    void w.controller.fetch(w.read('get', Post), { slug: 'new' });
    await renamed(w.call());
    // the response to a read that was issued later contains the row
    expect(shown()).toMatchObject({ new: 'new', all: ['other', 'new'] });
  });

  test('[O4] a renamed row stays deleted under both keys if the renaming is answered before the deletion', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion()];
    await renamed(change);
    await deleted(removal);
    expect(shown()).toEqual(GONE);
  });

  test('[O4] a row stays deleted if its deletion is issued and answered before a renaming', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const removal = deletion();
    const change = rename();
    await deleted(removal);
    await renamed(change);
    expect(shown()).toEqual(GONE);
  });

  test('[O4] a row deleted by its new key stays deleted if the deletion is answered before the renaming', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion('new')];
    await deleted(removal);
    await renamed(change);
    expect(shown()).toEqual(GONE);
  });

  test('[O4] a row deleted by its new key stays deleted if the renaming is answered before the deletion', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion('new')];
    await renamed(change);
    await deleted(removal);
    expect(shown()).toEqual(GONE);
  });

  test('[O4] a failed deletion by the new key leaves the renamed row', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion('new')];
    await removal.fail(refusal(500));
    await renamed(change);
    expect(shown()).toEqual(RENAMED);
  });

  test('[O4] a deletion by the old key also deletes a row that a read stored under the new key before the renaming', async () => {
    const { w, controller, list, rename, deletion, shown } = await stage(optimistic);
    const change = rename();
    void controller.fetch(list, {});
    const read = w.call();
    const removal = deletion();
    await read.answer([{ slug: 'new', title: 'Old' }, { slug: 'other' }]);
    await deleted(removal);
    await renamed(change);
    expect(shown()).toEqual(GONE);
  });

  test('[O4] a deletion by the old key that fails before the renaming leaves the row under its new key', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion()];
    await removal.fail(refusal(500));
    await renamed(change);
    expect(shown()).toEqual(RENAMED);
  });

  test('[O4] a deletion by the old key that fails after the renaming leaves the row under its new key', async () => {
    const { rename, deletion, shown } = await stage(optimistic);
    const [change, removal] = [rename(), deletion()];
    await renamed(change);
    await removal.fail(refusal(500));
    expect(shown()).toEqual(RENAMED);
  });
});

test('[O4] a row removed from a list while a renaming is in flight stays out of the list under its new key', async () => {
  const w = world();
  const { controller } = w;
  const posts = new Collection([Post]);
  void controller.fetch(w.read('list', posts), {});
  await w.call().answer([{ slug: 'old' }, { slug: 'other' }]);
  const update = w.mutation('update', Post, { method: 'PUT' } as object);
  void controller.fetch(update, { slug: 'old' }, { slug: 'new' });
  const leave = w.mutation('leave', posts.remove, { method: 'POST' } as object);
  void controller.fetch(leave, { slug: 'old' }, {});
  await w.call(2).answer({ slug: 'old' });
  await renamed(w.call(1));
  expect(controller.get(posts, {})?.map(({ slug }) => slug)).toEqual(['other']);
  expect(controller.get(Post, { slug: 'new' })?.slug).toBe('new');
});

test('[O6] a row deleted under its temporary key while its creation is in flight is deleted under the server key', async () => {
  const w = world();
  const { controller } = w;
  const posts = new Collection([Post]);
  const list = w.read('list', posts);
  void controller.fetch(list, {});
  await w.call().answer([{ slug: 'other' }]);
  const expected = (_: unknown, given: object) => given;
  const create = w.mutation('create', posts.push, { getOptimisticResponse: expected });
  const remove = w.mutation('delete', new Delete(Post), { getOptimisticResponse: expected });
  void controller.fetch(create, { title: 'made' });
  const slug = controller.get(posts, {})?.at(-1)?.pk() as string;
  void controller.fetch(remove, { slug });
  expect(controller.get(posts, {})).toHaveLength(1);
  await w.call(1).answer({ slug: 'made', title: 'made' });
  expect(controller.get(posts, {})).toHaveLength(1);
  expect(w.log.at(-1)).toBe('delete {"slug":"made"}');
  await w.call(2).answer({});
  expect(controller.get(posts, {})).toHaveLength(1);
  expect(controller.get(Post, { slug: 'made' })).toBeUndefined();
});
