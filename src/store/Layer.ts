/** One unconfirmed write: what it is expected to bring, said anew over each new base. */
import { normalize } from '../schema/normalize.ts';
import type { Origin } from '../schema/normalize.ts';
import { carry } from '../schema/schema.ts';
import type { Node, Schema } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { confirmed } from './Layered.ts';
import { Overlay } from './Overlay.ts';
import type { Places } from './Overlay.ts';
import { Past } from './Past.ts';
import { eachRecord } from './eachRecord.ts';
import { more, NONE } from './more.ts';
import { Unnamed } from './Unnamed.ts';
import type { Builder, Record } from './Record.ts';

/** A write whose answer is foretold. */
export interface Foretelling extends Origin {
  readonly schema: Schema;
  /** Logical time at which its request was issued. */
  readonly issued: number;
  /** The answer to expect over what `past` shows, or NOTHING. */
  expect(past: Past): unknown;
}

/** What `expect` gives where nothing is to be shown. */
export const NOTHING: unique symbol = Symbol('signalbox.nothing');

let names = 0;

export class Layer {
  readonly issued: number;
  readonly #told: Foretelling;
  /** The answer, once it has come. */
  #answer: { readonly value: unknown } | undefined;
  /** The numbers that name what it makes: the same each time it is said. */
  #minted: number[] | undefined;
  overlay: Overlay | undefined;
  /** The answer that it expects, and its node. */
  value: unknown;
  node: Node;
  /** The endpoint, as messages name it. */
  get endpoint(): string {
    return this.#told.endpoint ?? 'the endpoint';
  }

  /** What it was said from. */
  seen: readonly Record[] = NONE;
  /** What it is told of as long as it is laid: `seen`, and what it shows again. */
  heard: Record[] = NONE;
  /** The entities and lists that it changes. */
  on: Record[] = NONE;
  /** It waits to be said anew. */
  due = false;

  constructor(told: Foretelling) {
    this.issued = told.issued;
    this.#told = told;
  }

  /** The answer has come: this is what it says from now on. */
  came(value: unknown): void {
    this.#answer = { value };
  }

  #expect(past: Past): unknown {
    return this.#answer === undefined ? this.#told.expect(past) : this.#answer.value;
  }

  /**
   * Says it over a new base; one that makes other things each time is held to its first word.
   * Throws what its function or its schema throws.
   */
  say(store: Places & Builder): void {
    const past = new Past(store, this.issued);
    const value = this.#expect(past);
    const first = this.overlay;
    // what it made when it was said before may have a name by now
    const overlay = new Overlay(store, this.namer(), first && new Unnamed(this));
    const node = value === NOTHING ? undefined : this.#nodeOf(value, overlay);
    this.seen = past.seen;
    if (first !== undefined && value !== NOTHING && !first.covers(overlay)) return;
    this.overlay = overlay;
    this.value = value === NOTHING ? undefined : value;
    this.node = node;
  }

  /** Without a schema nothing of it is stored. */
  #nodeOf(value: unknown, overlay: Overlay): Node {
    const { schema } = this.#told;
    return schema === undefined ? carry(value) : normalize(schema, value, overlay, this.#told);
  }

  /** The answer to expect of what is confirmed; where that gives none, of what this layer sees. */
  answer(store: Places & Builder): unknown {
    try {
      const value = this.#expect(new Past(store, 0));
      return value === NOTHING ? this.value : value;
    } catch {
      return this.value;
    }
  }

  /** Gives the numbers one after the other. */
  namer(): () => number {
    let turn = 0;
    return () => ((this.#minted ??= [])[turn++] ??= ++names);
  }

  /** The entities that its answer is to bring and that no answer has brought yet, in their order. */
  get made(): readonly EntityRecord[] {
    let made: EntityRecord[] = NONE;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      if (this.overlay?.said(entity) && !confirmed(entity).exists) made = more(made, entity);
    });
    return made;
  }
}
