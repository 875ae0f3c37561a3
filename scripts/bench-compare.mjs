/**
 * Compares signalbox of a git ref with the working tree: `npm run bench:compare -- main [--size 1000] [--samples 7]`.
 * Both are built in temporary folders and run in turn.
 */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as harness from '../benchmarks/harness.mjs';

const { option, median, root } = harness;
const ref = process.argv[2];
if (ref === undefined || ref.startsWith('--')) {
  throw new Error('which revision? npm run bench:compare -- REF');
}
const count = Number(option('size', '1000'));
const samples = Number(option('samples', '7'));
const limit = Number(option('limit', '10')) * 1000;
/** Smaller differences mean nothing, however often measured. */
const LEAST = 0.05;

/** The sources of the ref, with the packages of this tree: both run on the same engine of signals. */
function checkout() {
  const folder = harness.temporary('compare-old');
  const options = { cwd: root, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] };
  const sources = execFileSync('git', ['archive', ref, 'src'], options);
  execFileSync('tar', ['-x', '-C', folder], { input: sources });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const sides = { old: harness.temporary('compare'), new: harness.temporary('compare') };
await harness.bundle(sides.old, ['signalbox'], checkout());
await harness.bundle(sides.new, ['signalbox']);
const { scenes } = await import(join(sides.new, 'scenes.mjs'));
const works = scenes.flatMap((scene) => scene.works);

const pairs = [];
const out = {};
const tell = harness.progress(samples * 2);
for (let round = 0; round < samples; round++) {
  const pair = {};
  // the order alternates, so that neither side always follows the other
  for (const side of round % 2 === 0 ? ['old', 'new'] : ['new', 'old']) {
    tell(`sample ${round + 1} of ${samples}, ${side}`);
    const order = { scenes, out, folder: sides[side], name: 'signalbox', count, limit };
    pair[side] = await harness.sample(order);
  }
  pairs.push(pair);
}
tell('done');

/** The times of a side, fastest first, without the slowest: disturbances only ever make a sample slower. */
function timesOf(side, work) {
  const times = pairs.flatMap((pair) => {
    const rounds = pair[side].get(work);
    return rounds === undefined ? [] : [median(rounds.map(({ ms }) => ms))];
  });
  return times.sort((a, b) => a - b).slice(0, Math.max(1, times.length - 1));
}

/** Over noise: the times of the two sides do not overlap, and the medians differ by more than the minimum. */
function verdictOf(older, newer, ratio) {
  if (older.length < 4) return '';
  if (newer.at(-1) < older[0] && ratio < 1 - LEAST) return 'faster';
  return newer[0] > older.at(-1) && ratio > 1 + LEAST ? 'SLOWER' : '';
}

const views = (side, work) => pairs[0][side].get(work)?.[0].runs?.toFixed(1);

process.stdout.write(
  `\nN = ${count}, ${ref} → working tree, ${samples} pairs; new by old, below 1 is faster; [spread of new by median of old]\n\n`,
);
for (const work of works) {
  const [older, newer] = [timesOf('old', work), timesOf('new', work)];
  if (older.length === 0 || newer.length === 0) continue;
  const unit = median(older);
  const ratio = median(newer) / unit;
  const spread = `[${(newer[0] / unit).toFixed(2)} … ${(newer.at(-1) / unit).toFixed(2)}]`;
  const [before, after] = [views('old', work), views('new', work)];
  const woken = before === after ? '' : `views ran ${before} → ${after}`;
  const line = [
    work.padEnd(48),
    ratio.toFixed(2).padStart(6),
    spread,
    verdictOf(older, newer, ratio),
    woken,
  ];
  process.stdout.write(`${line.join('  ').trimEnd()}\n`);
}
