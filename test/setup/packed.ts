// Packs the library as npm does and installs the package into a separate project. Only heavy tools need the network.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from './library.ts';
import { createFolderOnce } from './createFolderOnce.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The packages of a consumer beside the library and the dependency: all packages that the library works with. */
const neighbours = [
  '@preact/signals',
  '@preact/signals-react',
  '@types/react',
  '@types/react-dom',
  'msw',
  'preact',
  'react',
  'react-dom',
  'solid-js',
];

export interface Consumer {
  folder: string;
  files: string[];
  /** Runs a program of the project with node and returns the output. */
  run(program: string, ...args: string[]): string;
  /** Adds a package that consists of this CommonJS file. */
  add(name: string, code: string): void;
  /** Installs a package of this repository beside the library. */
  link(name: string): void;
  remove(): void;
}

/** The source of packages: the node_modules of the library, or of `installTools`. */
export interface Beside {
  readonly names?: readonly string[];
  readonly from?: string;
}

let unpacked: string | undefined;

/** A project with the files of `apps`, the library as npm packs the library, and some packages. */
export function createConsumer(
  apps: string,
  { names = neighbours, from = root }: Beside = {},
): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-consumer-'));
  cpSync(apps, folder, { recursive: true });
  const files = unpackInto(folder);
  const link = (name: string, source: string): void => {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(source, 'node_modules', name), place, 'junction');
  };
  link('@preact/signals-core', root);
  for (const name of names) link(name, from);
  return {
    folder,
    files,
    run: (program, ...args) =>
      execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' }).trim(),
    add(name, code) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'package.json'), JSON.stringify({ name }));
      writeFileSync(join(place, 'index.js'), code);
    },
    link: (name) => link(name, from),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Copies the packed library into `node_modules` of a folder, in place of an older copy; returns the paths of the files. */
export function unpackInto(folder: string): string[] {
  // `npm test` has packed
  const source = (unpacked ??= packageFolder ?? unpack());
  const place = join(folder, 'node_modules/signalbox');
  rmSync(place, { recursive: true, force: true });
  cpSync(source, place, { recursive: true });
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => relative(place, join(file.parentPath, file.name)).replaceAll('\\', '/'));
}

/** The folder with the packed library, which is removed when the process ends. */
function unpack(): string {
  buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-packed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(npm(...pack)) as [{ filename: string }];
  const place = join(folder, 'package');
  mkdirSync(place);
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', place, '--strip-components=1']);
  return place;
}

/** Installs the lock file of a folder, once per lock; returns the folder that has `node_modules`. */
export function installTools(folder: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const id = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  // `npm ci` empties `node_modules`
  const place = join(root, 'test-results/tools', id);
  createFolderOnce(place, (own) => {
    cpSync(folder, own, { recursive: true });
    installLock(own, '--prefer-offline', '--ignore-scripts');
  });
  return place;
}

/** Installs the lock file of a folder into the `node_modules` of the folder. */
export function installLock(folder: string, ...options: readonly string[]): void {
  const install = join(root, 'scripts/install.mjs');
  execFileSync(process.execPath, [install, folder, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const npm = (...args: string[]): string =>
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

export function buildIfStale(): void {
  // `npm test` has built
  if (packageFolder !== undefined) return;
  execFileSync(process.execPath, [join(root, 'scripts/buildIfStale.mjs')], { stdio: 'inherit' });
}
