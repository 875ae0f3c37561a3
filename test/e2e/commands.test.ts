// The commands of the examples explain their use.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const run = (script: string, ...args: string[]) =>
  spawnSync(
    process.execPath,
    [fileURLToPath(new URL(`../../scripts/${script}`, import.meta.url)), ...args],
    { encoding: 'utf8' },
  );

test.each([
  ['demo.mjs', 'npm run demo'],
  ['example.mjs', 'npm run todo|conduit|ssr'],
])('[CODE] %s --help prints the options, and an unknown option is an error', (script, usage) => {
  const help = run(script, '--help');
  expect({ status: help.status, errors: help.stderr }).toEqual({ status: 0, errors: '' });
  expect(help.stdout).toContain(`Usage: ${usage}`);
  const { status, stderr } = run(script, '--hlep');
  expect(status).toBe(1);
  expect(stderr).toContain('Unknown option --hlep.');
  expect(stderr).toContain(`Usage: ${usage}`);
});
