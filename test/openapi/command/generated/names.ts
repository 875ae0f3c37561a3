/**
 * Names of parameters 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, searchStyles } from 'signalbox';

const urlPrefix = 'https://names.invalid';

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

/** Joins the parts of a primary key; undefined if a part is missing. */
const keyOf = (...parts: readonly (string | number | null | undefined)[]) =>
  parts.some((part) => part === undefined || part === null) ? undefined : parts.join('/');

export class Post extends Entity {
  number = 0;
  title = '';

  static override key = 'Post';

  override pk(...call: PkArgs) {
    const { 'user-id': userId, 'post.number': postNumber } = paramsOf(call);
    return keyOf(userId, this.number ?? postNumber);
  }
}

export class File extends Entity {
  id = '';
  size = 0;

  static override key = 'File';
}

const fileResource = createResource({ urlPrefix, path: '/files/:id', schema: File }).extend({
  get: {
    searchParams: {} as { idQuery?: number; deep?: boolean },
    searchToString: searchStyles({}, { idQuery: 'id' }),
  },
});

/** The description has no getList, create, update, partialUpdate, delete. */
export const FileResource = { get: fileResource.get, extend: fileResource.extend };

const postResource = createResource({
  urlPrefix,
  path: '/users/:"user-id"/posts/:"post.number"',
  schema: Post,
});

/** The description has no getList, create, update, partialUpdate. */
export const PostResource = {
  get: postResource.get,
  delete: postResource.delete,
  extend: postResource.extend,
};
