/** A layer: one optimistic write, computed again (rebased) over each new base. */
import { warn } from '../diagnostics.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { createTempPk } from '../schema/EntityDescriptor.ts';
import { normalize } from '../schema/normalize.ts';
import { wrapOpaque } from '../schema/schema.ts';
import type { Args, Node, Schema } from '../schema/schema.ts';
import { Draft } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { LayerReadView } from './LayerReadView.ts';
import { eachRecord, recordsIn } from './eachRecord.ts';
import type { StoredList } from './StoredList.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** The call behind an optimistic write. */
export interface OptimisticCall {
  /** Logical time at which its request was issued. */
  readonly issued: number;
  readonly endpoint: NamedEndpoint & {
    readonly schema?: Schema;
    makes?(pk: string, args: Args): boolean;
  };
  readonly args: Args;
}

/** `compute` returns this if there is no optimistic value. */
export const NO_VALUE: unique symbol = Symbol('signalbox.nothing');

let lastSerial = 0;

export class Layer {
  readonly issued: number;
  readonly call: OptimisticCall;
  /** Returns the expected response over the data in `past`, or NO_VALUE; the actual response, once it has arrived. */
  compute: (past: LayerReadView) => unknown;
  /** The serial numbers of its temporary keys: the same in each rebase. */
  #tempSerials: number[] | undefined;
  /** The staged write. */
  draft: Draft | undefined;
  /** The expected response, and its node. */
  value: unknown;
  node: Node;
  /** The records that `compute` has read, and the members that the layer moves, each with the copy it saw. */
  dependencies!: Map<StoreRecord, StoreRecord>;
  /** Of an active layer: the dependencies whose changes it is checked after. */
  subscribedTo: Layer['dependencies'] | undefined = undefined;
  /** Queued for the next rebase of the active layers. */
  isDue = false;
  /** Must be computed again, whether or not a dependency has changed. */
  isOutdated = false;
  /** The entities and lists that the layer changes. */
  readonly writtenRecords: Set<EntityRecord | StoredList> = new Set();
  /** The layer is a guess: of missing entities it shows only the ones it creates. */
  isPrediction = false;

  constructor(call: OptimisticCall, expect: Layer['compute']) {
    this.issued = call.issued;
    this.call = call;
    this.compute = expect;
  }

  /** As `rebase`, but reports an exception as warning E5 and keeps the previous draft. True on success. */
  tryRebase(store: DraftStore): boolean {
    try {
      this.rebase(store);
      return true;
    } catch (reason) {
      const { name = 'the endpoint', title = name } = this.call.endpoint;
      warn('E5', title, { endpoint: title, reason });
      return false;
    }
  }

  /**
   * Computes the write over a new base. If the function creates other entities each time, its first draft stays.
   * Throws the exceptions of its function and its schema.
   */
  rebase(store: DraftStore): void {
    const past = new LayerReadView(store, this.issued);
    const value = this.compute(past);
    const first = this.draft;
    // entities of the previous draft may have their server keys by now
    const draft = new Draft(store, undefined, {
      layer: first && this,
      nextTempId: this.createTempIdGenerator(),
    });
    const node = this.#stage(value, draft);
    this.dependencies = past.dependencies;
    if (first?.createsEntitiesOf(draft) === false) return;
    this.draft = draft;
    this.value = value === NO_VALUE ? undefined : value;
    this.node = node;
  }

  /** Stages a value. Without a schema nothing is stored. */
  #stage(value: unknown, draft: Draft): Node {
    const { args, endpoint } = this.call;
    const { schema } = endpoint;
    try {
      let node: Node = undefined;
      if (value !== NO_VALUE)
        node =
          schema === undefined
            ? wrapOpaque(value)
            : normalize(schema, value, draft, { args, endpoint });
      draft.prepare();
      return node;
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  /** The expected response over confirmed data; if there is none, over the data this layer sees. */
  computeOverConfirmed(store: DraftStore): unknown {
    try {
      const value = this.compute(new LayerReadView(store, 0));
      return value === NO_VALUE ? this.value : value;
    } catch {
      return this.value;
    }
  }

  /** A function that returns the serial numbers one after the other. */
  createTempIdGenerator(): () => number {
    let index = 0;
    return () => ((this.#tempSerials ??= [])[index++] ??= ++lastSerial);
  }

  /**
   * The entities that its response is expected to create, and that no response has created yet, in their order. An
   * entity that was pushed under a temporary key still counts.
   */
  get createdEntities(): EntityRecord[] {
    const created: EntityRecord[] = [];
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      if ((!entity.isConfirmed || this.#isOwnTempId(entity)) && this.draft?.patchOf(entity))
        created.push(entity);
    });
    return created;
  }

  /**
   * Returns a test for missing entities that the layer shows nevertheless: entities it creates (list members, temporary
   * keys, entities that the params do not name), and entities nested in the ones it changes.
   */
  createdEntityTest(places: DraftStore): (record: EntityRecord) => boolean {
    if (!this.isPrediction) return Boolean;
    const { endpoint, args } = this.call;
    const roots = recordsIn(this.node);
    return (record) => {
      if (
        !roots.has(record) ||
        this.draft?.addsToLists(record) === true ||
        this.#isOwnTempId(record)
      )
        return true;
      const { kind, pk } = record;
      if (endpoint.makes !== undefined) return endpoint.makes(pk, args);
      const named = kind.pkInArgs(args);
      // the arguments may name the entity by a temporary key
      return named === undefined || (named !== pk && places.ref(kind, named) !== record);
    };
  }

  /** True if the layer shows nothing, because it changes entities that do not exist. */
  hasNoEffect(places: DraftStore): boolean {
    const makes = this.createdEntityTest(places);
    const { issued } = this;
    let idle = this.isPrediction;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      const changes = this.draft?.patchOf(entity) !== undefined && !makes(entity);
      const known = entity.isConfirmed || entity.contentAsOf(issued) !== undefined;
      idle &&= changes && !known;
    });
    return idle;
  }

  #isOwnTempId({ kind, pk }: EntityRecord): boolean {
    return (
      this.#tempSerials?.some((serial) => String(createTempPk(kind.descriptor, serial)) === pk) ===
      true
    );
  }
}
