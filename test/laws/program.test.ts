/** Random programs of reads, mutations, pushes, invalidations and resets, answered in any order, against a model. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from './runs.ts';
import { Stage } from './stage.ts';

type Step = (stage: Stage) => unknown;
const named = (text: string, step: Step): Step => Object.assign(step, { toString: () => text });
const id = fc.integer({ min: 1, max: 6 });
const key = fc.constantFrom('all', 'x');
const field = fc.constantFrom('a', 'b');

const ask = fc.oneof(
  fc
    .tuple(id, fc.boolean())
    .map(([of, cut]) => named(`readRow(${of}, ${cut})`, (s) => s.readRow(of, cut))),
  key.map((of) => named(`readList('${of}')`, (s) => s.readList(of))),
  fc
    .tuple(id, field)
    .map(([of, name]) => named(`update(${of}, '${name}')`, (s) => s.update(of, name))),
  fc.constantFrom('x', 'y').map((kind) => named(`create('${kind}')`, (s) => s.create(kind))),
  id.map((of) => named(`remove(${of})`, (s) => s.remove(of))),
);
const other = fc.oneof(
  fc.tuple(id, field).map(([of, name]) => named(`set(${of}, '${name}')`, (s) => s.set(of, name))),
  fc
    .oneof(id, key)
    .map((of) => named(`invalidate(${JSON.stringify(of)})`, (s) => s.invalidate(of))),
  fc.constant(named('expire()', (s) => s.expire())),
);
const answer = fc
  .tuple(fc.nat(20), fc.nat(9))
  .map(([at, luck]) => named(`answer(${at}, ${luck === 0})`, (s) => s.answer(at, luck === 0)));
const step = fc.oneof(
  { weight: 8, arbitrary: ask },
  { weight: 8, arbitrary: answer },
  { weight: 4, arbitrary: other },
  { weight: 1, arbitrary: fc.constant(named('reset()', (s) => s.reset())) },
);

type Left = ReturnType<Stage['end']> & { readonly faults: readonly string[] };
const NOTHING: Left = { faults: [], unsettled: 0, unheard: [] };

/** Plays the steps, then the answers that are left; stops at the first fault. */
async function play(steps: readonly Step[], rest: (left: number) => number): Promise<Left> {
  const stage = new Stage();
  process.on('unhandledRejection', stage.heard);
  const line = [...steps];
  try {
    for (
      let step = line.shift();
      step !== undefined || stage.pending.length > 0;
      step = line.shift()
    ) {
      await (step === undefined ? stage.answer(rest(stage.pending.length)) : step(stage));
      const faults = await stage.faults();
      if (faults.length > 0) return { ...NOTHING, faults };
    }
    return { ...NOTHING, ...stage.end() };
  } finally {
    stage.end();
    process.off('unhandledRejection', stage.heard);
  }
}

test('[O4] thirty steps in any order leave what the rules say, one commit and one run at a time', async () => {
  const program = fc.array(step, { maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(program, fc.nat(1_000), async (steps, from) => {
      let at = from;
      expect(await play(steps, (left) => (at = at * 31 + 7) % left)).toEqual(NOTHING);
    }),
    runs(),
  );
});

/** Every order of n answers: as each, which of those left is next. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((later) => Array.from({ length: n }, (_, at) => [at, ...later]));
}

test('[O4] four requests answered in every order leave what the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ask, { minLength: 4, maxLength: 4 }), async (steps) => {
      for (const order of orders(4)) {
        const left = [...order];
        const end = await play(steps, () => left.shift() ?? 0);
        expect({ order, ...end }).toEqual({ order, ...NOTHING });
      }
    }),
    runs(0.1),
  );
});
