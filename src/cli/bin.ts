/** What `npx signalbox` runs; the build puts `#!/usr/bin/env node` above it. */
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { main } from './main.ts';

const code = await main(process.argv.slice(2), {
  read: () => text(process.stdin),
  write: (content) => void process.stdout.write(content),
  say: (line) => void process.stderr.write(`${line}\n`),
});
// not exit(): what was written to a pipe may still be on its way
process.exitCode = code;
