/** Loads a module that is written in TypeScript: bundled first, packages stay imports. */
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** `entry`: options of esbuild that name the module, `entryPoints` or `stdin`. Returns the module, bundled to `outfile`. */
export async function loadForNode(outfile, entry) {
  await build({
    ...entry,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    tsconfigRaw: {},
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}
