/**
 * Blog 2
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
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

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

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
  meta?: { words: number; editor?: User };
  createdAt?: Date;

  static override key = 'Post';

  override pk(...call: PkArgs) {
    const { postId } = paramsOf(call);
    return this.id ?? postId;
  }
}

export class User extends Entity {
  id = 0;
  name = '';
  bestPost: Post | null = null;
  friends: User[] = [];

  static override key = 'User';
  static override schema = { bestPost: Post, friends: [User] };

  override pk(...call: PkArgs) {
    const { userId } = paramsOf(call);
    return this.id ?? userId;
  }
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

const userResource = createResource({ urlPrefix, path: '/users/:userId', schema: User });

/** The description has no getList, create, update, partialUpdate, delete. */
export const UserResource = { get: userResource.get, extend: userResource.extend };

const tagResource = createResource({ urlPrefix, path: '/tags/:slug', schema: Tag });

/** The description has no getList, create, update, partialUpdate, delete. */
export const TagResource = { get: tagResource.get, extend: tagResource.extend };

const translationResource = createResource({
  urlPrefix,
  path: '/translations/:lang/:slug',
  schema: Translation,
  body: {} as TranslationInput,
});

/** The description has no getList, create, partialUpdate. */
export const TranslationResource = {
  get: translationResource.get,
  update: translationResource.update,
  delete: translationResource.delete,
  extend: translationResource.extend,
};

const postResource = createResource({
  urlPrefix,
  path: '/users/:userId/posts/:postId',
  schema: Post,
  body: {} as PostInput,
}).extend({ partialUpdate: { body: {} as { title?: string } } });

/** The description has no update. */
export const PostResource = {
  get: postResource.get,
  getList: postResource.getList,
  create: postResource.create,
  partialUpdate: postResource.partialUpdate,
  delete: postResource.delete,
  extend: postResource.extend,
};

const commentResource = createResource({
  urlPrefix,
  path: '/posts/:postId/comments/:id',
  schema: Comment,
  body: {} as { text: string },
});

/** The description has no get, update, partialUpdate, delete. */
export const CommentResource = {
  getList: commentResource.getList,
  create: commentResource.create,
};
