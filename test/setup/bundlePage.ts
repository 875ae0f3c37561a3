/** Builds the script of a page of test/browser like an application. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { libraryEntries } from './library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The differences between pages. */
interface Made {
  /** Other packages in the place of the named ones. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly mode?: 'development' | 'production';
  readonly minify?: boolean;
}

/** `page`: a path below test/browser. */
export async function bundlePage(
  page: string,
  { packages = {}, mode = 'production', minify = false }: Made = {},
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}test/browser/${page}`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    alias: { ...packages, ...libraryEntries },
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    minify,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
