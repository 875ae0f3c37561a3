/** Builds the package if the build is missing or older than the sources. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export async function buildIfStale(root) {
  if (!isStale(root)) return;
  console.log('\n  building the package (npm run build) …');
  await new Promise((resolve, reject) => {
    const builder = spawn('npm', ['run', '--silent', 'build'], {
      cwd: root,
      stdio: 'inherit',
    });
    builder.on('error', reject);
    builder.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error('the package does not build')),
    );
  });
}

// `node scripts/buildIfStale.mjs`, before a command that needs the build
if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildIfStale(fileURLToPath(new URL('..', import.meta.url)));

function isStale(root) {
  const finished = join(root, 'dist/cjs/package.json');
  if (!existsSync(finished)) return true;
  const inputs = [
    'src',
    'adapters',
    'package.json',
    'rolldown.config.mjs',
    'scripts/pureConstants.mjs',
  ];
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
