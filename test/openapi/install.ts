/** Installs the packages with descriptions, once per lock file, and writes a module for each joined description. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '@scalar/json-magic/bundle';
import { parseJson, parseYaml, readFiles } from '@scalar/json-magic/bundle/plugins/node';
import { normalize, upgrade } from '@scalar/openapi-parser';
import type * as Command from '../../src/openapi/openapi.ts';
import { commandModule } from '../setup/library.ts';
import { installLock } from '../setup/packed.ts';
import { PREFIX, descriptionNames, fileOf, joinedOf, moduleOf } from './descriptions.ts';
import { toDialect } from './Description.ts';
import type { Json } from './Description.ts';
import type { Report } from './descriptions.ts';

const { main } = (await import(commandModule)) as typeof Command;

const here = fileURLToPath(new URL('.', import.meta.url));
const installed = join(here, 'node_modules/.package-lock.json');
const written = join(here, 'generated');
const reports = join(written, 'reports.json');

export async function setup(): Promise<void> {
  const lock = join(here, 'package-lock.json');
  const isMissing = descriptionNames.some((name) => !existsSync(fileOf(name)));
  if (isMissing || changedAt(installed) < changedAt(lock)) install();
  const inputs = [
    '../../src/openapi',
    'descriptions',
    'descriptions.ts',
    'package-lock.json',
    'install.ts',
    'Description.ts',
  ];
  const changed = inputs.map((each) => changedAt(join(here, each)));
  if (changedAt(reports) < Math.max(...changed)) await writeModules();
}

/**
 * Tests use 20 of the 820 MB in these packages; the rest is removed, for example other copies of installed packages.
 */
function install(): void {
  installLock(here, '--ignore-scripts');
  const used = new Set<string>([installed, ...descriptionNames.map(fileOf)]);
  prune(join(here, 'node_modules'), used);
}

/** Removes each other file, and the folders in which nothing is left. */
function prune(path: string, used: ReadonlySet<string>): void {
  if (!statSync(path).isDirectory()) {
    if (!used.has(path)) rmSync(path);
    return;
  }
  for (const name of readdirSync(path)) prune(join(path, name), used);
  if (readdirSync(path).length === 0) rmdirSync(path);
}

async function writeModules(): Promise<void> {
  mkdirSync(written, { recursive: true });
  const found: Record<string, Report> = {};
  for (const name of descriptionNames) {
    const notes: string[] = [];
    const start = performance.now();
    const code = await main(
      ['openapi', fileOf(name), '--prefix', PREFIX, '--out', moduleOf(name)],
      { read: async () => '', write: () => {}, say: (line) => void notes.push(line) },
    );
    found[name] = { code, notes, ms: Math.round(performance.now() - start) };
    if (code !== 0) rmSync(moduleOf(name), { force: true });
    writeFileSync(joinedOf(name), await joined(fileOf(name)));
  }
  writeFileSync(reports, JSON.stringify(found, null, 2));
}

/**
 * Joins a description, JSON or YAML, with the referenced files, as JSON: parsing the files takes seconds in each
 * process.
 */
async function joined(file: string): Promise<string> {
  const text = readFileSync(file, 'utf8');
  const isAlone = !/\$ref["']?\s*:\s*["']?[^#"'\s]/.test(text);
  const plugins = [readFiles(), parseYaml(), parseJson()];
  // to look for references to other files takes as long as to write the module
  const whole = isAlone
    ? normalize(text)
    : await bundle(file, { plugins, treeShake: false, urlMap: true });
  return JSON.stringify(toDialect(upgrade(whole as Json).specification));
}

/** When a file, or the newest file of a folder, was changed; 0 for none. */
function changedAt(path: string): number {
  if (!existsSync(path)) return 0;
  const files = statSync(path).isDirectory() ? filesIn(path) : [path];
  return Math.max(...files.map((each) => statSync(each).mtimeMs));
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}
