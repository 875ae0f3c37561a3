// Prints the cost of the library for small apps, and for users of whole entries: minified, production, without the framework.
// `--peers`: the same small app of other libraries instead (`npm ci --prefix benchmarks` first).
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const KIB = 1024;

// The limit guards the present value, the goal is the target.
// Signals-core is counted (everyone pays for signals-core), frameworks are not (every app has a framework).
const frameworks = [
  'react',
  'react-dom',
  'preact',
  'preact-render-to-string',
  'solid-js',
  '@preact/signals',
  '@preact/signals-react',
  'msw',
  'node:stream',
];

const app = (framework, more = '') => `
  export { Entity, createResource, Controller${more} } from 'signalbox';
  export { useSuspense, useController, Provider } from 'signalbox/${framework}';`;

// Reading a list and an item, changing an item, a provider; with a store if the library needs a store.
const peers = {
  signalbox: app('react'),
  'TanStack Query': `
    export { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';`,
  SWR: `
    export { default, mutate, SWRConfig } from 'swr';
    export { default as useSWRMutation } from 'swr/mutation';`,
  'RTK Query, React Redux': `
    export { configureStore } from '@reduxjs/toolkit';
    export { createApi, fetchBaseQuery, setupListeners } from '@reduxjs/toolkit/query/react';
    export { Provider } from 'react-redux';`,
  'Apollo Client, graphql': `
    export { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
    export { ApolloProvider, useMutation, useQuery } from '@apollo/client/react';`,
  'Data Client': `
    export { createResource, Entity } from '@data-client/rest';
    export { CacheProvider, useController, useSuspense } from '@data-client/react';`,
};

const whole = (entry) => ({ name: `all of ${entry}`, code: `export * from '${entry}';` });

const comparesPeers = process.argv.includes('--peers');
const peerModules = `${root}benchmarks/node_modules`;
if (comparesPeers && !existsSync(peerModules)) {
  throw new Error('The peers are not installed: run `npm ci --prefix benchmarks` first.');
}
const ownEntries = [
  { name: 'Controller', code: `export { Controller } from 'signalbox';` },
  { name: 'Entity + Endpoint', code: `export { Controller, Entity, Endpoint } from 'signalbox';` },
  {
    name: 'createResource app, React',
    code: app('react'),
    limit: 58.9 * KIB,
    goal: 46 * KIB,
    // the hooks of Preact and Solid give live objects
    unused: { 'live objects': ['src/live/'] },
  },
  { name: 'createResource app, Preact', code: app('preact'), limit: 58 * KIB, goal: 46 * KIB },
  { name: 'createResource app, Solid', code: app('solid'), limit: 59.5 * KIB, goal: 46 * KIB },
  {
    name: 'the same, optimistic, React',
    code: app('react', ', optimistic'),
    limit: 70.9 * KIB,
  },
  ...Object.entries(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).exports)
    .filter(([, conditions]) => conditions.import)
    .map(([entry]) => whole(join('signalbox', entry))),
];
const entries = comparesPeers
  ? Object.entries(peers).map(([name, code]) => ({ name, code }))
  : ownEntries;

// Modules that a createResource app in any framework does not import cost nothing. The architecture test checks that each beginning
// of a path matches a file.
const unused = JSON.parse(readFileSync(`${root}scripts/unused.json`, 'utf8'));

if (!existsSync(`${root}dist/cjs/package.json`)) {
  throw new Error('There is no build to weigh: run `npm run build` first.');
}

/** Adds the comment that leads from a chunk to the source map. */
const mapped = {
  name: 'mapped',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/dist\/esm\/.*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return {
        contents: `${text}\n//# sourceMappingURL=${basename(path)}.map`,
        resolveDir: dirname(path),
      };
    }),
};

const kib = (bytes) => (bytes / KIB).toFixed(2).padStart(8);
console.log(
  `${'KiB'.padEnd(28)}${['min', 'gzip', 'brotli', 'limit', 'goal'].map((c) => c.padStart(8)).join('')}`,
);
for (const entry of entries) {
  const { min, gzip, brotli } = await weigh(entry.code);
  const over = entry.limit !== undefined && gzip > entry.limit;
  const shown = (bytes) => (bytes === undefined ? '       –' : kib(bytes));
  console.log(
    `${entry.name.padEnd(28)}${kib(min)}${kib(gzip)}${kib(brotli)}${shown(entry.limit)}${shown(entry.goal)}${over ? '  OVER' : ''}`,
  );
  if (over) process.exitCode = 1;
  if (entry.goal !== undefined)
    reportUnused(await modulesIn(entry.code), { ...unused, ...entry.unused });
}

/** A failing row for each thing that is in the bundle and was not imported. */
function reportUnused(modules, features) {
  for (const [name, beginnings] of Object.entries(features)) {
    const found = modules.filter((path) =>
      beginnings.some((beginning) => `${path}.ts`.startsWith(beginning)),
    );
    if (found.length === 0) continue;
    console.log(`  NOT IMPORTED, and there: ${name} (${found.join(', ')})`);
    process.exitCode = 1;
  }
}

async function weigh(code) {
  const { outputFiles } = await bundle(code);
  const bytes = outputFiles[0].contents;
  return {
    min: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  };
}

/** The compiled modules with code in a bundle. */
async function modulesIn(code) {
  const options = { outfile: 'app.js', sourcemap: 'external', plugins: [mapped] };
  const [{ text: payload }, { text }] = (await bundle(code, options)).outputFiles;
  const map = new SourceMap(JSON.parse(payload));
  const found = new Set();
  text.split('\n').forEach((line, at) => {
    for (let column = 0; column < line.length; column++) {
      const path = map.findEntry(at, column).originalSource;
      const [, module] = /\b((?:src|adapters)\/.*)\.ts$/.exec(path ?? '') ?? [];
      if (module !== undefined) found.add(module);
    }
  });
  return [...found];
}

function bundle(code, options) {
  return build({
    stdin: { contents: code, resolveDir: root },
    nodePaths: comparesPeers ? [peerModules] : [],
    // the paths of tsconfig.json lead to the sources: users get the build
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: frameworks.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'error',
    ...options,
  });
}
