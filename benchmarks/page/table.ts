/** What the page benchmark says: operations a second, ratios to the same page by hand and by peers, frames, keys, heap. */
import { own, peers } from './bundle.ts';
import type { Loads, Rounds, Stream } from './run.ts';
import type { Taken } from './play.ts';
import { scenes } from './scenes.ts';

type Own = (typeof own)[number];

/** The same page with signals written by hand, in the same framework: the base of each cell. */
const handOf: Readonly<Record<Own, string>> = {
  signalboxReact: 'signalsReact',
  signalboxFor: 'signalsReact',
  signalboxPreact: 'signalsPreact',
  signalboxSolid: 'signalsSolid',
};
function quantileOf(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
}

/*
 *   steps    1         the first time: nothing of the code has run yet
 *            2 … 15    it has run a few times: most of it is not compiled yet
 *            21 …      it is warm: operations a second
 */
const WARMING = [1, 15] as const;
const WARM = 20;

type Time = (rounds: readonly Taken[][] | undefined) => number;

/** Of some steps of each round the quantile, of these the same, ms. */
function timeAt(share: number, from: number, to?: number): Time {
  const timeOf = (steps: readonly Taken[]) =>
    quantileOf(
      steps.slice(from, to).map(({ ms }) => ms),
      share,
    );
  return (rounds = []) => quantileOf(rounds.map(timeOf), share);
}

function line(first: string, cells: readonly unknown[], width = 16): void {
  process.stdout.write(
    `${first.padEnd(32)}${cells.map((cell) => String(cell).padStart(width)).join('')}\n`,
  );
}

export function printLoads(loads: Loads, share: number): void {
  if (Object.keys(loads).length === 0) return;
  process.stdout.write('\nThe first 100 rows on a page just loaded, ms\n');
  line('', ['script', 'show', 'both', '× by hand']);
  const both = (app: string): number =>
    quantileOf(loads[app]?.map(({ script, show }) => script + show) ?? [], share);
  for (const [app, taken] of Object.entries(loads)) {
    const parts = (['script', 'show'] as const).map((part) =>
      quantileOf(
        taken.map((each) => each[part]),
        share,
      ),
    );
    const hand = loads[handOf[app as Own]] && both(app) / both(handOf[app as Own]);
    const cells = [...parts, both(app)].map((ms) => ms.toFixed(1));
    line(app, [...cells, hand === undefined ? '–' : hand.toFixed(2)]);
  }
}

export function printScenes(rounds: Rounds, share: number): void {
  if (Object.keys(rounds).length === 0) return;
  const names = Object.keys(Object.values(rounds)[0] ?? {});
  const print = (title: string, cell: (taken: Taken[][] | undefined) => string): void => {
    process.stdout.write(`\n${title}\n`);
    line('', names);
    for (const [scene, taken] of Object.entries(rounds)) {
      line(
        scenes[scene]?.title ?? scene,
        names.map((name) => cell(taken[name])),
      );
    }
  };
  const [warm, warming, first] = [
    timeAt(share, WARM),
    timeAt(share, ...WARMING),
    timeAt(share, 0, 1),
  ];
  print('Operations a second, until the page shows it, on warm code', (taken) =>
    (1000 / warm(taken)).toFixed(0),
  );
  print('While code warms up (steps 2 to 15), ms', (taken) => warming(taken).toFixed(2));
  print('The first time, on code that has not run yet, ms', (taken) => first(taken).toFixed(1));
  printRatios('warm code', rounds, warm);
  printRatios('while code warms up', rounds, warming);
  printCounts(rounds, names);
}

/** Each cell: speed as a multiple of signals by hand, and of the fastest peer; the goal is to be ahead of each peer. */
function printRatios(when: string, rounds: Rounds, time: Time): void {
  process.stdout.write(`\nSpeed, ${when}, × signals by hand, × the fastest peer\n`);
  line('', own, 22);
  const ratios: number[] = [];
  let behind = 0;
  for (const [scene, taken] of Object.entries(rounds)) {
    const texts = own.map((name) => {
      const speedBeside = (base: string): number => time(taken[base]) / time(taken[name]);
      const byHand = speedBeside(handOf[name]);
      const peer = Math.min(...peers.filter((base) => taken[base]).map(speedBeside));
      ratios.push(byHand);
      if (peer < 1) behind++;
      return `${byHand.toFixed(2)}${peer < 1 ? ' !' : '  '} ${peer.toFixed(2)}`;
    });
    line(scenes[scene]?.title ?? scene, texts, 22);
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  process.stdout.write(
    `A peer is ahead in ${behind} of ${ratios.length} cells; the geometric mean is ${mean.toFixed(2)} × signals by hand.\n`,
  );
}

function printCounts(rounds: Rounds, names: readonly string[]): void {
  process.stdout.write('\nOf the last step: what ran, and records of changes of the page\n');
  for (const [scene, taken] of Object.entries(rounds)) {
    process.stdout.write(`${scenes[scene]?.title ?? scene}\n`);
    for (const name of names) {
      const last = taken[name]?.at(-1)?.at(-1);
      const ran = Object.entries(last?.runs ?? {}).map(([what, times]) => `${times} ${what}`);
      process.stdout.write(`  ${name.padEnd(20)}${ran.join(', ')}; ${last?.mutations} changes\n`);
    }
  }
}

const MIB = 1024 * 1024;

export function printStreams(streams: Readonly<Record<string, Stream>>): void {
  process.stdout.write('\n10,000 rows, 1,000 updates a second\n');
  line(
    '',
    ['frames', '> 25 ms', '> 50 ms', 'longest, ms', 'updates', 'keys > 50 ms', 'longest key'],
    14,
  );
  for (const [name, { ticked, keys }] of Object.entries(streams)) {
    const { frames, received } = ticked;
    const over = (ms: number) => frames.filter((frame) => frame > ms).length;
    const longest = Math.max(...frames).toFixed(0);
    const slow = keys.filter((key) => key > 50).length;
    const key = keys.length === 0 ? '< 16' : String(Math.max(...keys));
    line(name, [frames.length, over(25), over(50), longest, received, slow, key], 14);
  }
  process.stdout.write('\nHeap after 2 turns of a page of 1,000 rows, and after 10 more, MiB\n');
  for (const [name, { heap }] of Object.entries(streams)) {
    const [before, after] = heap;
    line(
      name,
      [
        (before / MIB).toFixed(2),
        (after / MIB).toFixed(2),
        `${(((after - before) / before) * 100).toFixed(1)} %`,
      ],
      10,
    );
  }
}
