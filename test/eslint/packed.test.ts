import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, installTools, type Consumer } from '../setup/packed.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

let consumer: Consumer;
beforeAll(() => {
  const names = ['eslint', 'eslint-9'];
  consumer = createConsumer(here('apps'), { names, from: installTools(here('tools')) });
});
afterAll(() => consumer?.remove());

test.each([
  ['eslint-9', 'import'],
  ['eslint', 'import'],
  ['eslint', 'require'],
])('[PACKAGE] the packed plugin lints under %s, loaded by %s', (name, how) => {
  const found = JSON.parse(consumer.run('lint.mjs', name, how)) as [number, string, string][];
  expect(found.map(([line, rule]) => `${line} ${rule}`)).toEqual([
    '4 signalbox/defined-pk',
    '7 signalbox/no-controller-in-component',
    '9 signalbox/no-entity-mutation',
    '10 signalbox/no-mutation-in-read-hook',
    '11 signalbox/no-resource-in-component',
  ]);
  const messages = found.map(([, , message]) => message).join('\n');
  expect(messages).not.toContain('{{');
  expect(messages).toContain('useSuspense reads: it would send TodoResource.delete');
});

test('[PACKAGE] the type of the plugin is accepted in a configuration of ESLint', () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'node16',
    moduleResolution: 'node16',
    target: 'es2022',
    types: [],
  };
  const config = JSON.stringify({ compilerOptions, files: ['config.mts'] });
  writeFileSync(join(consumer.folder, 'tsconfig.json'), config);
  const tsc = here('../../node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', '.'], {
    cwd: consumer.folder,
    encoding: 'utf8',
  });
  expect([stdout, status]).toEqual(['', 0]);
});
