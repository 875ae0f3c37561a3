// docs/migration/names.md says of each name whether it is here; this compares it with what is exported.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Controller, Resource } from 'signalbox';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const faces = [
  'src/index.ts',
  'src/ssr/index.ts',
  'src/testing/index.ts',
  'src/devtools/index.ts',
  'src/streams/streams.ts',
  'src/tabs/tabs.ts',
  'src/offline/offline.ts',
  'adapters/react/testing.ts',
  'adapters/preact/testing.ts',
  'adapters/solid/testing.ts',
  'adapters/react/index.ts',
  'adapters/react/signals.ts',
  'adapters/preact/index.ts',
  'adapters/solid/index.ts',
];

/** The names after `export {` and `export type {`, as users import them. */
function exportedBy(face: string): string[] {
  const lists = [...read(face).matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  return lists.flatMap(([, list = '']) =>
    list.split(',').map((one) => (one.split(' as ').at(-1) ?? '').trim()),
  );
}

const exported = new Set(faces.flatMap(exportedBy));

/** True when the name, or the verb or static after its dot, is here. */
function isHere(name: string): boolean {
  const [owner = '', member] = name.split('.');
  if (member === undefined) return exported.has(owner);
  return owner === 'controller' ? member in Controller.prototype : member in Resource;
}

/** Rows of the tables: the names of the first cell, the mark of the second. */
const rows = read('docs/migration/names.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, first = '', mark = '', here = ''] = line.split('|').map((cell) => cell.trim());
    return { names: [...first.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name), mark, here };
  });

const named = (...marks: string[]) =>
  rows.filter(({ mark }) => marks.includes(mark)).flatMap(({ names }) => names);

test('[CODE] docs/migration/names.md marks each name', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ mark }) => !/^(?:same|different|absent)$/.test(mark))).toEqual([]);
  // `same` needs no reason
  expect(rows.filter(({ mark, here }) => mark !== 'same' && here === '')).toEqual([]);
});

test('[CODE] what docs/migration/names.md calls the same is exported', () => {
  expect(named('same').filter((name) => !isHere(name))).toEqual([]);
});

test('[CODE] what docs/migration/names.md calls absent is not exported', () => {
  expect(named('absent').filter(isHere)).toEqual([]);
});

test('[CODE] what docs/migration/names.md points to is exported', () => {
  const targets = rows.flatMap(({ here }) => [
    ...here.matchAll(/`(?:<|new )?((?:controller\.)?\w+)/g),
  ]);
  const ours = targets
    .map(([, name = '']) => name)
    .filter((name) => /^(?:controller\.|[A-Z]|use[A-Z])/.test(name));
  const foreign = new Set(['Suspense', 'Error', 'Partial', 'InstanceType']);
  expect(ours.filter((name) => !foreign.has(name) && !isHere(name))).toEqual([]);
  expect(ours.length).toBeGreaterThan(30);
});
