/**
 * Unpacks the library as npm packs the library into a folder of the checkout: tests load the published files. As a program,
 * prints the folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packs the build that is there. Returns the folder with the unpacked tarball. */
export function unpackLibrary(root) {
  const folder = join(root, 'test-results/package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const tarball = join(folder, filename);
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  rmSync(tarball);
  return folder;
}

const program = fileURLToPath(import.meta.url);
if (process.argv[1] === program) console.log(unpackLibrary(join(program, '../..')));
