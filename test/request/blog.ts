// Posts with a slug as primary key, and the requests that read and change posts.
import { Collection, Delete, Entity } from 'signalbox';
import { world } from '../setup/world.ts';

export class Post extends Entity {
  slug = '';
  title = '';
  likes = 0;
  override pk(): string {
    return this.slug;
  }
  static override indexes = ['title'] as const;
  static override validate({ title }: { readonly title?: unknown }): string | undefined {
    return title === '' ? 'no title' : undefined;
  }
}

export class Video extends Entity {
  id = 0;
}

export class Review extends Entity {
  id = 0;
  post: Post | null = null;
  related: Post[] = [];
  static override schema = { post: Post, related: [Post] };
}

interface Params {
  readonly slug: string;
}

const merged = (_: unknown, params: Params, fields: object) => ({ ...params, ...fields });

/** Two posts in a list; the first is going to be renamed. */
export async function stage() {
  const w = world();
  const posts = new Collection([Post]);
  const list = w.read('list', posts);
  const get = w.read('get', Post);
  const put = { method: 'PUT' };
  const update = w.mutation('update', Post, put as object);
  const enveloped = w.mutation('update', { post: Post }, put as object);
  const patch = w.mutation('patch', Post, {
    method: 'PATCH',
    getOptimisticResponse: merged,
  } as object);
  const like = w.mutation('like', Post, { method: 'POST' } as object);
  const create = w.mutation('create', posts.push, { method: 'POST' } as object);
  const remove = w.mutation('remove', new Delete(Post), { method: 'DELETE' } as object);
  const { controller } = w;
  void controller.fetch(list, {});
  await w.call().answer([
    { slug: 'old', title: 'Old', likes: 1 },
    { slug: 'two', title: 'Two', likes: 2 },
  ]);
  const rows = () => controller.get(posts, {})?.map(({ slug, title }) => `${slug}: ${title}`);
  const post = (slug: string) => controller.get(Post, { slug });
  const endpoints = { list, get, update, enveloped, patch, like, create, remove };
  return { w, controller, posts, rows, post, ...endpoints };
}
