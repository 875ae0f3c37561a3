// @vitest-environment node
// What is left of the adapter in a bundle.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test.each(['useSuspense', 'useDLE', 'useCache', 'useError', 'useQuery'])(
  '[H3] a bundle of %s alone has the tracking of @preact/signals in it',
  async (name) => {
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
  },
);
