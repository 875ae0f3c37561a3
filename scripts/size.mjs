// Prints what small apps pay for the library: minified, production, the framework left out.
import { existsSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const KIB = 1024;

// The limit guards what was reached, the goal is where it shall go.
// Signals-core is counted (everyone pays for it), frameworks are not (their app has them).
const frameworks = [
  'react',
  'react-dom',
  'preact',
  'solid-js',
  '@preact/signals',
  '@preact/signals-react',
];

const app = (framework) => `
  export { Entity, createResource, Controller } from 'signalbox';
  export { useSuspense, useController, Provider } from 'signalbox/${framework}';`;

const entries = [
  { name: 'Controller', code: `export { Controller } from 'signalbox';` },
  { name: 'Entity + Endpoint', code: `export { Controller, Entity, Endpoint } from 'signalbox';` },
  { name: 'createResource app, React', code: app('react'), limit: 41 * KIB, goal: 12 * KIB },
  { name: 'createResource app, Preact', code: app('preact'), limit: 41 * KIB, goal: 12 * KIB },
  { name: 'createResource app, Solid', code: app('solid'), limit: 41 * KIB, goal: 12 * KIB },
  { name: 'everything in the core', code: `export * from 'signalbox';` },
];

if (!existsSync(`${root}dist/cjs/package.json`)) {
  throw new Error('There is no build to weigh: run `npm run build` first.');
}

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
}

async function weigh(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    // the paths of tsconfig.json lead to the sources: what users get is the build
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: frameworks.flatMap((name) => [name, `${name}/*`]),
    logLevel: 'error',
  });
  const bytes = outputFiles[0].contents;
  return {
    min: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  };
}
