/** Runs the engine benchmark: fresh process per sample, contenders in turn, medians as ratios of the hand-written program. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const sizes = (process.env.BENCH_SIZES ?? '1000,10000').split(',').map(Number);
const samples = Number(process.env.BENCH_SAMPLES ?? 7);
const contenders = ['handWritten', 'signalbox'];
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const outfile = join(folder, 'engine.mjs');
await build({
  entryPoints: ['benchmarks/engine.ts'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
});

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const progress = (text) => process.stderr.isTTY && process.stderr.write(`\r\u001B[K${text}`);
const raw = {};
for (const size of sizes) {
  const runs = Object.fromEntries(contenders.map((name) => [name, []]));
  for (let sample = 0; sample < samples; sample++) {
    for (const name of contenders) {
      progress(`N = ${size}: sample ${sample + 1} of ${samples}, ${name}`);
      const out = execFileSync(process.execPath, [outfile, name, String(size)], {
        encoding: 'utf8',
      });
      runs[name].push(JSON.parse(out));
    }
  }
  progress('');
  raw[size] = runs;
  process.stdout.write(
    `\nN = ${size} (median of ${samples}; × hand-written; runs of views in brackets)\n`,
  );
  for (const work of Object.keys(runs.handWritten[0])) {
    const of = (name) => median(runs[name].map((figures) => figures[work].ms));
    const views = runs.signalbox[0][work].runs;
    const ratio = of('signalbox') / of('handWritten');
    const brackets = views === undefined ? '' : `  (${views} / ${runs.handWritten[0][work].runs})`;
    process.stdout.write(
      `${work.padEnd(60)} ${of('handWritten').toFixed(3).padStart(9)} ms  ${ratio.toFixed(2).padStart(7)} ×${brackets}\n`,
    );
  }
}
if (process.env.BENCH_JSON) writeFileSync(process.env.BENCH_JSON, JSON.stringify(raw));
rmSync(folder, { recursive: true });
