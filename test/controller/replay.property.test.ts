// Commits contain all writes: a controller that replays the commits of another shows the same.
import * as fc from 'fast-check';
import {
  All,
  Collection,
  Controller,
  Delete,
  Query,
  replay,
  Values,
  transaction,
  optimistic,
} from 'signalbox';

import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Article, refusal, settled, Todo, User, world } from '../setup/world.ts';

const id = fc.integer({ min: 1, max: 4 });
const text = fc.constantFrom('a', 'b', 'c');
const fields = fc.record({ title: text, done: fc.boolean() }, { requiredKeys: [] });
const row = fc.tuple(id, fields).map(([pk, own]) => ({ ...own, id: pk }));
const rows = fc.array(row, { maxLength: 4 });
const author = fc.oneof(id, fc.record({ id, name: text }));
const article = fc.record({ id, title: text, author }, { requiredKeys: ['id'] });
const filter = fc.constantFrom({}, { done: true });

const todos = new Collection([Todo]);
const byName = new Collection(new Values(Article));
const count = new Query(new All(Todo), (all) => all.length);

/** The endpoints of both controllers, and the requests in flight. */
function stage() {
  const w = world();
  const body = (_: unknown, own: object, change: object) => ({ ...own, ...change });
  const plain = w.read('plain', [Todo]);
  const listOf = (params: object) => ({ endpoint: plain, args: [params] });
  const reads = {
    list: w.read('list', todos),
    plain,
    page: w.read('page', [Todo], { listOf } as never),
    get: w.read('get', Todo),
    article: w.read('article', { data: Article }),
  };
  const update = w.mutation('update', Todo, { getOptimisticResponse: body });
  const remove = w.mutation('remove', new Delete(Todo), { getOptimisticResponse: body });
  const create = w.mutation('create', todos.push, {
    update: (pk: string) => ({ [reads.plain.key({})]: (pks: string[]) => [...pks, pk] }),
  });
  const second = new Controller({
    optimistic,
    clock: w.clock,
    surroundings: w.page,
    sweepAfter: Infinity,
  });
  w.controller.on('commit', (commit) => replay(second, commit));
  return { w, second, reads, mutations: { update, remove, create } };
}

type Stage = ReturnType<typeof stage>;
type Step = (stage: Stage) => unknown;
const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});

const ask = fc
  .tuple(fc.constantFrom('list', 'page', 'get', 'article', 'plain'), id, filter)
  .map(([name, pk, which]): Step => ({ w, reads }) => {
    const params = name === 'get' || name === 'article' ? { id: pk } : which;
    quiet(w.controller.fetch(reads[name as 'get'], params));
  });
const change = fc
  .tuple(fc.constantFrom('update', 'remove', 'create'), id, fields)
  .map(([name, pk, own]): Step => ({ w, mutations }) => {
    const args = name === 'create' ? [own] : name === 'update' ? [{ id: pk }, own] : [{ id: pk }];
    quiet(w.controller.fetch(mutations[name as 'update'], ...args));
  });
const answer = fc
  .record({ at: fc.nat(5), rows, row, article, empty: fc.integer({ max: 9, min: 0 }) })
  .map(({ at, empty, ...given }): Step => async ({ w }) => {
    const call = w.calls[w.calls.length - 1 - at];
    const { name = '' } = call ?? {};
    if (empty === 0) return call?.answer(null);
    if (empty === 1) return call?.fail(refusal(given.row.id > 2 ? 500 : 404));
    const values: Record<string, unknown> = {
      list: given.rows,
      page: given.rows,
      plain: given.rows,
      article: { data: given.article },
    };
    const named = { ...given.row, ...(call?.args[0] as object) };
    return call?.answer(values[name] ?? (name === 'create' ? given.row : named));
  });
const verb = fc.oneof(
  row.map(
    (one): Step =>
      ({ w }) =>
        w.controller.set(Todo, {}, one),
  ),
  row.map(
    (one): Step =>
      ({ w }) =>
        w.controller.set(todos.push, {}, one),
  ),
  rows.map(
    (all): Step =>
      ({ w }) =>
        w.controller.set(todos, {}, all),
  ),
  article.map(
    (one): Step =>
      ({ w }) =>
        w.controller.set(byName.assign, {}, { [one.id]: one }),
  ),
  article.map(
    (one): Step =>
      ({ w }) =>
        w.controller.set(byName, {}, { x: one }),
  ),
  id.map(
    (pk): Step =>
      ({ w }) =>
        w.controller.set(new Delete(User), {}, { id: pk }),
  ),
  id.map(
    (pk): Step =>
      ({ w }) =>
        w.controller.set(new Delete(Todo), { id: pk }, {}),
  ),
  rows.map(
    (all): Step =>
      ({ w, reads }) =>
        w.controller.setResponse(reads.list, {}, all),
  ),
  filter.map(
    (one): Step =>
      ({ w, reads }) =>
        w.controller.setError(reads.list, one, refusal(500)),
  ),
  id.map(
    (pk): Step =>
      ({ w, reads }) =>
        w.controller.invalidate(reads.get, { id: pk }),
  ),
  fc.constant<Step>(({ w, reads }) => w.controller.invalidateAll(reads.list)),
  fc.constant<Step>(({ w, reads }) => w.controller.expireAll(reads.list)),
  fc.constant<Step>(({ w }) => w.controller.reset()),
  fc.integer({ min: 1, max: 40_000 }).map(
    (ms): Step =>
      ({ w }) =>
        w.clock.advance(ms),
  ),
  fc.tuple(row, id, fields).map(([one, pk, own]): Step => ({ w, mutations }) => {
    const done = transaction(w.controller, ({ fetch, set }) => {
      void set(Todo, {}, one);
      if (pk > 2) quiet(fetch(mutations.update, { id: pk }, own));
    });
    quiet(done);
  }),
);
const step = fc.oneof(ask, change, { arbitrary: answer, weight: 2 }, verb);

/** All readable data with their expiry. */
function shown(controller: Controller, { reads: { list, get, article: one, plain } }: Stage) {
  const requests = [
    ...[{}, { done: true }].flatMap((which) => [
      controller.getResponse(list, which),
      controller.getResponse(plain, which),
    ]),
    ...[1, 2, 3, 4].flatMap((pk) => [
      controller.getResponse(get, { id: pk }),
      controller.getResponse(one, { id: pk }),
    ]),
  ];
  // optimistic creations were listed at the place where they were expected
  const all = [...(controller.get(new All(Todo)) ?? [])].sort((a, b) => a.id - b.id);
  return { requests, rest: [all, controller.get(count), controller.get(byName, {})] };
}

test('[O1] a controller that replays the commits of another shows the confirmed data of the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const it = stage();
      const { w, second } = it;
      for (const take of steps) {
        const done = take(it);
        if (done instanceof Promise) quiet(done);
        await settled();
      }
      // optimistic values are shown by the first controller alone
      for (const call of w.calls) await call.fail(refusal(500));
      expect(shown(second, it)).toEqual(shown(w.controller, it));
    }),
    { ...runs() },
  );
});
