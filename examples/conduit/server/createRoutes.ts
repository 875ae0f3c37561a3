/** The RealWorld API as a list of routes: an express application serves them, or a mock server inside a page. */
import type { Articles } from './Articles.ts';
import { HttpFailure } from './HttpFailure.ts';
import type { Account, Users } from './Users.ts';

type Fields = Readonly<Record<string, any>>;

/** A request that matches a route. */
export interface RouteRequest {
  /** The named segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Fields;
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  /** Default 200. */
  readonly status?: number;
  /**
   * The body of the response; nothing for 204.
   *
   * @throws HttpFailure
   */
  readonly handle: (request: RouteRequest) => object | void;
}

export function createRoutes(users: Users, articles: Articles): readonly Route[] {
  return [...createUserRoutes(users), ...createArticleRoutes(users, articles)];
}

/** The account whose token the request carries. */
function readerOf(users: Users, { authorization = '' }: RouteRequest): Account | undefined {
  const [, token] = /^Token (.+)$/.exec(authorization) ?? [];
  return token === undefined ? undefined : users.byToken(token);
}

function userOf(users: Users, request: RouteRequest): Account {
  const me = readerOf(users, request);
  if (me === undefined) throw new HttpFailure(401, 'token', 'is missing or unknown');
  return me;
}

function createUserRoutes(users: Users): Route[] {
  const follow = (follows: boolean) => (request: RouteRequest) => ({
    profile: users.follow(request.params['username'] ?? '', userOf(users, request), follows),
  });
  return [
    {
      method: 'post',
      path: '/users',
      status: 201,
      handle: ({ body }) => users.register(body['user'] ?? {}),
    },
    {
      method: 'post',
      path: '/users/login',
      handle: ({ body }) => users.logIn(body['user'] ?? {}),
    },
    {
      method: 'get',
      path: '/user',
      handle(request) {
        const { username, email, token, bio, image } = userOf(users, request);
        return { user: { username, email, token, bio, image } };
      },
    },
    {
      method: 'put',
      path: '/user',
      handle: (request) => users.update(userOf(users, request), request.body['user'] ?? {}),
    },
    {
      method: 'get',
      path: '/profiles/:username',
      handle: (request) => ({
        profile: users.profile(request.params['username'] ?? '', readerOf(users, request)),
      }),
    },
    { method: 'post', path: '/profiles/:username/follow', handle: follow(true) },
    { method: 'delete', path: '/profiles/:username/follow', handle: follow(false) },
  ];
}

function createArticleRoutes(users: Users, articles: Articles): Route[] {
  const me = (request: RouteRequest) => userOf(users, request);
  const slugOf = ({ params }: RouteRequest) => params['slug'] ?? '';
  const favor = (favors: boolean) => (request: RouteRequest) =>
    articles.favor(slugOf(request), me(request), favors);
  const one = '/articles/:slug';
  return [
    { method: 'get', path: '/tags', handle: () => articles.tags() },
    {
      method: 'get',
      path: '/articles/feed',
      handle: (request) => articles.feed(request.query, me(request)),
    },
    {
      method: 'get',
      path: '/articles',
      handle: (request) => articles.list(request.query, readerOf(users, request)),
    },
    {
      method: 'post',
      path: '/articles',
      status: 201,
      handle: (request) => articles.create(request.body['article'] ?? {}, me(request)),
    },
    {
      method: 'get',
      path: one,
      handle: (request) => articles.get(slugOf(request), readerOf(users, request)),
    },
    {
      method: 'put',
      path: one,
      handle: (request) =>
        articles.update(slugOf(request), request.body['article'] ?? {}, me(request)),
    },
    {
      method: 'delete',
      path: one,
      status: 204,
      handle: (request) => articles.remove(slugOf(request), me(request)),
    },
    { method: 'post', path: `${one}/favorite`, handle: favor(true) },
    { method: 'delete', path: `${one}/favorite`, handle: favor(false) },
    ...createCommentRoutes(users, articles),
  ];
}

function createCommentRoutes(users: Users, articles: Articles): Route[] {
  const path = '/articles/:slug/comments';
  const slugOf = ({ params }: RouteRequest) => params['slug'] ?? '';
  return [
    {
      method: 'get',
      path,
      handle: (request) => articles.comments(slugOf(request), readerOf(users, request)),
    },
    {
      method: 'post',
      path,
      status: 201,
      handle: (request) =>
        articles.addComment(slugOf(request), request.body['comment'] ?? {}, userOf(users, request)),
    },
    {
      method: 'delete',
      path: `${path}/:id`,
      status: 204,
      handle: (request) =>
        articles.removeComment(Number(request.params['id']), userOf(users, request)),
    },
  ];
}
