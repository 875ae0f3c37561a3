/**
 * `npm run bench:server`: a page with 1,000 rows, rendered on a server with React, Preact and Solid, as a string and as a stream,
 * with signalbox and with TanStack Query; CPU time and bytes of a request. A fresh process per sample, in turn, medians.
 * `SAMPLES=5 REQUESTS=150 ROWS=1000 FRAMEWORKS=react,preact`. Needs a build, and the peers (`npm ci --prefix benchmarks`).
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformAsync } from '@babel/core';
import { build, transform } from 'esbuild';
import { median } from '../benchmarks/harness.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'benchmarks/server');
const samples = Number(process.env.SAMPLES ?? 5);
const modules = {
  react: ['./react/signalbox.tsx', './peers/react.tsx'],
  preact: ['./preact/signalbox.tsx', './peers/preact.tsx'],
  solid: ['./solid/signalbox.tsx', './peers/solid/solid.tsx'],
};
const frameworks = (process.env.FRAMEWORKS ?? Object.keys(modules).join()).split(',');
const libraries = ['signalbox', 'TanStack Query'];
// a suspense stream is compared with the other library's stream of data that were fetched before
const kindsOf = (framework) => ['string', 'stream', ...(framework === 'solid' ? [] : ['suspense'])];
const outfileOf = (framework, library) => join(folder, `dist/${framework}${library}.mjs`);
const [, self, file, kind] = process.argv;

/** Solid compiles its JSX itself. */
const solidJsx = {
  name: 'solid-jsx',
  setup({ onLoad }) {
    onLoad({ filter: /benchmarks[/\\]server[/\\].*\.tsx$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      // Babel reads no types
      const options = { loader: 'tsx', jsx: 'preserve', tsconfigRaw: {} };
      const { code } = await transform(source, options);
      const presets = [['babel-preset-solid', { generate: 'ssr', hydratable: true }]];
      const made = await transformAsync(code, { presets, configFile: false, babelrc: false });
      return { contents: made.code, loader: 'js' };
    });
  },
};

if (file === undefined) await compare();
else await sample();

/** A process: measures one page, and prints the figures as JSON. */
async function sample() {
  const { measure, pages } = await import(pathToFileURL(file).href);
  console.log(JSON.stringify(await measure(pages[kind] ?? pages.stream)));
  process.exit(0);
}

async function compare() {
  const heads = ['CPU ms', 'per s', 'page kB (gzip)', 'data kB (gzip)'];
  print('', '', ...heads);
  for (const framework of frameworks) {
    await Promise.all(libraries.map((_, library) => bundlePage(framework, library)));
    for (const each of kindsOf(framework)) {
      const results = libraries.map(() => []);
      for (let at = 0; at < samples; at++)
        libraries.forEach((_, library) =>
          results[library].push(runSample(framework, library, each)),
        );
      const figures = results.map(medians);
      libraries.forEach((name, library) =>
        print(`${framework}, ${each}`, name, ...cellsOf(figures[library])),
      );
      print('', 'ratio', ...ratiosOf(...figures));
    }
  }
}

function print(page, library, ...cells) {
  console.log(page.padEnd(18) + library.padEnd(16) + cells.map((cell) => cell.padEnd(16)).join(''));
}

function cellsOf({ cpu, page, pageGzip, data, dataGzip }) {
  const kB = (bytes) => (bytes / 1000).toFixed(1);
  const rate = (1000 / cpu).toFixed(0);
  return [cpu.toFixed(1), rate, `${kB(page)} (${kB(pageGzip)})`, `${kB(data)} (${kB(dataGzip)})`];
}

function ratiosOf(own, peer) {
  const ratio = (name) => (own[name] / peer[name]).toFixed(2);
  const bytes = (name) => `${ratio(name)} (${ratio(`${name}Gzip`)})`;
  return [ratio('cpu'), (peer.cpu / own.cpu).toFixed(2), bytes('page'), bytes('data')];
}

function runSample(framework, library, each) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const file = outfileOf(framework, library);
  return JSON.parse(String(execFileSync(process.execPath, [self, file, each], { env })));
}

function medians(all) {
  const medianOf = (name) => median(all.map((each) => each[name]));
  return Object.fromEntries(Object.keys(all[0]).map((name) => [name, medianOf(name)]));
}

async function bundlePage(framework, library) {
  const own = (entry) => join(root, `dist/esm/${entry}/index.js`);
  const solid = (entry) => join(root, `node_modules/solid-js/${entry}dist/server.js`);
  await build({
    stdin: {
      contents: `
        export { measure } from './measure.ts';
        export { pages } from '${modules[framework][library]}';`,
      resolveDir: folder,
    },
    outfile: outfileOf(framework, library),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: framework,
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    alias: {
      signalbox: own('src'),
      'signalbox/ssr': own('src/ssr'),
      'signalbox/ssr/node': join(root, 'dist/esm/src/ssr/node.js'),
      [`signalbox/${framework}`]: own(`adapters/${framework}`),
      // one Solid, and that of a server, for both libraries
      ...(framework === 'solid' && {
        'solid-js': solid(''),
        'solid-js/web': solid('web/'),
        'solid-js/store': solid('store/'),
      }),
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: framework === 'solid' ? [solidJsx] : [],
    tsconfigRaw: {},
    logLevel: 'error',
  });
}
