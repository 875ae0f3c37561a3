/** `signalbox migrate`: the edits, and the decisions that are left to the user. */
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../../src/command/migrate.ts';
import { absentNames, rewriteModule } from '../../src/command/rewriteModule.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

async function run(...args: string[]) {
  const written: string[] = [];
  const said: string[] = [];
  const code = await command(['migrate', ...args], {
    read: async () => '',
    write: (text) => void written.push(text),
    say: (line) => void said.push(line.replaceAll(folder, '')),
  });
  return { code, written: written.join(''), said };
}

const rewrite = (text: string) => rewriteModule('a.tsx', text, parseSync);

test.each([
  [`import { useSuspense } from '@data-client/react';`, 'signalbox/data-client'],
  [`import { resource, type Resource } from "@data-client/rest";`, 'signalbox/data-client'],
  [`import { RestEndpoint } from '@data-client/rest/next';`, 'signalbox/data-client'],
  [`import type { Manager } from '@data-client/core';`, 'signalbox/data-client'],
  [`import * as hooks from '@data-client/hooks';`, 'signalbox/data-client'],
  [`import { Img } from '@data-client/img';`, 'signalbox/data-client'],
  [`import { createPersistedStore } from '@data-client/ssr';`, 'signalbox/data-client'],
  [`import { getInitialData } from '@data-client/react/ssr';`, 'signalbox/data-client'],
  [`import { useMeta, SimpleRecord } from '@rest-hooks/legacy';`, 'signalbox/data-client'],
  [`import { CacheProvider } from '@rest-hooks/react';`, 'signalbox/data-client'],
  [`import { MockProvider } from 'rest-hooks/test';`, 'signalbox/data-client/test'],
  [`import { GQLEndpoint } from '@data-client/graphql';`, 'signalbox/data-client'],
  [`import { useResource } from 'rest-hooks';`, 'signalbox/data-client'],
  [`import { Resource } from '@rest-hooks/rest';`, 'signalbox/data-client'],
  [`import { renderDataHook } from '@data-client/test';`, 'signalbox/data-client/test'],
  [`import { makeRenderRestHook } from '@rest-hooks/test';`, 'signalbox/data-client/test'],
  [`export { Entity } from '@data-client/endpoint';`, 'signalbox/data-client'],
  [`export * from '@data-client/rest';`, 'signalbox/data-client'],
  [`const { Entity } = require('@data-client/rest');`, 'signalbox/data-client'],
  [`const rest = await import('@data-client/rest');`, 'signalbox/data-client'],
  ['const rest = await import(`@data-client/rest`);', 'signalbox/data-client'],
  [`import rest = require('@data-client/rest');`, 'signalbox/data-client'],
  [`type E = import('@data-client/rest').Entity;`, 'signalbox/data-client'],
  [`jest.mock('@data-client/react');`, 'signalbox/data-client'],
])('[T5] migrate rewrites the package name in %s', (text, entry) => {
  const { text: changed, notes } = rewrite(text);
  expect(notes).toEqual([]);
  expect(changed).toBe(text.replace(/(['"`])[@r].*\1/, `$1${entry}$1`));
});

test.each([
  `import { useSuspense } from '@data-clients/react';`,
  `import { x } from './rest-hooks';`,
  `const title = 'rest-hooks is @data-client/react now';`,
  `// import { x } from '@data-client/react'`,
])('[T5] migrate does not change %s', (text) => {
  expect(rewrite(text)).toEqual({ text, notes: [] });
});

test('[T5] migrate keeps all other bytes of a module', () => {
  const text = `'use client';\r\nimport {\n  useSuspense, // 🙂 read\n} from "@data-client/react"\n\n;const 𝒳 = <p>{'@data-client'}</p>\n`;
  expect(rewrite(text).text).toBe(text.replace('@data-client/react', 'signalbox/data-client'));
});

test('[T5] migrate lists each place that needs a decision, with line and page', () => {
  const { text, notes } = rewrite(
    [
      `import { Entity } from '@data-client/rest';`,
      `import { DataProvider } from '@data-client/react/nextjs';`,
      `import { useSuspense, MemoCache } from '@data-client/react';`,
      `import { ExternalDataProvider } from '@data-client/react/redux';`,
      `class Todo extends Entity {`,
      `  static fetchOptionsPlugin(options) { return options; }`,
      `}`,
    ].join('\n'),
  );
  expect(notes).toEqual([
    {
      line: 2,
      reason: '@data-client/react/nextjs: Next.js has a provider of its own',
      page: 'docs/frameworks/nextjs.md',
    },
    { line: 3, reason: 'MemoCache has no equivalent', page: 'docs/migration.md' },
    {
      line: 4,
      reason: '@data-client/react/redux: there is no Redux store',
      page: 'docs/migration.md',
    },
    {
      line: 6,
      reason: 'fetchOptionsPlugin is of an older version: getFetchInit',
      page: 'docs/migration.md',
    },
  ]);
  expect(text).toContain(`from 'signalbox/data-client'`);
  expect(text).toContain(`from '@data-client/react/nextjs'`);
});

test('[T5] migrate prints its changes, and applies the changes with --write', async () => {
  write({
    'src/a.ts': `import { Entity } from '@data-client/rest';`,
    'src/b.ts': `export const b = 1;`,
    'src/deep/c.jsx': `import { useDenormalized } from 'rest-hooks';`,
    'node_modules/x/index.js': `import { Entity } from '@data-client/rest';`,
    'src/styles.css': `@data-client/rest`,
  });
  const dry = await run(folder);
  expect(dry.code).toBe(1);
  expect(dry.written.replaceAll(folder, '')).toBe('/src/a.ts\n/src/deep/c.jsx\n');
  expect(dry.said).toEqual([
    '/src/deep/c.jsx:1: useDenormalized has no equivalent (docs/migration/rest-hooks.md)',
    '2 of 3 modules would be changed; pass --write to change them; 1 places need a decision',
  ]);
  expect(read('src/a.ts')).toContain('@data-client');
  const done = await run('--write', folder);
  expect(done.said.at(-1)).toBe('2 of 3 modules changed; 1 places need a decision');
  expect(read('src/a.ts')).toBe(`import { Entity } from 'signalbox/data-client';`);
  expect(read('src/deep/c.jsx')).toBe(`import { useDenormalized } from 'signalbox/data-client';`);
  expect(read('node_modules/x/index.js')).toContain('@data-client');
});

test.each([
  [`import * as client from '@data-client/react';\nconst memo = new client.MemoCache();`, 2],
  [`import type * as Client from '@data-client/react';\ntype Memo = Client.MemoCache;`, 2],
  [`const { Entity, MemoCache: Memo } = require('@data-client/rest');`, 1],
  [`const { MemoCache } = await import('@data-client/rest');`, 1],
  [`export { MemoCache } from '@data-client/react';`, 1],
])('[T5] migrate reports an absent name in %s', (text, line) => {
  const { notes } = rewrite(text);
  expect(notes).toEqual([
    { line, reason: 'MemoCache has no equivalent', page: 'docs/migration.md' },
  ]);
});

test.each([
  `import rest from '@data-client/rest';`,
  `import { default as rest } from '@data-client/rest';`,
  `export { default } from '@data-client/rest';`,
  `export { default as rest } from '@data-client/rest';`,
])('[T5] migrate reports the default import or export in %s', (text) => {
  const reason = '@data-client/rest has no default export';
  expect(rewrite(text).notes).toEqual([{ line: 1, reason, page: 'docs/migration.md' }]);
  expect(rewrite(text.replace('@data-client/rest', './rest')).notes).toEqual([]);
});

test('[T5] migrate reports a shape that a class overrides, and no call of a shape', () => {
  const { notes } = rewrite(
    [
      `import { Resource, useResource } from 'rest-hooks';`,
      `class Article extends Resource {`,
      `  static detailShape() { return { ...super.detailShape(), schema: { data: this } }; }`,
      `}`,
      `const useArticle = (id) => useResource(Article.listShape(), { id });`,
    ].join('\n'),
  );
  const reason = 'detailShape is of an older version: detail';
  expect(notes).toEqual([{ line: 3, reason, page: 'docs/migration.md' }]);
});

test.each([
  [
    `{ ...super.listShape(), schema: { data: [this] } }`,
    `super.listShape().extend({ schema: { data: [this] } })`,
  ],
  [
    `{ ...Article.detailShape(), getFetchKey: (params) => 'me', fetch() { return load(); } }`,
    `Article.detailShape().extend({ key: (params) => 'me', fetch() { return load(); } })`,
  ],
  [
    `{ ...this.createShape(), options: { dataExpiryLength: 5 } }`,
    `this.createShape().extend({ ...{ dataExpiryLength: 5 } })`,
  ],
  [`{...this.deleteShape(),\n  schema,\n}`, `this.deleteShape().extend({\n  schema,\n})`],
  [`{ ...this.updateShape() }`, `this.updateShape().extend({ })`],
  [`{ ...this.list(), schema: [this] }`, `{ ...this.list(), schema: [this] }`],
])('[T5] migrate changes a shape that is spread, %s, to an extended endpoint', (from, to) => {
  const start = `import { Resource } from 'rest-hooks';\nconst x = (`;
  const { text, notes } = rewrite(`${start}${from});`);
  expect(notes).toEqual([]);
  expect(text).toBe(`${start.replace('rest-hooks', 'signalbox/data-client')}${to});`);
  expect(parseSync('a.tsx', text).errors).toEqual([]);
});

test('[T5] migrate changes a shape that is spread from a variable', () => {
  const { text } = rewrite(
    [
      `import { Resource } from 'rest-hooks';`,
      `const shape = Article.listShape();`,
      `const other = { ...shape, schema: [Row] };`,
    ].join('\n'),
  );
  expect(text).toContain('const other = shape.extend({ schema: [Row] });');
});

test('[T5] migrate reports a shape that is spread with members that no endpoint has', () => {
  const { text, notes } = rewrite(
    [
      `import { Resource } from 'rest-hooks';`,
      `const shape = { ...Article.listShape(), type: 'mutate' };`,
    ].join('\n'),
  );
  const reason = 'a shape is an endpoint: use its extend()';
  expect(notes).toEqual([{ line: 2, reason, page: 'docs/migration.md' }]);
  expect(text).toContain(`{ ...Article.listShape(), type: 'mutate' }`);
});

test('[T5] migrate reports getFetchOptions and fetchOptionsPlugin with their replacements', () => {
  const { notes } = rewrite(
    [
      `import { Resource } from 'rest-hooks';`,
      `class Article extends Resource {`,
      `  static getFetchOptions() { return { dataExpiryLength: 5 }; }`,
      `  static fetchOptionsPlugin(init) { return init; }`,
      `}`,
    ].join('\n'),
  );
  expect(notes.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'getFetchOptions is of an older version: getEndpointExtra'],
    [4, 'fetchOptionsPlugin is of an older version: getFetchInit'],
  ]);
});

test('[T5] migrate reports SET_TYPE, with SET_RESPONSE as the replacement', () => {
  const { text, notes } = rewrite(
    [
      `import { actionTypes } from '@data-client/core';`,
      `const isResponse = ({ type }) => type === actionTypes.SET_TYPE;`,
      `const isRequest = ({ type }) => type === actionTypes.FETCH_TYPE;`,
    ].join('\n'),
  );
  const reason = 'until 0.10, SET_TYPE were responses: SET_RESPONSE';
  expect(notes).toEqual([{ line: 2, reason, page: 'docs/migration.md' }]);
  expect(text).toContain('actionTypes.SET_TYPE');
});

test('[T5] migrate rewrites imports of builds of the test kit, and reports absent names of older versions', () => {
  const { text, notes } = rewrite(
    [
      `import { MockResolver } from '@data-client/test/browser';`,
      `import { mockInitialState } from '@rest-hooks/test/lib/mockState';`,
      `import { paginationUpdate, type SchemaSimpleNew } from '@rest-hooks/rest';`,
      `import { unsetDispatch } from '@rest-hooks/core';`,
    ].join('\n'),
  );
  expect(text.match(/(?<=from ')[^']+/g)).toEqual([
    'signalbox/data-client/test',
    'signalbox/data-client/test',
    'signalbox/data-client',
    'signalbox/data-client',
  ]);
  expect(notes.map(({ reason }) => reason)).toEqual([
    'paginationUpdate has no equivalent',
    'SchemaSimpleNew has no equivalent',
    'unsetDispatch has no equivalent',
  ]);
});

test('[T5] migrate reports two mocks of packages that become one module', () => {
  const two = [
    `jest.mock('@data-client/react', () => ({ useSuspense: jest.fn() }));`,
    `jest.mock('@data-client/rest', () => ({ resource: jest.fn() }));`,
  ].join('\n');
  const reason = 'signalbox/data-client is mocked twice: only one mock takes effect';
  expect(rewrite(two).notes).toEqual([{ line: 2, reason, page: 'docs/migration.md' }]);
  expect(rewrite(two.replace('/rest', '/test')).notes).toEqual([]);
  expect(rewrite(two.replaceAll('jest.mock', 'vi.doMock')).notes).toHaveLength(1);
  expect(rewrite(two.replaceAll('jest.mock', 'require')).notes).toEqual([]);
});

test('[T5] migrate reports a value of useDebounce from the hooks package, which is a pair now', () => {
  const text = [
    `import { useDebounce as useLater } from '@data-client/hooks';`,
    `const useQueries = (a, b) => {`,
    `  const query = useLater(a, 200);`,
    `  const [other, isPending] = useLater(b, 200);`,
    `  return useList(useLater(query, 10));`,
    `};`,
  ].join('\n');
  const reason = 'useDebounce returns [value, isPending]';
  const page = 'docs/hooks/useDebounce.md';
  const notes = [3, 5].map((line) => ({ line, reason, page }));
  expect(rewrite(text).notes).toEqual(notes);
  expect(rewrite(text.replace('@data-client', '@rest-hooks')).notes).toEqual(notes);
  expect(rewrite(text.replace('@data-client/hooks', '@data-client/react')).notes).toEqual([]);
});

test('[T5] migrate parses JSX and types in .js modules', async () => {
  const view = `export const View = ({ id }) => <p>{useSuspense(get, { id }).title}</p>;`;
  write({
    'view.js': `import { useSuspense } from '@data-client/react';\n${view}`,
    'flow.js': `// @flow\nimport { Entity } from '@data-client/rest';\nclass A extends Entity { id: string = '' }`,
  });
  expect(await run('--write', folder)).toMatchObject({ code: 0 });
  expect(read('view.js')).toBe(`import { useSuspense } from 'signalbox/data-client';\n${view}`);
  expect(read('flow.js')).toContain(`from 'signalbox/data-client'`);
});

test('[T5] migrate rewrites declarations, and reports other files that import the packages', async () => {
  const line = `import { Entity } from '@data-client/rest';\n`;
  write({
    'types.d.ts': `declare module '@data-client/rest' { interface Added { a: 1 } }`,
    'a.vue': `<script setup>\n${line}</script>\n<template>@data-client/rest</template>`,
    'b.mdx': line,
    'c.svelte': `<p>@data-client/rest</p>`,
    'd.css': line,
  });
  const { said } = await run('--write', folder);
  expect(said).toEqual([
    '/a.vue:2: imports of this file are left to you (docs/migration.md)',
    '/b.mdx:1: imports of this file are left to you (docs/migration.md)',
    '1 of 4 modules changed; 2 places need a decision',
  ]);
  expect(read('types.d.ts')).toContain(`declare module 'signalbox/data-client'`);
  expect(read('b.mdx')).toBe(line);
});

test('[T5] migrate exits with 2 for a wrong call, and with 1 for a module that does not parse', async () => {
  expect(await run('--help')).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({
    code: 2,
    said: [expect.stringMatching(/the folder is missing/)],
  });
  expect(await run('--wirte', folder)).toMatchObject({ code: 2 });
  expect(await run(join(folder, 'nowhere'))).toMatchObject({ code: 2 });
  write({ 'a.ts': `import { from '@data-client/rest'` });
  expect(await run(folder)).toMatchObject({ code: 1 });
  write({ 'a.ts': `export {}` });
  expect(await run(folder)).toMatchObject({ code: 0 });
});

const source = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const entries = source('src/data-client/index.ts') + source('src/data-client/test.ts');
const exported = new Set(entries.match(/\w+(?=,?\s*\}|,)/g));
const absent = Object.values(absentNames).flat();

test('[T5] names that migrate reports as absent are not exported', () => {
  expect(absent.filter((name) => exported.has(name))).toEqual([]);
  expect(exported.has('useSuspense')).toBe(true);
});

test('[T5] each name in docs/migration/names.md is exported, or reported as absent by migrate', () => {
  const rows = source('docs/migration/names.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const names = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)\w+(?=`)/g) ?? []);
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => !exported.has(name) && !absent.includes(name))).toEqual([]);
});

test('[T5] migrate makes the middleware of Manager classes public, and of no other class', () => {
  const head = `import type { Manager } from '@data-client/core';\n`;
  const { text, notes } = rewrite(
    `${head}class A implements Manager { protected declare middleware: M; protected readonly other = 1; }
export default class implements Manager<X> { private middleware = 1 }
class B { protected middleware = 1 }`,
  );
  expect(notes).toEqual([]);
  expect(text.slice(text.indexOf('\n') + 1)).toBe(
    `class A implements Manager { declare middleware: M; protected readonly other = 1; }
export default class implements Manager<X> { middleware = 1 }
class B { protected middleware = 1 }`,
  );
});
