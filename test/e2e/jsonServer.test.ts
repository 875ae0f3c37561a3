// The features of json-server beside plain rows: pages with Link and total, nested routes, rows in rows.
import { Collection, Controller, createResource, parseLink } from 'signalbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Article, Birthday, Comment, PaginatedPost, Profile } from '../servers/entities.ts';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';

const profiles = [
  { id: 1, name: 'Ada', bio: 'wrote\nthe first' },
  { id: 2, name: 'Olu', bio: '' },
];
const articles = [
  { id: 1, title: 'one', author: profiles[0], contributors: profiles },
  { id: 2, title: 'two', author: profiles[1], contributors: [] },
];
const posts = Array.from({ length: 7 }, (_, at) => ({
  id: at + 1,
  title: `post ${at + 1}`,
  userId: (at % 2) + 1,
}));
const comments = [
  { id: 1, postId: 1, name: 'Ada', body: 'one\ntwo' },
  { id: 2, postId: 2, name: 'Olu', body: '' },
];
const birthdays = [{ id: 1, name: 'Ada', date: '1815-12-10T00:00:00.000Z' }];

let server: JsonServer;
let controller: Controller;
beforeEach(async () => {
  server = await startJsonServer({ profiles, articles, posts, comments, birthdays });
  controller = new Controller();
});
afterEach(() => server?.close());

const stored = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json();

/** Rows by `_page` and `_limit`; the total and the next page are in headers. */
const pagesOfPosts = () => {
  const base = createResource({
    path: '/posts/:id',
    schema: PaginatedPost,
    urlPrefix: server.url,
    paginationField: '_page',
    searchParams: {} as { _limit: number; userId?: number },
  });
  const getList = base.getList.extend({
    schema: { link: '', total: 0, results: new Collection([PaginatedPost]) },
    async fetch(...args) {
      const init = await this.getRequestInit();
      const response = await this.fetchResponse(this.url(...args), init);
      const { headers } = response;
      const results: unknown = await this.parseResponse(response);
      return { link: headers.get('link'), total: Number(headers.get('x-total-count')), results };
    },
  });
  return { ...base, getList };
};

const nextPage = (link: string | undefined) => {
  const { next } = parseLink(link);
  return next === undefined ? undefined : new URL(next).searchParams.get('_page');
};

test('[M6] pages follow the Link header until there is no next page', async () => {
  const { getList } = pagesOfPosts();
  // without _page json-server sends no Link header
  const { total, link } = await controller.fetch(getList, { _limit: 3 });
  expect([total, link]).toEqual([7, null]);
  let page: string | null | undefined = '1';
  while (page) {
    const whole = await controller.fetch(getList.getPage, { _limit: 3, _page: page });
    page = nextPage(whole.link);
  }
  const shown = controller.getResponse(getList, { _limit: 3 }).data;
  expect(shown?.results).toEqual(posts);
  expect(Object.keys(parseLink(shown?.link)).sort()).toEqual(['first', 'last', 'prev']);
});

test('[M6] pages of two lists do not mix, and their rows are the same entities', async () => {
  const { getList, get } = pagesOfPosts();
  for (const userId of [1, 2]) {
    await controller.fetch(getList, { _limit: 2, userId });
    await controller.fetch(getList.getPage, { _limit: 2, userId, _page: 2 });
  }
  const of = (userId: number) => controller.getResponse(getList, { _limit: 2, userId }).data;
  expect(of(1)?.results.map(({ id }) => id)).toEqual([1, 3, 5, 7]);
  expect(of(2)?.results.map(({ id }) => id)).toEqual([2, 4, 6]);
  expect(await controller.fetchIfStale(get, { id: 7 })).toBe(of(1)?.results[3]);
});

test('[M4] a deleted row leaves a list of several pages, and a refetch of a page adds no row twice', async () => {
  const { getList, delete: remove } = pagesOfPosts();
  await controller.fetch(getList, { _limit: 3 });
  await controller.fetch(getList.getPage, { _limit: 3, _page: 2 });
  await controller.fetch(remove, { id: 5 });
  const shown = controller.getResponse(getList, { _limit: 3 }).data;
  expect(shown?.results.map(({ id }) => id)).toEqual([1, 2, 3, 4, 6]);
  // rows have moved up on the server: the page has the current rows, and none twice
  await controller.fetch(getList.getPage, { _limit: 3, _page: 2 });
  const again = controller.getResponse(getList, { _limit: 3 }).data;
  expect(again?.results.map(({ id }) => id)).toEqual([1, 2, 3, 4, 6, 7]);
});

test('[M2] comments are listed and created at the path of their post', async () => {
  const base = createResource({ path: '/comments/:id', schema: Comment, urlPrefix: server.url });
  const ofPost = base.extend({
    getList: { path: '/posts/:postId/comments', searchParams: undefined },
    create: { path: '/posts/:postId/comments', searchParams: undefined },
  });
  await controller.fetch(ofPost.getList, { postId: 1 });
  await controller.fetch(ofPost.getList, { postId: 2 });
  const body = 'first line\nsecond "line"\r\n\n\u2028end';
  const made = await controller.fetch(ofPost.create, { postId: 1 }, { name: 'Olu', body });
  const list = controller.getResponse(ofPost.getList, { postId: 1 }).data;
  expect(list?.map((comment) => comment.body)).toEqual(['one\ntwo', body]);
  expect(controller.getResponse(ofPost.getList, { postId: 2 }).data).toHaveLength(1);
  expect(await stored(`/comments/${made.id}`)).toMatchObject({ body });
  await controller.fetch(ofPost.delete, { id: made.id });
  expect(await stored('/comments')).toEqual(comments);
});

test('[N5] articles share the entities of authors and contributors', async () => {
  const resource = createResource({
    path: '/articles/:id',
    schema: Article,
    urlPrefix: server.url,
  });
  const profile = createResource({ path: '/profiles/:id', schema: Profile, urlPrefix: server.url });
  const [one, two] = await controller.fetch(resource.getList);
  expect(one?.author).toBeInstanceOf(Profile);
  expect(one?.contributors[1]).toBe(two?.author);
  await controller.fetch(profile.partialUpdate, { id: 2 }, { bio: 'new\nbio' });
  const [first, second] = controller.getResponse(resource.getList).data ?? [];
  expect(second?.author.bio).toBe('new\nbio');
  expect(first?.contributors[1]).toBe(second?.author);
  expect(first?.author).toBe(one?.author);
});

test('[N5] a birthday is a Date after a read and after an update', async () => {
  const resource = createResource({
    path: '/birthdays/:id',
    schema: Birthday,
    urlPrefix: server.url,
  });
  const ada = await controller.fetch(resource.get, { id: 1 });
  expect(ada.date.getUTCFullYear()).toBe(1815);
  const date = new Date('1815-12-11T00:00:00.000Z');
  const changed = await controller.fetch(resource.partialUpdate, { id: 1 }, { date });
  expect(changed.date).toEqual(date);
  expect(await stored('/birthdays/1')).toMatchObject({ date: date.toISOString() });
});
