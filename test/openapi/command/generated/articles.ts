/**
 * Articles 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://articles.example.com/api';

export interface NewArticle {
  title: string;
  body: string;
}

export class Profile extends Entity {
  username = '';
  following = false;

  static override key = 'Profile';

  override pk() {
    return this.username;
  }
}

export class Article extends Entity {
  slug = '';
  title = '';
  body = '';
  tagList: string[] = [];
  favorited = false;
  favoritesCount = 0;
  author: Profile | null = null;

  static override key = 'Article';
  static override schema = { author: Profile };

  override pk() {
    return this.slug;
  }
}

export class Draft extends Entity {
  id = 0;
  text = '';
  author: Profile | null = null;

  static override key = 'Draft';
  static override schema = { author: Profile };
}

const articleResource = createResource({
  urlPrefix,
  path: '/articles/:slug',
  schema: Article,
  searchParams: {} as { tag?: string; offset?: number; limit?: number },
  body: {} as { article: NewArticle },
  paginationField: 'offset',
}).extend({
  get: { schema: { article: Article } },
  getList: {
    schema: {
      articles: new Collection([Article], { nonFilterArgumentKeys: ['offset', 'limit'] }),
      articlesCount: 0,
    },
  },
  create: { schema: { article: new Collection([Article]).push } },
  update: { schema: { article: Article }, body: {} as { article?: { title?: string } } },
  getFeed: {
    path: '/articles/feed',
    schema: { articles: new Collection([Article]), articlesCount: 0 },
  },
  createFavorite: {
    path: '/articles/:slug/favorite',
    method: 'POST',
    schema: { article: Article },
    body: undefined,
  },
});

/** The description has no partialUpdate. */
export const ArticleResource = {
  get: articleResource.get,
  getList: articleResource.getList,
  create: articleResource.create,
  update: articleResource.update,
  delete: articleResource.delete,
  getFeed: articleResource.getFeed,
  createFavorite: articleResource.createFavorite,
  extend: articleResource.extend,
};

const profileResource = createResource({
  urlPrefix,
  path: '/profiles/:username',
  schema: Profile,
}).extend({ get: { schema: { profile: Profile } } });

/** The description has no getList, create, update, partialUpdate, delete. */
export const ProfileResource = { get: profileResource.get, extend: profileResource.extend };

const draftResource = createResource({ urlPrefix, path: '/drafts/:id', schema: Draft }).extend({
  getList: { schema: { drafts: new Collection([Draft]) } },
});

/** The description has no get, create, update, partialUpdate, delete. */
export const DraftResource = { getList: draftResource.getList };

export const getChanges = new RestEndpoint({
  urlPrefix,
  path: '/changes',
  schema: [
    {
      kind: (value: 'added' | 'removed') => value,
      by: Profile,
      at: (value: string | undefined) => value,
    },
  ],
});
