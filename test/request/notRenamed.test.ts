// Responses with another primary key that rename nothing.
import { expect, describe, test } from 'vitest';
import { refused } from '../setup/world.ts';
import { Post, stage, Video } from './blog.ts';

describe('responses with another key that rename no entity', () => {
  test('[N19] a response to a POST with another key is stored as another entity', async () => {
    const { w, controller, rows, post, like } = await stage();
    void controller.fetch(like, { slug: 'old' }, {});
    await w.call().answer({ slug: 'copy', title: 'Copy', likes: 0 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
    expect(post('copy')).not.toBe(post('old'));
  });

  test('[N19] a PUT without a key in the params renames no entity', async () => {
    const { w, controller, rows, update } = await stage();
    void controller.fetch(update, {}, { slug: 'old', title: 'Me' });
    await w.call().answer({ slug: 'me', title: 'Me', likes: 0 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test('[N19] a read answered with another key renames no entity', async () => {
    const { w, controller, rows, get } = await stage();
    void controller.fetch(get, { slug: 'old' });
    await w.call().answer({ slug: 'other', title: 'Other', likes: 0 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test('[N19] a PUT response with several rows of the class renames no entity', async () => {
    const { w, controller, rows } = await stage();
    const schema = { related: [Post], post: Post };
    const update = w.mutation('update', schema, { method: 'PUT' } as object);
    void controller.fetch(update, { slug: 'old' }, { title: 'x' });
    await w.call().answer({ related: [{ slug: 'z' }], post: { slug: 'new', title: 'x' } });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test.each(['PUT', 'PATCH'])('[N19] a %s without a schema renames no entity', async (method) => {
    const { w, controller, rows } = await stage();
    const update = w.mutation('update', undefined, { method } as object);
    const done = controller.fetch(update, { slug: 'old' }, { title: 'x' });
    await w.call().answer({ slug: 'new' });
    expect(await done).toEqual({ slug: 'new' });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test('[N19] an invalid response with another key renames no entity and stores nothing', async () => {
    const { w, controller, rows, post } = await stage();
    const schema = { post: Post, video: Video };
    const update = w.mutation('update', schema, { method: 'PUT' } as object);
    const done = controller.fetch(update, { slug: 'old' }, { title: 'x' });
    void w.call().answer({ post: { slug: 'new', title: 'x' }, video: { name: 'no key' } });
    expect(await refused(done)).toMatchObject({ code: 'S1' });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
    expect(post('new')).toBeUndefined();
    expect(post('old')?.title).toBe('Old');
  });

  test('[N19] an invalid response to an earlier update does not redirect its key to the key of a later update', async () => {
    const { w, controller, get, update } = await stage();
    const done = controller.fetch(update, { slug: 'old' }, { slug: 'new' });
    const first = w.call();
    void controller.fetch(update, { slug: 'old' }, { slug: 'newest' });
    await w.call().answer({ slug: 'newest', title: 'Old', likes: 1 });
    void first.answer({ slug: 'new', title: '' });
    expect(await refused(done)).toMatchObject({ code: 'S6' });
    void controller.fetch(get, { slug: 'new' });
    expect(w.log.at(-1)).toBe('get {"slug":"new"}');
  });

  test('[N19] an invalid response that renames an entity back leaves both keys resolving to the entity', async () => {
    const { w, controller, post, update } = await stage();
    void controller.fetch(update, { slug: 'old' }, { slug: 'new' });
    await w.call().answer({ slug: 'new', title: 'New', likes: 1 });
    const done = controller.fetch(update, { slug: 'new' }, { slug: 'old' });
    void w.call().answer({ slug: 'old', title: '' });
    expect(await refused(done)).toMatchObject({ code: 'S6' });
    expect(post('old')).toBe(post('new'));
    expect(post('old')?.title).toBe('New');
  });
});
