// @vitest-environment node
// What is left of the adapter in a bundle.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('[H3] a bundle of one hook has the tracking of @preact/signals in it', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { useSuspense } from './adapters/preact/index.ts'; console.log(useSuspense)`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    treeShaking: true,
    format: 'esm',
  });
  expect(outputFiles[0]?.text).toContain('ReactiveTextNode');
});
