/** Soaks the laws: random programs against the model in parallel processes, faults counted by kind, each with the shortest program. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = Number(process.env.SOAK_TRACES ?? 200_000);
const steps = Number(process.env.SOAK_STEPS ?? 40);
const workers = Number(process.env.SOAK_WORKERS ?? availableParallelism());
const firstSeed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 1e9));
const CHUNK = 500;
/** The kinds that are counted in other libraries, too; there are more. */
const KINDS = [
  'new identity for equal content',
  'wake-up for nothing',
  'own write lost',
  'deleted row resurrected',
  'invalidation lost',
  'optimistic value lost',
  'reset leaks',
];

// inside of the repository, so that imported packages are found
const folder = mkdtempSync(join(root, 'node_modules/.soak-'));
const outfile = join(folder, 'soak.mjs');
await build({
  entryPoints: [join(root, 'benchmarks/soak.ts')],
  bundle: true,
  packages: 'external',
  alias: { signalbox: join(root, 'src/index.ts') },
  format: 'esm',
  platform: 'node',
  sourcemap: 'inline',
  outfile,
  logLevel: 'error',
});

const kinds = new Map();
const started = performance.now();
let ordered = 0;
let done = 0;

function note({ traces, kinds: found }) {
  done += traces;
  for (const [kind, one] of Object.entries(found)) {
    const known = kinds.get(kind);
    const shorter = known === undefined || one.program.length < known.program.length ? one : known;
    kinds.set(kind, { ...shorter, count: one.count + (known?.count ?? 0) });
  }
  const seconds = (performance.now() - started) / 1_000;
  const text = `${done} of ${wanted} traces, ${Math.round(done / seconds)} a second, ${kinds.size} kinds of fault`;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else if (done % (CHUNK * 20) === 0) console.error(text);
}

/** A process that takes the next chunk after each chunk. */
function work() {
  const worker = fork(outfile, { execArgv: ['--enable-source-maps'] });
  const next = () => {
    const traces = Math.min(CHUNK, wanted - ordered);
    if (traces === 0) worker.disconnect();
    else worker.send({ seed: firstSeed + ordered, traces, steps });
    ordered += traces;
  };
  worker.on('message', (found) => {
    note(found);
    next();
  });
  next();
  return new Promise((resolve) => worker.on('exit', resolve));
}

console.log(`Seed ${firstSeed}, ${wanted} traces of up to ${steps} steps, ${workers} processes`);
const codes = await Promise.all(Array.from({ length: workers }, work));
rmSync(folder, { recursive: true, force: true });
console.log(`\n${done} traces, ${kinds.size} kinds of fault`);
for (const kind of new Set([...KINDS, ...kinds.keys()])) {
  console.log(`${String(kinds.get(kind)?.count ?? 0).padStart(8)}  ${kind}`);
}
for (const [kind, { count, seed, fault, program }] of [...kinds].sort(
  (a, b) => b[1].count - a[1].count,
)) {
  const lines = program.map((step) => `    ${JSON.stringify(step)},`).join('\n');
  console.log(`
${kind}: ${count} traces, first with seed ${seed}
  ${fault}
test('[O4] ${kind}', async () => {
  const faults = await play([
${lines}
  ]);
  expect(faults).toEqual([]);
});`);
}
process.exitCode = kinds.size > 0 || done < wanted || codes.some((code) => code !== 0) ? 1 : 0;
