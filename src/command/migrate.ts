/** The command line `signalbox migrate`: changes the imports of an application to `signalbox/data-client`. */
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, failure, reasonOf } from '../openapi/CommandError.ts';
import { main as openapi } from '../openapi/openapi.ts';
import type { Terminal } from '../openapi/openapi.ts';
import { rewriteModule } from './rewriteModule.ts';
import type { Parse } from './rewriteModule.ts';

const USAGE = `Usage: signalbox migrate <folder> [options]

Changes imports of @data-client/*, rest-hooks and @rest-hooks/* to signalbox/data-client, and
prints each place that needs a decision, with the page that describes it. Without --write,
files stay as they are.

      --write   change the files
  -h, --help    this text

Exit code: 0 done, 1 some places need a decision, 2 it could not be done.
`;

const OPTIONS = { write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
const EXTENSIONS = new Set(
  '.ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte .astro .mdx'.split(' '),
);
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage']);

/** Runs the command and returns the exit code. Throws a CommandError for problems that the user can fix. */
export async function migrate(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseOptions(args);
  if (values.help === true) {
    terminal.write(USAGE);
    return 0;
  }
  const [folder, another] = positionals;
  if (folder === undefined || another !== undefined)
    throw failure('migrate', folder === undefined ? 'the folder is missing' : 'pass one folder');
  const parse = await loadParser();
  const files = await modulesIn(folder);
  let changed = 0;
  let notes = 0;
  for (const file of files) {
    const before = await readFile(file, 'utf8');
    const { text, notes: found } = rewriteModule(file, before, parse);
    for (const { line, reason, page } of found)
      terminal.say(`${file}:${line}: ${reason} (${page})`);
    notes += found.length;
    if (text === before) continue;
    changed++;
    if (values.write === true) await writeFile(file, text);
    else terminal.write(`${file}\n`);
  }
  terminal.say(
    summaryOf({ files: files.length, changed, notes, isWritten: values.write === true }),
  );
  return notes === 0 ? 0 : 1;
}

interface Summary {
  readonly files: number;
  readonly changed: number;
  readonly notes: number;
  readonly isWritten: boolean;
}

function summaryOf({ files, changed, notes, isWritten }: Summary): string {
  const done = isWritten ? 'changed' : 'would be changed; pass --write to change them';
  return `${changed} of ${files} modules ${done}; ${notes} places need a decision`;
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw failure('migrate', reasonOf(error));
  }
}

/** An optional peer dependency: only this command needs a parser. */
async function loadParser(): Promise<Parse> {
  try {
    const { parseSync } = await import('oxc-parser');
    return parseSync;
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw code === 'ERR_MODULE_NOT_FOUND' ? failure('moduleParser', 'oxc-parser') : error;
  }
}

/** All modules in a folder, without installed packages and builds; or the single module that the path names. */
async function modulesIn(path: string): Promise<string[]> {
  try {
    return (await stat(path)).isDirectory() ? await modulesInFolder(path) : [path];
  } catch (error) {
    throw failure('unreadable', path, reasonOf(error));
  }
}

async function modulesInFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (isModule(entry)) found.push(path);
    if (isSearched(entry)) found.push(...(await modulesInFolder(path)));
  }
  return found;
}

const isModule = (entry: Dirent): boolean => entry.isFile() && EXTENSIONS.has(extname(entry.name));

const isSearched = (entry: Dirent): boolean =>
  entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.');

/** Runs the command that the arguments name; returns the exit code. */
export async function command(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name !== 'migrate') return openapi(args, terminal);
  try {
    return await migrate(rest, terminal);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`signalbox: ${error.message}`);
    return 2;
  }
}
