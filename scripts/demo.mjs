// `npm run demo`: builds the package if it is missing or old, then runs examples/demo with it.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printHelp } from './help.mjs';
import { loadForNode } from './loadForNode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = new Set(process.argv.slice(2));
printHelp(
  `
Usage: npm run demo [-- options]

Starts a json-server, runs nine steps against it in the terminal, then serves a page
with React, Preact and Solid on one store. Builds the package first if necessary.

  --page       serve the page even if the output is not a terminal
  --no-page    only the steps in the terminal
  -h, --help   this text
`,
  new Set(['--page', '--no-page']),
);
const attached = process.stdin.isTTY === true && process.stdout.isTTY === true;
const page = !args.has('--no-page') && (attached || args.has('--page'));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // the server removes its files on `exit`
  process.on(signal, () => process.exit(page ? 0 : 1));
}

try {
  if (isStale()) await buildPackage();
  const { runDemo } = await loadDemo();
  process.exitCode = await runDemo({ root, page });
} catch (error) {
  console.error(
    `\nThe demo could not run: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}

function isStale() {
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

function buildPackage() {
  console.log('\n  building the package (npm run build) …');
  return new Promise((resolve, reject) => {
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

// The demo is TypeScript. What it imports from packages, `signalbox` among them, stays an import:
// inside of this package the name leads through its `exports` to the build.
async function loadDemo() {
  return loadForNode(join(root, 'examples/demo/dist/main.mjs'), {
    entryPoints: [join(root, 'examples/demo/main.ts')],
  });
}
