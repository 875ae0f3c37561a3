// The package with and without each optional package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createConsumer, type Beside } from '../setup/packed.ts';

const apps = fileURLToPath(new URL('apps', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly exports: Record<string, string | object>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional: boolean }>;
  readonly dependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const entries = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target !== 'string')
  .map(([path]) => join('signalbox', path));

/** The requirements of an entry, beside the only dependency. */
const needs: Record<string, readonly string[]> = {
  'signalbox/react': ['react'],
  'signalbox/react/native': ['react'],
  'signalbox/react/signals': ['@preact/signals-react', 'react'],
  'signalbox/preact': ['@preact/signals', 'preact'],
  'signalbox/solid': ['solid-js'],
  'signalbox/solid2': ['solid-js'],
  'signalbox/testing/react': ['react', 'react-dom'],
  'signalbox/data-client': ['react'],
  'signalbox/data-client/test': ['react', 'react-dom'],
  'signalbox/testing/msw': ['msw'],
  'signalbox/testing/preact': ['preact'],
  'signalbox/testing/solid': ['solid-js'],
};
const peers = [...new Set(Object.values(needs).flat())].sort();
/** Optional packages of an entry, or of the command. */
const found = [
  '@react-navigation/native',
  '@scalar/json-magic',
  '@scalar/openapi-parser',
  'oxc-parser',
];

const load = (names: readonly string[]) => run({ names }, 'entries.mjs', ...entries);

/** Runs a program of a consumer, and returns the printed object. */
function run(beside: Beside, ...program: [string, ...string[]]): Record<string, string> {
  const consumer = createConsumer(apps, beside);
  try {
    return JSON.parse(consumer.run(...program)) as Record<string, string>;
  } finally {
    consumer.remove();
  }
}

test('[PACKAGE] each peer dependency is needed by an entry or the command, and is optional', () => {
  const all = [...peers, ...found].sort();
  expect(Object.keys(manifest.peerDependencies).sort()).toEqual(all);
  expect(Object.keys(manifest.peerDependenciesMeta).sort()).toEqual(all);
  expect(Object.values(manifest.peerDependenciesMeta)).toEqual(all.map(() => ({ optional: true })));
  expect(Object.keys(manifest.dependencies)).toEqual(['@preact/signals-core']);
});

const parties = [
  [],
  ['react'],
  ['preact'],
  ['preact', '@preact/signals'],
  ['solid-js'],
  peers.filter((name) => name !== 'react-dom'),
  peers,
];

test.each(parties.map((names) => ({ names, having: names.join(', ') || 'no peer' })))(
  '[PACKAGE] with $having, an entry loads if its peers are installed, else the error names the missing peers',
  ({ names }) => {
    const seen = load(names);
    for (const entry of entries) {
      const missing = (needs[entry] ?? []).filter((name) => !names.includes(name));
      const said = missing.some((name) => seen[entry]?.startsWith(name)) ? missing : seen[entry];
      expect([entry, said]).toEqual([entry, missing.length === 0 ? 'loads' : missing]);
    }
  },
);

const server = '--conditions=react-server';

test('[PACKAGE] each entry loads under the condition react-server, by import and by require', () => {
  const seen = run({ names: peers }, server, 'entries.mjs', ...entries);
  expect(seen).toEqual(Object.fromEntries(entries.map((entry) => [entry, 'loads'])));
});

test('[H10] under the condition react-server each hook and component throws A8', () => {
  const seen = run({ names: peers }, server, 'refused.mjs');
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(['useSuspense', 'Provider', '$']));
  const others = Object.entries(seen).filter(([, message]) => !message.includes('[signalbox A8]'));
  expect(others).toEqual([]);
});

test('[PACKAGE] the package runs without code generation from strings, and contains no eval', () => {
  const consumer = createConsumer(apps);
  try {
    const strict = '--disallow-code-generation-from-strings';
    expect(JSON.parse(consumer.run(strict, 'imports.mjs'))).toMatchObject({ rendered: 'true' });
    const dist = join(consumer.folder, 'node_modules/signalbox/dist');
    const made = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.js'))
      .filter((path) => /\beval\s*\(|\bFunction\s*\(/.test(readFileSync(join(dist, path), 'utf8')));
    expect(made).toEqual([]);
  } finally {
    consumer.remove();
  }
});
