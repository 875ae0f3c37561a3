// The number of functions that run until a page has its first rows: the count is the same on every machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ColdOrder } from '../../benchmarks/cold.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'signalbox-cold-'));

beforeAll(async () => {
  await build({
    entryPoints: ['cold', 'contenders/handWritten', 'contenders/signalbox'].map((name) => ({
      in: join(root, `benchmarks/${name}.ts`),
      out: name,
    })),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { signalbox: join(root, 'src/index.ts') },
    external: ['node:*'],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs in a new process: a function that has run once has been compiled. */
function functions(name: string, count: number): number {
  const module = join(folder, `contenders/${name}.mjs`);
  const order: ColdOrder = { module, name, play: 'functions', count };
  const line = execFileSync(process.execPath, [join(folder, 'cold.mjs'), JSON.stringify(order)]);
  return (JSON.parse(line.toString()) as { functions: number }).functions;
}

// a budget may only go down: each function that runs for the first time costs a page 10 to 20 µs
test.each([
  [1, 218],
  [100, 222],
])(
  '[V7] from the import of the library to the first read of %i rows, at most %i functions run',
  (count, budget) => {
    expect(functions('signalbox', count)).toBeLessThanOrEqual(budget);
  },
);

test('[V7] two runs count the same number of functions, and a handwritten store needs more than 30', () => {
  expect(functions('signalbox', 1)).toBe(functions('signalbox', 1));
  expect(functions('handWritten', 1)).toBeGreaterThan(30);
});
