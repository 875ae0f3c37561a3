/** Where the names of the package lead, for bundlers that may not take another copy of it. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly import?: Target }>>;
}

interface Target {
  readonly default: string;
}

/** The ES module of each entry of the package in a folder, by the name that applications import. */
export function packageEntries(folder: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const modules = Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'string' || target.import === undefined
      ? []
      : [[posix.join(manifest.name, entry), join(folder, target.import.default)] as const],
  );
  return Object.fromEntries(modules);
}
