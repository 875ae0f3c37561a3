// `npm run bench:page`: the page benchmark of benchmarks/page, in Chromium. Needs `npm ci` in benchmarks/page for the peers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = join(root, 'benchmarks/page/dist/run.mjs');
const { everyApp, everyScene, readPages, runPages } = await loadForNode(outfile, {
  entryPoints: [join(root, 'benchmarks/page/run.ts')],
});
const quantile = Number(process.env.BENCH_QUANTILE ?? 0.5);
if (process.env.BENCH_READ) {
  readPages(process.env.BENCH_READ, quantile);
  process.exit();
}
const list = (text, all) => (text === undefined ? all : text.split(','));
const apps = list(process.env.BENCH_APPS, everyApp);
if (!existsSync(join(root, 'benchmarks/page/node_modules'))) {
  console.error('The peers are not installed: run `npm ci --prefix benchmarks/page` first.');
  process.exit(1);
}
await runPages({
  root,
  apps,
  rounds: Number(process.env.BENCH_ROUNDS ?? 5),
  scenes: list(process.env.BENCH_SCENES, everyScene),
  all: process.env.BENCH_DRAWN === 'all',
  streams: process.env.BENCH_STREAMS !== '0',
  json: process.env.BENCH_JSON,
  quantile,
});
