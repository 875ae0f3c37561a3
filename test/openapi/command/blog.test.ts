/** The output for records in records, a feed of several kinds, and odd names, against a server. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import type { Answer, Asked, Server } from '../../setup/server.ts';
import { load } from './command.ts';
import type * as blogModule from './generated/blog.ts';
import type * as feedModule from './generated/feed.ts';
import type * as nastyModule from './generated/nasty.ts';

type Answers = Readonly<Record<string, (asked: Asked) => Answer>>;

async function world<Api>(
  file: string,
  answers: Answers,
): Promise<{ api: Api; controller: Controller; server: Server }> {
  const server = await serve((asked) => answers[`${asked.method} ${asked.url}`]?.(asked));
  return { api: (await load(file, server.address)) as Api, controller: new Controller(), server };
}

const ada = { id: 7, name: 'Ada' };
const comment = { id: 5, text: 'Fine', author: ada, createdAt: '2026-01-01T00:00:00Z' };
const post = {
  id: 1,
  userId: 7,
  title: 'Notes',
  author: ada,
  comments: [comment],
  tags: { first: { slug: 'ts', label: 'TypeScript' } },
  meta: { words: 3, editor: ada },
};
const translation = { lang: 'en', slug: 'hello', text: 'Hello' };

const blog: Answers = {
  'GET /users/7': () => ({ body: { ...ada, name: 'Ada Lovelace', bestPost: post, friends: [] } }),
  'GET /users/7/posts': () => ({ body: [post] }),
  'GET /users/7/posts/1': () => ({ body: post }),
  'POST /users/7/posts': ({ text }) => ({
    body: { ...post, comments: [], id: 2, ...JSON.parse(text) },
  }),
  'PATCH /users/7/posts/1': () => ({ status: 204 }),
  'DELETE /users/7/posts/1': () => ({ status: 204 }),
  'GET /posts/1/comments': () => ({ body: [comment] }),
  'POST /posts/1/comments': ({ text }) => ({ body: { ...comment, id: 6, ...JSON.parse(text) } }),
  'GET /tags/ts': () => ({ body: { slug: 'ts', label: 'TS' } }),
  'GET /translations/en/hello': () => ({ body: translation }),
  'PUT /translations/en/hello': ({ text }) => ({ body: JSON.parse(text) as object }),
  'DELETE /translations/en/hello': () => ({ status: 204 }),
};

type Blog = typeof blogModule;

test('[T3] records nested in objects, lists, maps and other records are shared entities', async () => {
  const { api, controller } = await world<Blog>('blog.json', blog);
  const [one] = await controller.fetch(api.PostResource.getList, { userId: 7 });
  expect(one?.author).toBe(one?.comments[0]?.author);
  expect(one?.author).toBe(one?.meta?.editor);
  expectTypeOf(one!.tags).toEqualTypeOf<{ [key: string]: InstanceType<Blog['Tag']> }>();
  const user = await controller.fetch(api.UserResource.get, { userId: 7 });
  expect(user.bestPost?.author?.name).toBe('Ada Lovelace');
  await controller.fetch(api.TagResource.get, { slug: 'ts' });
  const again = controller.get(api.Post, { id: 1 });
  expect([again?.tags['first']?.label, again?.comments[0]?.createdAt]).toEqual([
    'TS',
    new Date(comment.createdAt),
  ]);
});

test('[T3] each parent in a path has its own list, and a created row joins the list of its parent', async () => {
  const { api, controller } = await world<Blog>('blog.json', blog);
  const { PostResource, CommentResource } = api;
  await controller.fetch(PostResource.getList, { userId: 7 });
  await controller.fetch(PostResource.create, { userId: 7 }, { userId: 7, title: 'More' });
  await controller.fetch(PostResource.delete, { userId: 7, postId: 1 });
  const titles = controller.getResponse(PostResource.getList, { userId: 7 }).data;
  expect(titles?.map(({ title }) => title)).toEqual(['More']);
  await controller.fetch(CommentResource.getList, { postId: 1 });
  await controller.fetch(CommentResource.create, { postId: 1 }, { text: 'Well' });
  const comments = controller.getResponse(CommentResource.getList, { postId: 1 }).data;
  expect(comments?.map(({ text }) => text)).toEqual(['Fine', 'Well']);
});

test('[T3] several params at the end of a path form a primary key of several fields', async () => {
  const { api, controller } = await world<Blog>('blog.json', blog);
  const { TranslationResource } = api;
  const params = { lang: 'en', slug: 'hello' };
  await controller.fetch(TranslationResource.get, params);
  await controller.fetch(TranslationResource.update, params, { ...params, text: 'Hi' });
  expect(controller.getResponse(TranslationResource.get, params).data?.text).toBe('Hi');
  await controller.fetch(TranslationResource.delete, params);
  expect(controller.get(api.Translation, params)).toBeUndefined();
});

type Feed = typeof feedModule;

const words = { id: 1, kind: 'post', text: 'Hello' };
const link = { id: 1, kind: 'link', href: 'https://example.com' };
const cat = { id: 1, type: 'Cat', lives: 9 };
const feed: Answers = {
  'GET /feed': () => ({ body: [{ ...words, related: link }, link] }),
  'GET /pins/1': () => ({ body: { id: 1, item: { ...words, text: 'New' }, history: [link] } }),
  'GET /animals': () => ({ body: [cat] }),
  'GET /animals/1': () => ({ body: { ...cat, lives: 8 } }),
  'POST /animals': ({ text }) => ({ body: { id: 2, ...JSON.parse(text) } }),
  'DELETE /animals/1': () => ({ status: 204 }),
  'GET /latest': () => ({ body: link }),
};

test('[T3] a discriminator selects the entity class in lists, in members and in types', async () => {
  const { api, controller } = await world<Feed>('feed.yaml', feed);
  const items = await controller.fetch(api.FeedItemResource.getList);
  expect(items.map((item) => item.constructor)).toEqual([api.Post, api.Link]);
  const [first] = items;
  expect(first?.kind === 'post' && first.related).toBe(items[1]);
  await controller.fetch(api.PinResource.get, { id: 1 });
  const texts = controller
    .getResponse(api.FeedItemResource.getList)
    .data?.map((item) => (item.kind === 'post' ? item.text : item.href));
  expect(texts).toEqual(['New', 'https://example.com']);
  const last = await controller.fetch(api.latest);
  expectTypeOf(last.kind).toEqualTypeOf<'post' | 'link'>();
  expect(last).toBeInstanceOf(api.Link);
});

test('[T3] a base schema with a discriminator is read as its subtypes', async () => {
  const { api, controller } = await world<Feed>('feed.yaml', feed);
  const { AnimalResource } = api;
  await controller.fetch(AnimalResource.getList);
  await controller.fetch(AnimalResource.get, { id: 1 });
  await controller.fetch(AnimalResource.create, { type: 'Dog', breed: 'Pug' });
  const animals = () => controller.getResponse(AnimalResource.getList).data;
  const telling = animals()?.map((each) => {
    if (each.type === 'Cat') return each.lives;
    return each.type === 'Dog' ? each.breed : each.name;
  });
  expect(telling).toEqual([8, 'Pug']);
  await controller.fetch(AnimalResource.delete, { id: 1 });
  expect(animals()?.map(({ type }) => type)).toEqual(['Dog']);
});

test('[T3] names that are invalid TypeScript identifiers are sent and read as the server spells them', async () => {
  const odd = { 'class-id': 'x', 'my "name"': 'quoted', constructor: 'c', pk: 4, '0': 1 };
  const { api, controller, server } = await world<typeof nastyModule>('nasty.json', {
    'GET /class': () => ({ body: [odd] }),
    'GET /class/x': () => ({ body: { ...odd, '0': 2 } }),
    'POST /class/x/import(now):1b2*': () => ({ status: 204 }),
  });
  const { ClassResource } = api;
  const [first] = await controller.fetch(ClassResource.getList);
  expect([first?.['my "name"'], first?.['class-id'], first?.[0]]).toEqual(['quoted', 'x', 1]);
  await controller.fetch(ClassResource.get, { 'class-id': 'x' });
  expect(controller.getResponse(ClassResource.getList).data?.[0]?.[0]).toBe(2);
  await controller.fetch(ClassResource.constructor2, { 'class-id': 'x', a: 1, c: 2 });
  expect(server.last.url).toBe('/class/x/import(now):1b2*');
});
