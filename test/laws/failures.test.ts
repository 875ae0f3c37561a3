// A failed mutation leaves no trace: random optimistic writes, against a world without the failed ones.
import { All, Collection, Delete, Entity } from 'signalbox';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusal, refused, world } from '../setup/world.ts';
import { runs } from './runs.ts';

class Row extends Entity {
  id = 0;
  title = '';
  n = 0;
  done = false;
  userId = 0;
}

interface Mutation {
  readonly verb: 'upd' | 'del' | 'create' | 'move' | 'remove';
  readonly id: number;
  readonly fields: Partial<Pick<Row, 'n' | 'done' | 'userId'>>;
  readonly fails: boolean;
  /** The order of the responses. */
  readonly settles: number;
}

type Fields = Partial<Row>;

const LISTS = [
  {},
  { userId: 1 },
  { userId: 2 },
  { userId: 1, done: true },
  { userId: 2, done: true },
];

const list = new Collection([Row]);

/** A world in which these mutations are issued one after another. */
async function simulation(
  rows: readonly Fields[],
  known: readonly boolean[],
  mutations: readonly Mutation[],
) {
  const w = world();
  const { controller } = w;
  const getList = w.read('list', list);
  const over = (_: unknown, params: Fields, fields: Fields) => ({ ...params, ...fields });
  const verbs = {
    upd: w.mutation('upd', Row, { getOptimisticResponse: over }),
    del: w.mutation('del', new Delete(Row), { getOptimisticResponse: over }),
    create: w.mutation('create', list.push, { getOptimisticResponse: (_, body: Fields) => body }),
    move: w.mutation('move', list.move, { getOptimisticResponse: over }),
    remove: w.mutation('remove', list.remove, { getOptimisticResponse: over }),
  };
  const meets = (row: Fields, filters: object) =>
    Object.entries(filters).every(([name, value]) => row[name as keyof Fields] === value);
  await controller.set([Row], rows);
  for (const [at, filters] of LISTS.entries())
    if (known[at] === true)
      await controller.setResponse(
        getList,
        filters,
        rows.filter((row) => meets(row, filters)),
      );
  const calls = new Map(
    mutations.map((mutation, turn) => {
      const { verb, id, fields } = mutation;
      const args =
        verb === 'create' ? [{ title: `${mutation.settles}`, ...fields }] : [{ id }, fields];
      void refused(controller.fetch(verbs[verb], ...args)).catch(() => {});
      return [mutation, w.call(turn)] as const;
    }),
  );
  /** All shown data; the temporary key of a row is replaced by "new". */
  const seen = () => {
    const plain = ({ id, ...row }: Row) => ({ id: id < 0 ? 'new' : id, ...row });
    const shown = (filters: object) => controller.getResponse(getList, filters).data?.map(plain);
    const each = rows.map(({ id }) => controller.get(Row, { id: id as number }));
    const all = controller.get(new All(Row))?.map(plain);
    return { lists: LISTS.map(shown), rows: each.map((row) => row && plain(row)), all };
  };
  return { calls, seen };
}

const user = fc.constantFrom(1, 2);
const fields = fc.record({ n: fc.nat(3), done: fc.boolean(), userId: user }, { requiredKeys: [] });
const mutation = fc.record<Mutation>({
  verb: fc.constantFrom('upd', 'del', 'create', 'move', 'remove'),
  id: fc.constantFrom(1, 2, 3),
  fields,
  fails: fc.boolean(),
  settles: fc.nat(),
});
const row = fc.record({ n: fc.nat(3), done: fc.boolean(), userId: user });

/** The responses of a server that handles the successful mutations in the order of their issue. */
function answers(rows: readonly Fields[], mutations: readonly Mutation[]): Map<Mutation, unknown> {
  const stored = new Map<unknown, Fields>(rows.map((one) => [one.id, one]));
  return new Map(
    mutations
      .filter(({ fails }) => !fails)
      .map((mutation, turn) => {
        const { verb, id, fields: its, settles } = mutation;
        const made = { id: 100 + turn, title: `${settles}`, ...its };
        const now = verb === 'create' ? made : { title: '', ...stored.get(id), ...its };
        stored.set(now.id, now);
        return [mutation, verb === 'del' ? {} : now];
      }),
  );
}

test('[O5] after mutations fail in any order, rows and lists equal a store without these mutations', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(row, row, row).map((three) => three.map((one, at) => ({ id: at + 1, ...one }))),
      fc.tuple(...LISTS.map(() => fc.boolean())),
      fc.uniqueArray(mutation, { minLength: 2, maxLength: 4, selector: ({ settles }) => settles }),
      async (rows, known, mutations) => {
        const told = answers(rows, mutations);
        const settle = async ({ calls }: Awaited<ReturnType<typeof simulation>>, one: Mutation) =>
          one.fails ? calls.get(one)?.fail(refusal(400)) : calls.get(one)?.answer(told.get(one));
        const order = [...mutations].sort((a, b) => a.settles - b.settles);
        const real = await simulation(rows, known, mutations);
        for (const [at, one] of order.entries()) {
          await settle(real, one);
          const done = order.slice(0, at + 1);
          const left = mutations.filter((each) => !each.fails || !done.includes(each));
          const other = await simulation(rows, known, left);
          for (const each of done) if (!each.fails) await settle(other, each);
          expect(real.seen()).toEqual(other.seen());
        }
      },
    ),
    runs(0.5),
  );
});
