// Responses with another primary key that rename nothing.
import { expect, describe, test } from 'vitest';
import { refused } from '../setup/world.ts';
import { Post, stage, Video } from './blog.ts';

describe('what is no renaming', () => {
  test('[N19] an answer to POST is another entity', async () => {
    const { w, controller, rows, post, like } = await stage();
    void controller.fetch(like, { slug: 'old' }, {});
    await w.call().answer({ slug: 'copy', title: 'Copy', likes: 0 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
    expect(post('copy')).not.toBe(post('old'));
  });

  test('[N19] params that name no key rename nothing', async () => {
    const { w, controller, rows, update } = await stage();
    void controller.fetch(update, {}, { slug: 'old', title: 'Me' });
    await w.call().answer({ slug: 'me', title: 'Me', likes: 0 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test('[N19] a read answered with another key renames nothing', async () => {
    const { w, controller, rows, get } = await stage();
    void controller.fetch(get, { slug: 'old' });
    await w.call().answer({ slug: 'other', title: 'Other', likes: 0 });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test('[N19] an answer with several rows of the class renames nothing', async () => {
    const { w, controller, rows } = await stage();
    const schema = { related: [Post], post: Post };
    const update = w.mutation('update', schema, { method: 'PUT' } as object);
    void controller.fetch(update, { slug: 'old' }, { title: 'x' });
    await w.call().answer({ related: [{ slug: 'z' }], post: { slug: 'new', title: 'x' } });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test.each(['PUT', 'PATCH'])('[N19] a %s without a schema names no entity', async (method) => {
    const { w, controller, rows } = await stage();
    const update = w.mutation('update', undefined, { method } as object);
    const done = controller.fetch(update, { slug: 'old' }, { title: 'x' });
    await w.call().answer({ slug: 'new' });
    expect(await done).toEqual({ slug: 'new' });
    expect(rows()).toEqual(['old: Old', 'two: Two']);
  });

  test('[N19] an answer that does not fit leaves everything as it was', async () => {
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
});
