/**
 * `npm run bench:disk`: the cost of a start with 50,000 rows on the disk in Chromium, beside TanStack Query's persister; fresh
 * pages, in turn, medians: wall time, longest task, and CPU time of the page's thread, measured in pages of their own. `ROWS=50000
 * ROUNDS=5`. Needs `npm ci --prefix benchmarks`. Fails if a goal is missed.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = join(root, 'benchmarks/disk/dist/browser.mjs');
const { launchBrowser } = await loadForNode(outfile, {
  entryPoints: [join(root, 'test/setup/browser.ts')],
});
const rows = Number(process.env.ROWS ?? 50_000);
const rounds = Number(process.env.ROUNDS ?? 5);
const names = ['signalbox', 'tanstack'];
const programs = new Map();
for (const name of names) {
  const { outputFiles } = await build({
    bundle: true,
    tsconfigRaw: {},
    logLevel: 'error',
    stdin: {
      contents: `import { library } from './${name}.ts'; import { makeRows } from './rows.ts'; Object.assign(globalThis, { library, makeRows });`,
      resolveDir: join(root, 'benchmarks/disk'),
    },
    write: false,
    format: 'iife',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  programs.set(`/${name}`, outputFiles[0].text);
}
const server = createServer(({ url }, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><script>${programs.get(url) ?? ''}</script>`);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}`;
const browser = await launchBrowser();
const found = {};
/** The CPU time of the page's thread so far, ms. */
async function cpuOf(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

const calls = [
  `store(makeRows(${rows}))`,
  `save(makeRows(${rows}))`,
  'start()',
  'readOne()',
  'readAll()',
  'change()',
  `refetch(makeRows(${rows}).map((row) => row.id === 25000 ? { ...row, title: 'changed' } : row))`,
];

/** One life of a library. Tasks are timed by messages that cost CPU time, so CPU time is measured without them. */
async function measure(name, isCpu) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const marks = [];
  await page.exposeFunction('markCpu', async () => void marks.push(await cpuOf(session)));
  for (const call of calls) {
    if (/^(store|save|start)/.test(call)) await page.goto(`${address}/${name}`);
    await page.evaluate(`isCpuMeasured = ${isCpu}`);
    const value = await page.evaluate(`library.${call}`);
    const cell = ((found[call] ??= {})[name] ??= { values: [], cpu: [] });
    if (!isCpu) cell.values.push(value);
    else if (marks.length > 0) cell.cpu.push(-marks.shift() + marks.shift());
  }
  await context.close();
}

try {
  for (let round = 0; round < rounds; round++)
    for (const name of names) for (const isCpu of [false, true]) await measure(name, isCpu);
} finally {
  await browser.close();
  server.close();
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const of = (values, pick) => Math.round(10 * median(values.map(pick))) / 10;
let longestOfStart = 0;
const cpu = {};
console.log(`${rows} rows, ${rounds} rounds: ms (longest task; CPU), or characters written`);
for (const [call, all] of Object.entries(found)) {
  const title = call.replace(/\(.*/, '');
  const cells = names.map((name) => {
    const { values, cpu: times } = all[name];
    if (typeof values[0] === 'number') return of(values, (value) => value);
    const longest = of(values, (value) => value.longest);
    if (call === 'start()' && name === 'signalbox') longestOfStart = longest;
    (cpu[title] ??= {})[name] = of(times, (time) => time);
    return `${of(values, (value) => value.took)} (${longest}; ${cpu[title][name]})`;
  });
  console.log(title.padEnd(10), ...cells.map((cell, at) => `${names[at]} ${cell}`.padEnd(40)));
}
const goals = { save: 10, start: 3 };
for (const [title, goal] of Object.entries(goals)) {
  const ratio = cpu[title].signalbox / cpu[title].tanstack;
  const text = `${ratio.toFixed(2)} times the CPU time of TanStack Query's persister`;
  console.log(`${title}: ${text} (goal: ${goal})`);
  if (ratio > goal) process.exitCode = 1;
}
const reading = cpu.readAll.signalbox / cpu.store.signalbox;
console.log(`readAll: ${reading.toFixed(2)} times the CPU time of storing the rows in memory`);
if (longestOfStart > 50) process.exitCode = 1;
