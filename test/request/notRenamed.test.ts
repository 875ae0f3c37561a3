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

  test.each(['PUT', 'PATCH'])('[N19] a %s without a schema renames no entity', async (method) => {
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

  test('[N19] a response that does not match an earlier update does not rename the later key', async () => {
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

  test('[N19] a renaming back to the first key that does not fit keeps the first key as a name', async () => {
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
