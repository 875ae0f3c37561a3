// `npm run demo`: builds the package if missing or old, then runs examples/demo with the build.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './buildIfStale.mjs';
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
const attached = process.stdin.isTTY && process.stdout.isTTY;
const page = !args.has('--no-page') && (attached || args.has('--page'));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // the server removes the files on `exit`
  process.on(signal, () => process.exit(page ? 0 : 1));
}

try {
  await buildIfStale(root);
  const { runDemo } = await loadDemo();
  process.exitCode = await runDemo({ root, page });
} catch (error) {
  console.error(
    `\nThe demo could not run: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}

// The demo is TypeScript. Imports from packages, `signalbox` among them, stay imports:
// inside of this package the name leads through the `exports` to the build.
async function loadDemo() {
  return loadForNode(join(root, 'examples/demo/dist/main.mjs'), {
    entryPoints: [join(root, 'examples/demo/main.ts')],
  });
}
