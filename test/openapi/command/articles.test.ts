/** The output for rows that a list describes in place, against a server. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { load } from './command.ts';
import type * as articles from './generated/articles.ts';

type Articles = typeof articles;

const author = { username: 'ada', following: false };
const row = (slug: string) => ({
  slug,
  title: `About ${slug}`,
  favorited: false,
  favoritesCount: 1,
  author,
});
const whole = (slug: string) => ({ ...row(slug), body: 'Text', tagList: ['a'] });

async function world() {
  const server = await serve(({ method, url, text }) => {
    const { pathname } = new URL(url, 'http://localhost');
    const [, , slug = '', action] = pathname.split('/');
    if (pathname === '/drafts') return { body: { drafts: [{ id: 1, text: 'Draft', author }] } };
    if (pathname === '/changes') return { body: [{ kind: 'added', by: author }] };
    if (pathname === '/articles/feed') return { body: { articles: [row('b')], articlesCount: 1 } };
    if (method === 'DELETE') return { body: {} };
    if (action === 'favorite')
      return { body: { article: { ...whole(slug), favorited: true, favoritesCount: 2 } } };
    if (method === 'PUT')
      return { body: { article: { ...whole(slug), ...JSON.parse(text).article } } };
    if (slug !== '') return { body: { article: whole(slug) } };
    return { body: { articles: [row('a'), row('b')], articlesCount: 2 } };
  });
  const api = (await load('articles.yaml', server.address)) as Articles;
  return { api, controller: new Controller(), server };
}

test('[T3] list rows with an inline schema are the entity of the detail path, and a detail read fetches the rest', async () => {
  const { api, controller, server } = await world();
  const { ArticleResource, Article } = api;
  const page = await controller.fetch(ArticleResource.getList);
  expectTypeOf(page.articles).toEqualTypeOf<InstanceType<Articles['Article']>[]>();
  expectTypeOf(page.articlesCount).toEqualTypeOf<number>();
  expect(page.articles[0]).toBeInstanceOf(Article);
  expect([page.articles[0]?.title, page.articles[0]?.author?.username]).toEqual(['About a', 'ada']);
  const asked = server.asked.length;
  const one = await controller.fetchIfStale(ArticleResource.get, { slug: 'a' });
  expect([one.article.body, server.asked.length]).toEqual(['Text', asked + 1]);
});

test('[T3] responses to an action and to an update change inline rows in every list, and a deletion removes the rows', async () => {
  const { api, controller } = await world();
  const { ArticleResource } = api;
  await controller.fetch(ArticleResource.getList);
  await controller.fetch(ArticleResource.getFeed);
  await controller.fetch(ArticleResource.createFavorite, { slug: 'b' });
  await controller.fetch(ArticleResource.update, { slug: 'b' }, { article: { title: 'New' } });
  const inList = () => controller.getResponse(ArticleResource.getList).data?.articles;
  const inFeed = () => controller.getResponse(ArticleResource.getFeed).data?.articles;
  expect(inList()?.[1]).toMatchObject({ title: 'New' });
  expect(inFeed()?.[0]).toBe(inList()?.[1]);
  await controller.fetch(ArticleResource.delete, { slug: 'b' });
  expect([inList(), inFeed()].map((rows) => rows?.map(({ slug }) => slug))).toEqual([['a'], []]);
});

test('[T3] other inline rows with a key are a separate entity, and rows without a key are plain data with all fields', async () => {
  const { api, controller } = await world();
  const { drafts } = await controller.fetch(api.DraftResource.getList);
  expect(drafts[0]).toBeInstanceOf(api.Draft);
  expect([drafts[0]?.text, drafts[0]?.author?.username]).toEqual(['Draft', 'ada']);
  const [change] = await controller.fetch(api.getChanges);
  expectTypeOf(change!.kind).toEqualTypeOf<'added' | 'removed'>();
  expect([change?.kind, change?.by]).toEqual(['added', controller.get(api.Profile, 'ada')]);
});
