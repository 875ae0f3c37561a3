/** The program of `npx signalbox`; the build adds `#!/usr/bin/env node` as the first line. */
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { command } from './migrate.ts';

const code = await command(process.argv.slice(2), {
  read: () => text(process.stdin),
  write: (content) => void process.stdout.write(content),
  say: (line) => void process.stderr.write(`${line}\n`),
});
// not exit(): output to a pipe may still be pending
process.exitCode = code;
