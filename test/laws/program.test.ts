/** Random programs of all that may happen to a store, answered in any order, against a model. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anything, ask, play } from './program.ts';
import { runs } from './runs.ts';

// three thousand programs, a thousand orders; LAWS_RUNS and scripts/soak.mjs play more
const LONG = { timeout: 600_000 };

test(
  '[O4] thirty random steps answered in any order match the model, with one commit and one run at a time',
  LONG,
  async () => {
    const program = fc.array(anything, { maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(program, fc.nat(1_000), async (steps, from) => {
        let at = from;
        expect(await play(steps, (left) => (at = at * 31 + 7) % left)).toEqual([]);
      }),
      runs(10),
    );
  },
);

/** Every order of n responses: the place of each response among the remaining ones. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((later) => Array.from({ length: n }, (_, at) => [at, ...later]));
}

test('[O4] four requests answered in each order match the model', LONG, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ask, { minLength: 4, maxLength: 4 }), async (steps) => {
      for (const order of orders(4)) {
        const left = [...order];
        const faults = await play(steps, () => left.shift() ?? 0);
        expect({ order, faults }).toEqual({ order, faults: [] });
      }
    }),
    runs(0.15),
  );
});
