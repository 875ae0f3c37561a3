/** A layer: an optimistic write, computed again (rebased) over each new base. */
import { warn } from '../errors.ts';
import { fieldNamesOf } from '../request/responseStamp.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { equal } from '../schema/equal.ts';
import { fieldOf, hasField, isObject, setOwn } from '../schema/fieldOf.ts';
import { normalize } from '../schema/normalize.ts';
import { wrapOpaque } from '../schema/schema.ts';
import type { Args, Fields, NormalizedNode, Schema, Sink } from '../schema/schema.ts';
import type { EntityContent, EntityPatch } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { StoredList } from '../store/lists/ListRecord.ts';
import { EMPTY, append } from '../store/records/SmallSet.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { eachRecord, recordsIn } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { Draft } from '../store/writes/Draft.ts';
import type { DraftStore } from '../store/writes/Draft.ts';
import { LayerReadView } from './LayerReadView.ts';
import type { Dependencies } from './LayerReadView.ts';
import { LayerKeyChanges, createTempPk } from './TempIds.ts';
import { addsToLists, createsEntitiesOf, patchOf } from './patchOf.ts';

/** The call behind an optimistic write. */
export interface OptimisticCall {
  /** Logical time at which the request was issued. */
  readonly issued: number;
  readonly endpoint: NamedEndpoint & {
    readonly schema?: Schema;
    createsEntity?(pk: string, args: Args): boolean;
  };
  readonly args: Args;
  /** Logical time at which the request was sent; Infinity while the request waits. */
  readonly sentAt?: number;
  /** The transaction that the write belongs to. */
  readonly holder?: unknown;
}

/** `compute` returns this if there is no optimistic value. */
export const NO_VALUE: unique symbol = Symbol('signalbox.nothing');

let lastSerial = 0;

export class Layer {
  readonly issued: number;
  readonly call: OptimisticCall;
  readonly #store: DraftStore;
  /** Returns the expected response over the data in `past`, or NO_VALUE; the actual response after arrival. */
  compute: (past: LayerReadView) => unknown;
  /** The serial numbers of the temporary keys: the same in each rebase. */
  #tempSerials: number[] | undefined;
  /** The staged write. */
  draft: Draft | undefined;
  /** The expected response, and the node of the response. */
  value: unknown;
  node: NormalizedNode;
  /** The records that `compute` has read, and the members that the layer moves, each with the copy that was read. */
  dependencies: Dependencies | undefined = undefined;
  /** Of an active layer: the dependencies whose changes make the layer due. */
  subscribedTo: Dependencies | undefined = undefined;
  /** Queued for the next rebase of the active layers. */
  isDue = false;
  /** Must be computed again, whether or not a dependency has changed. */
  isOutdated = false;
  /** The entities and lists that the layer changes. */
  writtenRecords: (EntityRecord | StoredList)[] = EMPTY;
  /** The records in `node`, once `creates` has needed them. */
  #roots: ReadonlySet<StoreRecord> | undefined;
  /** Entities that a push or a read has brought and that may be the rows that its request has created. */
  readonly echoes: Set<EntityRecord> = new Set();
  /** The response is confirmed, without the keys of rows: the layer only hides echoes. */
  isDone = false;
  /** The layer is a guess: of missing entities, only entities that the layer creates are shown. */
  isPrediction = false;

  constructor(store: DraftStore, call: OptimisticCall, expect: Layer['compute']) {
    this.#store = store;
    this.issued = call.issued;
    this.call = call;
    this.compute = expect;
  }

  /** As `rebase`, but reports an exception as warning E5 and keeps the previous draft. True on success. */
  tryRebase(): boolean {
    try {
      this.rebase();
      return true;
    } catch (reason) {
      const { name = 'the endpoint', title = name } = this.call.endpoint;
      warn('E5', title, { endpoint: title, reason });
      return false;
    }
  }

  /**
   * Computes the write over a new base. If the function creates other entities each time, the first draft stays.
   * Throws the exceptions of the function and the schema.
   */
  rebase(): void {
    const { draft: first } = this;
    const past = new LayerReadView(this.#store, this.issued);
    // entities of the previous draft may have their server keys by now
    const { draft, value, node } = this.#stage(past, first && this);
    this.dependencies = past.dependencies;
    if (first !== undefined && !createsEntitiesOf(first, draft)) return;
    this.draft = draft;
    this.value = value === NO_VALUE ? undefined : value;
    this.node = node;
    this.#roots = undefined;
  }

  #stage(
    past: LayerReadView,
    replaced?: Layer,
  ): { draft: Draft; value: unknown; node: NormalizedNode } {
    const { call } = this;
    const { schema } = call.endpoint;
    const value = this.compute(past);
    const addTempPk = this.createTempPkAdder();
    const draft = new Draft(this.#store, undefined, { layer: replaced, addTempPk });
    let node: NormalizedNode = undefined;
    try {
      // without a schema nothing is stored
      if (value !== NO_VALUE)
        node = schema === undefined ? wrapOpaque(value) : normalize(schema, value, draft, call);
      draft.prepare();
    } catch (error) {
      draft.discard();
      throw error;
    }
    return { draft, value, node };
  }

  /** The patch of an entity as if the entity were this copy; undefined if the function has none, or throws. */
  computePatchOver(record: EntityRecord, copy: StoreRecord): EntityPatch | undefined {
    const past = new LayerReadView(this.#store, this.issued);
    past.addDependency(record, copy);
    try {
      const { draft } = this.#stage(past);
      const patch = patchOf(draft, record);
      draft.discard();
      return patch;
    } catch {
      return undefined;
    }
  }

  /** The expected response over confirmed data; if there is none, over the data this layer sees. */
  computeOverConfirmed(): unknown {
    try {
      const value = this.compute(new LayerReadView(this.#store, 0));
      return value === NO_VALUE ? this.value : value;
    } catch {
      return this.value;
    }
  }

  /** Gives the created entities the keys of the response; undefined if the layer creates none. */
  createKeyChanges(store: DraftStore, stamp: Stamp | undefined): LayerKeyChanges | undefined {
    return this.createdEntities.length > 0 ? new LayerKeyChanges(store, stamp, this) : undefined;
  }

  /**
   * Returns a function that adds a temporary primary key to fields without one, if a single field is the primary key:
   * with the same numbers in each rebase.
   */
  createTempPkAdder(): NonNullable<Sink['addTempPk']> {
    let index = 0;
    return (kind, fields, args) => {
      const { declaredPkField } = kind.descriptor;
      if (declaredPkField === undefined || kind.pkIn(fields, args) !== undefined) return fields;
      const serial = ((this.#tempSerials ??= [])[index++] ??= ++lastSerial);
      return { ...fields, [declaredPkField.field]: createTempPk(kind.descriptor, serial) };
    };
  }

  /**
   * The entities that its response is expected to create, and that no response has created yet, in their order. An
   * entity that was pushed under a temporary key still counts.
   */
  get createdEntities(): EntityRecord[] {
    let created: EntityRecord[] = EMPTY;
    // most writes only change entities that exist
    if (!this.#tempSerials && this.draft?.patches.every(({ record }) => record.isConfirmed))
      return created;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      if ((!entity.isConfirmed || this.#isOwnTempId(entity)) && patchOf(this.draft, entity))
        created = append(created, entity);
    });
    return created;
  }

  /**
   * True if an entity that was never stored before may be a row that the layer shows under a temporary key, and that the
   * server may have created. `isAddition`: without a comparison of the fields that were sent.
   */
  mayHaveCreated(patch: EntityPatch, isAddition: boolean): boolean {
    const { sentAt = Infinity } = this.call;
    if (sentAt === Infinity) return false;
    const { tableKey } = patch.record.kind;
    return this.rowsWithoutKey.some(
      (row) => row.kind.tableKey === tableKey && (isAddition || this.isLike(row, patch)),
    );
  }

  get hasTempPks(): boolean {
    return this.#tempSerials !== undefined;
  }

  /** The created entities that still have the temporary keys of the layer. */
  get rowsWithoutKey(): EntityRecord[] {
    return this.createdEntities.filter((created) => this.#isOwnTempId(created));
  }

  /** True if the content has the fields that were sent for a created entity, and these are `fewest` at least. */
  isLike(row: EntityRecord, { fields, nodes }: EntityContent, fewest = 0): boolean {
    const { nestedIndexes, declaredPkField } = row.kind.descriptor;
    const expected = patchOf(this.draft, row);
    if (expected === undefined) return false;
    const body: unknown = this.call.args.at(-1);
    const bodies = isObject(body) ? [body].flat() : [expected.fields];
    const names = bodies
      .flatMap((one) => [...fieldNamesOf(one)])
      .filter((name) => name in expected.fields && name !== declaredPkField?.field);
    return (
      names.length >= fewest &&
      names.every((name) => {
        const at = nestedIndexes.get(name);
        return at === undefined
          ? isAlike(expected.fields[name], fields[name])
          : equal(expected.nodes[at], nodes[at]);
      })
    );
  }

  /**
   * True if the layer shows this entity even while missing: an entity that the layer creates (a list member, an entity
   * with a temporary key, an entity that the params do not name), or an entity nested in an entity that the layer
   * changes.
   */
  creates(record: EntityRecord): boolean {
    if (!this.isPrediction) return true;
    const { endpoint, args } = this.call;
    const roots = (this.#roots ??= recordsIn(this.node));
    if (!roots.has(record) || addsToLists(this.draft, record) || this.#isOwnTempId(record))
      return true;
    const { kind, pk } = record;
    if (endpoint.createsEntity !== undefined) return endpoint.createsEntity(pk, args);
    const named = kind.pkInArgs(args);
    // the arguments may name the entity by a temporary key
    return named === undefined || (named !== pk && this.#store.ref(kind, named) !== record);
  }

  /** True if the layer shows nothing, because the changed entities do not exist. */
  hasNoEffect(): boolean {
    const { issued, isPrediction, value } = this;
    // the function gave up: the row may be there, and hidden
    if (isPrediction && value === undefined) return this.computeOverConfirmed() === undefined;
    let idle = isPrediction && !this.draft?.removals.size;
    eachRecord(this.node, (record) => {
      const entity = record as EntityRecord;
      const changes = patchOf(this.draft, entity) !== undefined && !this.creates(entity);
      const known = entity.isConfirmed || entity.contentAsOf(issued) !== undefined;
      idle &&= changes && !known;
    });
    return idle;
  }

  changesLeftOut(
    changed: readonly string[] | undefined,
    given: Fields,
    eachRow: (response: unknown, read: (row: unknown) => void) => void,
  ): Fields {
    const fields: Fields = {};
    const isGiven = (name: string) => hasField(given, name);
    // the function of the application is called again only for a field that is left out
    if (changed?.every(isGiven) === true) return fields;
    eachRow(this.computeOverConfirmed(), (row) => {
      if (!isObject(row)) return;
      for (const name of changed ?? Object.keys(row))
        if (!isGiven(name)) setOwn(fields, name, fieldOf(row, name));
    });
    return fields;
  }

  changedFields(record: EntityRecord): string[] | undefined {
    if (this.value === undefined) return undefined;
    const patch = patchOf(this.draft, record);
    if (patch === undefined) return [];
    const { fields, nodes } = patch;
    const { nestedIndexes } = record.kind.descriptor;
    const below = record.contentAsOf(this.issued);
    return [...Object.keys(fields), ...nestedIndexes.keys()].filter((name) => {
      const at = nestedIndexes.get(name);
      return at === undefined
        ? !equal(fields[name], below?.fields[name])
        : !equal(nodes[at], below?.nodes[at]);
    });
  }

  #isOwnTempId({ kind, pk }: EntityRecord): boolean {
    return (
      this.#tempSerials?.some((serial) => String(createTempPk(kind.descriptor, serial)) === pk) ===
      true
    );
  }
}

/** True for equal values, for texts that a server may have trimmed or changed in case, and for numbers sent as texts. */
function isAlike(sent: unknown, received: unknown): boolean {
  if (isObject(sent) || isObject(received)) return equal(sent, received);
  return String(sent).trim().toLowerCase() === String(received).trim().toLowerCase();
}
