/**
 * `npm run bench:related`: rows with related rows at two levels (100 issues per project, 10 comments per issue), kept by a query,
 * by hand, by TanStack DB and by Legend-State (`npm ci --prefix benchmarks` first); a fresh process per sample, in turn, medians of
 * the time that the process has worked. `SAMPLES=5 SIZES=10,100` (projects) `WAYS=signalbox,byHand`. Needs a build.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const samples = Number(process.env.SAMPLES ?? 5);
const sizes = (process.env.SIZES ?? '10,100').split(',').map(Number);
const ways = {
  signalbox: ['Signalbox', './signalbox.ts'],
  byHand: ['ByHand', './byHand.ts'],
  tanstackDb: ['TanstackDb', './peers/tanstackDb.ts'],
  legendState: ['LegendState', './peers/legendState.ts'],
};
const names = (process.env.WAYS ?? Object.keys(ways).join()).split(',');
const [, , way, size] = process.argv;

if (way === undefined) compare();
else await sample();

/** A process: measures a single way, and prints the times as JSON. */
async function sample() {
  const [name, path] = ways[way];
  const { measure, make } = await loadForNode(join(root, `benchmarks/related/dist/${way}.mjs`), {
    alias: { signalbox: join(root, 'dist/esm/src/index.js') },
    stdin: {
      contents: `
          export { measure } from './Related.ts';
          import { ${name} } from '${path}';
          export const make = (data) => new ${name}(data);`,
      resolveDir: join(root, 'benchmarks/related'),
    },
  });
  console.log(JSON.stringify(measure(Number(size), make)));
}

function compare() {
  for (const projects of sizes) {
    const results = Object.fromEntries(names.map((name) => [name, []]));
    for (let at = 0; at < samples; at++)
      for (const name of names) results[name].push(runSample(name, projects));
    const cells = (all) => all.map((cell) => cell.padEnd(22)).join('');
    console.log(`\n${`${projects * 1000} comments`.padEnd(36)}${cells(names)}`);
    for (const work of Object.keys(results[names[0]][0])) {
      const hand = results.byHand && median(results.byHand, work);
      const times = names.map((name) => {
        const time = median(results[name], work);
        return `${time.toFixed(3)} ms ${hand ? `(${(time / hand).toFixed(1)})` : ''}`;
      });
      console.log(`${work.padEnd(36)}${cells(times)}`);
    }
  }
}

function runSample(name, projects) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const self = fileURLToPath(import.meta.url);
  return JSON.parse(
    String(execFileSync(process.execPath, [self, name, String(projects)], { env })),
  );
}

function median(all, work) {
  const times = all.map((each) => each[work]).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)];
}
