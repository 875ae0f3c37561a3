/** Makes the two programs of a site: one that renders on the server, one that hydrates in the page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import { build, transform } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';

export const frameworks = ['react', 'preact', 'solid'] as const;
export type Framework = (typeof frameworks)[number];

export interface Bundling {
  /** Where the package is. */
  readonly root: string;
  readonly framework: Framework;
  /** For tests: where names lead instead of the installed packages. */
  readonly alias?: Readonly<Record<string, string>>;
  /** Default `production`. */
  readonly mode?: 'production' | 'development';
}

/** The text of each program. */
export interface Bundle {
  readonly server: string;
  readonly client: string;
}

export async function bundle(bundling: Bundling): Promise<Bundle> {
  const [server, client] = await Promise.all([
    program(bundling, 'server', {
      platform: 'node',
      // some renderers are CommonJS and require what Node has
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    }),
    program(bundling, 'client', { platform: 'browser' }),
  ]);
  return { server, client };
}

async function program(
  { root, framework, alias = {}, mode = 'production' }: Bundling,
  side: 'server' | 'client',
  options: BuildOptions,
): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [join(root, `examples/ssr-${framework}/${side}.tsx`)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: { ...alias },
    jsx: 'automatic',
    jsxImportSource: framework,
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    minify: mode === 'production' && side === 'client',
    plugins: framework === 'solid' ? [solidJsx(side, 'ssr', true)] : [],
    logLevel: 'error',
  });
  return outputFiles?.[0]?.text ?? '';
}

/** Solid compiles its JSX, for each side in its way. `example`: the folder `examples/…-solid`. */
export function solidJsx(side: 'server' | 'client', example: string, hydratable: boolean): Plugin {
  const generate = side === 'server' ? 'ssr' : 'dom';
  return {
    name: 'solid-jsx',
    setup(build) {
      const filter = new RegExp(String.raw`${example}-solid[/\\][^/\\]*\.tsx$`);
      build.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        // Babel reads no types
        const { code } = await transform(source, {
          loader: 'tsx',
          jsx: 'preserve',
          tsconfigRaw: {},
        });
        const presets = [['babel-preset-solid', { generate, hydratable }]];
        const made = await transformAsync(code, { presets, configFile: false, babelrc: false });
        return { contents: made?.code ?? '', loader: 'js' };
      });
    },
  };
}
