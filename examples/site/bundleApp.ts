/** Bundles one app: its main module, and the modules that it loads on demand. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { solidJsx } from '../ssr/bundle.ts';
import type { Bundling } from '../ssr/bundle.ts';

/** The examples whose apps render in the page only. */
export type Example = 'todo' | 'conduit' | 'board';

export interface AppBundling extends Bundling {
  readonly example: Example;
}

/** Path of a file below the site, and its text. */
export type Files = ReadonlyMap<string, string>;

export async function bundleApp({
  root,
  example,
  framework,
  alias = {},
  mode = 'production',
}: AppBundling): Promise<Files> {
  const outdir = join(root, `examples/${example}/dist`);
  const { outputFiles } = await build({
    entryPoints: { main: join(root, `examples/${example}-${framework}/main.tsx`) },
    outdir,
    bundle: true,
    write: false,
    // modules loaded on demand are separate files
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    alias: { ...alias },
    jsx: 'automatic',
    jsxImportSource: framework,
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    minify: mode === 'production',
    // the panel shows the names of entity classes
    keepNames: true,
    plugins: framework === 'solid' ? [solidJsx('client', example, false)] : [],
    logLevel: 'error',
  });
  return new Map(
    outputFiles.map(({ path, text }) => [`/${framework}${path.slice(outdir.length)}`, text]),
  );
}
