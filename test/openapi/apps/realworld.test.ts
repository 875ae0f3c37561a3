/** A reader of articles on the module that is written from the RealWorld API. */
import { expect, expectTypeOf, test } from 'vitest';
import { world } from '../world.ts';
import type { World } from '../world.ts';
import type * as realworld from '../generated/realworld.ts';

const actions = {
  'POST /articles/{slug}/favorite': () => ({ favorited: true, favoritesCount: 7 }),
  'DELETE /articles/{slug}/favorite': () => ({ favorited: false, favoritesCount: 6 }),
};

/** Fetches the articles and reads them like a component. */
async function listed() {
  const here: World<typeof realworld> = await world('realworld', { actions });
  const { ArticleResource } = here.api;
  await here.controller.fetch(ArticleResource.getList);
  const read = () => here.controller.getResponse(ArticleResource.getList).data?.articles ?? [];
  return { ...here, read, slug: read()[0]?.slug ?? '' };
}

test('[T3] RealWorld: rows with an inline schema are Article entities, and the detail adds the body', async () => {
  const { api, controller, read, slug, mock } = await listed();
  expect(read()).toHaveLength(4);
  expect(read().every((article) => article instanceof api.Article)).toBe(true);
  const [first] = read();
  expectTypeOf(first?.title).toEqualTypeOf<string | undefined>();
  expect(first?.author).toBeInstanceOf(api.Profile);
  const { article } = await controller.fetch(api.ArticleResource.get, { slug });
  expect(article.body).not.toBe('');
  expect({ ...article }).toMatchObject({ title: first?.title, tagList: first?.tagList });
  expect(article.createdAt).toEqual(first?.createdAt);
  expect(mock.faults).toEqual([]);
});

test('[T3] RealWorld: an edit and a favorite change the row in the list without a refetch', async () => {
  const { api, controller, read, slug, server, mock } = await listed();
  const { ArticleResource } = api;
  const { length } = server.asked;
  await controller.fetch(ArticleResource.update, { slug }, { article: { title: 'Edited' } });
  expect(read()[0]).toMatchObject({ slug, title: 'Edited' });
  await controller.fetch(ArticleResource.createArticleFavorite, { slug });
  expect(read()[0]).toMatchObject({ favorited: true, favoritesCount: 7 });
  await controller.fetch(ArticleResource.deleteArticleFavorite, { slug });
  expect(read()[0]).toMatchObject({ favorited: false, favoritesCount: 6 });
  expect(server.asked).toHaveLength(length + 3);
  expect(mock.faults).toEqual([]);
});

test('[T3] RealWorld: the feed and the articles are separate lists, and a deleted article leaves the list of articles', async () => {
  const { api, controller, read, slug, mock } = await listed();
  const { ArticleResource } = api;
  const feed = () => controller.getResponse(ArticleResource.getArticlesFeed).data?.articles ?? [];
  await controller.fetch(ArticleResource.getArticlesFeed);
  expect(feed().map((each) => each.slug)).not.toContain(slug);
  const before = feed().map((each) => each.slug);
  await controller.fetch(ArticleResource.delete, { slug });
  expect(read()).toHaveLength(3);
  expect(read().map((each) => each.slug)).not.toContain(slug);
  expect(feed().map((each) => each.slug)).toEqual(before);
  await expect(controller.fetch(ArticleResource.get, { slug })).rejects.toMatchObject({
    status: 404,
  });
  expect(mock.faults).toEqual([]);
});

test('[T3] RealWorld: a created comment joins the list of its article, and leaves that list when deleted', async () => {
  const { api, controller, slug, read, mock } = await listed();
  const { CommentResource } = api;
  const other = read()[1]?.slug ?? '';
  const comments = (at: string) =>
    controller.getResponse(CommentResource.getList, { slug: at }).data?.comments ?? [];
  for (const each of [slug, other]) await controller.fetch(CommentResource.getList, { slug: each });
  const others = comments(other).map(({ id }) => id);
  const body = { comment: { body: 'Fine' } };
  const { comment } = await controller.fetch(CommentResource.create, { slug }, body);
  expect(comments(slug).at(-1)).toMatchObject({ id: comment.id, body: 'Fine' });
  expect(comments(slug)).toHaveLength(5);
  await controller.fetch(CommentResource.delete, { slug, id: comment.id });
  expect(comments(slug)).toHaveLength(4);
  expect(comments(other).map(({ id }) => id)).toEqual(others);
  expect(mock.faults).toEqual([]);
});
