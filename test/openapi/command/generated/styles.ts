/**
 * JSON:API 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity } from 'signalbox';

const urlPrefix = 'https://styles.invalid';

export interface ArticleDocument {
  data: Article;
  included?: Author[];
}

export interface MemberPage {
  count?: number;
  value?: Member[];
  [key: string]: unknown;
}

export interface MemberInput {
  name: string;
  employment?: { since?: Date | string; boss?: MemberInput; [key: string]: unknown };
  [key: string]: unknown;
}

export class Article extends Entity {
  type = 'articles' as const;
  id = '';
  attributes?: { title?: string };

  static override key = 'Article';
}

export class Author extends Entity {
  type = 'authors' as const;
  id = '';
  attributes?: { name?: string };

  static override key = 'Author';
}

export class Member extends Entity {
  id = 0;
  name = '';
  employment?: { since?: Date; boss?: Member; [key: string]: unknown };

  static override key = 'Member';
  static override schema = { employment: { since: Date, boss: Member } };
}

const articleResource = createResource({
  urlPrefix,
  path: '/articles/:id',
  schema: Article,
}).extend({
  get: { schema: { data: Article, included: new Collection([Author]) } },
  getList: { schema: { data: new Collection([Article]), included: new Collection([Author]) } },
});

/** The description has no create, update, partialUpdate. */
export const ArticleResource = {
  get: articleResource.get,
  getList: articleResource.getList,
  delete: articleResource.delete,
  extend: articleResource.extend,
};

const authorResource = createResource({
  urlPrefix,
  path: '/authors/:id',
  schema: Author,
}).extend({ get: { schema: { data: Author } } });

/** The description has no getList, create, update, partialUpdate, delete. */
export const AuthorResource = { get: authorResource.get, extend: authorResource.extend };

const memberResource = createResource({
  urlPrefix,
  path: '/members/:id',
  schema: Member,
  body: {} as MemberInput,
}).extend({ getList: { schema: { count: 0, value: new Collection([Member]) } } });

/** The description has no update, delete. */
export const MemberResource = {
  get: memberResource.get,
  getList: memberResource.getList,
  create: memberResource.create,
  partialUpdate: memberResource.partialUpdate,
  extend: memberResource.extend,
};
