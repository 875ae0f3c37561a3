/** Random programs on lists in pages, by number, by offset and by cursor. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { play, program } from './pagesProgram.ts';
import { runs } from './runs.ts';

// LAWS_RUNS plays more
const LONG = { timeout: 3_600_000 };

test(
  '[N22] a list in pages ends equal to the server, with no row twice or missing on the way',
  LONG,
  async () => {
    await fc.assert(
      fc.asyncProperty(program, async (steps) => {
        expect(await play(steps)).toEqual([]);
      }),
      runs(),
    );
  },
);
