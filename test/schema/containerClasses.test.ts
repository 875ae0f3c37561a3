// Arrays and objects as classes, beside their shorthands.
import { Array as SchemaArray, Entity, Object as SchemaObject, schema } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { refused, Tag, Todo, User, world } from '../setup/world.ts';

test('[N5] `schema.Array` is read as an array of entities, as a schema and as a member of an entity', async () => {
  class Board extends Entity {
    id = 0;
    tags: Tag[] = [];
    static override schema = { tags: new schema.Array(Tag) };
  }
  const w = world();
  const list = w.read('list', new SchemaArray(Board));
  const done = w.controller.fetch(list, {});
  await w.call().answer([{ id: 1, tags: [{ id: 5, label: 'x' }] }, null]);
  const rows = await done;
  expectTypeOf(rows).toEqualTypeOf<Board[]>();
  expect(rows.map((row: Board) => row.tags[0])).toEqual([w.controller.get(Tag, { id: 5 })]);
});

const tagAndUser = [
  { type: 'tag', id: 1, label: 'x' },
  { type: 'user', id: 1, name: 'Ada' },
];

test('[N5] `Array` with a schema attribute is an array of a union', async () => {
  const w = world();
  const feed = w.read('feed', new schema.Array({ user: User, tag: Tag }, 'type'));
  const done = w.controller.fetch(feed, {});
  await w.call().answer(tagAndUser);
  const rows = await done;
  expectTypeOf(rows).toEqualTypeOf<(User | Tag)[]>();
  expect(rows.map((row: object) => row.constructor)).toEqual([Tag, User]);
});

test('[N16] `All` with a schema attribute has all entities of a union', async () => {
  const w = world();
  const feed = w.read('feed', new schema.All({ user: User, tag: Tag }, 'type'));
  const done = w.controller.fetch(feed, {});
  await w.call().answer(tagAndUser);
  const rows = await done;
  expectTypeOf(rows).toEqualTypeOf<(User | Tag)[]>();
  expect(rows.map((row: object) => row.constructor)).toEqual([User, Tag]);
  const byKind = new schema.All({ user: User, tag: Tag }, (row: { type: string }) => row.type);
  expect(w.controller.get(byKind)).toEqual(rows);
});

test('[N8] `Object` equals the object shorthand', async () => {
  const w = world();
  const page = w.read('page', new SchemaObject({ results: new schema.Array(Todo), total: 0 }));
  const done = w.controller.fetch(page, {});
  await w.call().answer({ results: [{ id: 1 }], more: true });
  expect(await done).toEqual({
    results: [w.controller.get(Todo, { id: 1 })],
    total: 0,
    more: true,
  });
});

test('[N10] `Array` and `Object` reject invalid responses with S3 and S8, an undefined member with S4', async () => {
  const w = world();
  const list = w.read('list', new schema.Array(Todo));
  const page = w.read('page', new schema.Object({ data: Todo }));
  const refusals = [refused(w.controller.fetch(list, {})), refused(w.controller.fetch(page, {}))];
  void w.call(0).answer({});
  void w.call(1).answer([]);
  expect(await Promise.all(refusals)).toMatchObject([{ code: 'S3' }, { code: 'S8' }]);
  expect(() => new schema.Object({ data: undefined })).toThrow('S4');
});
