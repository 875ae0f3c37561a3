// Programs in the style of Data Client's guides, compiled against the tarball with imports of its entry alone.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneChecker } from '../setup/oneChecker.ts';
import { createConsumer, type Consumer } from '../setup/packed.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const tsc = here('../../node_modules/typescript/bin/tsc');

let consumer: Consumer;
beforeAll(() => {
  consumer = createConsumer(here('./dataClient'));
});
afterAll(() => consumer?.remove());

const base = {
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  module: 'preserve',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  types: [],
  noEmit: true,
  skipLibCheck: true,
};

/** The errors of the compiler. */
function compile(options: object, files: readonly string[]): string {
  const file = join(consumer.folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify({ compilerOptions: { ...base, ...options }, files }));
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', file, ...oneChecker], {
    cwd: consumer.folder,
    encoding: 'utf8',
  });
  return stdout;
}

test.each([
  { strict: true },
  { strict: false },
  { strict: true, noUncheckedIndexedAccess: true },
  { strict: true, strictNullChecks: false },
  { strict: true, strictPropertyInitialization: false, useDefineForClassFields: false },
])(
  '[T5] programs of Data Client compile with imports of signalbox/data-client alone, with %o',
  (options) => {
    expect(compile(options, ['rest.ts', 'react.tsx', 'test.tsx'])).toBe('');
  },
);

/** Programs in the forms of one page each, whose overrides do not declare the types of their parameters. */
const pages = [
  'entities.ts',
  'endpoints.ts',
  'managers.ts',
  'hooks.tsx',
  'restHooks.tsx',
  'olderForms.tsx',
];

test.each([
  { strict: true, noImplicitAny: false },
  { strict: false },
  { strict: true, noImplicitAny: false, useDefineForClassFields: false },
])(
  '[T5] programs in the style of each page of Data Client and Rest Hooks compile, with %o',
  (options) => {
    expect(compile(options, pages)).toBe('');
  },
);
