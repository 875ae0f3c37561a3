/** One unconfirmed write: what it is expected to bring, said anew over each new base. */
import { warn } from '../diagnostics.ts';
import { temporaryKey } from '../schema/EntityPlan.ts';
import { normalize } from '../schema/normalize.ts';
import { carry } from '../schema/schema.ts';
import type { Args, Node, Schema } from '../schema/schema.ts';
import { Draft } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { Past } from './Past.ts';
import { among, eachRecord } from './eachRecord.ts';
import { more, NONE } from './more.ts';
import type { Record } from './Record.ts';

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
  /** What it says. */
  draft: Draft | undefined;
  /** The answer that it expects, and its node. */
  value: unknown;
  node: Node;
  /** What it was said from, each with the copy that it saw. */
  seen: Map<Record, Record> = new Map();
  /** What it is told of while it is laid: what it was said from, and what it moves. */
  heard: Record[] = NONE;
  /** The entities and lists that it changes. */
  on: Record[] = NONE;
  /** What may be other than it saw; undefined among these: what it is called with. None: it need not be said anew. */
  suspects: (Record | undefined)[] = NONE;
  /** It is a guess: of what is not there it shows only what it creates. */
  guess = false;

  constructor(call: Call, expect: Layer['expect']) {
    this.issued = call.issued;
    this.by = call;
    this.expect = expect;
  }

  /** Says it; where that fails, a warning tells of it, and what it said before stands. True when it is said. */
  attempt(store: DraftStore): boolean {
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
  say(store: DraftStore): void {
    const past = new Past(store, this.issued);
    const value = this.expect(past);
    const first = this.draft;
    // what it made when it was said before may have a name by now
    const draft = new Draft(store, undefined, { layer: first && this, mint: this.namer() });
    const node = this.#layOut(value, draft);
    this.seen = new Map(past.seen);
    if (first?.covers(draft) === false) return;
    this.draft = draft;
    this.value = value === NOTHING ? undefined : value;
    this.node = node;
  }

  /** Without a schema nothing of it is stored. */
  #layOut(value: unknown, draft: Draft): Node {
    const { args, title, endpoint } = this.by;
    const { schema } = endpoint;
    try {
      let node: Node = undefined;
      if (value !== NOTHING)
        node =
          schema === undefined
            ? carry(value)
            : normalize(schema, value, draft, { args, endpoint: title });
      draft.finish();
      return node;
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  /** The answer to expect of what is confirmed; where that gives none, of what this layer sees. */
  answer(store: DraftStore): unknown {
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
      if (!this.draft?.patchOf(entity)) return;
      if (!entity.confirmed || this.#names(entity)) made = more(made, entity);
    });
    return made;
  }

  /**
   * Tells which entities it shows that are not there: those that it creates (members of lists, temporary keys, what the
   * params do not name), and those that are nested in what it changes.
   */
  maker(places: DraftStore): (record: EntityRecord) => boolean {
    if (!this.guess) return Boolean;
    const { endpoint, args } = this.by;
    const isRoot = among(this.node);
    const entered = this.draft?.entered;
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
  idle(places: DraftStore): boolean {
    const makes = this.maker(places);
    const { issued } = this;
    let idle = this.guess;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      const changes = this.draft?.patchOf(entity) !== undefined && !makes(entity);
      const known = entity.confirmed || entity.contentBefore(issued) !== undefined;
      idle &&= changes && !known;
    });
    return idle;
  }

  #names({ kind, pk }: EntityRecord): boolean {
    return this.#minted?.some((serial) => String(temporaryKey(kind.plan, serial)) === pk) === true;
  }
}
