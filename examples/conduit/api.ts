/** The RealWorld API, written once: entities, endpoints, log in and out. The three apps only render. */
import { batch } from '@preact/signals-core';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  optimistic,
} from 'signalbox';
import type { NetworkError, OptimisticSnapshot, RestGenerics } from 'signalbox';
import { token } from './session.ts';

export class Profile extends Entity {
  static override key = 'Profile';

  username = '';
  bio: string | null = null;
  image: string | null = null;
  following = false;

  override pk(): string {
    return this.username;
  }
}

/** Who is logged in. What they change of themselves is changed wherever their profile is shown. */
export class User extends Profile {
  email = '';
  token = '';
}

export class Article extends Entity {
  slug = '';
  title = '';
  description = '';
  body = '';
  tagList: readonly string[] = [];
  createdAt = new Date(0);
  updatedAt = new Date(0);
  favorited = false;
  favoritesCount = 0;
  author = Profile.fromJS();

  static override schema = { author: Profile, createdAt: Date, updatedAt: Date };

  override pk(): string {
    return this.slug;
  }
}

export class Comment extends Entity {
  id = 0;
  body = '';
  createdAt = new Date(0);
  author = Profile.fromJS();

  static override schema = { author: Profile, createdAt: Date };
}

class AuthdEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override get urlPrefix(): string {
    return '/api';
  }

  override getHeaders(headers: HeadersInit): HeadersInit {
    return token.value === '' ? headers : { ...headers, Authorization: `Token ${token.value}` };
  }
}

/** One record travels as `{article: {…}}`, in both directions. */
function enveloped(member: string) {
  return class EnvelopeEndpoint<O extends RestGenerics = any> extends AuthdEndpoint<O> {
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      return super.getRequestInit(body === undefined ? body : { [member]: body });
    }

    override process(value: any): any {
      return value?.[member] ?? value;
    }
  };
}

/** One of numbered pages. */
export interface PageParams {
  readonly limit?: number;
  readonly offset?: number;
}

export interface ArticleSearch extends PageParams {
  readonly tag?: string;
  readonly author?: string;
  readonly favorited?: string;
}

export interface Draft {
  readonly title: string;
  readonly description: string;
  readonly body: string;
  readonly tagList: readonly string[];
}

const list = new Collection([Article]);

export const getTags = new AuthdEndpoint({
  path: '/tags',
  process: ({ tags }: { readonly tags: readonly string[] }) => tags,
});

export const ArticleResource = createResource({
  path: '/articles/:slug',
  schema: Article,
  Endpoint: enveloped('article'),
  body: {} as Draft,
  searchParams: undefined as ArticleSearch | undefined,
  optimistic: true,
}).extend({
  getList: { schema: { articles: list, articlesCount: 0 } },
  // its rows depend on whom the user follows: it is refetched at each visit
  feed: {
    path: '/articles/feed',
    schema: { articles: new Collection([Article]), articlesCount: 0 },
    searchParams: undefined as PageParams | undefined,
    dataExpiryLength: 0,
  },
  create: {
    schema: list.unshift,
    update: (_: unknown, { tagList }: Draft) => ({
      [getTags.key()]: (tags: readonly string[]) => [...new Set([...tags, ...tagList])],
    }),
  },
  favorite: {
    path: '/articles/:slug/favorite',
    method: 'POST',
    body: undefined,
    // an article that becomes a favourite belongs to other lists than before
    schema: list.move,
    getOptimisticResponse: (snapshot: OptimisticSnapshot, { slug }) =>
      withFavorite(snapshot, slug, true),
  },
  unfavorite: {
    path: '/articles/:slug/favorite',
    method: 'DELETE',
    schema: list.move,
    getOptimisticResponse: (snapshot: OptimisticSnapshot, { slug }) =>
      withFavorite(snapshot, slug, false),
  },
});

function withFavorite(snapshot: OptimisticSnapshot, slug: string, favorited: boolean): object {
  const article = snapshot.get(Article, { slug });
  if (article === undefined || article.favorited === favorited) throw snapshot.abort;
  return { slug, favorited, favoritesCount: article.favoritesCount + (favorited ? 1 : -1) };
}

export function toggleFavorite(controller: Controller, { slug }: Article): Promise<unknown> {
  const { favorited } = controller.get(Article, { slug }) ?? {};
  return favorited === true
    ? controller.fetch(ArticleResource.unfavorite, { slug })
    : controller.fetch(ArticleResource.favorite, { slug });
}

const comments = createResource({
  path: '/articles/:slug/comments/:id',
  schema: Comment,
  Endpoint: enveloped('comment'),
  body: {} as { readonly body: string },
  searchParams: undefined,
});

export const CommentResource = comments.extend({
  getList: { schema: { comments: comments.getList.schema } },
});

const ProfileEndpoint = enveloped('profile');

export const ProfileResource = {
  get: new ProfileEndpoint({ path: '/profiles/:username', schema: Profile }),
  follow: new ProfileEndpoint({
    path: '/profiles/:username/follow',
    method: 'POST',
    body: undefined,
    schema: Profile,
    getOptimisticResponse: (_: OptimisticSnapshot, { username }) => ({
      username,
      following: true,
    }),
  }),
  unfollow: new ProfileEndpoint({
    path: '/profiles/:username/follow',
    method: 'DELETE',
    schema: Profile,
    getOptimisticResponse: (_: OptimisticSnapshot, { username }) => ({
      username,
      following: false,
    }),
  }),
};

export function toggleFollow(
  controller: Controller,
  { username, following }: Profile,
): Promise<unknown> {
  return following
    ? controller.fetch(ProfileResource.unfollow, { username })
    : controller.fetch(ProfileResource.follow, { username });
}

export interface LogIn {
  readonly email: string;
  readonly password: string;
}

export interface Registration extends LogIn {
  readonly username: string;
}

export interface Settings {
  readonly email: string;
  readonly bio: string;
  readonly image: string;
  readonly password?: string;
}

const UserEndpoint = enveloped('user');

export const UserResource = {
  get: new UserEndpoint({ path: '/user', schema: User }),
  update: new UserEndpoint({ path: '/user', method: 'PUT', schema: User, body: {} as Settings }),
  register: new UserEndpoint({
    path: '/users',
    method: 'POST',
    schema: User,
    body: {} as Registration,
  }),
  logIn: new UserEndpoint({
    path: '/users/login',
    method: 'POST',
    schema: User,
    body: {} as LogIn,
  }),
};

export function createStore(): Controller {
  const controller = new Controller({ optimistic });
  // a token that the server does not know any more
  controller.on('error', ({ error }) => {
    if ((error as NetworkError).status === 401 && token.value !== '') logOut(controller);
  });
  return controller;
}

/** What was loaded for nobody, or for somebody else, is dropped: each user has other follows and favourites. */
export function startSession(controller: Controller, user: User): void {
  batch(() => {
    token.value = user.token;
    controller.reset();
    void controller.setResponse(UserResource.get, user);
  });
}

export function logOut(controller: Controller): void {
  token.value = '';
  controller.reset();
}
