// Random programs with a crash at a random point: the next page shows the data confirmed at the last write.
import * as fc from 'fast-check';
import {
  All,
  Collection,
  Controller,
  Delete,
  Query,
  replay,
  Union,
  Values,
  transaction,
  optimistic,
} from 'signalbox';
import { persist } from 'signalbox/persist';
import type { Persistence } from 'signalbox/persist';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Article, refusal, settled, Tag, Todo, User, world } from '../setup/world.ts';
import { copyOf, freshDisk } from '../sync/disks.ts';

const id = fc.integer({ min: 1, max: 4 });
const text = fc.constantFrom('a', 'b', 'c');
const tag = id.map((pk) => ({ id: pk, label: `tag ${pk}` }));
const fields = fc.record(
  { title: text, done: fc.boolean(), tags: fc.array(tag, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const row = fc.tuple(id, fields).map(([pk, own]) => ({ ...own, id: pk }));
const rows = fc.array(row, { maxLength: 4 });
const author = fc.oneof(id, fc.record({ id, name: text }));
const article = fc.record({ id, title: text, author }, { requiredKeys: ['id'] });
const either = fc.oneof(
  row.map((one) => ({ ...one, type: 'todo' })),
  article.map((one) => ({ ...one, type: 'article' })),
);
const filter = fc.constantFrom({}, { done: true });

const todos = new Collection([Todo]);
const byName = new Collection(new Values(Article));
const count = new Query(new All(Todo), (all) => all.length);
const mixed = [new Union({ todo: Todo, article: Article }, 'type')];

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
    mixed: w.read('mixed', mixed),
    open: w.read('open', new Query(todos, { filter: ({ done }) => !done })),
    raw: w.read('raw', undefined),
  };
  const update = w.mutation('update', Todo, { getOptimisticResponse: body });
  const remove = w.mutation('remove', new Delete(Todo), { getOptimisticResponse: body });
  const create = w.mutation('create', todos.push, {
    update: (pk: string) => ({ [reads.plain.key({})]: (pks: string[]) => [...pks, pk] }),
  });
  const names = { ...reads, byName, Article, Todo, User, Tag };
  return { w, reads, mutations: { update, remove, create }, names };
}

type World = Pick<ReturnType<typeof stage>['w'], 'calls' | 'clock' | 'controller'>;
type Stage = Omit<ReturnType<typeof stage>, 'w'> & { readonly w: World };
/** A page, from load to crash. */
interface Page extends Stage {
  readonly disk: string;
  readonly kept: Persistence;
  /** Models the confirmed data, without layers and errors. */
  readonly confirmed: Controller;
}

async function load(it: Stage, disk: string): Promise<Page> {
  const { clock, calls } = it.w;
  const make = () => new Controller({ optimistic, clock, retry: 0, sweepAfter: Infinity });
  const [controller, confirmed] = [make(), make()];
  const { names } = it;
  const other = await copyOf(disk);
  const kept = persist(controller, { names, name: disk });
  await Promise.all([kept.ready, persist(confirmed, { names, name: other }).ready]);
  controller.on('commit', ({ writes, ...commit }) =>
    replay(confirmed, { ...commit, writes: writes.filter(({ failure }) => !failure) }),
  );
  return { ...it, w: { clock, calls, controller }, disk, kept, confirmed };
}

type Step = (stage: Stage) => unknown;
/** The output of fast-check for a failing step. */
const said = <T extends Step>(take: T, ...words: unknown[]): T =>
  Object.assign(take, {
    [fc.toStringMethod]: () => words.map((word) => fc.stringify(word)).join(' '),
  });
const quiet = (promise: Promise<unknown>) => void promise.catch(() => {});
const readNames = ['list', 'page', 'get', 'article', 'plain', 'mixed', 'open', 'raw'] as const;

const ask = fc.tuple(fc.constantFrom(...readNames), id, filter).map(([name, pk, which]): Step => {
  const params = name === 'get' || name === 'article' ? { id: pk } : which;
  const take: Step = ({ w, reads }) => quiet(w.controller.fetch(reads[name as 'get'], params));
  return said(take, name, params);
});
const change = fc
  .tuple(fc.constantFrom('update', 'remove', 'create'), id, fields)
  .map(([name, pk, own]): Step => {
    const args = name === 'create' ? [own] : name === 'update' ? [{ id: pk }, own] : [{ id: pk }];
    const take: Step = ({ w, mutations }) =>
      quiet(w.controller.fetch(mutations[name as 'update'], ...args));
    return said(take, name, args);
  });
const answer = fc
  .record({
    at: fc.nat(5),
    rows,
    row,
    article,
    mixed: fc.array(either, { maxLength: 3 }),
    empty: fc.nat(9),
  })
  .map((told): Step => said(answering(told), 'answer', told));
interface Told {
  readonly at: number;
  readonly empty: number;
  readonly rows: unknown[];
  readonly row: { readonly id: number };
  readonly article: unknown;
  readonly mixed: unknown[];
}
const answering =
  ({ at, empty, ...given }: Told): Step =>
  async ({ w }) => {
    const call = w.calls[w.calls.length - 1 - at];
    const { name = '' } = call ?? {};
    if (empty === 0) return call?.answer(null);
    if (empty === 1) return call?.fail(refusal(given.row.id > 2 ? 500 : 404));
    const values: Record<string, unknown> = {
      list: given.rows,
      page: given.rows,
      plain: given.rows,
      open: given.rows,
      mixed: given.mixed,
      raw: { rows: given.rows, when: new Date(given.row.id) },
      article: { data: given.article },
    };
    const named = { ...given.row, ...(call?.args[0] as object) };
    return call?.answer(values[name] ?? (name === 'create' ? given.row : named));
  };

type Set = Parameters<Controller['set']>;
const set = (...args: unknown[]): Step =>
  said(({ w }) => w.controller.set(...(args as unknown as Set)), 'set', ...args);
const verb = fc.oneof(
  row.map((one) => set(Todo, {}, one)),
  row.map((one) => set(todos.push, {}, one)),
  row.map((one) => set(todos.remove, {}, { id: one.id })),
  rows.map((all) => set(todos, {}, all)),
  article.map((one) => set(byName.assign, {}, { [one.id]: one })),
  article.map((one) => set(byName, {}, { x: one })),
  id.map((pk) => set(new Delete(User), {}, { id: pk })),
  id.map((pk) => set(new Delete(Todo), { id: pk }, {})),
  rows.map((all): Step =>
    said(({ w, reads }) => w.controller.setResponse(reads.list, {}, all), 'setResponse', all),
  ),
  id.map((pk): Step =>
    said(({ w, reads }) => w.controller.invalidate(reads.get, { id: pk }), 'invalidate', pk),
  ),
  fc.constant<Step>(({ w, reads }) => w.controller.invalidateAll(reads.list)),
  fc.constant<Step>(({ w, reads }) => w.controller.expireAll(reads.list)),
  fc.constant<Step>(({ w, reads }) => w.controller.expireAll(reads.get)),
  fc.constant<Step>(({ w }) => w.controller.reset()),
  fc
    .integer({ min: 1, max: 10_000 })
    .map((ms): Step => said(({ w }) => w.clock.advance(ms), 'wait', ms)),
  fc.tuple(row, id, fields).map(([one, pk, own]): Step =>
    said(
      ({ w, mutations }) => {
        const done = transaction(w.controller, ({ fetch, set: put }) => {
          void put(Todo, {}, one);
          if (pk > 2) quiet(fetch(mutations.update, { id: pk }, own));
        });
        quiet(done);
      },
      'transaction',
      one,
      pk,
      own,
    ),
  ),
);
const step = fc.oneof(ask, change, { arbitrary: answer, weight: 2 }, verb);
const steps = fc.array(step, { maxLength: 15 });

/** All readable data, and the time of expiry. */
function shown(controller: Controller, { reads }: Stage) {
  const { list, get, article: one, plain, mixed: either, open, raw } = reads;
  const requests = [
    ...[{}, { done: true }].flatMap((which) =>
      [list, plain, either, open, raw].map((read) => controller.getResponse(read, which)),
    ),
    ...[1, 2, 3, 4].flatMap((pk) => [
      controller.getResponse(get, { id: pk }),
      controller.getResponse(one, { id: pk }),
    ]),
  ];
  const users = [1, 2, 3, 4].map((pk) => controller.get(User, { id: pk }));
  // rows that were expected before their confirmation came earlier in the page with the layer
  const all = [...(controller.get(new All(Todo)) ?? [])].sort((a, b) => a.id - b.id);
  // that nothing is in a table is remembered of whole answers alone
  return { requests, rest: [all, users, controller.get(count) ?? 0, controller.get(byName, {})] };
}

type Shown = ReturnType<typeof shown>;

function dataIn({ requests, rest }: Shown): unknown {
  return { requests: requests.map(({ data, error }) => ({ data, error })), rest };
}

/** Data that stay fresh for longer than all of these say. A row that has left the response that renewed the row may expire earlier. */
function fresher({ requests }: Shown, than: readonly Shown[]): unknown[] {
  return requests.filter(({ expiresAt }, at) =>
    than.every(({ requests: told }) => expiresAt > (told[at]?.expiresAt ?? 0)),
  );
}

async function play(it: Stage, program: readonly Step[]): Promise<void> {
  for (const take of program) {
    const done = take(it);
    if (done instanceof Promise) quiet(done);
    await settled();
  }
}

test('[P1] after a crash at any point the next page shows the confirmed data of the last write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(steps, steps, steps), { maxLength: 3 }), async (lives) => {
      let page = await load(stage(), freshDisk());
      for (const [before, between, after] of lives) {
        await play(page, before);
        await page.kept.flush();
        await play(page, between);
        await page.kept.flush();
        // an empty response expires the results of the entity, and layers affect which results these are
        const told = [page.confirmed, page.w.controller].map((one) => shown(one, page));
        const disk = await copyOf(page.disk);
        await play(page, after);
        page = await load(page, disk);
        // the lists that were looked up decide which lists an empty response expires: both pages look up the same
        for (const one of [page.w.controller, page.confirmed]) {
          const seen = shown(one, page);
          expect(dataIn(seen)).toEqual(dataIn(told[0] as Shown));
          expect(fresher(seen, told)).toEqual([]);
        }
      }
    }),
    runs(0.5),
  );
});
