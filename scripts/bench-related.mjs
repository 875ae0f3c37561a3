/**
 * `npm run bench:related`: rows with related rows at two levels (100 issues per project, 10 comments per issue), kept by a query
 * and by hand; a fresh process per sample, in turn, medians of the time that the process has worked. `SAMPLES=5 SIZES=10,100`
 * (projects). Needs a build.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const samples = Number(process.env.SAMPLES ?? 5);
const sizes = (process.env.SIZES ?? '10,100').split(',').map(Number);
const ways = { signalbox: 'Signalbox', byHand: 'ByHand' };
const [, , way, size] = process.argv;

if (way === undefined) compare();
else await sample();

/** A process: measures a single way, and prints the times as JSON. */
async function sample() {
  const { measure, make } = await loadForNode(join(root, `benchmarks/related/dist/${way}.mjs`), {
    alias: { signalbox: join(root, 'dist/esm/src/index.js') },
    stdin: {
      contents: `
          export { measure } from './Related.ts';
          import { ${ways[way]} } from './${way}.ts';
          export const make = (data) => new ${ways[way]}(data);`,
      resolveDir: join(root, 'benchmarks/related'),
    },
  });
  console.log(JSON.stringify(measure(Number(size), make)));
}

function compare() {
  const self = fileURLToPath(import.meta.url);
  for (const projects of sizes) {
    const results = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (let at = 0; at < samples; at++)
      for (const name of Object.keys(ways)) {
        const env = { ...process.env, NODE_ENV: 'production' };
        const out = execFileSync(process.execPath, [self, name, String(projects)], { env });
        results[name].push(JSON.parse(String(out)));
      }
    console.log(`\n${projects * 1000} comments`.padEnd(38) + 'signalbox     by hand       ratio');
    for (const work of Object.keys(results.signalbox[0])) {
      const [own, hand] = Object.keys(ways).map((name) => median(results[name], work));
      const ms = (time) => `${time.toFixed(3)} ms`.padEnd(14);
      console.log(`${work.padEnd(37)}${ms(own)}${ms(hand)}${(own / hand).toFixed(1)}`);
    }
  }
}

function median(all, work) {
  const times = all.map((each) => each[work]).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)];
}
