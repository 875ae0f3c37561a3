// A feature that is not imported adds no code: the patterns of scripts/unused.json, tried on bundles with the feature.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const unused = JSON.parse(readFileSync(`${root}scripts/unused.json`, 'utf8')) as Record<
  string,
  readonly string[]
>;

const app = `
  export { Entity, createResource, Controller } from './src/index.ts';
  export { useSuspense, useController, Provider } from './adapters/react/index.ts';`;

const core = (names: string): string => `export { ${names} } from './src/index.ts';`;
const whole = (path: string): string =>
  `export * as ${path.replaceAll(/\W/g, '_')} from './${path}.ts';`;
const frameworks = ['react', 'preact', 'solid'].map((name) => whole(`adapters/${name}/index`));

/** The code that imports each feature. */
const imports: Readonly<Record<string, string>> = {
  'testing kit': whole('src/testing/index'),
  'server rendering': whole('src/ssr/index'),
  persist: whole('src/persist/persist'),
  offline: whole('src/offline/offline'),
  tabs: whole('src/tabs/tabs'),
  streams: whole('src/streams/streams'),
  sync: whole('src/persist/persist'),
  Query: core('Query'),
  relations: core('Query, hasMany'),
  joins: core('Query, hasMany, innerJoin'),
  'fetching related rows': core('hasMany, withRelated'),
  Union: core('Union'),
  Values: core('Values'),
  All: core('All'),
  Scalar: core('Scalar'),
  Lazy: core('Lazy'),
  Resource: core('Resource, hookifyResource'),
  GQLEndpoint: core('GQLEndpoint'),
  parseLink: core('parseLink'),
  optimistic: core('optimistic, transaction'),
  httpCache: core('httpCache'),
  polling: frameworks.join('\n'),
  replay: core('replay'),
  'other hooks': frameworks.join('\n'),
  'status beside data': frameworks.join('\n'),
};

/** The sources that a bundle has code of. */
async function sourcesOf(code: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    packages: 'external',
  });
  const [{ inputs }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]];
  return Object.keys(inputs).filter((path) => inputs[path]?.bytesInOutput !== 0);
}

const plain = sourcesOf(app);

test('[PACKAGE] each optional feature has a bundle that imports the feature', () => {
  expect(Object.keys(imports)).toEqual(Object.keys(unused));
});

test.each(Object.entries(imports))(
  '[PACKAGE] the bundle of an app contains %s only if the app imports the feature',
  async (name, code) => {
    const patterns = unused[name] ?? [];
    const matches = (sources: readonly string[], pattern: string): string[] =>
      sources.filter((path) => path.startsWith(pattern));
    const sources = await sourcesOf(app + code);
    expect(patterns.filter((pattern) => matches(sources, pattern).length === 0)).toEqual([]);
    const unwanted = await plain;
    expect(patterns.flatMap((pattern) => matches(unwanted, pattern))).toEqual([]);
  },
);

test('[PACKAGE] the bundle of an app with relations and without joins contains no code of joins', async () => {
  const sources = await sourcesOf(app + core('Query, All, hasMany, hasOne, belongsTo, manyToMany'));
  const patterns = unused['joins'] ?? [];
  expect(patterns.flatMap((one) => sources.filter((path) => path.startsWith(one)))).toEqual([]);
});

test('[PACKAGE] the bundle of an app with a Query and without relations contains no code of relations', async () => {
  const sources = await sourcesOf(app + core('Query, All'));
  expect(sources.some((path) => path.startsWith('src/query/'))).toBe(true);
  expect(sources.filter((path) => path.startsWith('src/query/relations/'))).toEqual([]);
});
