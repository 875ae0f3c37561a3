/** Types of pages and envelopes. */
import { Collection, Controller, createResource, RestEndpoint } from 'signalbox';
import type { DataOf, ResourceGenerics, ResourceOptions, RestGenerics, Retry } from 'signalbox';
import { expectTypeOf, test } from 'vitest';
import { Post } from '../setup/samples.ts';

const controller = new Controller();

const Posts = createResource({
  path: '/users/:user/posts/:id',
  schema: Post,
  paginationField: 'cursor',
  searchParams: {} as { tag?: string } | undefined,
});

test('[M5] with paginationField, getPage takes the params of the list and the cursor', () => {
  void (() => controller.fetch(Posts.getList.getPage, { user: 1, cursor: 'x' }));
  void (() => controller.fetch(Posts.getList.getPage, { user: 1, cursor: 2, tag: 'x' }));
  // @ts-expect-error the cursor is missing
  void (() => controller.fetch(Posts.getList.getPage, { user: 1 }));
  // @ts-expect-error the user is missing
  void (() => controller.fetch(Posts.getList.getPage, { cursor: 1 }));
  // @ts-expect-error a tag is text
  void (() => controller.fetch(Posts.getList.getPage, { user: 1, cursor: 1, tag: 5 }));
  expectTypeOf<DataOf<typeof Posts.getList.getPage>>().toEqualTypeOf<
    DataOf<typeof Posts.getList>
  >();
});

test('[M5] without paginationField, getPage is undefined', () => {
  const plain = createResource({ path: '/posts/:id', schema: Post });
  expectTypeOf(plain.getList.getPage).toEqualTypeOf<undefined>();
  expectTypeOf(Posts.get.getPage).toEqualTypeOf<undefined>();
});

test('[M2] `paginated` takes the param of the given name, or the arguments of the given function', () => {
  const plain = createResource({
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { userId: number },
  });
  const page = plain.getList.paginated('page');
  void (() => page({ userId: 1, page: 2 }));
  // @ts-expect-error the page is missing
  void (() => page({ userId: 1 }));
  const same = plain.getList.paginated({ paginationField: 'page' });
  void (() => same({ userId: 1, page: 2 }));
  const by = plain.getList.paginated(({ at: _at, ...rest }: { at: Date; userId: number }) => [
    rest,
  ]);
  void (() => by({ userId: 1, at: new Date() }));
  // @ts-expect-error `at` is missing
  void (() => by({ userId: 1 }));
  expectTypeOf<DataOf<typeof by>>().toEqualTypeOf<DataOf<typeof plain.getList>>();
});

test('[M6] members of an envelope are typed, in getList and in getPage', () => {
  const results = new Collection([Post]);
  const list = Posts.getList.extend({ schema: { results, nextPage: '', total: 0 } });
  type Data = DataOf<typeof list>;
  expectTypeOf<Data['nextPage']>().toEqualTypeOf<string>();
  expectTypeOf<Data['total']>().toEqualTypeOf<number>();
  expectTypeOf<Data['results'][number]>().toEqualTypeOf<Post>();
  expectTypeOf<DataOf<typeof list.getPage>>().toEqualTypeOf<Data>();
  void (() => list.getPage({ user: 1, cursor: 'x' }));
  // @ts-expect-error the cursor is missing
  void (() => list.getPage({ user: 1 }));

  const two = Posts.getList.extend({ schema: { week: [Post], month: [Post] } });
  expectTypeOf<DataOf<typeof two>['month'][number]>().toEqualTypeOf<Post>();
  const one = Posts.get.extend({ schema: { data: Post } });
  expectTypeOf<DataOf<typeof one>>().toEqualTypeOf<{ data: Post }>();
});

test('[M6] getPage of a POST search takes the page in the body or in the params', () => {
  const open = new RestEndpoint({
    path: '/users/:user/search',
    method: 'POST',
    sideEffect: undefined,
    schema: [Post],
    paginationField: 'page',
  });
  void (() => open.getPage({ user: 1 }, { text: 'x', page: 2 }));
  void (() => open.getPage({ user: 1, page: 2 }, { text: 'x' }));
  const search = open.extend({ body: {} as { text: string; page?: number } });
  expectTypeOf<DataOf<typeof search.getPage>>().toEqualTypeOf<Post[]>();
  void (() => search({ user: 1 }, { text: 'x' }));
  void (() => search.getPage({ user: 1 }, { text: 'x', page: 2 }));
  // @ts-expect-error the page is missing
  void (() => search.getPage({ user: 1 }, { text: 'x' }));
  // @ts-expect-error the page is in the body
  void (() => search.getPage({ user: 1, page: 2 }, { text: 'x', page: 2 }));
  const typed = search.extend({ body: {} as { text: string } });
  void (() => typed.getPage({ user: 1, page: 2 }, { text: 'x' }));
  // @ts-expect-error the page is missing
  void (() => typed.getPage({ user: 1 }, { text: 'x' }));
});

test('[M6] a page param in the path is required by the list and by getPage', () => {
  const getPosts = new RestEndpoint({
    path: '/post?page=:page',
    schema: { posts: new Collection([Post]), nextPage: '' },
    paginationField: 'page',
  });
  void (() => getPosts({ page: 1 }));
  // @ts-expect-error the page is missing
  void (() => getPosts({}));
  void (() => getPosts.getPage({ page: 1 }));
  // @ts-expect-error the page is missing
  void (() => getPosts.getPage({}));
  expectTypeOf<DataOf<typeof getPosts.getPage>['posts'][number]>().toEqualTypeOf<Post>();
});

// any: an endpoint of which nothing is known
class Auth<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, authorization: 'x' };
  }
}

/** A wrapper whose lists come with a total. */
function counted<const O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions) {
  const base = createResource<O>({ Endpoint: Auth, ...options });
  const schema = { results: [options.schema] as [O['schema']], total: 0, limit: 0, skip: 0 };
  return { ...base, getList: base.getList.extend({ schema }) };
}

test('[M7] a wrapper around createResource that replaces getList keeps inference', () => {
  const posts = counted({ path: '/users/:user/posts/:id', schema: Post, paginationField: 'skip' });
  type Data = DataOf<typeof posts.getList>;
  expectTypeOf<Data['results'][number]>().toEqualTypeOf<Post>();
  expectTypeOf<Data['total']>().toEqualTypeOf<number>();
  expectTypeOf<DataOf<typeof posts.get>>().toEqualTypeOf<Post>();
  expectTypeOf(posts.getList.path).toEqualTypeOf<'/users/:user/posts'>();
  void (() => posts.getList({ user: 1 }));
  // @ts-expect-error the user is missing
  void (() => posts.getList({}));
  // @ts-expect-error the id is missing
  void (() => posts.get({ user: 1 }));
  void (() => posts.getList.getPage({ user: 1, skip: 2 }));
  // @ts-expect-error skip is missing
  void (() => posts.getList.getPage({ user: 1 }));
});

test('[M5] getList keeps getPage when the resource or the list is extended', () => {
  const more = Posts.extend('getList', { dataExpiryLength: 5 });
  void (() => more.getList.getPage({ user: 1, cursor: 1 }));
  const other = Posts.extend({ getList: { dataExpiryLength: 5 } });
  void (() => other.getList.getPage({ user: 1, cursor: 1 }));
  expectTypeOf(other.getList.path).toEqualTypeOf<'/users/:user/posts'>();
  const renamed = Posts.getList.extend({ paginationField: 'page' });
  void (() => renamed.getPage({ user: 1, page: 1 }));
  // @ts-expect-error the field is another now
  void (() => renamed.getPage({ user: 1, cursor: 1 }));
});

test('[E3] policies are typed options of `extend` and of the controller, and typed members of the endpoint', () => {
  const endpoint = Posts.create.extend({
    retry: 3,
    timeout: 5000,
    pollFrequency: 1000,
    extra: { audit: true },
    update: (answer: Post, _params, body) => ({
      'GET /posts': (present: Post[] = []) => [...present, answer, body],
    }),
  });
  expectTypeOf(endpoint.retry).toEqualTypeOf<Retry | undefined>();
  expectTypeOf(endpoint.timeout).toEqualTypeOf<number | undefined>();
  // @ts-expect-error a timeout is a number
  void (() => Posts.get.extend({ timeout: '5s' }));
  void (() => new Controller({ retry: false, timeout: 1, pollFrequency: 1 }));
});
