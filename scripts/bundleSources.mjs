/** Joins the sources to one module for each entry, and chunks that entries share, with maps that lead to the sources. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Returns the folder, which is there until the process ends: each module is below it at the path of its source. */
export async function bundleSources(root) {
  const outdir = mkdtempSync(join(root, 'test-results/sources-'));
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const paths = [...manifest.matchAll(/"\.\/dist\/esm\/(.*)\.js"/g)].map(([, path]) => path);
  await build({
    entryPoints: [...new Set(paths)].map((path) => join(root, `${path}.ts`)),
    outbase: root,
    outdir,
    bundle: true,
    splitting: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    sourcemap: 'inline',
    tsconfigRaw: {},
    logLevel: 'error',
  });
  return `${outdir}/`;
}
