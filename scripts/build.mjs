// Builds dist/esm and dist/cjs with two plain runs of tsc, and gives internal members short names.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shorten } from './shorten.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function compile(config) {
  return new Promise((resolve, reject) => {
    const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config], {
      cwd: root,
      stdio: 'inherit',
    });
    tsc.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${config} does not compile`)),
    );
  });
}

rmSync(`${root}dist`, { recursive: true, force: true });
await Promise.all(['tsconfig.build.json', 'tsconfig.build.cjs.json'].map(compile));
await shorten(`${root}dist`, {
  root,
  entries: entriesOf(readFileSync(`${root}package.json`, 'utf8')),
});

// A command is a program; its first line in the sources says what lives there, as everywhere.
for (const path of Object.values(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).bin)) {
  writeFileSync(root + path, `#!/usr/bin/env node\n${readFileSync(root + path, 'utf8')}`);
  chmodSync(root + path, 0o755);
}

// Written last: a dist without it is an unfinished build.
mkdirSync(`${root}dist/cjs`, { recursive: true });
writeFileSync(`${root}dist/cjs/package.json`, '{ "type": "commonjs" }\n');

/** The entries of the package as they stand below dist/esm, without an ending. */
function entriesOf(text) {
  const conditions = Object.values(JSON.parse(text).exports).filter((each) => each.import);
  return conditions.map((each) => each.import.default.replace(/^\.\/dist\/esm\/|\.js$/g, ''));
}
