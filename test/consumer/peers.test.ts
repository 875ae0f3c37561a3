// The package with and without each package that it may be used with.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createConsumer } from '../setup/packed.ts';

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

/** What an entry needs, beside the one dependency. */
const needs: Record<string, readonly string[]> = {
  'signalbox/react': ['react'],
  'signalbox/react/native': ['react'],
  'signalbox/react/signals': ['@preact/signals-react', 'react'],
  'signalbox/persist': ['idb-keyval'],
  'signalbox/offline': ['idb-keyval'],
  'signalbox/preact': ['@preact/signals', 'preact'],
  'signalbox/solid': ['solid-js'],
  'signalbox/solid2': ['solid-js'],
  'signalbox/testing/react': ['react', 'react-dom'],
  'signalbox/testing/msw': ['msw'],
  'signalbox/testing/preact': ['preact'],
  'signalbox/testing/solid': ['solid-js'],
};
const peers = [...new Set(Object.values(needs).flat())].sort();
/** What an entry finds where it is there and does without, or what the command asks for. */
const found = ['@react-navigation/native', '@scalar/json-magic', '@scalar/openapi-parser'];

function load(names: readonly string[]): Record<string, string> {
  const consumer = createConsumer(apps, { names });
  try {
    return JSON.parse(consumer.run('entries.mjs', ...entries)) as Record<string, string>;
  } finally {
    consumer.remove();
  }
}

test('[PACKAGE] each optional peer is one that an entry needs, and is marked as optional', () => {
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
  '[PACKAGE] with $having each entry loads whose peers are there, the others name what they miss',
  ({ names }) => {
    const seen = load(names);
    for (const entry of entries) {
      const missing = (needs[entry] ?? []).filter((name) => !names.includes(name));
      const said = missing.some((name) => seen[entry]?.startsWith(name)) ? missing : seen[entry];
      expect([entry, said]).toEqual([entry, missing.length === 0 ? 'loads' : missing]);
    }
  },
);

test('[PACKAGE] no code is made of text', () => {
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
