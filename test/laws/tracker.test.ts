/** Random clicks in an issue tracker with a slow, refusing, reordering server. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from './runs.ts';
import { click, playTracker } from './tracker.ts';

test(
  '[N21] after random clicks every mounted list equals the list of the server',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(click, { maxLength: 40, size: 'max' }),
        fc.boolean(),
        async (clicks, isOptimistic) => {
          expect((await playTracker(clicks, isOptimistic)).faults).toEqual([]);
        },
      ),
      runs(0.5),
    );
  },
);
