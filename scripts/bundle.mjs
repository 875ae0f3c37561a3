/** Joins the compiled modules to one chunk for each set of entries that share them, as ES modules and as CommonJS. */
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { markPure } from './markPure.mjs';
import { filesBelow } from './syntax.mjs';

const SHEBANG = '#!/usr/bin/env node';

/**
 * `modules` holds what tsc wrote; `entries` are paths in it without an ending: of code, of types, and of commands;
 * `apart` are paths of modules that are in no chunk with others that do not need them. `chunks` gets the chunks before
 * they are condensed, with maps that lead to the modules.
 */
export async function bundle({ modules, chunks, dist, entries, apart }) {
  const from = (paths, ending, plugins = []) =>
    rolldown({
      cwd: modules,
      input: Object.fromEntries(paths.map((path) => [path, join(modules, path + ending)])),
      external: /^[^./]/,
      platform: 'neutral',
      tsconfig: false,
      plugins,
      checks: { moduleLevelDirective: false },
    });
  const output = {
    entryFileNames: ({ name }) => (name.includes('/') ? '[name].js' : 'chunks/[name].js'),
    chunkFileNames: 'chunks/[name].js',
    exports: 'named',
    minifyInternalExports: false,
    strict: true,
    generatedCode: { symbols: false },
  };

  const plugins = [chunksOf(apart), plainRequire];
  const code = await from(entries.code, '.js', plugins);
  await code.write({ ...output, dir: join(chunks, 'esm'), sourcemap: 'inline' });
  await code.write({ ...output, dir: join(chunks, 'cjs'), format: 'cjs', esModule: true });

  const commands = await from(entries.commands, '.js');
  await commands.write({ ...output, dir: join(chunks, 'esm'), banner: SHEBANG });
  await condense(chunks, dist);

  const types = await from(entries.types, '.d.ts', [
    dts({ dtsInput: true, tsconfig: false, emitDtsOnly: true }),
  ]);
  for (const format of ['esm', 'cjs']) {
    const dir = join(dist, format);
    await types.write({ dir, entryFileNames: '[name].d.ts', chunkFileNames: 'chunks/[name].d.ts' });
  }
}

/** Makes a chunk of each of these modules, as if it was an entry: chunks hold what the same entries need. */
const chunksOf = (modules) => ({
  name: 'chunks-of',
  buildStart() {
    for (const id of modules) {
      this.emitFile({ type: 'chunk', id, name: basename(id, '.js'), preserveSignature: false });
    }
  },
});

/** `require` of a package that may be missing: the bundlers of apps know the word, and no other. */
const plainRequire = {
  name: 'plain-require',
  transform: (code) => ({ code: code.replaceAll(' require(', ' requirE('), map: null }),
  renderChunk: (code) => ({ code: code.replaceAll(' requirE(', ' require('), map: null }),
};

/** Writes chunks without indentation. Lines stay short and names stay: a stack trace shows where an error was thrown. */
async function condense(chunks, dist) {
  const isCode = (path) => path.endsWith('.js');
  await build({
    entryPoints: filesBelow(chunks).filter(isCode),
    outdir: dist,
    outbase: chunks,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    tsconfigRaw: {},
    minifyWhitespace: true,
    lineLimit: 120,
    logLevel: 'error',
  });
  // again: they were comments
  markPure(filesBelow(join(dist, 'esm')).filter(isCode));
}
