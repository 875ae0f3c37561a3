// Builds dist/esm and dist/cjs with two plain runs of tsc.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

// Written last: a dist without it is an unfinished build.
mkdirSync(`${root}dist/cjs`, { recursive: true });
writeFileSync(`${root}dist/cjs/package.json`, '{ "type": "commonjs" }\n');
