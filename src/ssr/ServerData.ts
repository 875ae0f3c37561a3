/** On a server: what a controller knows, as the scripts of a page. */
import type { Controller } from '../Controller.ts';
import { viewContextOf } from '../view/Hydrator.ts';
import type { Reader } from '../view/Reader.ts';
import { Packing } from './Packing.ts';
import type { ServerState } from './Packing.ts';
import { scriptSafe, VERSION } from '../schema/wire.ts';

/** How the scripts with what a server knows are written. */
export interface ServerDataOptions {
  /** The nonce of the page's Content Security Policy. */
  readonly nonce?: string | undefined;
  /** The global through which the page is told, where one page has several controllers. Default `__signalbox`. */
  readonly name?: string | undefined;
}

/** Makes scripts of what is new since the last one; one per response. */
export class ServerData {
  readonly #controller: Controller;
  readonly #packing: Packing;
  readonly #options: ServerDataOptions;

  constructor(controller: Controller, options: ServerDataOptions = {}) {
    this.#controller = controller;
    this.#packing = new Packing(viewContextOf(controller));
    this.#options = options;
  }

  /** What is new, of all requests or those of `readers`; undefined where nothing is. */
  take(readers?: Iterable<Reader>): ServerState | undefined {
    const { results } = viewContextOf(this.#controller).store;
    const keys = readers === undefined ? results.keys() : Array.from(readers, ({ key }) => key);
    return this.#packing.take(
      Array.from(keys, (key) => results.get(key)).filter((record) => record !== undefined),
    );
  }

  /** The code of a script with what is new, or an empty text. It removes its script: hydration does not meet it. */
  code(): string {
    const state = this.take();
    if (state === undefined) return '';
    const { name = '__signalbox' } = this.#options;
    const line = `self[${scriptSafe(name)}]`;
    return `(${line}=${line}||[]).push(${scriptSafe(state)});document.currentScript.remove()`;
  }

  /** The same as a script. */
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
 * What the controller knows of all requests that were answered or failed, or of those of `views`, as plain JSON: to be
 * given to `hydrateController` in the page. As text of a page it must be escaped: see `serverDataScript`.
 */
export function dehydrate(controller: Controller, views?: Iterable<Reader>): ServerState {
  return new ServerData(controller).take(views) ?? { version: VERSION, entities: [], results: [] };
}

/** All that the controller knows, as one script for a page that is rendered to a string. It stands before the markup. */
export function serverDataScript(controller: Controller, options?: ServerDataOptions): string {
  return new ServerData(controller, options).script();
}

/**
 * For a framework that inserts scripts into its stream itself (`useServerInsertedHTML` of Next.js): gives a function that
 * returns the code of the next script, with all that is new since its last call, or '' where nothing is. The code may stand
 * between the tags of a script as it is.
 */
export function createServerDataCode(
  controller: Controller,
  options?: Pick<ServerDataOptions, 'name'>,
): () => string {
  const data = new ServerData(controller, options);
  return () => data.code();
}
