/** Makes the program of one app: its main module, and what is loaded only when it is asked for. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { solidJsx } from '../ssr/bundle.ts';
import type { Bundling } from '../ssr/bundle.ts';

/** Path of a file below the site, and its text. */
export type Files = ReadonlyMap<string, string>;

export async function bundleApp({
  root,
  framework,
  alias = {},
  mode = 'production',
}: Bundling): Promise<Files> {
  const outdir = join(root, 'examples/todo/dist');
  const { outputFiles } = await build({
    entryPoints: { main: join(root, `examples/todo-${framework}/main.tsx`) },
    outdir,
    bundle: true,
    write: false,
    // what `?mock` needs is no part of the app
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
    plugins: framework === 'solid' ? [solidJsx('client', 'todo', false)] : [],
    logLevel: 'error',
  });
  return new Map(
    outputFiles.map(({ path, text }) => [`/${framework}${path.slice(outdir.length)}`, text]),
  );
}
