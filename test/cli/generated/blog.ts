/**
 * Blog 2
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { createResource, Entity, Values } from 'signalbox';

const urlPrefix = '';

export interface Dated {
  createdAt?: string | null;
}

export interface Tree {
  label: string;
  children: Tree[];
  owner?: UserJson;
}

export interface TranslationInput {
  lang?: string;
  slug?: string;
  text: string;
}

export interface PostInput {
  userId: number;
  title: string;
  tags?: { [key: string]: TagInput };
  meta?: { words: number; editor?: UserInput };
}

export interface UserJson {
  id: number;
  name: string;
  bestPost?: PostJson | null;
  friends?: UserJson[];
}

export interface TagInput {
  slug?: string;
  label?: string | null;
}

export interface UserInput {
  id?: number;
  name: string;
  bestPost?: PostInput | null;
  friends?: UserInput[];
}

export interface PostJson {
  readonly id: number;
  userId: number;
  title: string;
  readonly author: UserJson;
  readonly comments: CommentJson[];
  tags?: { [key: string]: TagJson };
  meta?: { words: number; editor?: UserJson };
  readonly createdAt?: string;
}

export interface CommentJson {
  createdAt?: string | null;
  id: number;
  text: string;
  author?: UserJson;
}

export interface TagJson {
  slug: string;
  label?: string | null;
}

export class Comment extends Entity {
  createdAt: Date | null = null;
  id = 0;
  text = '';
  author: User | null = null;

  static override key = 'Comment';
}

export class Tag extends Entity {
  slug = '';
  label: string | null = null;

  static override key = 'Tag';

  override pk() {
    return this.slug;
  }
}

export class Post extends Entity {
  id = 0;
  userId = 0;
  title = '';
  author: User | null = null;
  comments: Comment[] = [];
  tags: { [key: string]: Tag } = {};
  meta: { words: number; editor?: User } | null = null;
  createdAt?: Date;

  static override key = 'Post';
}

export class User extends Entity {
  id = 0;
  name = '';
  bestPost: Post | null = null;
  friends: User[] = [];

  static override key = 'User';
  static override schema = { bestPost: Post, friends: [User] };
}

export class Translation extends Entity {
  lang = '';
  slug = '';
  text = '';

  static override key = 'Translation';

  override pk() {
    return `${this.lang}/${this.slug}`;
  }
}

Comment.schema = { createdAt: Date, author: User };

Post.schema = {
  author: User,
  comments: [Comment],
  tags: new Values(Tag),
  meta: { editor: User },
  createdAt: Date,
};

const user = createResource({ urlPrefix, path: '/users/:id', schema: User });

/** The server has no getList, create, update, partialUpdate, delete. */
export const UserResource = { get: user.get, extend: user.extend };

const tag = createResource({ urlPrefix, path: '/tags/:slug', schema: Tag });

/** The server has no getList, create, update, partialUpdate, delete. */
export const TagResource = { get: tag.get, extend: tag.extend };

const translation = createResource({
  urlPrefix,
  path: '/translations/:lang/:slug',
  schema: Translation,
  body: {} as TranslationInput,
});

/** The server has no getList, create, partialUpdate. */
export const TranslationResource = {
  get: translation.get,
  update: translation.update,
  delete: translation.delete,
  extend: translation.extend,
};

const post = createResource({
  urlPrefix,
  path: '/users/:userId/posts/:id',
  schema: Post,
  body: {} as PostInput,
}).extend({ partialUpdate: { body: {} as { title?: string } } });

/** The server has no update. */
export const PostResource = {
  get: post.get,
  getList: post.getList,
  create: post.create,
  partialUpdate: post.partialUpdate,
  delete: post.delete,
  extend: post.extend,
};

const comment = createResource({
  urlPrefix,
  path: '/posts/:postId/comments/:id',
  schema: Comment,
  body: {} as { text: string },
});

/** The server has no get, update, partialUpdate, delete. */
export const CommentResource = { getList: comment.getList, create: comment.create };
