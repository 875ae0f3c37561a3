/** Runs the command in this process, and loads the written modules. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type * as Command from '../../../src/openapi/openapi.ts';
import { commandModule } from '../../setup/library.ts';

const { main } = (await import(/* @vite-ignore */ commandModule)) as typeof Command;

export interface Ran {
  readonly code: number;
  readonly out: string;
  /** The lines on the standard error. */
  readonly said: readonly string[];
}

/** Runs `signalbox …args` with `input` as the standard input. */
export async function run(args: readonly string[], input = ''): Promise<Ran> {
  let out = '';
  const said: string[] = [];
  const code = await main(args, {
    read: async () => input,
    write: (text) => void (out += text),
    say: (line) => void said.push(line),
  });
  return { code, out, said };
}

/** The path of a document of the tests. */
export const documentAt = (file: string): string =>
  fileURLToPath(new URL(`documents/${file}`, import.meta.url));

/** A folder that is gone when the test is over. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'signalbox-openapi-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The module that is written of a document, for a server at this address. */
export async function load(
  file: string,
  address: string,
  more: readonly string[] = [],
): Promise<unknown> {
  const out = join(await folder(), 'api.ts');
  const told = ['--out', out, '--prefix', address, ...more];
  const { code, said } = await run(['openapi', documentAt(file), ...told]);
  if (code !== 0) throw new Error(said.join('\n'));
  return import(/* @vite-ignore */ out);
}

/** The content of a file. */
export const contentOf = (path: string): Promise<string> => readFile(path, 'utf8');
