// Installs Solid 2.0 beside the tests, once per lock file: the project's node_modules have Solid 1.
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installLock } from '../setup/packed.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const installed = `${folder}node_modules/.package-lock.json`;

export function setup(): void {
  const lock = statSync(`${folder}package-lock.json`).mtimeMs;
  if (existsSync(installed) && statSync(installed).mtimeMs >= lock) return;
  installLock(folder);
}
