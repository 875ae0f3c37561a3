/**
 * Compares signalbox of a git ref with the working tree: `npm run bench:compare -- main [--size 1000] [--samples 7]`.
 * Both are built in temporary folders and run in turn; each row is the ratio of a pair of runs, new by old.
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
/** What is closer than this says nothing, however often it is seen. */
const LEAST = 0.05;

/** The sources of the ref, with the packages of this tree: both run on the same engine of signals. */
function checkout() {
  const folder = harness.temporary('compare-old');
  const sources = execFileSync('git', ['archive', ref, 'src'], { cwd: root, maxBuffer: 1e9 });
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
  // who goes first changes, so that neither always follows the other
  for (const side of round % 2 === 0 ? ['old', 'new'] : ['new', 'old']) {
    tell(`sample ${round + 1} of ${samples}, ${side}`);
    const order = { scenes, out, folder: sides[side], name: 'signalbox', count, limit };
    pair[side] = await harness.sample(order);
  }
  pairs.push(pair);
}
tell('done');

const time = (figures, work) => {
  const times = figures.get(work);
  return times && median(times.map(({ ms }) => ms));
};
const views = (side, work) => pairs[0][side].get(work)?.[0].runs?.toFixed(1);

process.stdout.write(
  `\nN = ${count}, ${ref} → working tree, ${samples} pairs; below 1 is faster\n\n`,
);
for (const work of works) {
  const ratios = pairs
    .map((pair) => time(pair.new, work) / time(pair.old, work))
    .filter((ratio) => !Number.isNaN(ratio))
    .sort((a, b) => a - b);
  if (ratios.length === 0) continue;
  const middle = median(ratios);
  // over noise: nearly all pairs say the same, and by more than the least
  const [low, high] = [
    ratios[Math.floor(ratios.length / 8)],
    ratios.at(-1 - Math.floor(ratios.length / 8)),
  ];
  const verdict =
    high < 1 - LEAST / 2 && middle < 1 - LEAST
      ? 'faster'
      : low > 1 + LEAST / 2 && middle > 1 + LEAST
        ? 'SLOWER'
        : '';
  const woken =
    views('old', work) === views('new', work)
      ? ''
      : `views ran ${views('old', work)} → ${views('new', work)}`;
  process.stdout.write(
    `${work.padEnd(50)} ${middle.toFixed(2).padStart(6)}  [${low.toFixed(2)} … ${high.toFixed(2)}]  ${verdict} ${woken}\n`,
  );
}
