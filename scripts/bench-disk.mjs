/**
 * `npm run bench:disk`: the cost of a start with 50,000 rows on the disk in Chromium, beside TanStack Query's persister; fresh
 * pages, in turn, medians. `ROWS=50000 ROUNDS=5`. Needs `npm ci --prefix benchmarks`. Fails if a goal is missed.
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
try {
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const run = async (call, load) => {
        if (load) await page.goto(`${address}/${name}`);
        ((found[call] ??= {})[name] ??= []).push(await page.evaluate(`library.${call}`));
      };
      await run(`save(makeRows(${rows}))`, true);
      await run('start()', true);
      await run('readOne()');
      await run('readAll()');
      await run('change()');
      await run(
        `refetch(makeRows(${rows}).map((row) => row.id === 25000 ? { ...row, title: 'changed' } : row))`,
      );
      await context.close();
    }
} finally {
  await browser.close();
  server.close();
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const of = (values, pick) => Math.round(10 * median(values.map(pick))) / 10;
const start = {};
console.log(`${rows} rows, ${rounds} rounds: ms (longest task), or characters written`);
for (const [call, all] of Object.entries(found)) {
  const cells = names.map((name) => {
    const values = all[name];
    if (typeof values[0] === 'number') return of(values, (value) => value);
    const longest = of(values, (value) => value.longest);
    if (call === 'start()') start[name] = { took: of(values, (value) => value.took), longest };
    return `${of(values, (value) => value.took)} (${longest})`;
  });
  console.log(
    call.replace(/\(.*/, '').padEnd(10),
    ...cells.map((cell, at) => `${names[at]} ${cell}`.padEnd(32)),
  );
}
const ratio = start.signalbox.took / start.tanstack.took;
console.log(`start: ${ratio.toFixed(2)} times the time of TanStack Query's persister (goal: 3)`);
if (ratio > 3 || start.signalbox.longest > 50) process.exitCode = 1;
