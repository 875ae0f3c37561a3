/** A blog that comes in pages of two, at addresses with and without an envelope; answers can be held back. */
import { Collection, Controller, createResource, Entity } from 'signalbox';
import { serve } from '../setup/server.ts';
import type { Server } from '../setup/server.ts';

export class Post extends Entity {
  id = 0;
  title = '';
  userId = 0;
}

const SIZE = 2;

export interface Blog extends Server {
  posts: Partial<Post>[];
  /** From now on responses wait; returns a function that releases them in the given order. */
  hold(): (...order: number[]) => void;
}

/** Serves the first posts, or the posts after `?cursor=`, in an envelope if the path asks for an envelope. */
async function blog(count = 5): Promise<Blog> {
  let waiting: (() => void)[] | undefined;
  const server = await serve(({ method, url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://h');
    const send = (body: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (method === 'DELETE') {
      return { body: { id: Number(pathname.split('/').at(-1)) } };
    }
    const user = searchParams.get('userId');
    const all = state.posts.filter(({ userId }) => user === null || String(userId) === user);
    const from = Number(searchParams.get('cursor') ?? searchParams.get('page') ?? 0);
    const rows = all.slice(from, from + SIZE);
    const next = from + SIZE < all.length ? String(from + SIZE) : '';
    const body = pathname.startsWith('/wrapped')
      ? { results: rows, nextPage: next, prevPage: from === 0 ? '' : String(from - SIZE) }
      : rows;
    if (waiting === undefined) return { body };
    waiting.push(() => send(body));
    return undefined;
  });
  const state: Blog = Object.assign(server, {
    posts: Array.from({ length: count }, (_, at) => post(at + 1)),
    hold() {
      const held: (() => void)[] = (waiting = []);
      return (...order: number[]) => {
        waiting = undefined;
        for (const at of order) held[at]?.();
      };
    },
  });
  return state;
}

export const post = (id: number, userId = 1): Partial<Post> => ({
  id,
  title: `post ${id}`,
  userId,
});
export const ids = (list: readonly { id: number }[] | undefined) => list?.map(({ id }) => id);

const resourceAt = (urlPrefix: string) =>
  createResource({ path: '/posts/:id', schema: Post, urlPrefix, paginationField: 'cursor' });

export async function setUp(count?: number) {
  const server = await blog(count);
  const posts = resourceAt(server.address);
  const collected = posts.getList.extend({
    path: '/wrapped',
    schema: { results: new Collection([Post]), nextPage: '', prevPage: '' },
  });
  const plain = posts.getList.extend({
    path: '/wrapped',
    schema: { results: [Post], nextPage: '', prevPage: '' },
  });
  return { server, posts, collected, plain, controller: new Controller({ retry: 0 }) };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
