/** One unconfirmed write: what it is expected to bring, said anew over each new base. */
import { warn } from '../diagnostics.ts';
import { temporaryKey } from '../schema/EntityPlan.ts';
import { normalize } from '../schema/normalize.ts';
import { carry } from '../schema/schema.ts';
import type { Args, Node, Schema } from '../schema/schema.ts';
import { Draft } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { LayerReadView } from './LayerReadView.ts';
import { isAmong, eachRecord } from './eachRecord.ts';
import { append, EMPTY } from './append.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** The write that is expected. */
export interface OptimisticCall {
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
export const NO_VALUE: unique symbol = Symbol('signalbox.nothing');

let names = 0;

export class Layer {
  readonly issued: number;
  readonly by: OptimisticCall;
  /** The answer to expect over what `past` shows, or NOTHING; the answer itself, once it has come. */
  compute: (past: LayerReadView) => unknown;
  /** The numbers that name what it makes: the same each time it is said. */
  #minted: number[] | undefined;
  /** What it says. */
  draft: Draft | undefined;
  /** The answer that it expects, and its node. */
  value: unknown;
  node: Node;
  /** What it was said from, each with the copy that it saw. */
  dependencies: Map<StoreRecord, StoreRecord> = new Map();
  /** What it is told of while it is laid: what it was said from, and what it moves. */
  subscribedTo: StoreRecord[] = EMPTY;
  /** The entities and lists that it changes. */
  writes: StoreRecord[] = EMPTY;
  /** What may be other than it saw; undefined among these: what it is called with. None: it need not be said anew. */
  changedDependencies: (StoreRecord | undefined)[] = EMPTY;
  /** It is a guess: of what is not there it shows only what it creates. */
  isPrediction = false;

  constructor(call: OptimisticCall, expect: Layer['compute']) {
    this.issued = call.issued;
    this.by = call;
    this.compute = expect;
  }

  /** Says it; where that fails, a warning tells of it, and what it said before stands. True when it is said. */
  tryRebase(store: DraftStore): boolean {
    try {
      this.rebase(store);
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
  rebase(store: DraftStore): void {
    const past = new LayerReadView(store, this.issued);
    const value = this.compute(past);
    const first = this.draft;
    // what it made when it was said before may have a name by now
    const draft = new Draft(store, undefined, {
      layer: first && this,
      mint: this.tempIdGenerator(),
    });
    const node = this.#layOut(value, draft);
    this.dependencies = new Map(past.dependencies);
    if (first?.makesAllOf(draft) === false) return;
    this.draft = draft;
    this.value = value === NO_VALUE ? undefined : value;
    this.node = node;
  }

  /** Without a schema nothing of it is stored. */
  #layOut(value: unknown, draft: Draft): Node {
    const { args, title, endpoint } = this.by;
    const { schema } = endpoint;
    try {
      let node: Node = undefined;
      if (value !== NO_VALUE)
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
  confirmedValue(store: DraftStore): unknown {
    try {
      const value = this.compute(new LayerReadView(store, 0));
      return value === NO_VALUE ? this.value : value;
    } catch {
      return this.value;
    }
  }

  /** Gives the numbers one after the other. */
  tempIdGenerator(): () => number {
    let turn = 0;
    return () => ((this.#minted ??= [])[turn++] ??= ++names);
  }

  /**
   * The entities that its answer is to bring and that no answer has brought yet, in their order. What was pushed under a
   * temporary key names none.
   */
  get created(): EntityRecord[] {
    let made: EntityRecord[] = EMPTY;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      if (!this.draft?.patchOf(entity)) return;
      if (!entity.isConfirmed || this.#names(entity)) made = append(made, entity);
    });
    return made;
  }

  /**
   * Tells which entities it shows that are not there: those that it creates (members of lists, temporary keys, what the
   * params do not name), and those that are nested in what it changes.
   */
  createdEntityTest(places: DraftStore): (record: EntityRecord) => boolean {
    if (!this.isPrediction) return Boolean;
    const { endpoint, args } = this.by;
    const isRoot = isAmong(this.node);
    const entered = this.draft?.addedMembers;
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
  showsNothing(places: DraftStore): boolean {
    const makes = this.createdEntityTest(places);
    const { issued } = this;
    let idle = this.isPrediction;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      const changes = this.draft?.patchOf(entity) !== undefined && !makes(entity);
      const known = entity.isConfirmed || entity.contentBefore(issued) !== undefined;
      idle &&= changes && !known;
    });
    return idle;
  }

  #names({ kind, pk }: EntityRecord): boolean {
    return this.#minted?.some((serial) => String(temporaryKey(kind.plan, serial)) === pk) === true;
  }
}
