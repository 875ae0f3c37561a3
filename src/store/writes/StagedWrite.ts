/** One write, staged completely before any of it is stored: if the value is invalid, the store is unchanged. */
import { EntityKind } from '../../schema/EntityKind.ts';
import { isPlainObject } from '../../schema/fieldOf.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { normalize } from '../../schema/normalize.ts';
import type { NormalizeOptions } from '../../schema/normalize.ts';
import { INVALID, wrapOpaque } from '../../schema/schema.ts';
import type { Args, NormalizedNode, Schema, Sink } from '../../schema/schema.ts';
import type { Store } from '../Store.ts';
import { createPatch, withoutUnreceivedDefaults } from '../entities/EntityPatch.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import type { EntityTable } from '../entities/EntityTable.ts';
import { EMPTY, append } from '../records/append.ts';
import type { Stamp } from '../records/versioning.ts';
import type { PageCall } from '../results/LoadedPages.ts';
import type { Failure } from '../results/Result.ts';
import type { ResultRecord } from '../results/ResultRecord.ts';
import { Draft } from './Draft.ts';
import type { ReplacedLayer } from './Draft.ts';
import { placePages } from './placePages.ts';
import type { FetchedPages } from './placePages.ts';
import { moveRow, writeDraft } from './writeDraft.ts';
import { writePatch } from './writePatch.ts';

export interface WriteRequest extends NormalizeOptions {
  readonly schema: Schema;
  readonly value: unknown;
  readonly stamp: Stamp;
  /** The write changes an entity that its arguments name. */
  readonly updatesEntityInArgs?: boolean | undefined;
  /** Adds the writes that follow from the node of this write: see `addLinkedWrite`. */
  readonly stageLinkedWrites?: ((staged: StagedWrite) => void) | undefined;
  /** The optimistic layer that the response replaces: entities created by the layer get the keys of the response. */
  readonly layer?: ReplacedLayer | undefined;
  /** Adds temporary keys to entities without a key in the response. */
  readonly addTempPk?: Sink['addTempPk'];
  /** Logical time at which the response arrived. */
  readonly arrivedAt?: number | undefined;
  /** The value is made of these pages of a list. */
  readonly fetchedPages?: FetchedPages | undefined;
  /** The value is this page of a list. */
  readonly page?: PageCall | undefined;
}

/** A staged write to a result, mostly of another request. */
export interface LinkedWrite {
  write(): void;
  discard(): void;
}

export class StagedWrite {
  readonly draft: Draft;
  readonly node: NormalizedNode;
  readonly stamp: Stamp;
  readonly request: WriteRequest;
  readonly args: Args;
  /** See `writeDraft`: a pushed value, or the response of a result that has had one before. */
  isAddition: boolean;
  readonly #store: Store;
  #linkedWrites: LinkedWrite[] = EMPTY;

  /** If the value is invalid, throws a diagnostic and leaves the store unchanged. */
  constructor(store: Store, request: WriteRequest) {
    const { schema, value, stamp, updatesEntityInArgs } = request;
    this.#store = store;
    this.request = request;
    this.stamp = stamp;
    this.args = request.args;
    this.isAddition = stamp.isPush === true && !stamp.derived;
    const update = updatesEntityInArgs && stamp.own ? request : undefined;
    this.draft = new Draft(store, stamp, request, update);
    try {
      this.node =
        schema === undefined ? wrapOpaque(value) : normalize(schema, value, this.draft, request);
      request.stageLinkedWrites?.(this);
      this.draft.prepare();
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Adds a write that is made after this one, or discarded with it. */
  addLinkedWrite(linked: LinkedWrite): void {
    this.#linkedWrites = append(this.#linkedWrites, linked);
  }

  /** Undoes the staging. */
  discard(): void {
    this.draft.discard();
    for (const linked of this.#linkedWrites) linked.discard();
  }

  /** Must be called within a commit. */
  write(): void {
    writeDraft(this.#store, this.draft, this.stamp, this);
    for (const linked of this.#linkedWrites) linked.write();
  }

  /**
   * Writes the response of `result`, within a commit. `createMissingDataFailure`: returns the failure to store if the
   * response does not contain its data.
   */
  writeResponse(result: ResultRecord, createMissingDataFailure?: () => Failure): void {
    const placed = placePages(result, this);
    this.isAddition ||= result.hasResponse;
    writeDraft(this.#store, this.draft, this.stamp, this);
    this.#store.layers.rebase();
    result.setResponse(this.node, this.stamp, placed);
    for (const linked of this.#linkedWrites) linked.write();
    // incomplete: a response from before the deletion says nothing of the fields that are missing now
    if (createMissingDataFailure === undefined || result.isIncomplete || result.hasData()) return;
    // in the same commit, so that callers are notified once. Data hidden by an optimistic deletion are no failure
    const { layers } = this.#store;
    if (result.deletionIssued !== undefined && layers.dataBeforeDeletion(result) !== INVALID)
      result.notifyIfResultChanged();
    else result.setFailure(createMissingDataFailure());
  }
}

/*
 *   set(Todo, {id: 5}, {title: 'x'})      stored, no nested member, no custom merge or key       written at once
 *   set(Todo, {id: 9}, {title: 'y'})      missing: its constructor may throw                     ┐
 *   set(Todo, {id: 5}, {author: {…}})     several entities                                       ├ staged (Draft)
 *   set([Todo], [{id: 5, title: 'x'}])    a list                                                 ┘
 */

/** Returns the entity, and a function that writes the value, for a commit; undefined: needs a draft. */
export function prepareFastWrite(
  store: Store,
  schema: Schema,
  value: unknown,
  stamp: Stamp,
): readonly [EntityRecord, () => void] | undefined {
  const kind = kindOf(schema, 'schema');
  if (!(kind instanceof EntityKind) || !kind.descriptor.hasPlainWrites || !isPlainObject(value))
    return undefined;
  const pk = kind.pkIn(value, []);
  if (pk === undefined) return undefined;
  const record = store.gc.findAndMarkUsed(store.table(kind) as EntityTable, pk);
  if (record?.kind !== kind || !record.isConfirmed) return undefined;
  const fields = stamp.derived ? withoutUnreceivedDefaults(value, record, stamp) : value;
  const shape = kind.shapeOf(fields);
  if (shape.nestedIndexes.length > 0) return undefined;
  const patch = createPatch(record, fields, kind.descriptor.undefinedNodes, kind);
  patch.recordShape = shape;
  const write = () => {
    store.inflight.notePush(record, stamp, patch);
    const change = writePatch(store, store.beforeWrite(record), patch, stamp);
    if (change !== undefined) moveRow(store, change);
  };
  return [record, write];
}
