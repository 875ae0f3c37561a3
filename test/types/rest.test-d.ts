/** Types of RestEndpoint: calls that compile, and calls that do not. */
import { Collection, Endpoint, RestEndpoint, createResource } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expectTypeOf, test } from 'vitest';
import type { ListPath, PathArgs, PathValue, ShortenPath, WildValue } from '../../src/rest/path.ts';
import { User } from '../setup/samples.ts';

type Maybe = PathValue | null | undefined;

test('[E5] the params of an endpoint are inferred from its path', () => {
  expectTypeOf<PathArgs<'/users/:id'>>().toEqualTypeOf<{ id: PathValue }>();
  type None = PathArgs<'/users'>;
  expectTypeOf<keyof None>().toEqualTypeOf<never>();
  expectTypeOf<PathArgs<'/a/:x/:y_2?'>>().toEqualTypeOf<{ x: PathValue; y_2?: Maybe }>();
  expectTypeOf<PathArgs<'/a/:x(\\d+)/b'>>().toEqualTypeOf<{ x: PathValue }>();
  expectTypeOf<PathArgs<'/a/:x(\\d+)?'>>().toEqualTypeOf<{ x?: Maybe }>();
  expectTypeOf<PathArgs<'/a{/:x}?/:y'>>().toEqualTypeOf<{ y: PathValue; x?: Maybe }>();
  expectTypeOf<PathArgs<'/a{/:x}'>>().toEqualTypeOf<{ x?: Maybe }>();
  expectTypeOf<PathArgs<'/f/*rest'>>().toEqualTypeOf<{ rest: WildValue }>();
  expectTypeOf<PathArgs<'/p?page=:page'>>().toEqualTypeOf<{ page: PathValue }>();
  expectTypeOf<PathArgs<'/p\\?page=:page'>>().toEqualTypeOf<{ page: PathValue }>();
  expectTypeOf<PathArgs<'/p/:id?page=:page'>>().toEqualTypeOf<{ id: PathValue; page: PathValue }>();
  expectTypeOf<PathArgs<'/p/\\:id/:x'>>().toEqualTypeOf<{ x: PathValue }>();
  expectTypeOf<PathArgs<'http://host:8080/users/:id'>>().toEqualTypeOf<{ id: PathValue }>();
  expectTypeOf<PathArgs<'/i/:"with-dash"/:x'>>().toEqualTypeOf<{
    'with-dash': PathValue;
    x: PathValue;
  }>();
  expectTypeOf<PathArgs<'/i/:"a:b"?'>>().toEqualTypeOf<{ 'a:b'?: Maybe }>();
  expectTypeOf<PathArgs<'/f/*"the rest"'>>().toEqualTypeOf<{ 'the rest': WildValue }>();
});

test('[M3] the type ShortenPath equals the result of shortenPath', () => {
  expectTypeOf<ShortenPath<'/users/:id'>>().toEqualTypeOf<'/users'>();
  expectTypeOf<ShortenPath<'/a/:x/:y'>>().toEqualTypeOf<'/a/:x'>();
  expectTypeOf<ShortenPath<'/:id'>>().toEqualTypeOf<'/'>();
  expectTypeOf<ShortenPath<'/users/:id/details'>>().toEqualTypeOf<'/users'>();
  expectTypeOf<ShortenPath<'http://host:80/users/:id'>>().toEqualTypeOf<'http://host:80/users'>();
  expectTypeOf<ShortenPath<'/users{/:id}?'>>().toEqualTypeOf<'/users'>();
  expectTypeOf<ShortenPath<'/a{/:x/:y}?'>>().toEqualTypeOf<'/a{/:x}'>();
  expectTypeOf<ShortenPath<'/a\\:b/:id'>>().toEqualTypeOf<'/a\\:b'>();
  expectTypeOf<ShortenPath<'/repos/:owner/*path'>>().toEqualTypeOf<'/repos/:owner'>();
  expectTypeOf<ShortenPath<'/files/*path/:id'>>().toEqualTypeOf<'/files/*path'>();
  expectTypeOf<ShortenPath<'/a\\*b/*rest'>>().toEqualTypeOf<'/a\\*b'>();
  expectTypeOf<ShortenPath<'/a/:x(\\d*:y)/:z'>>().toEqualTypeOf<'/a/:x(\\d*:y)'>();
  expectTypeOf<ShortenPath<'/i/:"a:b"/:"c-d"'>>().toEqualTypeOf<'/i/:"a:b"'>();
  expectTypeOf<ShortenPath<string>>().toEqualTypeOf<string>();
});

test('[M8] ListPath keeps the suffix of the path of the rows', () => {
  expectTypeOf<ListPath<'/todos/:id/'>>().toEqualTypeOf<'/todos/'>();
  expectTypeOf<ListPath<'/todos/:id.json'>>().toEqualTypeOf<'/todos.json'>();
  expectTypeOf<ListPath<'/a/:x/todos/:id/'>>().toEqualTypeOf<'/a/:x/todos/'>();
  expectTypeOf<ListPath<'/todos/:id'>>().toEqualTypeOf<'/todos'>();
  expectTypeOf<ListPath<'/todos/:id/details'>>().toEqualTypeOf<'/todos'>();
  expectTypeOf<ListPath<'/:id'>>().toEqualTypeOf<''>();
  expectTypeOf<ListPath<string>>().toEqualTypeOf<string>();
});

test('[E5] wrong params of a read do not compile', () => {
  const user = new RestEndpoint({ path: '/users/:id', schema: User });
  void (() => user({ id: 5 }));
  void (() => user({ id: '5' }));
  // @ts-expect-error id is missing
  void (() => user({}));
  // @ts-expect-error id is missing
  void (() => user());
  // @ts-expect-error userId is not a param
  void (() => user({ id: 5, userId: 1 }));
  // @ts-expect-error true is no path value
  void (() => user({ id: true }));
  // @ts-expect-error a read has no body
  void (() => user({ id: 1 }, {}));
  // @ts-expect-error the key takes the same params
  void (() => user.key({ no: 1 }));
  expectTypeOf(user.schema).toEqualTypeOf<typeof User>();
  expectTypeOf(user.sideEffect).toEqualTypeOf<undefined>();
  expectTypeOf(user.method).toEqualTypeOf<'GET'>();
});

test('[E5] search params have the declared type', () => {
  const none = new RestEndpoint({ path: '/users' });
  void (() => none());
  // @ts-expect-error nothing was declared
  void (() => none({ page: 1 }));
  const required = new RestEndpoint({ path: '/users', searchParams: {} as { page: number } });
  void (() => required({ page: 1 }));
  // @ts-expect-error page is required
  void (() => required());
  const optional = new RestEndpoint({
    path: '/:group/users',
    searchParams: {} as { page: number } | undefined,
  });
  void (() => optional({ group: 1 }));
  void (() => optional({ group: 1, page: 1 }));
  // @ts-expect-error page is a number
  void (() => optional({ group: 1, page: 'x' }));
  const all = new RestEndpoint({ path: '/users', searchParams: {} as { page?: number } });
  void (() => all());
  void (() => all({ page: 2 }));
  const nothing = new RestEndpoint({ path: '/users', searchParams: undefined });
  expectTypeOf(nothing).parameters.toEqualTypeOf<[]>();
});

test('[E5] search params of a union type are a single argument', () => {
  const searchParams = {} as { sort: 'name' | 'age'; down: boolean } | { page: number };
  const users = new RestEndpoint({ path: '/users', searchParams });
  expectTypeOf(users).parameters.toEqualTypeOf<[params: typeof searchParams]>();
  void (() => users({ sort: 'name', down: true }));
  void (() => users({ page: 1 }));
  // @ts-expect-error down is missing
  void (() => users({ sort: 'name' }));
  // @ts-expect-error one of both forms is required
  void (() => users());
  const nested = users.extend({ path: '/groups/:group/users' });
  void (() => nested({ group: 1, page: 1 }));
  const optional = users.extend({ searchParams: {} as { sort?: string } | { page: number } });
  void (() => optional());
});

test('[E5] without params, the body is the first argument, or the second after {}', () => {
  const login = new RestEndpoint({ path: '/login', method: 'POST', body: {} as { name: string } });
  expectTypeOf(login).toBeCallableWith({ name: 'x' });
  void (() => login({}, { name: 'x' }));
  // @ts-expect-error no such param
  void (() => login({ page: 1 }, { name: 'x' }));
  const body = {} as { name: string } | undefined;
  const logout = new RestEndpoint({ path: '/logout', method: 'POST', body });
  void (() => logout());
  // @ts-expect-error no such param
  void (() => logout({ page: 1 }, { name: 'x' }));
});

test('[E5] a body has the declared type', () => {
  const create = new RestEndpoint({ path: '/users', method: 'POST', body: {} as { name: string } });
  void (() => create({ name: 'x' }));
  // @ts-expect-error name is missing
  void (() => create({}));
  // @ts-expect-error name is a string
  void (() => create({ name: 1 }));
  expectTypeOf(create.sideEffect).toEqualTypeOf<true>();
  const update = new RestEndpoint({ path: '/users/:id', method: 'PUT' });
  void (() => update({ id: 1 }, { anything: 1 }));
  void (() => update({ id: 1 }, new User()));
  void (() => update({ id: 1 }, new FormData()));
  // @ts-expect-error the body is missing
  void (() => update({ id: 1 }));
  const promote = new RestEndpoint({ path: '/users/:id/promote', method: 'POST', body: undefined });
  void (() => promote({ id: 1 }));
  // @ts-expect-error there is no body
  void (() => promote({ id: 1 }, {}));
  const remove = new RestEndpoint({ path: '/users/:id', method: 'DELETE' });
  void (() => remove({ id: 1 }));
  const raw = new RestEndpoint({ path: '/raw', method: 'POST', body: '' as string });
  void (() => raw('text'));
});

test('[E5] the parameters of process, key or url do not change the type of the body', () => {
  const drop = new RestEndpoint({
    path: '/users',
    method: 'DELETE',
    searchParams: {} as { ids: number[] },
    process: (_: unknown, { ids }: { ids: number[] }) => ids,
  });
  expectTypeOf<Parameters<typeof drop>>().toEqualTypeOf<[params: { ids: number[] }]>();
  const vote = new RestEndpoint({
    path: '/users/:id',
    method: 'POST',
    key: ({ id }: { id: PathValue }) => `vote ${id}`,
  });
  void (() => vote({ id: 1 }, { up: true }));
  const other = vote.extend({ path: '/votes/:id', url: ({ id }: { id: PathValue }) => `/${id}` });
  void (() => other({ id: 1 }, { up: true }));
  const Users = createResource({ path: '/users/:id', schema: User }).extend('rate', {
    path: '/users/:id/rate',
    method: 'PUT',
    url: ({ id }: { id: PathValue }) => `/${id}`,
  });
  void (() => Users.rate({ id: 1 }, { stars: 5 }));
});

test('[E5] sideEffect: true without a method is a POST', () => {
  const create = new RestEndpoint({ path: '/users', sideEffect: true, schema: User });
  expectTypeOf(create.method).toEqualTypeOf<'POST'>();
  expectTypeOf(create.sideEffect).toEqualTypeOf<true>();
  void (() => create({ name: 'x' }));
  // @ts-expect-error the body is missing
  void (() => create());
  const ping = new RestEndpoint({ path: '/ping', method: 'GET', sideEffect: true });
  expectTypeOf(ping.method).toEqualTypeOf<'GET'>();
  void (() => ping());
  const read = new RestEndpoint({ path: '/users', sideEffect: false });
  expectTypeOf(read.method).toEqualTypeOf<'GET'>();
  const none = new RestEndpoint({ path: '/users', sideEffect: undefined });
  expectTypeOf(none.method).toEqualTypeOf<'GET'>();
  const extended = none.extend({ sideEffect: true });
  expectTypeOf(extended.method).toEqualTypeOf<'POST'>();
  void (() => extended({ name: 'x' }));
  const put = none.extend({ method: 'PUT' }).extend({ sideEffect: true });
  expectTypeOf(put.method).toEqualTypeOf<'PUT'>();
  const users = createResource({ path: '/users/:id', schema: User });
  const { promote } = users.extend('promote', { path: '/users/:id/promote', sideEffect: true });
  expectTypeOf(promote.method).toEqualTypeOf<'POST'>();
  const { demote } = users.extend({ demote: { path: '/users/:id/demote', sideEffect: true } });
  expectTypeOf(demote.method).toEqualTypeOf<'POST'>();
  class Own<O extends RestGenerics> extends RestEndpoint<O> {}
  const own = new Own({ path: '/users' as const, sideEffect: true as const });
  expectTypeOf(own.method).toEqualTypeOf<'POST'>();
});

test('[M3] the list of /:id has the empty path', () => {
  const todos = createResource({ path: '/:id', urlPrefix: 'https://x.test/todos', schema: User });
  expectTypeOf(todos.getList.path).toEqualTypeOf<''>();
  void (() => todos.getList());
  void (() => todos.get({ id: 1 }));
});

test('[E5] the result of an endpoint is the return type of `process`', () => {
  const user = new RestEndpoint({
    path: '/users/:id',
    schema: User,
    process(value, params) {
      expectTypeOf(params.id).toEqualTypeOf<PathValue>();
      return { id: params.id, raw: value as string, path: this.path };
    },
  });
  expectTypeOf(user).returns.resolves.toEqualTypeOf<{
    id: PathValue;
    raw: string;
    path: '/users/:id';
  }>();
  expectTypeOf(user.schema).toEqualTypeOf<typeof User>();
  const plain = new RestEndpoint({ path: '/users/:id' });
  expectTypeOf(plain).returns.resolves.toBeAny();
});

test('[E5] `extend` changes the given options and keeps the others', () => {
  const user = new RestEndpoint({ path: '/users/:id', schema: User, process: () => 5 });
  const posts = user.extend({ path: '/users/:id/posts/:post' });
  void (() => posts({ id: 1, post: 2 }));
  // @ts-expect-error post is missing
  void (() => posts({ id: 1 }));
  expectTypeOf(posts.schema).toEqualTypeOf<typeof User>();
  expectTypeOf(posts).returns.resolves.toEqualTypeOf<number>();
  const update = user.extend({
    method: 'PATCH',
    body: {} as { name: string },
    getOptimisticResponse(_snapshot, { id }, { name }) {
      expectTypeOf(id).toEqualTypeOf<PathValue>();
      return { id, name };
    },
  });
  expectTypeOf(update.sideEffect).toEqualTypeOf<true>();
  void (() => update({ id: 1 }, { name: 'x' }));
  // @ts-expect-error name is missing
  void (() => update({ id: 1 }, {}));
  const list = user.extend({ path: '/users', schema: [User], process: (value) => value as User[] });
  void (() => list());
  expectTypeOf(list).returns.resolves.toEqualTypeOf<User[]>();
});

test('[E5] a subclass of RestEndpoint keeps inference', () => {
  class Mine<O extends RestGenerics = any> extends RestEndpoint<O> {
    override urlPrefix = 'http://host';
    override async getHeaders(headers: HeadersInit) {
      return { ...headers, mine: 'yes' };
    }
    override getRequestInit(body?: unknown) {
      return { ...super.getRequestInit(body), credentials: 'same-origin' as const };
    }
  }
  const user = new Mine({ path: '/users/:id', schema: User });
  void (() => user({ id: 1 }));
  // @ts-expect-error id is missing
  void (() => user({}));
  expectTypeOf(user.schema).toEqualTypeOf<typeof User>();
  void (() => user.extend({ path: '/x/:y' })({ y: 1 }));
  // any: an endpoint of unknown options
  const loose = new RestEndpoint<any>({ path: '/x' });
  void (() => loose(1, 2, 3));
  const given = new RestEndpoint({ path: '/x' as string });
  void (() => given());
  void (() => given({ what: 1 }));
});

test('[M2] `push` takes the params and the body of a row, and is a mutation', () => {
  const users = new RestEndpoint({
    path: '/:group/users',
    schema: { results: new Collection([User]), next: '' },
    body: {} as { name: string },
  });
  void (() => users({ group: 1 }));
  void (() => users.push({ group: 1 }, { name: 'x' }));
  // @ts-expect-error group is missing
  void (() => users.push({ name: 'x' }));
  expectTypeOf(users.push.sideEffect).toEqualTypeOf<true>();
  const search = users.extend({ method: 'POST', sideEffect: undefined });
  expectTypeOf(search.sideEffect).toEqualTypeOf<undefined>();
  expectTypeOf(search.push.sideEffect).toEqualTypeOf<true>();
  expectTypeOf(search.extend({ dataExpiryLength: 1 }).sideEffect).toEqualTypeOf<undefined>();
  expectTypeOf(search.extend({ method: 'PUT' }).sideEffect).toEqualTypeOf<true>();
  const always = users.extend({ sideEffect: true }).extend({ method: 'QUERY' });
  expectTypeOf(always.sideEffect).toEqualTypeOf<undefined>();
  expectTypeOf(users.push.method).toEqualTypeOf<'POST'>();
});

test('[R4] the only argument is the body of a mutation of any method, and the params of a QUERY or DELETE', () => {
  const searchParams = {} as { q: string };
  const query = new RestEndpoint({ path: '/q', method: 'QUERY', searchParams });
  expectTypeOf(query).parameters.toEqualTypeOf<[params: { q: string }]>();
  const asked = query.extend({ body: {} as { all: boolean } });
  void (() => asked({ q: 'x' }, { all: true }));
  const purge = new RestEndpoint({ path: '/cache', method: 'PURGE' });
  void (() => purge({ tag: 'x' }));
  // @ts-expect-error a body is due
  void (() => purge());
  const all = purge.extend({ body: undefined, searchParams });
  expectTypeOf(all).parameters.toEqualTypeOf<[params: { q: string }]>();
  const gone = new RestEndpoint({ path: '/a/:id', method: 'delete' });
  void (() => gone({ id: 1 }));
});

test('[E1] an Endpoint has the arguments of its function', () => {
  const user = new Endpoint(async ({ id }: { id: number }) => ({ id }), { schema: User });
  void (() => user({ id: 1 }));
  // @ts-expect-error id is a number
  void (() => user({ id: '1' }));
  expectTypeOf(user.schema).toEqualTypeOf<typeof User | undefined>();
  expectTypeOf(user).returns.resolves.toEqualTypeOf<{ id: number }>();
  const other = user.extend({ schema: [User], sideEffect: true });
  expectTypeOf(other.sideEffect).toEqualTypeOf<true>();
  void (() => other({ id: 1 }));
  const sent = user.extend({ fetch: async (name: string) => name });
  void (() => sent('x'));
});

test('[E5] a body whose type allows undefined is an optional argument', () => {
  const body = {} as { reason: string } | undefined;
  const lock = new RestEndpoint({ path: '/users/:id/lock', method: 'PUT', body });
  expectTypeOf<Parameters<typeof lock>>().toEqualTypeOf<
    [params: { id: PathValue }, body?: { reason: string } | undefined]
  >();
  const lockAll = new RestEndpoint({ path: '/lock', method: 'PUT', body });
  expectTypeOf(lockAll).toBeCallableWith();
  expectTypeOf(lockAll).toBeCallableWith({ reason: 'x' });
  // @ts-expect-error no such member
  expectTypeOf(lock).toBeCallableWith({ id: 1 }, { why: 'x' });
});
