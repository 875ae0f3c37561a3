/** The command line `signalbox openapi`: reads a description of an API and writes a module of resources. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CommandError, failure, reasonOf, show } from './CommandError.ts';
import { lineOf } from './droppedIn.ts';
import { isIdentifier } from './ModuleNames.ts';
import { moduleText } from './moduleText.ts';
import type { ImportedName, Module, ModuleOptions } from './moduleText.ts';
import { readDocument } from './readDocument.ts';
import { readRenames } from './Renames.ts';

/** Input and output of a command beside files. */
export interface Terminal {
  readonly read: () => Promise<string>;
  readonly write: (text: string) => void;
  /** Messages for the user: errors and unclear parts. */
  readonly say: (line: string) => void;
}

export const USAGE = `Usage: signalbox openapi <file | -> [options]
       signalbox migrate <folder> [--write]: rewrites imports of Data Client and Rest Hooks

Writes a TypeScript module of entities, resources and types from an OpenAPI (3.0 to 3.2) or
Swagger (2.0) description, JSON or YAML; - reads it from the standard input.

  -o, --out <file>         write to a file; default: the standard output
      --check              write nothing; exit 1 if --out differs from the generated module
      --prefix <url>       prepended to each path; default: the first server of the description;
                           './config.ts#apiUrl': a string that this module exports
      --server <name>      another server of the description, by its name or number
      --variable <n=value> the value of a variable of that server; may be repeated
      --endpoint <m#Name>  a subclass of RestEndpoint for all requests: './Api.ts#ApiEndpoint'
      --dates <how>        'date': date-time fields of entities are Dates (default); 'string';
                           './dates.ts#toInstant': the result of this function for the string
      --enums <how>        'union' of literals (default); 'object': enums with a name, too
      --import <name>      the import name of the library; default: signalbox
      --config <file>      custom names; default: signalbox.openapi.json, if this file exists
      --explain            print which schemas became which entity, and why
      --strict             exit 1 if anything was guessed; the module is written all the same
  -h, --help               print this text

Exit code: 0 success, 1 --check found a difference or --strict a guess, 2 the command failed.
`;

const OPTIONS = {
  out: { type: 'string', short: 'o' },
  check: { type: 'boolean' },
  prefix: { type: 'string' },
  server: { type: 'string' },
  variable: { type: 'string', multiple: true },
  endpoint: { type: 'string' },
  dates: { type: 'string' },
  enums: { type: 'string' },
  import: { type: 'string' },
  config: { type: 'string' },
  explain: { type: 'boolean' },
  strict: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs the command and returns the exit code. Throws a Failure for problems that the user can fix. */
export async function openapi(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseOptions(args);
  if (values.help === true) {
    terminal.write(USAGE);
    return 0;
  }
  const [file, another] = positionals;
  if (file === undefined) throw failure('usage', 'the file is missing');
  if (another !== undefined)
    throw failure('usage', `only one file is allowed, got ${show(another)} too`);
  if (values.check === true && values.out === undefined) {
    throw failure('usage', '--check compares with a file: pass --out');
  }
  const options = { ...optionsOf(values), renames: await readRenames(values.config) };
  const content = await readContent(file, terminal);
  const { text, notes, findings, explanation } = await convert(content, file, options);
  for (const note of notes) terminal.say(`note: ${note}`);
  for (const each of findings) terminal.say(lineOf(each));
  for (const line of values.explain === true ? explanation : []) terminal.say(line);
  const isGuessed = values.strict === true && findings.some(({ kind }) => kind === 'guessed');
  if (values.check === true)
    return (await compare(text, values.out as string, terminal)) || Number(isGuessed);
  if (values.out === undefined) terminal.write(text);
  else await save(values.out, text);
  return Number(isGuessed);
}

type Values = ReturnType<typeof parseOptions>['values'];

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw failure('usage', reasonOf(error));
  }
}

function optionsOf({
  prefix,
  server,
  variable = [],
  dates = 'date',
  enums = 'union',
  endpoint,
  import: from = 'signalbox',
}: Values): Omit<ModuleOptions, 'renames'> {
  const maker = importedName(dates);
  if (dates !== 'date' && dates !== 'string' && maker === undefined) {
    const forms = "'date', 'string', or a module and a name, './dates.ts#toInstant'";
    throw failure('usage', `--dates must be ${forms}, not ${show(dates)}`);
  }
  if (enums !== 'union' && enums !== 'object')
    throw failure('usage', `--enums must be 'union' or 'object', not ${show(enums)}`);
  const custom = endpoint === undefined ? undefined : importedName(endpoint);
  if (endpoint !== undefined && custom === undefined) {
    throw failure(
      'usage',
      `--endpoint is a module and a name, './Api.ts#ApiEndpoint', not ${show(endpoint)}`,
    );
  }
  const made = maker ?? dates === 'date';
  const address = { prefix: prefixOf(prefix), server, variables: variablesOf(variable) };
  return { ...address, from, dates: made, enums: enums === 'object', endpoint: custom };
}

/** A url, or a module and a name: a url may have a fragment, but a prefix of paths may not. */
const prefixOf = (prefix: string | undefined): ModuleOptions['prefix'] =>
  prefix === undefined || /^\w+:\/\//.test(prefix) ? prefix : (importedName(prefix) ?? prefix);

function variablesOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((each) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(each) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw failure('usage', `--variable is a name and a value, region=eu, not ${show(each)}`);
    }),
  );
}

/** `./Api.ts#ApiEndpoint` as a module and a name. */
function importedName(text: string): ImportedName | undefined {
  const [, from, name] = /^(.+)#(.+)$/.exec(text) ?? [];
  return from !== undefined && name !== undefined && isIdentifier(name)
    ? { name, from }
    : undefined;
}

async function readContent(file: string, terminal: Terminal): Promise<string> {
  try {
    return file === '-' ? await terminal.read() : await readFile(file, 'utf8');
  } catch (error) {
    throw failure('unreadable', file, reasonOf(error));
  }
}

/** If a malformed document makes the reader or writer throw, the error is reported as a failure of the document. */
async function convert(content: string, file: string, options: ModuleOptions): Promise<Module> {
  try {
    return moduleText(await readDocument(content, file), options);
  } catch (error) {
    throw error instanceof CommandError ? error : failure('unfit', file, reasonOf(error));
  }
}

async function compare(text: string, out: string, terminal: Terminal): Promise<number> {
  const currentText = await readFile(out, 'utf8').catch(() => undefined);
  // a checkout on Windows may have other line ends
  if (currentText?.replaceAll('\r\n', '\n') === text) return 0;
  const state = currentText === undefined ? 'does not exist' : 'differs from the description';
  terminal.say(`${show(out)} ${state}: run the same without --check`);
  return 1;
}

async function save(out: string, text: string): Promise<void> {
  try {
    await writeFile(out, text);
  } catch (error) {
    throw failure('unwritable', out, reasonOf(error));
  }
}

/** Runs `signalbox <command> …` and returns the exit code: 0 done, 1 a check failed, 2 the command failed. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === 'openapi') return await openapi(rest, terminal);
    if (command !== undefined && !/^(?:-h|--help|help)$/.test(command))
      throw failure('command', command);
    terminal.write(USAGE);
    return command === undefined ? 2 : 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`signalbox: ${error.message}`);
    return 2;
  }
}
