/** On a server: serializes the data of a controller as scripts of a page, and the form of entities in these. */
import type { Controller } from '../Controller.ts';
import { contextOf } from '../request/FetchContext.ts';
import { toScriptSafeJson, VERSION } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';
import type { Reader } from '../view/Reader.ts';
import { Dehydrator, fieldsOf } from './Dehydrator.ts';
import type {
  DehydratedChanges,
  DehydratedEntity,
  EncodedEntity,
  ServerState,
} from './Dehydrator.ts';

/** Options of the scripts. */
export interface ServerDataOptions {
  /** The nonce of the page's Content Security Policy. */
  readonly nonce?: string | undefined;
  /**
   * The global variable that the scripts push to; to be set if a page has several controllers. Default `__signalbox`.
   */
  readonly name?: string | undefined;
}

/** Creates scripts with the changes since the last script; an instance per response. */
export class ServerData {
  readonly #controller: Controller;
  readonly #packing: Dehydrator;
  readonly #options: ServerDataOptions;

  constructor(controller: Controller, options: ServerDataOptions = {}) {
    this.#controller = controller;
    this.#packing = new Dehydrator(contextOf(controller));
    this.#options = options;
  }

  /** The changes of all requests, or of the requests of `readers`; undefined if there are none. */
  take(readers?: Iterable<Reader>): DehydratedChanges | undefined {
    const { store } = contextOf(this.#controller);
    const keys =
      readers === undefined ? store.results.keys() : Array.from(readers, ({ key }) => key);
    return this.#packing.take(
      Array.from(keys, (key) => store.findResult(key)).filter((record) => record !== undefined),
    );
  }

  /** The code of a script with the changes, or an empty text. The script removes itself before hydration. */
  code(): string {
    const changes = this.take();
    if (changes === undefined) return '';
    const { name = '__signalbox' } = this.#options;
    const line = `self[${toScriptSafeJson(name)}]`;
    const { entities, results } = changes;
    const json = toScriptSafeJson({ version: VERSION, blocks: toBlocks(entities), results });
    return `(${line}=${line}||[]).push(${json});document.currentScript.remove()`;
  }

  /** `code` with the tags of a script. */
  script(): string {
    const code = this.code();
    if (code === '') return '';
    const { nonce } = this.#options;
    const attribute = nonce === undefined ? '' : ` nonce="${attributeSafe(nonce)}"`;
    return `<script${attribute}>${code}</script>`;
  }
}

function attributeSafe(text: string): string {
  return text.replace(/[&"<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * All requests of the controller that succeeded or failed, or only the requests of `views`, as plain JSON for
 * `hydrateController` in the page. In the text of a page, this JSON must be escaped: see `serverDataScript`.
 */
export function dehydrate(controller: Controller, views?: Iterable<Reader>): ServerState {
  const { entities = [], results = [] } = new ServerData(controller).take(views) ?? {};
  const toDehydrated = ({ number, pk, row }: EncodedEntity): DehydratedEntity => [
    number,
    pk,
    fieldsOf(row),
  ];
  return { version: VERSION, entities: entities.map(toDehydrated), results };
}

/** All data of the controller, as a single script for a page rendered to a string; to be placed before the markup. */
export function serverDataScript(controller: Controller, options?: ServerDataOptions): string {
  return new ServerData(controller, options).script();
}

/**
 * For a framework that inserts scripts into the stream itself (`useServerInsertedHTML` of Next.js): returns a function
 * that returns the code of the next script, with all changes since the last call, or '' if there are none. The code is
 * safe between the tags of a script without escapes.
 */
export function createServerDataCode(
  controller: Controller,
  options?: Pick<ServerDataOptions, 'name'>,
): () => string {
  const data = new ServerData(controller, options);
  return () => data.code();
}

/**
 * Empties the controller of a request that has ended: requests in flight are aborted, and all timers are cleared. The
 * streams of this module call `endRequest`; after rendering to a string, the application must.
 */
export function endRequest(controller: Controller): void {
  const { store } = contextOf(controller);
  controller.reset();
  store.gc.stop();
}

/**
 * Entities with consecutive numbers and the same fields: the number of the first entity, the names, the index of the
 * primary key among the values, and the values of each entity. If no field contains the primary key, the key follows
 * the values.
 */
export type EntityBlock = readonly [
  first: number,
  names: readonly string[],
  pkIndex: number,
  ...rows: (readonly Json[])[],
];

/** Groups the entities of a script. */
function toBlocks(entities: readonly EncodedEntity[]): EntityBlock[] {
  const blocks: EntityBlock[] = [];
  let next = NaN;
  let names: readonly string[] = [];
  let pkIndex = 0;
  for (const { number, pk, row } of entities) {
    const { values } = row;
    const isPk = (at: number) => at === values.length || String(values[at]) === pk;
    if (number !== next || !areEqual(names, row.names) || !isPk(pkIndex)) {
      names = row.names;
      pkIndex = 0;
      while (!isPk(pkIndex)) pkIndex++;
      blocks.push([number, names, pkIndex]);
    }
    const block = blocks.at(-1) as unknown as Json[];
    block.push(pkIndex < names.length ? values : [...values, pk]);
    next = number + 1;
  }
  return blocks;
}

function areEqual(names: readonly string[], others: readonly string[]): boolean {
  return (
    names === others ||
    (names.length === others.length && names.every((name, at) => name === others[at]))
  );
}

/** The entities of the blocks. Throws for a malformed block. */
export function fromBlocks(blocks: readonly EntityBlock[]): DehydratedEntity[] {
  return blocks.flatMap(([first, names, pkIndex, ...rows]) =>
    rows.map((values, at): DehydratedEntity => [
      first + at,
      String(values[pkIndex]),
      fieldsOf({ names, values }),
    ]),
  );
}
