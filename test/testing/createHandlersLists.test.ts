// Lists of a server made from a resource: filters, order, and pages in every envelope.
import {
  Collection,
  Controller,
  createResource,
  Entity,
  parseLink,
  RestEndpoint,
  Union,
  Values,
} from 'signalbox';
import { createHandlers } from 'signalbox/testing/msw';
import type { HandlerOptions } from 'signalbox/testing/msw';
import { describe, expect, test } from 'vitest';
import { mock } from '../servers/mocked.ts';

class Post extends Entity {
  id = 0;
  title = '';
  userId = 0;
  tags: string[] = [];
  draft = false;
}

const urlPrefix = 'http://api.test';
const posts = createResource({ urlPrefix, path: '/posts/:id', schema: Post });
const row = (id: number, more: object = {}) => ({ id, title: `post ${id}`, userId: 1, ...more });
const rows = [row(1), row(2, { userId: 2, tags: ['a', 'b'] }), row(3, { tags: ['b'] })];
const ids = (list: readonly { id: number }[] | undefined) => list?.map(({ id }) => id);

describe('filters', () => {
  test.each([
    ['a field', { userId: 2 }, [2]],
    ['a field that has its default in all rows', { draft: false }, [1, 2, 3]],
    ['several fields', { userId: 1, title: 'post 3' }, [3]],
    ['any of several values', { id: [1, 2] }, [1, 2]],
    ['a list that holds the value', { tags: 'b' }, [2, 3]],
    ['a value that no row has', { userId: 9 }, []],
  ])('[T1] createHandlers filters by %s', async (_, params, expected) => {
    const { controller } = mock(createHandlers(posts, rows));
    expect(ids(await controller.fetch(posts.getList, params))).toEqual(expected);
  });

  test('[T1] createHandlers filters by the params in the path of a list', async () => {
    const ofUser = createResource({ urlPrefix, path: '/users/:userId/posts/:id', schema: Post });
    const { controller } = mock(createHandlers(ofUser, rows));
    expect(ids(await controller.fetch(ofUser.getList, { userId: 2 }))).toEqual([2]);
    expect(await controller.fetch(ofUser.get, { userId: 2, id: 2 })).toMatchObject({ id: 2 });
    const made = await controller.fetch(ofUser.create, { userId: 2 }, { title: 'mine' });
    expect(made).toMatchObject({ id: 4, userId: 2 });
    const strange = controller.fetch(ofUser.get, { userId: 1, id: 2 });
    await expect(strange).rejects.toMatchObject({ status: 404 });
  });

  test('[T1] createHandlers filters by the functions in `filters`, and orders by `sort`', async () => {
    const handlers = createHandlers(posts, rows, {
      filters: { text: ({ title }, value) => title.includes(value), _expand: () => true },
      sort: (one, other) => other.id - one.id,
    });
    const { controller } = mock(handlers);
    const found = await controller.fetch(posts.getList, { text: 'post 2', _expand: 'user' });
    expect(ids(found)).toEqual([2]);
    expect(ids(await controller.fetch(posts.getList, { sortBy: 'id' }))).toEqual([3, 2, 1]);
    expect(handlers.rows.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

const search: { userId?: number } = {};
const five = [1, 2, 3, 4, 5].map((id) => row(id));
const list = (schema: object, paginationField = 'cursor') =>
  new RestEndpoint({ urlPrefix, path: '/posts', schema, paginationField });

/** Fetches all pages in sequence. */
async function walk(
  getList: RestEndpoint,
  tokens: readonly unknown[],
  options: HandlerOptions = {},
) {
  const handlers = createHandlers({ get: posts.get, getList }, five, { pageSize: 2, ...options });
  const { controller } = mock(handlers);
  const answers = [await controller.fetch(getList)];
  const field = (getList as { paginationField?: string }).paginationField as string;
  for (const token of tokens)
    answers.push(await controller.fetch(getList.getPage, { [field]: token }));
  return { controller, answers, whole: controller.getResponse(getList).data as never };
}

describe('pages', () => {
  test.each([
    ['[E]', [Post]],
    ['Collection([E])', new Collection([Post])],
  ])('[T1] createHandlers serves %s in pages', async (_, schema) => {
    const { answers, whole } = await walk(list(schema), ['2', '4']);
    expect(ids(answers[0])).toEqual([1, 2]);
    expect(ids(whole)).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    ['a cursor', 'cursor', ['2', '4'], ['2', '4', '']],
    ['numbers of pages', 'page', ['2', '3'], ['2', '3', '']],
    ['rows to skip', 'skip', ['2', '4'], ['2', '4', '']],
  ])(
    '[T1] createHandlers fills nextPage and prevPage of an envelope, by %s',
    async (_, field, tokens, next) => {
      const schema = { results: new Collection([Post]), nextPage: '', prevPage: '' };
      const { answers, whole } = await walk(list(schema, field), tokens);
      expect(answers.map(({ nextPage }) => nextPage)).toEqual(next);
      expect(answers[0].prevPage).toBe('');
      expect(ids((whole as { results: Post[] }).results)).toEqual([1, 2, 3, 4, 5]);
    },
  );

  test('[T1] createHandlers fills the envelopes {data: [E]} and {data: E}', async () => {
    const wrapped = posts.extend({
      get: { schema: { data: Post } },
      getList: { schema: { data: new Collection([Post]) } },
      create: { schema: { data: posts.create.schema } },
      delete: { schema: { data: posts.delete.schema } },
    });
    const { controller } = mock(createHandlers(wrapped, five));
    expect(ids((await controller.fetch(wrapped.getList)).data)).toEqual([1, 2, 3, 4, 5]);
    expect((await controller.fetch(wrapped.get, { id: 3 })).data.id).toBe(3);
    expect((await controller.fetch(wrapped.create, { title: 'x' })).data).toMatchObject({ id: 6 });
    await controller.fetch(wrapped.delete, { id: 1 });
    expect(controller.get(Post, { id: 1 })).toBeUndefined();
  });

  test('[T1] createHandlers fills total, limit and skip of an envelope', async () => {
    const schema = { results: [Post], total: 0, limit: 0, skip: 0 };
    const { answers } = await walk(list(schema, 'skip'), [2]);
    expect(answers[0]).toMatchObject({ total: 5, limit: 2, skip: 0 });
    expect(answers[1]).toMatchObject({ total: 5, limit: 2, skip: 2 });
  });

  test('[T1] createHandlers fills flags and page numbers in nested members of an envelope', async () => {
    const schema = {
      items: [Post],
      meta: { hasMore: true, page: 0, total_pages: 0, next: 0, kind: 'posts' },
    };
    const { answers } = await walk(list(schema, 'page'), [3]);
    expect(answers[0].meta).toEqual({
      hasMore: true,
      page: 1,
      total_pages: 3,
      next: 2,
      kind: 'posts',
    });
    expect(answers[1].meta).toEqual({
      hasMore: false,
      page: 3,
      total_pages: 3,
      next: 0,
      kind: 'posts',
    });
  });

  test('[T1] createHandlers takes the page size from the request, and rejects an invalid page with 400', async () => {
    const { controller } = mock(createHandlers(posts, five));
    expect(ids(await controller.fetch(posts.getList, { limit: 3 }))).toEqual([1, 2, 3]);
    expect(ids(await controller.fetch(posts.getList, { limit: 3, offset: 3 }))).toEqual([4, 5]);
    expect(ids(await controller.fetch(posts.getList, { page: 2, per_page: 4 }))).toEqual([5]);
    const none = controller.fetch(posts.getList, { page: 'x' });
    await expect(none).rejects.toMatchObject({
      status: 400,
      body: { message: 'there is no page x' },
    });
  });

  test('[T1] createHandlers assigns rows to several lists by the functions in `lists`', async () => {
    const schema = { withinSevenDays: [Post], withinThirtyDays: [Post] };
    const { whole } = await walk(list(schema), [2, 4], {
      lists: { withinSevenDays: ({ id }) => (id as number) < 3, withinThirtyDays: () => true },
    });
    const { withinSevenDays, withinThirtyDays } = whole as Record<string, Post[]>;
    expect([ids(withinSevenDays), ids(withinThirtyDays)]).toEqual([
      [1, 2],
      [1, 2, 3, 4, 5],
    ]);
  });

  test('[T1] createHandlers sends the addresses of the next and the previous page in the Link header', async () => {
    const linked = new RestEndpoint({
      urlPrefix,
      path: '/posts',
      paginationField: 'page',
      searchParams: search,
      schema: { link: '', results: new Collection([Post]) },
      async fetch(...args) {
        const response = await this.fetchResponse(this.url(...args), await this.getRequestInit());
        return { link: response.headers.get('link'), results: await this.parseResponse(response) };
      },
    });
    const { controller, sent } = mock(createHandlers({ linked }, five, { pageSize: 2 }));
    const first = await controller.fetch(linked, { userId: 1 });
    const { next } = parseLink(first.link);
    expect(next).toBe('http://api.test/posts?userId=1&page=2');
    const page = new URL(next as string).searchParams.get('page') as string;
    const second = await controller.fetch(linked.getPage, { userId: 1, page });
    expect(ids(second.results)).toEqual([1, 2, 3, 4]);
    expect(parseLink(second.link)).toMatchObject({ prev: expect.stringContaining('page=1') });
    expect(sent).toEqual(['GET /posts?userId=1', 'GET /posts?page=2&userId=1']);
  });

  test('[T1] createHandlers serves a page param in the path', async () => {
    const getPosts = new RestEndpoint({
      urlPrefix,
      path: '/post?page=:page',
      schema: new Collection([Post]),
    });
    const { controller } = mock(createHandlers({ getPosts }, five, { pageSize: 2 }));
    expect(ids(await controller.fetch(getPosts, { page: 2 }))).toEqual([3, 4]);
    const paged = getPosts.paginated('page');
    await controller.fetch(paged, { page: 1 });
    expect(ids(await controller.fetch(paged, { page: 3 }))).toEqual([1, 2, 5]);
  });
});

class Stats extends Entity {
  product = '';
  volume = 0;
  override pk() {
    return this.product;
  }
}

test('[T1] createHandlers serves a map by primary key, and adds entries on assign', async () => {
  const stats = createResource({ urlPrefix, path: '/stats/:product', schema: Stats }).extend({
    getList: { schema: new Collection(new Values(Stats)) },
  });
  const handlers = createHandlers(stats, [{ product: 'btc', volume: 1 }]);
  const { controller } = mock(handlers);
  const map = await controller.fetch(stats.getList);
  expect(map['btc']?.volume).toBe(1);
  await controller.fetch(stats.getList.assign, { eth: { product: 'eth', volume: 2 } });
  expect(Object.keys(controller.getResponse(stats.getList).data ?? {})).toEqual(['btc', 'eth']);
  expect(handlers.rows[1]).toEqual({ product: 'eth', volume: 2 });
});

test('[T1] createHandlers serves rows of a Union', async () => {
  class Link extends Entity {
    id = 0;
    type = 'link';
    url = '';
  }
  class Text extends Entity {
    id = 0;
    type = 'text';
  }
  const feed = createResource({
    urlPrefix,
    path: '/feed/:id',
    schema: new Union({ link: Link, text: Text }, 'type'),
  });
  const handlers = createHandlers(feed, [{ id: 1, type: 'link' }]);
  const { controller } = mock(handlers);
  await new Controller().fetch(feed.create, { type: 'text' } as never);
  const [link, text] = await controller.fetch(feed.getList);
  expect([link, text].map((each) => each?.constructor)).toEqual([Link, Text]);
  expect(text?.id).toBe(2);
});
