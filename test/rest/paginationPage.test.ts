/** A page: request, key, failure, and forms of declaration. */
import { Collection, createResource, RestEndpoint } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { ids, Post, post, setUp } from '../servers/blog.ts';

describe('a page', () => {
  test('[F1] each page has its own request, which concurrent callers share', async () => {
    const { posts, controller, server } = await setUp();
    await Promise.all([
      controller.fetch(posts.getList),
      controller.fetch(posts.getList.getPage, { cursor: 2 }),
      controller.fetch(posts.getList.getPage, { cursor: 2 }),
      controller.fetch(posts.getList.getPage, { cursor: 4 }),
    ]);
    expect(server.asked.map(({ url }) => url).sort()).toEqual([
      '/posts',
      '/posts?cursor=2',
      '/posts?cursor=4',
    ]);
  });

  test('[C2] a page stored before its list does not make the list fresh', async () => {
    const { posts, controller, server } = await setUp();
    await controller.fetch(posts.getList.getPage, { cursor: 2 });
    const list = await controller.fetchIfStale(posts.getList);
    expect(ids(list)).toEqual([1, 2, 3, 4]);
    expect(server.asked).toHaveLength(2);
  });

  test('[C7] a failed request of a page leaves the list unchanged', async () => {
    const { posts, controller } = await setUp();
    await controller.fetch(posts.getList);
    const broken = posts.getList.getPage.extend({ path: '/nowhere', urlPrefix: 'http://[::1]:1' });
    await expect(controller.fetch(broken, { cursor: 2 })).rejects.toMatchObject({ status: 500 });
    expect(controller.getError(posts.getList)).toBeUndefined();
    expect(ids(controller.getResponse(posts.getList).data)).toEqual([1, 2]);
  });

  test('[M2] a page written by setResponse counts as a fetched page', async () => {
    const { posts, controller } = await setUp();
    await controller.setResponse(posts.getList, {}, [post(1)]);
    await controller.setResponse(posts.getList.getPage, { cursor: 2 }, [post(2)]);
    expect(ids(controller.getResponse(posts.getList).data)).toEqual([1, 2]);
  });

  test('[N15] created rows join a list with pages, each once', async () => {
    const { posts, controller } = await setUp();
    await controller.fetch(posts.getList, { userId: 1 });
    await controller.fetch(posts.getList.getPage, { userId: 1, cursor: 2 });
    const create = posts.create.extend({ fetch: async () => post(5) });
    await controller.fetch(create, { userId: 1 }, {});
    await controller.fetch(posts.getList.getPage, { userId: 1, cursor: 4 });
    expect(ids(controller.getResponse(posts.getList, { userId: 1 }).data)).toEqual([1, 2, 3, 4, 5]);
  });

  test('[I1] keys of pages differ from the key of the list', async () => {
    const { posts } = await setUp();
    const { getPage } = posts.getList;
    const key = getPage.key({ cursor: 2 });
    expect(key).not.toBe(posts.getList.key({ cursor: 2 }));
    expect([getPage.testKey(key), posts.getList.testKey(key)]).toEqual([true, false]);
    expect(getPage.testKey(posts.getList.key())).toBe(false);
    expect(posts.getList.getPage).toBe(getPage);
    expect(() => posts.get.getPage as unknown).toThrow('R15');
  });
});

describe('paginated', () => {
  test('[M2] `paginated` takes the name of the page param, an object, or a function', async () => {
    const { server, controller } = await setUp();
    const posts = createResource({ path: '/posts/:id', schema: Post, urlPrefix: server.address });
    expect(() => posts.getList.getPage as unknown).toThrow('R15');
    await controller.fetch(posts.getList);
    await controller.fetch(posts.getList.paginated('cursor'), { cursor: 2 });
    expect(ids(controller.getResponse(posts.getList).data)).toEqual([1, 2, 3, 4]);
    const { getList } = posts;
    await controller.fetch(getList.paginated({ paginationField: 'page' }), { page: 4 });
    expect(ids(controller.getResponse(getList).data)).toEqual([1, 2, 3, 4, 5]);
    const by = getList.paginated(({ cursor: _cursor, ...rest }: { cursor: number }) => [rest]);
    server.posts.push(post(6), post(7));
    await controller.fetch(by, { cursor: 5 });
    expect(ids(controller.getResponse(getList).data)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('[M6] `paginated` of a path with the page param adds each page to the list', async () => {
    const { server, controller } = await setUp();
    const getPosts = new RestEndpoint({
      path: '/wrapped?page=:page',
      urlPrefix: server.address,
      schema: { results: new Collection([Post]), nextPage: '' },
    });
    const alone = await controller.fetch(getPosts, { page: 2 });
    expect(ids(alone.results)).toEqual([3, 4]);
    const pages = getPosts.paginated('page');
    await controller.fetch(pages, { page: 0 });
    const { results, nextPage } = await controller.fetch(pages, { page: 2 });
    expect(ids(results)).toEqual([1, 2, 3, 4]);
    expect(nextPage).toBe('4');
    expect(ids(controller.getResponse(pages, { page: 0 }).data?.results)).toEqual([1, 2, 3, 4]);
    expect(ids(controller.getResponse(getPosts, { page: 2 }).data?.results)).toEqual([3, 4]);
  });

  test('[M6] getPage keeps a param in the middle of the path, and sends the page as a search param', async () => {
    const { server } = await setUp();
    const list = new RestEndpoint({ path: '/users/:user/posts', urlPrefix: server.address });
    const page = list.extend({ paginationField: 'cursor', schema: [Post] }).getPage;
    expect(page.url({ user: 5, cursor: 'a b' })).toBe(`${server.address}/users/5/posts?cursor=a+b`);
    expect(page.listOf?.({ user: 5, cursor: 1 })?.args).toEqual([{ user: 5 }]);
  });
});
