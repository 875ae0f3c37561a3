/** Joins the compiled modules to one chunk for each set of entries that share them, as ES modules and as CommonJS. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { writeDeclarations } from './declarations.mjs';
import { markPure } from './markPure.mjs';
import { filesBelow } from './syntax.mjs';

const SHEBANG = '#!/usr/bin/env node';

/**
 * `modules` holds what tsc wrote; `entries` are paths in it without an ending: of code, of types, and of commands.
 * `chunks` gets the chunks before they are condensed, with maps that lead to the modules.
 */
export async function bundle({ modules, chunks, dist, entries }) {
  const inputs = (paths, ending) =>
    Object.fromEntries(paths.map((path) => [path, join(modules, path + ending)]));
  const from = (paths, plugins = []) =>
    rolldown({
      cwd: modules,
      input: inputs(paths, '.js'),
      external: /^[^./]/,
      platform: 'neutral',
      tsconfig: false,
      plugins,
      checks: { moduleLevelDirective: false },
    });
  const output = {
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    exports: 'named',
    minifyInternalExports: false,
    strict: true,
    generatedCode: { symbols: false },
  };

  const code = await from(entries.code, [plainRequire]);
  await code.write({ ...output, dir: join(chunks, 'esm'), sourcemap: 'inline' });
  await code.write({ ...output, dir: join(chunks, 'cjs'), format: 'cjs', esModule: true });

  const commands = await from(entries.commands);
  await commands.write({ ...output, dir: join(chunks, 'esm'), banner: SHEBANG });
  await condense(chunks, dist);

  await writeDeclarations({
    modules,
    input: inputs(entries.types, '.d.ts'),
    folders: ['esm', 'cjs'].map((format) => join(dist, format)),
  });
}

/** `require` of a package that may be missing: the bundlers of apps know the word, and no other. */
const plainRequire = {
  name: 'plain-require',
  transform: (code) => ({ code: code.replaceAll(' require(', ' requirE('), map: null }),
  renderChunk: (code) => ({ code: code.replaceAll(' requirE(', ' require('), map: null }),
};

/** Writes chunks without indentation. Lines stay short and names stay: a stack trace shows where an error was thrown. */
async function condense(chunks, dist) {
  const isCode = (path) => path.endsWith('.js');
  const files = filesBelow(chunks).filter(isCode);
  const isClient = (path) => readFileSync(path, 'utf8').includes('"use client"');
  const options = {
    outdir: dist,
    outbase: chunks,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    tsconfigRaw: {},
    minifyWhitespace: true,
    logLevel: 'error',
  };
  await build({
    ...options,
    entryPoints: files.filter((path) => !isClient(path)),
    lineLimit: 120,
  });
  // The parser of React's loader (acorn-loose) goes by indentation: a list of exports must not go on in the next line.
  await build({ ...options, entryPoints: files.filter(isClient) });
  for (const path of filesBelow(dist).filter(isCode)) joinConditions(path);
  // again: they were comments
  markPure(filesBelow(join(dist, 'esm')).filter(isCode));
}

/** Some bundlers look for the text of this condition: no end of a line may be in it. */
function joinConditions(path) {
  const code = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    code.replaceAll(/process\s*\.\s*env\s*\.\s*NODE_ENV/g, 'process.env.NODE_ENV'),
  );
}
