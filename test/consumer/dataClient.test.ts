// Programs in the style of Data Client's guides, compiled against the tarball with imports of its entry alone.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
function compile(options: object): string {
  const file = join(consumer.folder, 'tsconfig.json');
  const files = ['rest.ts', 'react.tsx', 'test.tsx'];
  writeFileSync(file, JSON.stringify({ compilerOptions: { ...base, ...options }, files }));
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', file], {
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
    expect(compile(options)).toBe('');
  },
);
