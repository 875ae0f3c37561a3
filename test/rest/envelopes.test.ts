/** Envelopes around lists: each is read, is a list to which pages are added, and has a value for null arguments. */
import {
  Collection,
  Controller,
  createResource,
  Entity,
  parseLink,
  Query,
  RestEndpoint,
  schema,
} from 'signalbox';
import type { ResourceGenerics, ResourceOptions, RestGenerics } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { Post } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';

const post = (id: number) => ({ id, title: `post ${id}` });
const rows = (...ids: number[]) => ids.map(post);

const search: { userId?: number } = {};

interface Case {
  readonly schema: object;
  readonly first: object;
  readonly second: object;
  /** Both pages together, as read from the list. */
  readonly whole: object;
}

const cases: Record<string, Case> = {
  '{results: [E], nextPage, prevPage}': {
    schema: { results: [Post], nextPage: '', prevPage: '' },
    first: { results: rows(1, 2), nextPage: 'b' },
    second: { results: rows(2, 3), prevPage: 'a' },
    whole: { results: rows(1, 2, 3), nextPage: '', prevPage: 'a' },
  },
  '{results: Collection([E]), nextPage, prevPage}': {
    schema: { results: new Collection([Post]), nextPage: '', prevPage: '' },
    first: { results: rows(1, 2), nextPage: 'b', prevPage: null },
    second: { results: rows(2, 3), nextPage: '', prevPage: 'a' },
    whole: { results: rows(1, 2, 3), nextPage: '', prevPage: 'a' },
  },
  'schema.Object({results: Collection([E]), next})': {
    schema: new schema.Object({ results: new Collection([Post]), next: 0 }),
    first: { results: rows(1, 2), next: 2 },
    second: { results: rows(2, 3), next: 0 },
    whole: { results: rows(1, 2, 3), next: 0 },
  },
  '{page: schema.Object({items: {list: Collection([E])}})}': {
    schema: { page: new schema.Object({ items: { list: new Collection([Post]) } }) },
    first: { page: { items: { list: rows(1) } } },
    second: { page: { items: { list: rows(2) } } },
    whole: { page: { items: { list: rows(1, 2) } } },
  },
  '{data: [E]}': {
    schema: { data: [Post] },
    first: { data: rows(1) },
    second: { data: rows(2) },
    whole: { data: rows(1, 2) },
  },
  '{results: [E], total, limit, skip}': {
    schema: { results: [Post], total: 0, limit: 0, skip: 0 },
    first: { results: rows(1, 2), total: 3, limit: 2, skip: 0 },
    second: { results: rows(3), total: 3, limit: 2, skip: 2 },
    whole: { results: rows(1, 2, 3), total: 3, limit: 2, skip: 2 },
  },
  '{withinSevenDays: [E], withinThirtyDays: [E]}': {
    schema: { withinSevenDays: [Post], withinThirtyDays: [Post] },
    first: { withinSevenDays: rows(1), withinThirtyDays: rows(1, 2) },
    second: { withinSevenDays: [], withinThirtyDays: rows(3) },
    whole: { withinSevenDays: rows(1), withinThirtyDays: rows(1, 2, 3) },
  },
  'rows inside of rows: {page: {items: [E]}, more: true}': {
    schema: { page: { items: [Post] }, more: true },
    first: { page: { items: rows(1), at: 0 }, more: true },
    second: { page: { items: rows(2), at: 1 }, more: false },
    whole: { page: { items: rows(1, 2), at: 1 }, more: false },
  },
  '[E]': { schema: [Post], first: rows(1), second: rows(1, 2), whole: rows(1, 2) },
};

async function setUp({ schema: whole, first, second }: Case) {
  const { address, asked } = await serve(({ url }) => ({
    body: url.includes('cursor') ? second : first,
  }));
  const list = new RestEndpoint({
    path: '/posts',
    urlPrefix: address,
    searchParams: search,
    paginationField: 'cursor',
    schema: whole,
  });
  return { list, asked, controller: new Controller() };
}

describe.each(Object.entries(cases))('%s', (_, each) => {
  test('[M6] an envelope is read, and absent members have the values of the schema', async () => {
    const { list, controller } = await setUp(each);
    const answer = await controller.fetch(list);
    const blank: unknown = controller.signal(list, null).value;
    expect(answer).toEqual(
      Array.isArray(answer) ? each.first : { ...(blank as object), ...each.first },
    );
  });

  test('[M6] a page adds its rows to the list in the envelope, and replaces the other members', async () => {
    const { list, controller, asked } = await setUp(each);
    await controller.fetch(list, { userId: 1 });
    await controller.fetch(list.getPage, { userId: 1, cursor: 'b' });
    expect(controller.getResponse(list, { userId: 1 }).data).toMatchObject(each.whole);
    expect(asked.map(({ url }) => url)).toEqual(['/posts?userId=1', '/posts?cursor=b&userId=1']);
  });

  test('[M6] a page that is fetched again keeps the reference of the envelope', async () => {
    const { list, controller } = await setUp(each);
    await controller.fetch(list);
    await controller.fetch(list.getPage, { cursor: 'b' });
    const before: unknown = controller.getResponse(list).data;
    await controller.fetch(list.getPage, { cursor: 'b' });
    expect(controller.getResponse(list).data).toBe(before);
  });
});

test('[M2] push adds a row to a list in schema.Object, and finds a list in schema.Array', async () => {
  const answers = [{ results: rows(1), next: 2 }, post(2)];
  const { address } = await serve(() => ({ body: answers.shift() }));
  const results = new Collection([Post]);
  const list = new RestEndpoint({
    path: '/posts',
    urlPrefix: address,
    schema: new schema.Object({ results, next: 0 }),
  });
  const controller = new Controller();
  await controller.fetch(list);
  await controller.fetch(list.push, { title: 'post 2' });
  expect(controller.getResponse(list).data).toEqual({ results: rows(1, 2), next: 2 });
  const lists = list.extend({ schema: new schema.Array(results) });
  expect(lists.push.schema).toMatchObject({ collection: results, op: 'end' });
});

test('[M2] push adds a row to a list in a Query, and the result follows the Query', async () => {
  const answers = [rows(2, 1), post(3)];
  const { address } = await serve(() => ({ body: answers.shift() }));
  const newest = new Query(new Collection([Post]), (posts) => [...posts].reverse());
  const list = new RestEndpoint({ path: '/posts', urlPrefix: address, schema: newest });
  const controller = new Controller();
  await controller.fetch(list);
  await controller.fetch(list.push, { title: 'post 3' });
  expect(controller.getResponse(list).data).toEqual(rows(3, 1, 2));
});

test('[M6] an entity in {data: E} is stored, and fresh for its other endpoints', async () => {
  const { address, asked } = await serve({ body: { data: post(1) } });
  const posts = createResource({ path: '/posts/:id', schema: Post, urlPrefix: address });
  const wrapped = {
    get: posts.get.extend({ path: '/wrapped/:id', schema: { data: Post } }),
    update: posts.update.extend({ schema: { data: Post } }),
  };
  const controller = new Controller();
  const { data } = await controller.fetch(wrapped.get, { id: 1 });
  expect(data).toBe(controller.get(Post, { id: 1 }));
  await controller.fetchIfStale(posts.get, { id: 1 });
  await controller.fetchIfStale(wrapped.get, { id: 1 });
  expect(asked).toHaveLength(1);
  const updated = await controller.fetch(wrapped.update, { id: 1 }, { title: 'x' });
  expect(updated.data).toBe(data);
});

/** A wrapper like those of applications: rows come with a total. */
function counted<const O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions) {
  const base = createResource<O>(options);
  const rowsOf: [O['schema']] = [options.schema];
  const envelope = { results: rowsOf, total: 0, limit: 0, skip: 0 };
  return { ...base, getList: base.getList.extend({ schema: envelope }) };
}

test('[M7] a resource that is spread with another getList keeps the other endpoints and the pages', async () => {
  const { address } = await serve({ body: { results: rows(1), total: 9, limit: 1, skip: 0 } });
  const posts = counted({
    path: '/posts/:id',
    schema: Post,
    urlPrefix: address,
    paginationField: 'skip',
  });
  const controller = new Controller();
  const list = await controller.fetch(posts.getList);
  expect([list.total, list.results[0]?.title]).toEqual([9, 'post 1']);
  await controller.fetch(posts.getList.getPage, { skip: 1 });
  expect(await controller.fetchIfStale(posts.get, { id: 1 })).toBe(list.results[0]);
});

/** An endpoint class like those of applications. */
class AuthEndpoint<
  // any: an endpoint of which nothing is known
  O extends RestGenerics = any,
> extends RestEndpoint<O> {
  static token = '';
  override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
    return { ...headers, authorization: `Bearer ${AuthEndpoint.token}` };
  }
}

test('[M7] an Endpoint class with login headers applies to each endpoint of a wrapped resource, also to pages', async () => {
  const { address, asked } = await serve({ body: { results: rows(1), id: 1 } });
  const posts = counted({
    path: '/posts/:id',
    schema: Post,
    urlPrefix: address,
    paginationField: 'skip',
    Endpoint: AuthEndpoint,
  });
  const controller = new Controller();
  AuthEndpoint.token = 'a';
  await controller.fetch(posts.getList);
  AuthEndpoint.token = 'b';
  await controller.fetch(posts.getList.getPage, { skip: 1 });
  await controller.fetch(posts.partialUpdate, { id: 1 }, { title: 'x' });
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer a',
    'Bearer b',
    'Bearer b',
  ]);
  expect(asked[2]?.headers['content-type']).toBe('application/json');
});

describe('a token in the link header', () => {
  const linked = (urlPrefix: string) =>
    new RestEndpoint({
      path: '/posts',
      urlPrefix,
      searchParams: search,
      paginationField: 'page',
      schema: { link: '', results: new Collection([Post]) },
      async fetch(...args) {
        const response = await this.fetchResponse(this.url(...args), await this.getRequestInit());
        return { link: response.headers.get('link'), results: await this.parseResponse(response) };
      },
    });
  const next = '<http://h/posts?page=2>; rel="next"';

  test('[M6] a custom fetch can return the Link header, and a page replaces it', async () => {
    const { address } = await serve(({ url }) =>
      url.includes('page=2')
        ? { headers: { link: '<http://h/posts?page=1>; rel="prev"' }, body: rows(2) }
        : { headers: { link: next }, body: rows(1) },
    );
    const list = linked(address);
    const controller = new Controller();
    const { link } = await controller.fetch(list);
    expect(link).toBe(next);
    const page = new URL(parseLink(link)['next'] as string).searchParams.get('page');
    await controller.fetch(list.getPage, { page });
    const whole = controller.getResponse(list).data;
    expect(whole?.results).toEqual(rows(1, 2));
    expect(parseLink(whole?.link)).not.toHaveProperty('next');
  });

  test('[M6] a custom fetch returns null for an absent Link header', async () => {
    const { address } = await serve({ body: rows(1) });
    const answer = await new Controller().fetch(linked(address));
    expect(answer).toEqual({ link: null, results: rows(1) });
  });

  test('[M6] a custom fetch of a body that is not JSON rejects with status 400, also with response.json()', async () => {
    const { address } = await serve({
      headers: { 'content-type': 'application/json', link: next },
      body: '<html>',
    });
    const list = linked(address);
    const controller = new Controller({ retry: 0 });
    await expect(controller.fetch(list)).rejects.toMatchObject({ status: 400, code: 'R6' });
    const byHand = list.extend({
      path: '/others',
      async fetch(...args) {
        const response = await this.fetchResponse(this.url(...args));
        const results: unknown = await response.json().catch((error: Error) => {
          throw Object.assign(error, { status: 400 });
        });
        return { link: response.headers.get('link'), results };
      },
    });
    await expect(controller.fetch(byHand)).rejects.toMatchObject({ status: 400 });
    expect(controller.getError(byHand)).toMatchObject({ status: 400, name: 'SyntaxError' });
  });
});

describe('custom endpoints', () => {
  test('[M7] a GET at a custom url with two lists shares its rows with other endpoints', async () => {
    const { address, asked } = await serve({
      body: { withinSevenDays: rows(1), withinThirtyDays: rows(1, 2) },
    });
    const posts = createResource({ path: '/posts/:id', schema: Post, urlPrefix: address }).extend(
      'getRecent',
      {
        path: '/posts/recent',
        searchParams: undefined,
        schema: { withinSevenDays: [Post], withinThirtyDays: [Post] },
        url: () => `${address}/custom/recent?fresh`,
      },
    );
    const controller = new Controller();
    const recent = await controller.fetch(posts.getRecent);
    expect(asked[0]?.url).toBe('/custom/recent?fresh');
    expect(recent.withinSevenDays[0]).toBe(recent.withinThirtyDays[0]);
    expect(await controller.fetchIfStale(posts.get, { id: 2 })).toBe(recent.withinThirtyDays[1]);
    expect(controller.getResponse(posts.getRecent).data).toBe(recent);
  });

  test('[M7] a POST to users/<id>/make_manager is sent without a body, and changes the stored user', async () => {
    class User extends Entity {
      id = 0;
      isManager = false;
    }
    const { address, asked } = await serve({ body: { id: 7, isManager: true } });
    const users = createResource({ path: '/users/:id', schema: User, urlPrefix: address }).extend({
      makeManager: { path: '/users/:id/make_manager', method: 'POST', body: undefined },
      current: { path: '/current_user/' },
    });
    const controller = new Controller();
    await controller.set(User, { id: 7 }, { isManager: false });
    const manager = await controller.fetch(users.makeManager, { id: 7 });
    expect(manager).toBe(controller.get(User, { id: 7 }));
    expect(manager.isManager).toBe(true);
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/users/7/make_manager', text: '' });
    expect(asked[0]?.headers).not.toHaveProperty('content-type');
    expect(await controller.fetch(users.current)).toBe(manager);
    expect(asked[1]).toMatchObject({ method: 'GET', url: '/current_user/' });
  });
});
