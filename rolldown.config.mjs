/**
 * The package, from the TypeScript sources. Modules that the same entries need are one chunk, so two entries share each
 * module, and so one store. Names in dist are the names in src. `dist/esm` and `dist/cjs` hold the same modules.
 */
import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { pureConstants } from './scripts/pureConstants.mjs';

const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));

const shared = {
  external: (id) => !/^[./]/.test(id),
  platform: 'neutral',
  tsconfig: false,
  // entries keep their "use client"
  checks: { moduleLevelDirective: false, pluginTimings: false },
};
const code = {
  chunkFileNames: 'chunks/[name].js',
  // schema, endpoint and rest in one chunk: their order in a bundle is the same, whichever entries share them
  codeSplitting: { groups: [{ name: 'definitions', test: /\/src\/rest\// }] },
  comments: { jsdoc: false },
  exports: 'named',
  generatedCode: { symbols: false },
  minifyInternalExports: false,
  // for the table of sizes; the package contains no maps
  sourcemap: 'hidden',
};

/** Keeps `require` of a package that may be missing: Metro and others know the word, and not Rolldown's substitute. */
const plainRequire = {
  name: 'plain-require',
  transform: (text) => ({ code: text.replaceAll(' require(', ' requirE('), map: null }),
  renderChunk: (text) => ({ code: text.replaceAll(' requirE(', ' require('), map: null }),
};

/**
 * Conditions with `DEV` name the environment, too. esbuild inserts constants of other modules after it has dropped dead code,
 * so only a written condition drops the code of a check. Not where each row is checked: Node takes long to read `process.env`.
 */
const developmentChecks = {
  name: 'development-checks',
  transform: {
    filter: { id: { exclude: /\/src\/(schema|store|request)\// } },
    handler: (text) => ({
      code: text.replace(
        /(?<!!)\bDEV\b(?=\)| &&| \?)/g,
        "DEV && process.env.NODE_ENV !== 'production'",
      ),
      map: null,
    }),
  },
};

/** Written last: a dist without it is an unfinished build. */
const commonJs = {
  name: 'common-js',
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'package.json',
      source: '{ "type": "commonjs" }\n',
    });
  },
};

const library = {
  ...shared,
  input: sourcesOf(exports, '.js'),
  plugins: [pureConstants, plainRequire, developmentChecks],
};
const commands = {
  ...shared,
  input: { ...sourcesOf(bin, '.js'), 'src/openapi/openapi': './src/openapi/openapi.ts' },
};
const types = {
  ...shared,
  input: sourcesOf(exports, '.d.ts'),
  plugins: [dts({ oxc: { stripInternal: true }, tsconfig: false, emitDtsOnly: true })],
};
const declarations = {
  chunkFileNames: 'chunks/[name].js',
  minifyInternalExports: false,
  // makes signals a ReactNode: an import of nothing is left out of declarations
  postBanner: ({ name }) =>
    name.startsWith('adapters/react/signals') ? "import '@preact/signals-react';" : '',
};

export default defineConfig([
  { ...library, output: { ...code, dir: 'dist/esm', cleanDir: true } },
  {
    ...commands,
    output: {
      ...code,
      dir: 'dist/esm',
      banner: ({ name }) => (name.endsWith('/bin') ? '#!/usr/bin/env node' : ''),
    },
  },
  { ...types, output: { ...declarations, dir: 'dist/cjs', cleanDir: true } },
  { ...types, output: { ...declarations, dir: 'dist/esm' } },
  {
    ...library,
    plugins: [...library.plugins, commonJs],
    output: { ...code, dir: 'dist/cjs', format: 'cjs', esModule: true },
  },
]);

/** The source of each file in `dist/esm` that a part of package.json names and that ends in this way. */
function sourcesOf(part, ending) {
  const files = JSON.stringify(part).match(/(?<="\.\/dist\/esm\/)[^"]+/g) ?? [];
  const names = files.flatMap((file) =>
    file.endsWith(ending) ? file.slice(0, -ending.length) : [],
  );
  return Object.fromEntries(names.map((name) => [name, `./${name}.ts`]));
}
