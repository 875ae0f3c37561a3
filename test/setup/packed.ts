// Packs the library as npm would and lays it into a project of its own, without any network.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stamp = join(root, 'dist/cjs/package.json');

/** What a consumer has installed beside the library. */
const neighbours = [
  '@preact/signals',
  '@preact/signals-core',
  '@types/react',
  'msw',
  'preact',
  'react',
  'react-dom',
  'solid-js',
];

export interface Consumer {
  folder: string;
  files: string[];
  /** Runs a program of the project with node and answers what it printed. */
  run(program: string, ...args: string[]): string;
  /** Lays a package beside the library, of this one CommonJS file. */
  add(name: string, code: string): void;
  remove(): void;
}

export function createConsumer(apps: string): Consumer {
  buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-consumer-'));
  cpSync(apps, folder, { recursive: true });
  const installed = join(folder, 'node_modules/signalbox');
  mkdirSync(installed, { recursive: true });
  const [packed] = JSON.parse(
    npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  ) as [{ filename: string; files: { path: string }[] }];
  execFileSync('tar', [
    '-xzf',
    join(folder, packed.filename),
    '-C',
    installed,
    '--strip-components=1',
  ]);
  for (const name of neighbours) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place, 'junction');
  }
  return {
    folder,
    files: packed.files.map(({ path }) => path),
    run: (program, ...args) =>
      execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' }).trim(),
    add(name, code) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'package.json'), JSON.stringify({ name }));
      writeFileSync(join(place, 'index.js'), code);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const npm = (...args: string[]): string =>
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

export function buildIfStale(): void {
  const inputs = ['src', 'adapters', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  const newest = Math.max(...inputs.map((path) => changedAt(join(root, path))));
  if (existsSync(stamp) && statSync(stamp).mtimeMs > newest) return;
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
}

function changedAt(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
