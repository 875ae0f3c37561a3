/** One unconfirmed write: what it is expected to bring, said anew over each new base. */
import { warn } from '../diagnostics.ts';
import { temporaryKey } from '../schema/EntityPlan.ts';
import { normalize } from '../schema/normalize.ts';
import { carry } from '../schema/schema.ts';
import type { Args, Node, Schema } from '../schema/schema.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { confirmed, layeredOf } from './Layered.ts';
import type { LayeredEntity } from './LayeredEntity.ts';
import { Overlay } from './Overlay.ts';
import type { Places } from './Overlay.ts';
import { Past } from './Past.ts';
import { among, eachRecord } from './eachRecord.ts';
import { more, NONE } from './more.ts';
import { Unnamed } from './Unnamed.ts';
import type { Builder, Record } from './Record.ts';

/** The write that is expected. */
export interface Call {
  /** Logical time at which its request was issued. */
  readonly issued: number;
  readonly endpoint: {
    readonly schema?: Schema;
    makes?(pk: string, args: Args): boolean;
  };
  readonly args: Args;
  /** How messages name it. */
  readonly title: string | undefined;
}

/** What `expect` gives where nothing is to be shown. */
export const NOTHING: unique symbol = Symbol('signalbox.nothing');

let names = 0;

export class Layer {
  readonly issued: number;
  readonly by: Call;
  /** The answer to expect over what `past` shows, or NOTHING; the answer itself, once it has come. */
  expect: (past: Past) => unknown;
  /** The numbers that name what it makes: the same each time it is said. */
  #minted: number[] | undefined;
  overlay: Overlay | undefined;
  /** The answer that it expects, and its node. */
  value: unknown;
  node: Node;
  /** What it was said from. */
  seen: readonly Record[] = NONE;
  /** What it is told of as long as it is laid: `seen`, and what it shows again. */
  heard: Record[] = NONE;
  /** The entities and lists that it changes. */
  on: Record[] = NONE;
  /** It waits to be said anew. */
  due = false;
  /** It is a guess: of what is not there it shows only what it creates. */
  guess = false;

  constructor(call: Call, expect: Layer['expect']) {
    this.issued = call.issued;
    this.by = call;
    this.expect = expect;
  }

  /** Says it; where that fails, a warning tells of it, and what it said before stands. True when it is said. */
  attempt(store: Places & Builder): boolean {
    try {
      this.say(store);
      return true;
    } catch (reason) {
      const { title = 'the endpoint' } = this.by;
      warn('E5', title, { endpoint: title, reason });
      return false;
    }
  }

  /**
   * Says it over a new base; one that makes other things each time is held to its first word.
   * Throws what its function or its schema throws.
   */
  say(store: Places & Builder): void {
    const past = new Past(store, this.issued);
    const value = this.expect(past);
    const first = this.overlay;
    // what it made when it was said before may have a name by now
    const overlay = new Overlay(store, this.namer(), first && new Unnamed(this, store.tables));
    const node = value === NOTHING ? undefined : this.#nodeOf(value, overlay);
    this.seen = past.seen;
    if (first?.covers(overlay) === false) return;
    this.overlay = overlay;
    this.value = value === NOTHING ? undefined : value;
    this.node = node;
  }

  /** Without a schema nothing of it is stored. */
  #nodeOf(value: unknown, overlay: Overlay): Node {
    const { args, title, endpoint } = this.by;
    const { schema } = endpoint;
    return schema === undefined
      ? carry(value)
      : normalize(schema, value, overlay, { args, endpoint: title });
  }

  /** The answer to expect of what is confirmed; where that gives none, of what this layer sees. */
  answer(store: Places & Builder): unknown {
    try {
      const value = this.expect(new Past(store, 0));
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

  /**
   * The entities that its answer is to bring and that no answer has brought yet, in their order. What was pushed under a
   * temporary key names none.
   */
  get made(): EntityRecord[] {
    let made: EntityRecord[] = NONE;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      if (!this.overlay?.said(entity)) return;
      if (!confirmed(entity).exists || this.#names(entity)) made = more(made, entity);
    });
    return made;
  }

  /**
   * Tells which entities it shows that are not there: those that it creates (members of lists, temporary keys, what the
   * params do not name), and those that are nested in what it changes.
   */
  maker(places: Places): (record: EntityRecord) => boolean {
    if (!this.guess) return Boolean;
    const { endpoint, args } = this.by;
    const isRoot = among(this.node);
    const entered = this.overlay?.entered;
    return (record) => {
      if (!isRoot(record) || entered?.has(record) === true || this.#names(record)) return true;
      const { kind, pk } = record;
      if (endpoint.makes !== undefined) return endpoint.makes(pk, args);
      const named = kind.pkOf(args);
      // the arguments may name it by a temporary key
      return named === undefined || places.ref(kind, named) !== record;
    };
  }

  /** True where it shows nothing: it changes entities that are not there. */
  idle(places: Places): boolean {
    const makes = this.maker(places);
    const { issued } = this;
    let idle = this.guess;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      const changes = this.overlay?.said(entity) !== undefined && !makes(entity);
      const above = layeredOf(entity) as LayeredEntity | undefined;
      const known = confirmed(entity).exists || above?.missingBefore(issued) === false;
      idle &&= changes && !known;
    });
    return idle;
  }

  #names({ kind, pk }: EntityRecord): boolean {
    return this.#minted?.some((serial) => String(temporaryKey(kind.plan, serial)) === pk) === true;
  }
}
