// The fields of package.json by which each tool resolves the entries.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

type Target = string | { readonly [condition: string]: Target };
interface Manifest {
  readonly exports: Record<string, Target>;
  readonly typesVersions: { readonly '*': Record<string, readonly string[]> };
  readonly alias: Record<string, string>;
  readonly 'react-native': Record<string, string>;
}

const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
) as Manifest;
const entries = Object.entries(manifest.exports).filter(
  (entry): entry is [string, Record<string, Target>] => typeof entry[1] !== 'string',
);

/** The file that a tool finds which asserts these conditions. */
function targetOf(target: Target, conditions: readonly string[]): string | undefined {
  if (typeof target === 'string') return target;
  for (const [condition, next] of Object.entries(target)) {
    if (condition !== 'default' && !conditions.includes(condition)) continue;
    const found = targetOf(next, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}

const usual = ['react-native', 'module-sync', 'module', 'import', 'require'];
/** React would load a client module on the server without its own files for these two. */
const withServer = ['react-native', 'react-server', ...usual.slice(1)];
const exceptions: Record<string, readonly string[]> = {
  './react/signals': withServer,
  './testing/react': withServer,
  './data-client/test': withServer,
};

test('[PACKAGE] each entry has the same conditions in the same order', () => {
  expect(entries.map(([name, targets]) => [name, Object.keys(targets)])).toEqual(
    entries.map(([name]) => [name, exceptions[name] ?? usual]),
  );
});

/** The conditions of tools for import and for require; Jest loads CommonJS alone. */
const tools = [
  {
    tool: 'Node',
    import: ['node', 'import', 'module-sync'],
    require: ['node', 'require', 'module-sync'],
  },
  {
    tool: 'webpack',
    import: ['webpack', 'browser', 'module', 'import'],
    require: ['webpack', 'browser', 'module', 'require'],
  },
  {
    tool: 'esbuild and Vite',
    import: ['browser', 'module', 'import'],
    require: ['browser', 'module', 'require'],
  },
  {
    tool: 'React Native',
    import: ['react-native', 'import'],
    require: ['react-native', 'require'],
  },
  {
    tool: 'Jest for React Native',
    import: ['react-native', 'require'],
    require: ['react-native', 'require'],
  },
];

test.each(tools)(
  '[PACKAGE] $tool resolves all entries to one format, by import and by require',
  (tool) => {
    const formats = entries.flatMap(([, targets]) =>
      [tool.import, tool.require].map((conditions) => targetOf(targets, conditions)?.slice(0, 11)),
    );
    expect(new Set(formats).size).toBe(1);
    expect([...new Set(formats)][0]).toMatch(/^\.\/dist\/(?:esm|cjs)\/$/);
  },
);

test('[PACKAGE] tools that do not read `exports` find the same files by other fields', () => {
  const below = entries.filter(([name]) => name !== '.');
  const expected = (key: (name: string) => string, ...conditions: string[]) =>
    Object.fromEntries(below.map(([name, targets]) => [key(name), targetOf(targets, conditions)]));
  const types = Object.entries(manifest.typesVersions['*']).map(([name, [file]]) => [name, file]);
  expect(Object.fromEntries(types)).toEqual(expected((name) => name.slice(2), 'require', 'types'));
  // Parcel takes `module` for the package itself, Metro before 0.82 takes `main`
  expect(manifest.alias).toEqual(expected((name) => name, 'import'));
  expect(manifest['react-native']).toEqual(expected((name) => name, 'react-native'));
});
