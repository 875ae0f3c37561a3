// The samples of test/types/strictness as a user's project has them, under many combinations of compiler options.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneChecker } from '../setup/oneChecker.ts';
import { createConsumer, type Consumer } from '../setup/packed.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const tsc = here('../../node_modules/typescript/bin/tsc');

let consumer: Consumer;
beforeAll(() => {
  consumer = createConsumer(here('../types/strictness'));
});
afterAll(() => consumer?.remove());

const base = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'preserve',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  types: [],
};
const samples = ['react.tsx', 'preact.tsx', 'solid.ts', 'wrappers.ts', 'mistakes.ts'];

/** The errors of the compiler for these files. */
function compile(options: object, files = samples): string {
  const file = join(consumer.folder, 'tsconfig.json');
  const fixed = { noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
  writeFileSync(file, JSON.stringify({ compilerOptions: { ...options, ...fixed }, files }));
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', file, ...oneChecker], {
    cwd: consumer.folder,
    encoding: 'utf8',
  });
  return stdout;
}

test.each([
  { strict: true },
  { strict: false },
  { strict: false, strictNullChecks: true },
  { strict: false, noImplicitAny: true },
  { strict: true, strictNullChecks: false },
  { strict: true, strictFunctionTypes: false },
  { strict: true, strictPropertyInitialization: false },
  { strict: true, noImplicitAny: false },
  { strict: true, noImplicitThis: false, strictBindCallApply: false },
  { strict: true, exactOptionalPropertyTypes: true },
  { strict: true, noUncheckedIndexedAccess: true },
  { strict: true, noPropertyAccessFromIndexSignature: true },
])('[E7] all hooks, definitions and wrappers compile, and mistakes do not, with %o', (options) => {
  expect(compile({ ...base, ...options })).toBe('');
});

test('[E7] the application compiles with the options that Next.js writes', () => {
  const config = readFileSync(here('../../examples/frameworks/next/tsconfig.json'), 'utf8');
  const { compilerOptions } = JSON.parse(config) as { compilerOptions: Record<string, unknown> };
  expect(compilerOptions['strict']).toBe(false);
  // incremental: it would write a file
  expect(compile({ ...compilerOptions, incremental: false }, ['react.tsx'])).toBe('');
});

test.each([{ exactOptionalPropertyTypes: true }, { exactOptionalPropertyTypes: false }])(
  '[E5] a body and search params that may be undefined are optional arguments, with %o',
  (options) => expect(compile({ ...base, strict: true, ...options }, ['optional.ts'])).toBe(''),
);

test('[E7] messages of the compiler name a missing argument, a missing option and a misspelled field', () => {
  const calls = {
    'react.useSuspense(get)': '[params: { id: PathValue; }]',
    'react.useCache(get)': '[params: { id: PathValue; }]',
    'preact.useQuery(get)': '[params: { id: PathValue; }]',
    'solid.useDLE(get)': '[params: () => { id: PathValue; }]',
    'controller.fetch(get)': '[params: { id: PathValue; }]',
    'controller.fetch(rename, { id: 1 })': '[params: { id: PathValue; }, body: { title: string; }]',
    'react.useSuspense(get, {})': "Property 'id' is missing in type '{}'",
    "createResource({ path: '/todos/:id' })": "Property 'schema' is missing",
    'createResource({ schema: Todo })': "Property 'path' is missing",
    "controller.fetch(login, { titel: 'x' })": "Did you mean to write 'title'?",
    "controller.fetch(create, { titel: 'x' })": "Did you mean to write 'title'?",
    "controller.fetch(nested, { title: 'x' })": "Property 'user' is missing in type",
    'controller.fetch(rename, { id: 2 })': `Property '"the body, as the last argument"' is missing in type`,
    "new Query(todos, { sort: 'titel' })": `Type '"titel"' is not assignable`,
    "new Query(todos, { sort: 'titel', include: {} })": `Type '"titel"' is not assignable`,
    "new Query(todos, { sort: 'titel', join: {} })": `Type '"titel"' is not assignable`,
    "new Query(todos, { sotr: 'title' })": "Type 'string' is not assignable to type 'never'",
  };
  const text = `import { All, createResource, Query, RestEndpoint } from 'signalbox';
    import { controller, rename, Todo, TodoResource } from './data.ts';
    import * as preact from 'signalbox/preact';
    import * as react from 'signalbox/react';
    import * as solid from 'signalbox/solid';
    const { get } = TodoResource;
    const body = {} as { title: string };
    const login = new RestEndpoint({ path: '/login', method: 'POST', body });
    const { create } = createResource({ path: '/todos/:id', schema: Todo, body });
    const { create: nested } = createResource({ path: '/users/:user/todos/:id', schema: Todo, body });
    const todos = new All(Todo);
    export const results = () => [\n${Object.keys(calls).join(',\n')}];`;
  writeFileSync(join(consumer.folder, 'missing.ts'), text);
  // a message begins with its file
  const messages = compile({ ...base, strict: true }, ['missing.ts']).split(/^(?=missing\.ts)/m);
  expect(messages).toEqual(Object.values(calls).map((named) => expect.stringContaining(named)));
});
