// A single copy of the library, whichever tool loads the entries: Node, webpack, and Metro, each by import and by require.
import { cpSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, installTools, type Consumer } from '../setup/packed.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Targets = { readonly [condition: string]: string | Targets };
const { exports } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as {
  exports: Record<string, string | Targets>;
};
const entries = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => join('signalbox', path));

const peers = [
  '@preact/signals',
  '@preact/signals-react',
  'msw',
  'preact',
  'preact-render-to-string',
  'react',
  'react-dom',
  'solid-js',
];

let consumer: Consumer;
beforeAll(() => {
  consumer = createConsumer(here('apps'), { names: peers });
});
afterAll(() => consumer?.remove());

const copy = (format: string) => `./node_modules/signalbox/dist/${format}/src/index.js`;

/** Node has the ES modules for import and for require; React Native has CommonJS for both. */
const conditions = [
  { first: 'import', condition: 'default', other: copy('cjs') },
  { first: 'require', condition: 'default', other: copy('cjs') },
  { first: 'import', condition: 'react-native', other: copy('esm') },
  { first: 'require', condition: 'react-native', other: copy('esm') },
];

test.each(conditions)(
  '[PACKAGE] in Node all entries share one store, by import and by require ($first first, $condition)',
  ({ first, condition, other }) => {
    const program = ['oneStore.mjs', first, other, ...entries] as const;
    const found = consumer.run(`--conditions=${condition}`, ...program);
    expect(JSON.parse(found)).toEqual({ loaded: entries, strangers: {} });
  },
);

/** Writes an app that loads entries by import and by require, and prints the entries with a separate store. */
function writeApp(
  folder: string,
  names: readonly string[],
  first: 'import' | 'require' | 'imports alone',
  views = './views.js',
): string {
  const write = (file: string, lines: readonly string[]) =>
    writeFileSync(join(folder, file), lines.join('\n'));
  write('imported.js', [
    ...names.map((name, index) => `import * as entry${index} from '${name}';`),
    `export const imported = {${names.map((name, index) => `'${name}': entry${index}`).join()}};`,
  ]);
  const required = names.map((name) => `'${name}': require('${name}')`).join();
  write('required.js', [
    first === 'imports alone'
      ? "exports.required = require('./imported.js').imported;"
      : `exports.required = {${required}};`,
  ]);
  const parts = ['./imported.js', './required.js'];
  const file = 'app.js';
  write(file, [
    ...(first === 'require' ? parts.reverse() : parts).map((part) => `require('${part}');`),
    `const found = require('./strangers.js').strangers({`,
    `  ...require('./imported.js'), ...require('./required.js'), ...require('${views}') });`,
    `console.log(JSON.stringify({ loaded: Object.keys(require('./required.js').required), strangers: found }));`,
    // React leaves a port open
    'globalThis.process.exit();',
  ]);
  return file;
}

interface Stats {
  toJson(options: object): { errors: unknown[] };
}
interface Webpack {
  readonly default: (options: object, done: (error: Error | null, stats: Stats) => void) => void;
}

test.each(['import', 'require'] as const)(
  '[PACKAGE] in a bundle of webpack all entries share one store, by import and by require (%s first)',
  async (first) => {
    const tools = createRequire(join(installTools(here('tools')), 'package.json'));
    const { default: webpack } = (await import(tools.resolve('webpack'))) as Webpack;
    const entry = `./${writeApp(consumer.folder, entries, first)}`;
    const stats = await new Promise<Stats>((resolve, reject) => {
      const options = {
        context: consumer.folder,
        entry,
        target: 'node',
        mode: 'production',
        optimization: { minimize: false },
        externals: [...peers, '@preact/signals-core'].map((name) => new RegExp(`^${name}(/|$)`)),
        externalsType: 'commonjs',
        module: {
          parser: { javascript: { commonjs: true } },
          rules: [{ test: /(?:app|required)\.js$/, type: 'javascript/auto' }],
        },
        output: { path: join(consumer.folder, 'webpack'), filename: 'bundle.cjs' },
      };
      webpack(options, (error, made) => (error ? reject(error) : resolve(made)));
    });
    expect(stats.toJson({ errors: true }).errors).toEqual([]);
    expect(JSON.parse(consumer.run('webpack/bundle.cjs'))).toEqual({
      loaded: entries,
      strangers: {},
    });
  },
);

// the entries for an app of React Native
const native = [
  'signalbox',
  'signalbox/devtools',
  'signalbox/devtools/panel',
  'signalbox/offline',
  'signalbox/persist',
  'signalbox/react',
  'signalbox/react/native',
  'signalbox/react/signals',
  'signalbox/ssr',
  'signalbox/streams',
  'signalbox/tabs',
  'signalbox/testing',
];

/** An app without optional packages. Metro and Parcel do not follow links as Node does. */
function createNativeApp(): Consumer {
  const names = [
    '@preact/signals-react',
    'react',
    'react-dom',
    'scheduler',
    'use-sync-external-store',
  ];
  const app = createConsumer(here('apps'), { names });
  for (const name of [...names, '@preact/signals-core']) {
    const place = join(app.folder, 'node_modules', name);
    const source = realpathSync(place);
    rmSync(place);
    cpSync(source, place, { recursive: true });
  }
  const runtime = 'node_modules/@babel/runtime';
  cpSync(join(installTools(here('metro')), runtime), join(app.folder, runtime), {
    recursive: true,
  });
  return app;
}

// installs and compiles once: seconds on an idle machine, minutes beside other tests
const PACKAGER_MS = 600_000;

let nativeApp: Consumer;
afterAll(() => nativeApp?.remove());

test.each([
  { of: 'React Native', framework: 'react-native', settings: {}, how: 'import', names: native },
  {
    of: 'React Native before 0.79, which reads no exports',
    framework: 'react-native',
    settings: { resolver: { unstable_enablePackageExports: false } },
    how: 'import',
    names: native,
  },
  // without the setting of React Native that lets a `require` in a `try` fail, and so without `/react/native`
  {
    of: 'Metro alone',
    framework: 'metro',
    settings: {},
    how: 'imports alone',
    names: native.filter((name) => name !== 'signalbox/react/native'),
  },
] as const)(
  '[H6] Metro with the config of $of bundles entries without optional packages, which share one store',
  ({ framework, settings, how, names }) => {
    // a shared folder: the second build finds the modules compiled by the first
    const app = (nativeApp ??= createNativeApp());
    const entry = writeApp(app.folder, names, how, './nativeView.js');
    app.run('metro.mjs', installTools(here('metro')), entry, framework, JSON.stringify(settings));
    expect(JSON.parse(app.run('metro.cjs'))).toEqual({ loaded: names, strangers: {} });
  },
  PACKAGER_MS,
);

test(
  '[PACKAGE] Parcel 2, which reads no exports by default, bundles each entry, and all share one store',
  () => {
    const app = (nativeApp ??= createNativeApp());
    const entry = writeApp(app.folder, native, 'import', './reactView.js');
    app.run('parcel.mjs', installTools(here('parcel')), entry);
    expect(JSON.parse(app.run('parcel/app.cjs'))).toEqual({ loaded: native, strangers: {} });
  },
  PACKAGER_MS,
);
