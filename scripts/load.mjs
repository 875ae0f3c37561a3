/** Runs a program of benchmarks/soak: `node scripts/load.mjs mutations` or `load`, bundled for production. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const [, , name = 'mutations'] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'));
const outfile = join(folder, 'soak.mjs');
await build({
  entryPoints: [`benchmarks/soak/${name}.ts`],
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
});
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
