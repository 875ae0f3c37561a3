/** Makes the program of one app of the page benchmark: production, minified, one copy of each framework. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import { build, transform } from 'esbuild';
import type { Plugin } from 'esbuild';

/** The apps in the order of the table; those of other packages stand in `peers`. */
export const own = ['signalboxReact', 'signalboxFor', 'signalboxPreact', 'signalboxSolid'] as const;
export const byHand = ['plainReact', 'vanilla', 'signalsReact', 'signalsPreact', 'signalsSolid'];
export const peers = ['dataClient', 'tanstack', 'swr'];

/** `readable`: names stay, for profiles. */
export async function bundleApp(root: string, name: string, readable = false): Promise<string> {
  const folder = join(root, 'benchmarks/page');
  const file = ['apps', 'peers']
    .flatMap((room) => ['ts', 'tsx', 'jsx'].map((kind) => `./${room}/${name}.${kind}`))
    .find((path) => existsSync(join(folder, path)));
  if (file === undefined) throw new Error(`No app of the page benchmark is called ${name}.`);
  const { outputFiles } = await build({
    stdin: {
      contents: `import { app } from '${file}'; import { start } from './play.ts'; start(app);`,
      resolveDir: folder,
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    alias: {
      ...Object.fromEntries(
        ['react', 'preact', 'solid'].map((name) => [
          `signalbox/${name}`,
          join(root, `adapters/${name}/index.ts`),
        ]),
      ),
      signalbox: join(root, 'src/index.ts'),
    },
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: !readable,
    plugins: [solidJsx, oneReact(root, name), oneOfEach(root)],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

// what its compiled JSX makes is known to React 18 only
const olderReact = ['dataClient'];

/** Peers would bring a React of their own. */
function oneReact(root: string, name: string): Plugin {
  const require = createRequire(join(root, 'package.json'));
  const version = olderReact.includes(name) ? '-18' : '';
  return {
    name: 'one-react',
    setup(build) {
      build.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path }) => ({
        path: require.resolve(path.replace(/^react(-dom)?/, `$&${version}`)),
      }));
    },
  };
}

/** The engine's peers beside this folder have a Solid of their own. */
function oneOfEach(root: string): Plugin {
  return {
    name: 'one-of-each',
    setup(build) {
      build.onResolve(
        { filter: /^(solid-js|preact|@preact)(\/|$)/ },
        ({ path, kind, pluginData }) =>
          pluginData === root
            ? undefined
            : build.resolve(path, { resolveDir: root, kind, pluginData: root }),
      );
    },
  };
}

/** Solid compiles its JSX by itself; Babel reads no types. */
const solidJsx: Plugin = {
  name: 'solid-jsx',
  setup(build) {
    build.onLoad({ filter: /[sS]olid(App)?\.tsx$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { code } = await transform(source, { loader: 'tsx', jsx: 'preserve', tsconfigRaw: {} });
      const made = await transformAsync(code, {
        presets: ['babel-preset-solid'],
        configFile: false,
        babelrc: false,
      });
      return { contents: made?.code ?? '', loader: 'js' };
    });
  },
};
