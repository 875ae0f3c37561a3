// A bundle contains only the imported parts of an adapter.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const frameworks = ['react', 'preact', 'solid-js', '@preact/signals', '@preact/signals-react'];

/** The code of a bundle of these names, frameworks left out. */
async function bundle(names: string, adapter: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names} } from './adapters/${adapter}/index.ts'`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    minify: true,
    treeShaking: true,
    format: 'esm',
    external: frameworks.flatMap((name) => [name, `${name}/*`]),
  });
  return outputFiles[0]?.text ?? '';
}

/** A piece of text of each optional hook. */
const marks: Readonly<Record<string, string>> = {
  useError: 'useError',
  useFetch: 'useFetch',
  useCancelling: 'useCancelling',
  useLoading: 'loading:!0,error:void 0}',
  useDebounce: 'Object.is(',
  ErrorBoundary: 'role:"alert"',
};

const adapters = ['react', 'preact', 'solid'];

test.each(adapters)(
  '[H1] a bundle for %s contains an optional hook only if the hook is imported',
  async (adapter) => {
    const plain = await bundle('Provider, useController, useSuspense', adapter);
    for (const [name, mark] of Object.entries(marks)) {
      const hook = await bundle(`Provider, useController, useSuspense, ${name}`, adapter);
      expect({ name, there: hook.includes(mark) }).toEqual({ name, there: true });
      expect(hook.length).toBeGreaterThan(plain.length);
    }
    for (const name of ['useError', 'useFetch', 'useCancelling', 'ErrorBoundary']) {
      expect({ name, there: plain.includes(marks[name] ?? '') }).toEqual({ name, there: false });
    }
    expect(plain).not.toContain('preact/compat');
  },
);

test('[H4] the core and the React adapter import no signals of a framework', async () => {
  const react = await bundle('useSuspense, useDLE, For, useEntity, ErrorBoundary', 'react');
  expect(react).not.toMatch(/["']@preact\/signals(-react)?["'/]/);
});
