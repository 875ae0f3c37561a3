/** Builds the package if it is missing or older than its sources. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export async function buildIfStale(root) {
  if (!isStale(root)) return;
  console.log('\n  building the package (npm run build) …');
  await new Promise((resolve, reject) => {
    const builder = spawn(process.execPath, [join(root, 'scripts/build.mjs')], {
      cwd: root,
      stdio: 'inherit',
    });
    builder.on('error', reject);
    builder.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error('the package does not build')),
    );
  });
}

function isStale(root) {
  const finished = join(root, 'dist/cjs/package.json');
  if (!existsSync(finished)) return true;
  const inputs = ['src', 'adapters', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  return (
    Math.max(...inputs.map((path) => changedAt(join(root, path)))) > statSync(finished).mtimeMs
  );
}

function changedAt(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
