// Builds dist: tsc compiles the modules, shorten.mjs gives internal members short names, Rolldown joins modules to chunks.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { markPure } from './markPure.mjs';
import { shorten } from './shorten.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
// what chunks are made of, and the chunks with their maps, for tests and the table of sizes: not in the package
const [modules, chunks] = [join(dist, 'modules'), join(dist, 'chunks')];
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(dist, { recursive: true, force: true });
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', modules];
const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' });
if (status !== 0) throw new Error('The sources do not compile.');

const entries = {
  code: targets(manifest.exports, /^\.\/dist\/esm\/(.*)\.js$/),
  types: targets(manifest.exports, /^\.\/dist\/esm\/(.*)\.d\.ts$/),
  commands: targets(manifest.bin, /^\.\/dist\/esm\/(.*)\.js$/),
};
markPure(await shorten(modules, { root, entries: entries.types }));
await bundle({ modules, chunks, dist, entries });
for (const path of Object.values(manifest.bin)) chmodSync(join(root, path), 0o755);

// Written last: a dist without it is an unfinished build.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');

/** The paths in a part of the manifest that match, each once: their first group. */
function targets(part, pattern) {
  const paths = typeof part === 'string' ? [part] : Object.values(part);
  const found = paths.flatMap((path) =>
    typeof path === 'string' ? (pattern.exec(path)?.[1] ?? []) : targets(path, pattern),
  );
  return [...new Set(found)];
}
