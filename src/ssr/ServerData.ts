/** On a server: what a controller knows, as the scripts of a page. */
import type { Controller } from '../Controller.ts';
import { groundOf } from '../view/Planter.ts';
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
    this.#packing = new Packing(groundOf(controller));
    this.#options = options;
  }

  /** What is new, of all requests or those of `readers`; undefined where nothing is. */
  take(readers?: Iterable<Reader>): ServerState | undefined {
    const { results } = groundOf(this.#controller).store;
    const keys = readers === undefined ? results.keys() : Array.from(readers, ({ key }) => key);
    return this.#packing.take(
      Array.from(keys, (key) => results.get(key)).filter((record) => record !== undefined),
    );
  }

  /** A script with what is new, or an empty text. It takes itself out of the page: what hydrates does not meet it. */
  script(): string {
    const state = this.take();
    if (state === undefined) return '';
    const { nonce, name = '__signalbox' } = this.#options;
    const line = `self[${scriptSafe(name)}]`;
    const attribute = nonce === undefined ? '' : ` nonce="${attributeSafe(nonce)}"`;
    const program = `(${line}=${line}||[]).push(${scriptSafe(state)});document.currentScript.remove()`;
    return `<script${attribute}>${program}</script>`;
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
