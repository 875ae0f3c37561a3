/** Types of collections: the members of lists and maps, and the results of their mutations. */
import {
  Collection,
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  Union,
  Values,
} from 'signalbox';
import type { DataOf, Denormalized } from 'signalbox';
import { expectTypeOf, test } from 'vitest';
import { Post } from '../setup/samples.ts';

class Link extends Entity {
  id = 0;
  href = '';
}

const controller = new Controller();
const lists = new Collection([Post]);
const maps = new Collection(new Values(Post));

test('[N14] the type of a map is an object of its members, and the type of a list is an array', () => {
  expectTypeOf<Denormalized<typeof maps>>().toEqualTypeOf<Record<string, Post>>();
  expectTypeOf<Denormalized<typeof lists>>().toEqualTypeOf<Post[]>();
  const mixed = new Collection(new Values(new Union({ post: Post, link: Link }, 'type')));
  expectTypeOf<Denormalized<typeof mixed>>().toEqualTypeOf<Record<string, Post | Link>>();
});

test('[N14] lists have `push` and no `assign`, maps have `assign` and no `push`', () => {
  expectTypeOf(maps.push).toEqualTypeOf<undefined>();
  expectTypeOf(lists.assign).toEqualTypeOf<undefined>();
  expectTypeOf<Denormalized<typeof maps.assign>>().toEqualTypeOf<Record<string, Post>>();
  expectTypeOf<Denormalized<typeof lists.push>>().toEqualTypeOf<Post>();
  expectTypeOf<Denormalized<typeof maps.remove>>().toEqualTypeOf<Post>();
  expectTypeOf<Denormalized<typeof maps.move>>().toEqualTypeOf<Post>();
});

test('[N14] the merge function of addWith and moveWith takes and returns the members of the collection', () => {
  const first = lists.addWith((existing, incoming) => [...incoming, ...existing]);
  expectTypeOf<Denormalized<typeof first>>().toEqualTypeOf<Post>();
  const kept = maps.addWith((existing, incoming) => ({ ...incoming, ...existing }));
  expectTypeOf<Denormalized<typeof kept>>().toEqualTypeOf<Record<string, Post>>();
  const moved = maps.moveWith((existing, incoming) => ({ ...existing, ...incoming }));
  expectTypeOf<Denormalized<typeof moved>>().toEqualTypeOf<Post>();
  // @ts-expect-error a list is no number
  void (() => lists.addWith((existing) => existing.length));
});

test('[M2] `assign` of an endpoint returns the members of its map, and takes the params of the endpoint', () => {
  const get = new RestEndpoint({ path: '/:market/posts', schema: { rows: maps, total: 0 } });
  expectTypeOf<DataOf<typeof get.assign>>().toEqualTypeOf<Record<string, Post>>();
  void (() => controller.fetch(get.assign, { market: 'a' }, { x: { id: 1 } }));
  // @ts-expect-error the market is missing
  void (() => controller.fetch(get.assign, {}, { x: { id: 1 } }));
});

test('[M1] `move` and `remove` of an extended list take the params of a single row', () => {
  const posts = createResource({ path: '/posts/:id', schema: Post, paginationField: 'cursor' });
  const envelope = { items: lists, next: '' };
  const extended = posts.extend('getList', { schema: envelope });
  const move = () => extended.getList.move({ id: 1 }, { title: 'a' });
  expectTypeOf(move).returns.toEqualTypeOf<Promise<any>>();
  void (() => extended.getList.remove({ id: 1 }, {}));
  // @ts-expect-error the id is missing
  void (() => extended.getList.move({}, { title: 'a' }));
  const several = posts.extend({ getList: { schema: envelope } });
  void (() => several.getList.move({ id: 1 }, { title: 'a' }));
  const alone = posts.getList.extend({ dataExpiryLength: 0 });
  void (() => alone.move({ id: 1 }, { title: 'a' }));
  // @ts-expect-error the id is missing
  void (() => alone.move({}, { title: 'a' }));
});
