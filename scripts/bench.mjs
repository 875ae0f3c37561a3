/**
 * Runs the benchmarks without a page: fresh process per sample, contenders in turn, medians as ratios of the hand-written
 * program. `--part engine,cold,memory,stream`, `--sizes 1000,10000`, `--samples 3`, `--only signalbox,apollo`, `--no-peers`,
 * `--limit 3` (s for a work), `--write-docs`, `--from` (no run: the tables of benchmarks/results/engine.json again).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { join } from 'node:path';
import * as harness from '../benchmarks/harness.mjs';
import { plot } from '../benchmarks/plot.mjs';
import { tables, writeDocs } from '../benchmarks/report.mjs';

const { option, own, root, titles } = harness;
const file = join(harness.results, 'engine.json');
const parts = option('part', 'engine,cold,memory,stream').split(',');
const sizes = option('sizes', '1000,10000').split(',').map(Number);
const samples = Number(option('samples', '3'));
/** The cold benchmark: each sample is a process with a single task, so there are more samples. */
const coldSamples = Number(option('samples', '9'));
const limit = Number(option('limit', '3')) * 1000;
/** How long a contender may take to store the rows for memory and stream, and to finish the stream. */
const READY = 20_000;
const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`.replace(/ -- $/, '');

function chosen() {
  const all = Object.keys(option('no-peers') ? own : titles);
  const only = option('only', all.join(',')).split(',');
  const wrong = only.find((name) => !(name in titles));
  if (wrong) throw new Error(`no contender "${wrong}": ${Object.keys(titles).join(', ')}`);
  return all.filter((name) => name === 'handWritten' || only.includes(name));
}

/** Contenders that do the works at all: contenders with other results than the hand-written program are not measured. */
async function checked(folder, names) {
  const { check } = await import(join(folder, 'check.mjs'));
  const good = [];
  for (const name of names) {
    const loaded = await import(join(folder, `contenders/${name}.mjs`));
    const faults = await check(loaded[name]);
    if (faults.length === 0) good.push(name);
    else process.stderr.write(`${titles[name]} is left out: ${faults.join('; ')}\n`);
  }
  return good;
}

/** A round: the unit again after every third contender, because all figures of a size refer to the unit. */
function turns(names) {
  const others = names.filter((name) => name !== 'handWritten');
  return [
    'handWritten',
    ...others.flatMap((name, at) => (at % 3 === 2 ? [name, 'handWritten'] : [name])),
  ];
}

async function engine(folder, names, scenes) {
  const bySize = {};
  const round = turns(names);
  const tell = harness.progress(sizes.length * samples * round.length);
  for (const count of sizes) {
    const figures = Object.fromEntries(names.map((name) => [name, {}]));
    const out = Object.fromEntries(names.map((name) => [name, {}]));
    for (const [turn, name] of Array.from({ length: samples }, () => round)
      .flat()
      .entries()) {
      tell(
        `N = ${count}, sample ${Math.floor(turn / round.length) + 1} of ${samples}, ${titles[name]}`,
      );
      const order = { scenes, out: out[name], folder, name, count, limit };
      for (const [work, times] of await harness.sample(order)) {
        (figures[name][work] ??= []).push(times);
      }
    }
    const made = Object.fromEntries(names.map((name) => [name, { command, limit }]));
    bySize[count] = { made, figures, out };
  }
  tell('done');
  return bySize;
}

/** The works of the cold benchmark: a fresh process per work, contender and sample, the contenders in turn. */
const coldPlays = [
  ...[1, 100, 1000, 10_000].map((count) => ({ play: 'start', count })),
  ...['write', 'writeAtRest', 'optimistic', 'optimisticAtRest'].map((play) => ({
    play,
    count: 100,
  })),
];
const coldContenders = [
  'handWritten',
  ...'signalbox,jsonParse,dataClient,tanstackQuery,legendState'.split(','),
];

async function cold(folder, able) {
  const names = option('only', '') ? able : able.filter((name) => coldContenders.includes(name));
  const tell = harness.progress((coldPlays.length * coldSamples + 2) * names.length);
  const figures = Object.fromEntries(names.map((name) => [name, {}]));
  const once = async (name, given) => {
    const key = `${given.play} ${given.count}`;
    tell(`cold, ${key}, ${titles[name]}`);
    const order = { folder, program: 'cold', flags: [], name, limit: READY, ...given };
    const { lines, over, failed, errors } = await harness.play(order);
    if (over ?? failed)
      process.stderr.write(`\n${titles[name]}, ${key}: ${errors ?? 'too long'}\n`);
    else (figures[name][key] ??= []).push(...lines);
  };
  for (let sample = 0; sample < coldSamples; sample++)
    for (const given of coldPlays) for (const name of names) await once(name, given);
  for (const count of [1, 100])
    for (const name of names) await once(name, { play: 'functions', count });
  tell('done');
  const made = Object.fromEntries(names.map((name) => [name, { command }]));
  return { made, figures };
}

/** A process for each contender: heaps are counted, not timed. */
async function once(program, folder, names, order) {
  const able = names.filter((name) => name !== 'jsonParse' && name !== 'normalizr');
  const tell = harness.progress(able.length);
  const figures = {};
  for (const name of able) {
    tell(`${program}, ${titles[name]}`);
    const { lines, over, failed } = await harness.play({ folder, name, program, ...order });
    figures[name] = failed || over ? [{ over: true }] : lines;
  }
  tell('done');
  const made = Object.fromEntries(able.map((name) => [name, { command }]));
  return { made, count: order.count, limit: order.limit, figures };
}

/** A description of this machine, and the contenders. */
function circumstances() {
  const manifest = JSON.parse(readFileSync(join(root, 'benchmarks/package.json'), 'utf8'));
  const cpu = `${cpus().length} × ${cpus()[0]?.model ?? arch()}`;
  const date = new Date().toISOString().slice(0, 10);
  return { node: process.version, cpu, date, versions: manifest.dependencies };
}

async function run() {
  const names = chosen();
  if (names.some((name) => name in harness.peers)) harness.installPeers();
  const folder = harness.temporary('bench');
  await harness.bundle(folder, names);
  const { scenes } = await import(join(folder, 'scenes.mjs'));
  const able = await checked(folder, names);
  const made = { ...circumstances(), works: scenes.flatMap(({ works }) => works) };
  if (parts.includes('engine')) made.engine = await engine(folder, able, scenes);
  if (parts.includes('cold')) made.cold = await cold(folder, able);
  if (parts.includes('memory'))
    made.memory = await once('memory', folder, able, { count: 10_000, limit: READY });
  if (parts.includes('stream'))
    made.stream = await once('stream', folder, able, {
      count: 100_000,
      limit: READY,
      seconds: 5,
    });
  return kept(made);
}

/** Sizes, parts and contenders of earlier runs stay beside the new results. */
function kept(made) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const all = { ...known, ...made, engine: { ...known.engine } };
  for (const [size, part] of Object.entries(made.engine ?? {})) {
    const before = known.engine?.[size];
    all.engine[size] = {
      made: { ...before?.made, ...part.made },
      figures: { ...before?.figures, ...part.figures },
      out: { ...before?.out, ...part.out },
    };
  }
  for (const part of ['cold', 'memory', 'stream']) {
    const [before, now] = [known[part], made[part]];
    if (now === undefined) continue;
    const figures = { ...before?.figures, ...now.figures };
    all[part] = { ...now, made: { ...before?.made, ...now.made }, figures };
  }
  mkdirSync(harness.results, { recursive: true });
  writeFileSync(file, JSON.stringify(all));
  return all;
}

const all = option('from') ? JSON.parse(readFileSync(file, 'utf8')) : await run();
for (const [title, lines] of Object.entries(tables(all))) {
  if (option('from') || parts.includes(title.split(' ')[0])) process.stdout.write(`\n${lines}\n`);
}
for (const [size, part] of Object.entries(all.engine ?? {})) {
  writeFileSync(join(harness.results, `engine-${size}.svg`), plot(all, size, part));
}
process.stdout.write(`\nraw values and plots: benchmarks/results/\n`);
if (option('write-docs')) writeDocs(all, plot);
