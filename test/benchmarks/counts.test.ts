// The number of view runs in the engine benchmark: counts, unlike times, are the same on every machine.
import { beforeAll, expect, test } from 'vitest';
import type { Contender } from '../../benchmarks/Contender.ts';
import { handWritten } from '../../benchmarks/contenders/handWritten.ts';
import { signalbox } from '../../benchmarks/contenders/signalbox.ts';
import { check } from '../../benchmarks/check.ts';
import { scenes } from '../../benchmarks/scenes.ts';
import type { Stage } from '../../benchmarks/scenes.ts';

const COUNT = 1000;

/** Maps each step of the benchmark to the number of calls and of view runs. */
type Counts = Map<string, { calls: number; runs: number | undefined }>;

async function counted(make: () => Contender): Promise<Counts> {
  const counts: Counts = new Map();
  for (const scene of scenes) {
    const box = make();
    const note = (work: string, calls: number, runs: number | undefined) =>
      void counts.set(work, { calls, runs });
    const stage: Stage = {
      count: COUNT,
      box,
      lacks: (verb) => box[verb] === undefined,
      async measure(work, times, call, runs) {
        const before = runs?.() ?? 0;
        for (let at = 0; at < times; at++) call(at);
        note(work, times, runs && runs() - before);
      },
      async wait(work, each, call, runs) {
        const before = runs?.() ?? 0;
        await call();
        note(work, each, runs && runs() - before);
      },
    };
    await scene.play(stage);
  }
  return counts;
}

let counts: Counts;
beforeAll(async () => {
  counts = await counted(signalbox);
});

const perCall = (work: string) => {
  const { calls = 0, runs = 0 } = counts.get(work) ?? {};
  return runs / calls;
};

test.each([
  ['ingest, identical', 0],
  ['ingest, one row changed', 2],
  ['change a row: rows alone', 1],
  ['change a row: snapshot list', 2],
  ['change a row: membership list', 1],
  ['push: snapshot list', 1],
  ['push: membership list', 1],
  ['move: snapshot list', 1],
  ['move: membership list', 1],
  // the view of the row that has gone, and the list
  ['remove: snapshot list', 2],
  ['remove: membership list', 2],
  ['optimistic write: apply', 1],
  // the response equals the shown data
  ['optimistic write: confirm', 0],
  ['optimistic write: roll back', 1],
])('[V2] of 1,000 row views and a list, "%s" runs exactly %i', (work, runs) => {
  expect(perCall(work)).toBe(runs);
});

test.each([
  ['change the author of 100 rows', 101],
  ['change the author of all rows', 1001],
])('[V4] "%s" runs the views of these rows and the list: %i', (work, runs) => {
  expect(perCall(work)).toBe(runs);
});

test('[N21] a row that moves between 1,000 filtered lists runs the views of two lists', () => {
  expect(perCall('1,000 filtered lists: one row changes its list')).toBe(2);
});

test('[N17] a changed row runs views of a query only if the rendered result is different', async () => {
  const work = 'sorted, filtered, summed view: one row changed';
  // a third of the rows is filtered out; by hand each change runs both views
  expect((await counted(handWritten)).get(work)?.runs).toBe(100);
  expect(counts.get(work)?.runs).toBe(68);
});

test('[V3] after each step of the benchmark, the list equals the list of a handwritten program', async () => {
  expect(await check(signalbox)).toEqual([]);
});
