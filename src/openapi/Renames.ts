/** Names from the user for schemas, resources and operations of the description: `signalbox.openapi.json`. */
import { readFile } from 'node:fs/promises';
import { failure, reasonOf } from './CommandError.ts';
import { isFields } from './JsonObject.ts';
import { isIdentifier, isReserved } from './ModuleNames.ts';

/** Possible targets: schemas by name, resources by the path of a single record, operations by id. */
const KINDS = ['schemas', 'resources', 'operations'] as const;
type Kind = (typeof KINDS)[number];

export class Renames {
  readonly #names: ReadonlyMap<string, string>;
  readonly #used = new Set<string>();

  constructor(names: ReadonlyMap<string, string> = new Map()) {
    this.#names = names;
  }

  /** The name from the user, if any. */
  of(kind: Kind, said: string): string | undefined {
    const key = keyOf(kind, said);
    const name = this.#names.get(key);
    if (name !== undefined) this.#used.add(key);
    return name;
  }

  get all(): readonly string[] {
    return [...this.#names.values()];
  }

  /** Renamed names that are not in the description. */
  get unused(): readonly string[] {
    return [...this.#names.keys()].filter((key) => !this.#used.has(key));
  }
}

const keyOf = (kind: Kind, said: string): string => `${kind}: ${said}`;

/** The default file, read if present. */
export const CONFIG = 'signalbox.openapi.json';

/** Reads the names. Throws a Failure if the file is named but missing, or has other content. */
export async function readRenames(file: string | undefined): Promise<Renames> {
  const name = file ?? CONFIG;
  let text: string;
  try {
    text = await readFile(name, 'utf8');
  } catch (error) {
    const absent = (error as { code?: unknown }).code === 'ENOENT';
    if (file === undefined && absent) return new Renames();
    throw failure('unreadable', name, reasonOf(error));
  }
  return parseRenames(text, name);
}

function parseRenames(text: string, file: string): Renames {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw failure('config', file, reasonOf(error));
  }
  if (!isFields(value)) throw failure('config', file, 'it is not an object');
  const names = new Map<string, string>();
  for (const [kind, renames] of Object.entries(value)) {
    if (!KINDS.includes(kind as Kind) || !isFields(renames))
      throw failure(
        'config',
        file,
        `'${kind}' is not one of ${KINDS.join(', ')}, or not an object`,
      );
    for (const [original, name] of Object.entries(renames)) {
      checkName(name, { file, each: original, taken: names });
      names.set(keyOf(kind as Kind, original), name as string);
    }
  }
  return new Renames(names);
}

interface NameCheck {
  readonly file: string;
  readonly each: string;
  readonly taken: ReadonlyMap<string, string>;
}

function checkName(name: unknown, { file, each, taken }: NameCheck): void {
  if (typeof name !== 'string' || !isIdentifier(name) || isReserved(name))
    throw failure(
      'config',
      file,
      `'${each}' needs a name that TypeScript and the module leave free`,
    );
  if ([...taken.values()].includes(name)) throw failure('config', file, `'${name}' is given twice`);
}
