/** What the scripts of the benchmarks share: contenders, bundles, samples in processes of their own, progress. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const results = join(root, 'benchmarks/results');

/** Module → what tables call it. The first is the unit. */
export const own = { handWritten: 'hand-written', signalbox: 'signalbox', jsonParse: 'JSON.parse' };
export const peers = {
  dataClient: 'data-client',
  tanstackQuery: 'TanStack Query',
  tanstackDb: 'TanStack DB',
  apollo: 'Apollo',
  urql: 'urql graphcache',
  reduxToolkit: 'Redux Toolkit',
  normalizr: 'normalizr',
  normy: 'normy',
  legendState: 'Legend-State',
  solidStore: 'Solid store',
};
export const titles = { ...own, ...peers };

/** Peers have a lock of their own, so that the root's `npm ci` stays small. */
export function installPeers() {
  if (existsSync(join(root, 'benchmarks/node_modules/.package-lock.json'))) return;
  process.stderr.write('Installing the peers of benchmarks/package-lock.json (once, 75 MB) …\n');
  const options = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', options, { cwd: join(root, 'benchmarks'), stdio: ['ignore', 2, 2] });
}

/** A temporary folder that goes with the process. */
export function temporary(name) {
  const folder = mkdtempSync(join(tmpdir(), `signalbox-${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Bundles the programs and one module per contender, as production code for a page, into a folder.
 * `source`: the folder of another signalbox.
 */
export async function bundle(folder, names, source = root) {
  const module = (name) => (name in peers ? `peers/${name}` : name);
  await build({
    entryPoints: [
      ...['engine', 'cold', 'memory', 'stream', 'scenes', 'check'].map((name) => ({
        in: join(root, `benchmarks/${name}.ts`),
        out: name,
      })),
      ...names.map((name) => ({
        in: join(root, `benchmarks/contenders/${module(name)}.ts`),
        out: `contenders/${name}`,
      })),
    ],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['production', 'module'],
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { signalbox: join(source, 'src/index.ts') },
    logLevel: 'error',
  });
}

/**
 * Compiling and collecting are done by the one thread too, so that all that a work costs is counted as its own. The heap
 * is large from the start: where all of it is collected between works, code made for a box that has gone goes, too, and
 * what is measured then is compiling.
 */
const FLAGS = [
  '--expose-gc',
  '--single-threaded',
  '--no-flush-bytecode',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--initial-heap-size=1500',
  '--max-old-space-size=6000',
];

/** What a process has worked so far, in ms; where the system does not tell, for ever. */
function workedBy(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Infinity;
  }
}

/**
 * Runs one program (`engine`, `cold`, `memory`, `stream`) in a fresh process and gives its lines of figures. When it stays at
 * one work for longer than `limit` ms of its own work it is ended, and that work is in `over`; when it fails, in `failed`.
 * `flags`: of the engine. `given`: what else the program is told.
 */
export function play({ folder, program, name, limit, flags = FLAGS, skip = [], ...given }) {
  const order = { module: join(folder, `contenders/${name}.mjs`), name, skip, ...given };
  const child = spawn(
    process.execPath,
    [...flags, join(folder, `${program}.mjs`), JSON.stringify(order)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return new Promise((done) => {
    const lines = [];
    let at = 'start';
    let rest = '';
    let errors = '';
    let late = false;
    let since = 0;
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        late = workedBy(child.pid) - since > limit;
        if (late) child.kill('SIGKILL');
        else wait();
      }, limit / 2);
    };
    wait();
    child.stderr.on('data', (text) => (errors += text));
    child.stdout.on('data', (text) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop();
      for (const part of parts) {
        const line = JSON.parse(part);
        if (line.at === undefined) lines.push(line);
        else ({ at, worked: since } = line);
      }
      wait();
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (late) done({ lines, over: at });
      else if (code === 0) done({ lines });
      else
        done({ lines, failed: at, errors: errors.split('\n').find((l) => /Error|heap/.test(l)) });
    });
  });
}

/**
 * One sample of the engine benchmark: as `play`, started again without the work that took too long, until all others are
 * done. `out` remembers these from one sample to the next: work → 'over', 'failed', or 'unreached' where what comes before
 * it is the reason.
 */
export async function sample({ scenes, out, ...order }) {
  const figures = new Map();
  for (;;) {
    const skip = [...figures.keys(), ...Object.keys(out)];
    const { lines, over, failed, errors } = await play({ ...order, program: 'engine', skip });
    for (const { work, ...figure } of lines)
      figures.set(work, [...(figures.get(work) ?? []), figure]);
    const stuck = over ?? failed;
    if (stuck === undefined) return figures;
    if (errors) process.stderr.write(`\n${titles[order.name]}, ${stuck}: ${errors}\n`);
    for (const work of fallen(scenes, stuck)) if (!figures.has(work)) out[work] = 'unreached';
    out[stuck] = over === undefined ? 'failed' : 'over';
    if (stuck === 'start') return figures;
  }
}

/** The works that cannot be done without this one: the rest of a chain, or a scene that is not even prepared. */
function fallen(scenes, stuck) {
  if (stuck === 'start') return scenes.flatMap(({ works }) => works);
  return scenes.flatMap(({ works, chained }) => {
    if (stuck === `${works[0]} …`) return works;
    return chained && works.includes(stuck) ? works.slice(works.indexOf(stuck)) : [];
  });
}

/** Of an even number the lower one of the middle: what disturbs a measurement only ever makes it longer. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}

/** A bar on a terminal, else now and then a line. */
export function progress(all) {
  const start = Date.now();
  let done = 0;
  let told = 0;
  return (what) => {
    const share = done++ / all;
    const left = share > 0 ? Math.ceil(((Date.now() - start) * (1 / share - 1)) / 60_000) : '?';
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░');
    const text = `${bar} ${Math.round(share * 100)} %, about ${left} min left: ${what}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${share < 1 ? text : ''}`);
    else if (Date.now() - told > 20_000) process.stderr.write(`${text}\n`);
    else return;
    told = Date.now();
  };
}

/** The value after `--name`, or, where nothing stands in for it, whether `--name` is there. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  if (otherwise === undefined) return at >= 0;
  return at >= 0 ? process.argv[at + 1] : otherwise;
}
