// Creations with `update`, and polls, that reach the server in any order, with responses in any order.
import * as fc from 'fast-check';
import { Collection } from 'signalbox';
import { expect, test } from 'vitest';
import { settled, Todo, world } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';

const step = fc.record({
  does: fc.constantFrom('post', 'post', 'poll', 'serve', 'serve', 'answer', 'answer', 'invalidate'),
  at: fc.nat(7),
});

/** A request, and the reply once the server has handled the call. */
interface Open {
  readonly call: Call;
  reply?: unknown;
  created?: number;
}

function stage(schema: typeof plain | typeof collection) {
  const w = world();
  const { controller } = w;
  const list = w.read('list', schema);
  const create = w.mutation('create', Todo, {
    update: (made: string) => ({
      [list.key({})]: (pks: string[]) => [made, ...pks.filter((pk) => pk !== made)],
    }),
  });
  const rows: number[] = [1];
  const open: Open[] = [];
  const confirmed = new Set<number>();
  let known = 0;
  // also the requests that the library sends by itself
  const gather = () => {
    for (const call of w.calls.slice(known)) open.push({ call });
    known = w.calls.length;
  };
  const serve = (request: Open) => {
    if ('reply' in request) return;
    if (request.call.name === 'create') rows.unshift((request.created = rows.length + 1));
    const { created } = request;
    request.reply = created === undefined ? rows.map((id) => ({ id })) : { id: created };
  };
  const answer = async (request: Open) => {
    serve(request);
    open.splice(open.indexOf(request), 1);
    if (request.created !== undefined) confirmed.add(request.created);
    await request.call.answer(request.reply);
    await settled();
    gather();
  };
  const ids = () => controller.getResponse(list, {}).data?.map(({ id }) => id);
  return { w, controller, list, create, rows, open, confirmed, gather, serve, answer, ids };
}

const plain = [Todo];
const collection = new Collection([Todo]);

test.each([
  ['a plain list', plain],
  ['a Collection', collection],
] as const)(
  '[O11] %s has each confirmed creation exactly once at any time, and finally equals the list of the server',
  async (_, schema) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        const s = stage(schema);
        await s.controller.setResponse(s.list, {}, [{ id: 1 }]);
        const view = s.controller.view(s.list, {});
        const leave = view.retain();
        let invalidated = false;
        for (const { does, at } of steps) {
          const request = s.open[at % Math.max(s.open.length, 1)];
          if (does === 'post') s.controller.fetch(s.create, {}).catch(() => {});
          else if (does === 'poll') s.controller.fetch(s.list, {}).catch(() => {});
          else if (does === 'invalidate') {
            invalidated = true;
            s.controller.invalidate(s.list, {});
            void view.ensure(false);
          } else if (request !== undefined && does === 'serve') s.serve(request);
          else if (request !== undefined) await s.answer(request);
          s.gather();
          if (invalidated) continue;
          const shown = s.ids() ?? [];
          expect(shown).toHaveLength(new Set(shown).size);
          expect(shown).toEqual(expect.arrayContaining([...s.confirmed]));
        }
        while (s.open[0] !== undefined) await s.answer(s.open[0]);
        expect(new Set(s.ids())).toEqual(new Set(s.rows));
        void s.controller.fetch(s.list, {});
        s.gather();
        await s.answer(s.open.pop() as Open);
        expect(s.ids()).toEqual(s.rows);
        leave();
      }),
      { numRuns: 300 },
    );
  },
);
