// The parts of the adapter in a bundle.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test.each([
  'useSuspense',
  'useDLE',
  'useCache',
  'useError',
  'useQuery',
  'useStatus',
  'useIsFetching',
  'For',
])('[H3] a bundle of only %s contains the tracking of @preact/signals', async (name) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${name} } from './adapters/preact/index.ts'; console.log(${name})`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    treeShaking: true,
    format: 'esm',
  });
  expect(outputFiles[0]?.text).toContain('ReactiveTextNode');
});

/** The output of a reading component in a production build. `copy`: the engine's file that @preact/signals gets. */
async function drawnBy(copy: string): Promise<string> {
  const engine = fileURLToPath(
    new URL('../../node_modules/@preact/signals-core/dist/', import.meta.url),
  );
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { h } from 'preact';
        import { renderToString } from 'preact-render-to-string';
        import { Controller, Endpoint } from './src/index.ts';
        import { Provider, useCache } from './adapters/preact/index.ts';
        const word = new Endpoint(async () => 'word', { name: 'word' });
        const Word = () => h('p', null, useCache(word) ?? 'nothing');
        export function draw() {
          const controller = new Controller();
          return renderToString(h(Provider, { controller }, h(Word, null)));
        }`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'copies',
        setup: (bundle) =>
          bundle.onResolve({ filter: /^@preact\/signals-core$/ }, ({ importer }) => ({
            path: engine + (importer.includes('node_modules') ? copy : 'signals-core.mjs'),
          })),
      },
    ],
  });
  const code = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
  const { draw } = (await import(/* @vite-ignore */ code)) as { draw: () => string };
  return draw();
}

test('[H9] in production, two copies of the signal engine throw A4 at the first read', async () => {
  expect(await drawnBy('signals-core.mjs')).toBe('<p>nothing</p>');
  await expect(drawnBy('signals-core.module.js')).rejects.toThrow(/A4.*@preact\/signals/);
});
