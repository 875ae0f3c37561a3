/**
 * `npm ci` with half the work: `node scripts/install.mjs [folder] [options of npm]`. A lock file here names no registry, so npm
 * reads all versions of each package to find the tarball. This tells npm the address of each tarball. The folder keeps the
 * former packages until the new packages are complete.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

const [folder = '.', ...options] = process.argv.slice(2);
const lockFile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
// on the disk of `node_modules`, for the rename
const place = mkdtempSync(join(folder, '.install-'));
try {
  for (const name of ['package.json', '.npmrc'])
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(place, name));
  // a registry may keep tarballs at other addresses: then npm looks for each address
  process.exitCode = install(withAddresses(lockFile)) && install(lockFile);
  if (process.exitCode === 0) {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    renameSync(join(place, 'node_modules'), join(folder, 'node_modules'));
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** Returns the exit code of npm. */
function install(lock) {
  writeFileSync(join(place, 'package-lock.json'), lock);
  const args = ['ci', '--no-audit', '--no-fund', ...options];
  return (
    spawnSync('npm', args, { cwd: place, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
  );
}

function withAddresses(text) {
  const lock = JSON.parse(text);
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    cwd: place,
    encoding: 'utf8',
  });
  for (const [path, found] of Object.entries(lock.packages)) {
    if (path === '' || found.link || found.inBundle || found.resolved !== undefined) continue;
    const name = found.name ?? path.split('node_modules/').at(-1);
    const tarball = `${name}/-/${basename(name)}-${found.version}.tgz`;
    found.resolved = new URL(tarball, registry.trim().replace(/\/*$/, '/')).href;
  }
  return JSON.stringify(lock);
}
