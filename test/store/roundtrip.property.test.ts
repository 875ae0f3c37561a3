/** Reads return the written data, and writing the same data again changes nothing. */
import * as fc from 'fast-check';
import { Collection, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { Tag, Todo, User, watch, world } from '../setup/world.ts';

const id = fc.integer({ min: 1, max: 6 });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const user = fc.record({ id, name: some(fc.string()) }).map(compact);
const tag = fc.record({ id, label: some(fc.string()) }).map(compact);
const todo = fc
  .record({
    id,
    title: some(fc.string()),
    done: some(fc.boolean()),
    author: some(fc.option(user)),
    tags: some(fc.array(tag, { maxLength: 3 })),
    extra: some(fc.jsonValue({ maxDepth: 3 })),
  })
  .map(compact);
const page = fc.record({
  results: fc.array(todo, { maxLength: 5 }),
  total: fc.integer(),
  meta: fc.jsonValue({ maxDepth: 2 }),
});

/** The record as JSON has no undefined member. */
function compact<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

type Json = Record<string, unknown>;
const schema = () => ({ results: new Collection([Todo]), total: 0 });

/** The expected value: each entity merged over the whole response, with defaults. */
function expected({ results, ...rest }: { results: Json[] }): Json {
  const tables = {
    user: new Map<unknown, Json>(),
    tag: new Map<unknown, Json>(),
    todo: new Map<unknown, Json>(),
  };
  const note = (table: Map<unknown, Json>, record: Json) => {
    table.set(record['id'], { ...table.get(record['id']), ...record });
  };
  for (const each of results) {
    note(tables.todo, each);
    if (each['author']) note(tables.user, each['author'] as Json);
    for (const one of (each['tags'] as Json[] | undefined) ?? []) note(tables.tag, one);
  }
  const author = (of: Json) => ({ name: '', ...tables.user.get(of['id']) });
  const ids = [...new Set(results.map((each) => each['id']))];
  const rows = ids.map((pk) => {
    const merged = tables.todo.get(pk) as Json;
    const tags = (merged['tags'] as Json[] | undefined) ?? [];
    return {
      title: '',
      done: false,
      userId: 0,
      ...merged,
      author: merged['author'] ? author(merged['author'] as Json) : null,
      tags: tags.map((one) => ({ label: '', ...tables.tag.get(one['id']) })),
    };
  });
  return { ...rest, results: rows };
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('[N2] data are read as written, with defaults, and frozen input stays unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(page, async (answer) => {
      const copy = structuredClone(answer);
      const w = world();
      const list = w.read('list', schema(), { reply: () => freeze(answer) });
      const read = await w.controller.fetch(list, {});
      expect(plain(read)).toEqual(plain(expected(copy as unknown as { results: Json[] })));
      expect(answer).toEqual(copy);
      for (const row of read.results) {
        expect(row).toBeInstanceOf(Todo);
        expect(row).toBe(w.controller.entity(Todo, row.id).value);
        const author = row.author && w.controller.entity(User, row.author.id).value;
        expect(row.author).toBe(author);
        for (const one of row.tags) expect(one).toBe(w.controller.entity(Tag, one.id).value);
      }
    }),
  );
});

test('[V3] an equal response keeps every reference and notifies no reader', async () => {
  await fc.assert(
    fc.asyncProperty(page, async (answer) => {
      const w = world();
      const list = w.read('list', schema(), { reply: () => structuredClone(answer) });
      const first = await w.controller.fetch(list, {});
      const view = w.controller.view(list, {});
      const readers = [
        watch(w.controller.signal(list, {})),
        watch(liveResult(view)),
        ...first.results.map((row) => watch(w.controller.entity(Todo, row.id))),
      ];
      const again = await w.controller.fetch(list, {});
      expect(again).toBe(first);
      expect(readers.map(({ runs }) => runs)).toEqual(readers.map(() => 1));
    }),
  );
});

test('[V3] after any second response, equal parts keep their reference and other parts have a new one', async () => {
  await fc.assert(
    fc.asyncProperty(page, page, async (one, two) => {
      const w = world();
      const list = w.read('list', schema(), {
        reply: (n: number) => structuredClone(n === 1 ? one : two),
      });
      const first = await w.controller.fetch(list.extend({ key: () => 'k' }), 1);
      const before = new Map(
        first.results.map((row) => [row.id, { row, text: JSON.stringify(row) }]),
      );
      const second = await w.controller.fetch(list.extend({ key: () => 'k' }), 2);
      for (const row of second.results) {
        const known = before.get(row.id);
        if (known === undefined) continue;
        // a snapshot never changes, and keeps the reference while the data are equal
        expect(JSON.stringify(known.row)).toBe(known.text);
        expect([row === known.row, row.id]).toEqual([sameJson(row, known.row), row.id]);
      }
    }),
  );
});

function sameJson(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown): unknown =>
    value === null || typeof value !== 'object'
      ? value
      : Array.isArray(value)
        ? value.map(sorted)
        : Object.entries(value)
            .map(([name, inner]): [string, unknown] => [name, sorted(inner)])
            .sort(([x], [y]) => (x < y ? -1 : 1));
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
