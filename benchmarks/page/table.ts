/** What the page benchmark says: operations a second, ratios beside their targets, frames, keys, heap. */
import { own } from './bundle.ts';
import type { Rounds, Stream } from './run.ts';
import type { Taken } from './play.ts';
import { scenes } from './scenes.ts';

type Own = (typeof own)[number];

/*
 *   What must be reached, as a multiple of `base`:    React  <For>  Preact  Solid
 *   ────────────────────────────────────────────────────────────────────────────
 */
const goals: Readonly<Record<string, readonly [base: string, ...goals: number[]]>> = {
  show100: ['plainReact', 0.97, 0.97, 1.05, 1.3],
  show500: ['plainReact', 0.97, 0.97, 1.05, 1.3],
  row: ['dataClient', 2.3, 4, 4.8, 7],
  user: ['dataClient', 2.2, 2.5, 4.3, 6.5],
  user10000: ['dataClient', 8, 36, 42, 60],
  sorted: ['dataClient', 3, 4, 4.5, 5],
  three: ['dataClient', 2.4, 3.6, 5, 7],
  unshift: ['dataClient', 3, 3, 4, 6],
  delete: ['dataClient', 3, 3, 4, 6],
  move: ['dataClient', 3, 3, 4, 6],
};

/** The same page with signals written by hand, in the same framework. */
const handOf: Readonly<Record<Own, string>> = {
  signalboxReact: 'signalsReact',
  signalboxFor: 'signalsReact',
  signalboxPreact: 'signalsPreact',
  signalboxSolid: 'signalsSolid',
};

function quantileOf(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
}

type Speed = (rounds: readonly Taken[][] | undefined) => number;

/** Of each round the quantile of its steps but the first, of these the same. */
function speedAt(share: number): Speed {
  const timeOf = (steps: readonly Taken[]) =>
    quantileOf(
      steps.slice(1).map(({ ms }) => ms),
      share,
    );
  return (rounds = []) => 1000 / quantileOf(rounds.map(timeOf), share);
}

function line(first: string, cells: readonly unknown[], width = 16): void {
  process.stdout.write(
    `${first.padEnd(32)}${cells.map((cell) => String(cell).padStart(width)).join('')}\n`,
  );
}

export function printScenes(rounds: Rounds, share: number): void {
  const perSecond = speedAt(share);
  const names = Object.keys(Object.values(rounds)[0] ?? {});
  process.stdout.write('\nOperations a second, until the page shows it\n');
  line('', names);
  for (const [scene, taken] of Object.entries(rounds)) {
    const speeds = names.map((name) => perSecond(taken[name]).toFixed(0));
    line(scenes[scene]?.title ?? scene, speeds);
  }
  process.stdout.write('\nThe first time, on code that has not run yet, ms\n');
  line('', names);
  for (const [scene, taken] of Object.entries(rounds)) {
    const first = names.map((name) =>
      quantileOf(
        (taken[name] ?? []).map(([step]) => step?.ms ?? NaN),
        share,
      ).toFixed(1),
    );
    line(scenes[scene]?.title ?? scene, first);
  }
  printRatios(rounds, perSecond);
  printCounts(rounds, names);
}

function printRatios(rounds: Rounds, perSecond: Speed): void {
  process.stdout.write('\nReached / to be reached, × base; in brackets × signals by hand\n');
  line('', ['base', ...own], 26);
  for (const [scene, taken] of Object.entries(rounds)) {
    const [base = '', ...least] = goals[scene] ?? [];
    const cells = own.map((name, at) => {
      const speed = perSecond(taken[name]);
      const ratio = speed / perSecond(taken[base]);
      const goal = least[at] ?? NaN;
      const byHand = taken[handOf[name]];
      const times = byHand === undefined ? '–' : (speed / perSecond(byHand)).toFixed(2);
      return `${ratio.toFixed(2)} / ${goal}${ratio < goal ? ' !' : '  '} (${times})`;
    });
    line(scenes[scene]?.title ?? scene, [base, ...cells], 26);
  }
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
