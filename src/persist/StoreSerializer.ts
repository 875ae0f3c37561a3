/** From records that changed in a store to the records to write to a disk. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { sameMembers } from '../query/engine/WindowedRows.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args, NormalizedNode, StoredKind } from '../schema/schema.ts';
import {
  EntityRecord,
  ListRecord,
  MapRecord,
  ResultRecord,
  containsRecord,
  isNoStore,
  pageImagesOf,
  reachableConfirmed,
} from '../store/StorePort.ts';
import type { EntityContent, EntityTable, Stamp, Store, StoreRecord } from '../store/StorePort.ts';
import { UnpersistableRecords } from '../sync/DirtyTracker.ts';
import type { Changes } from '../sync/DirtyTracker.ts';
import { NodeSerializer, confirmedMembersOf, storedFieldsOf } from '../sync/NodeSerializer.ts';
import { NO_REFERENCES, keyFor } from '../sync/PersistedRecord.ts';
import type {
  PersistedEntity,
  PersistedList,
  PersistedRead,
  PersistedRecord,
  PersistedResponse,
  PersistedStamp,
} from '../sync/PersistedRecord.ts';
import type { PersistableNames } from '../sync/Registry.ts';
import type { ChunkStore } from './ChunkStore.ts';
import type { DiskHead } from './DiskHead.ts';

// members of a list processed in a slice
const MEMBERS_PER_SLICE = 500;
// records between two looks at the clock
const RECORDS_PER_PART = 32;

/** The records to write, and those to delete, by key. */
type FoundChanges = Map<string, PersistedRecord | undefined>;

/** The records and the changes of a run. */
interface Batch {
  /** Found since the last part was taken. */
  readonly changes: FoundChanges;
  /** Records to compare; the set grows during the run. */
  readonly records: Set<StoreRecord>;
  /** Entities that expire with a request in the same batch. */
  readonly carried: Set<StoreRecord>;
  /** Wall time. */
  readonly now: number;
}

/*
 *   request ──► response, with the keys of ──► entities and lists    An entity is persisted when its fields change. If a
 *      at                                            at              response brings no change, only the request is.
 *
 * All records to which a persisted record refers are on the disk, too.
 */
export class StoreSerializer {
  readonly #store: Store;
  readonly #names: PersistableNames;
  readonly #disk: Pick<ChunkStore, 'has' | 'size'>;
  /** Keys to put (true) or delete (false) that are not yet on the disk. */
  #pending = new Map<string, boolean>();
  /** The names of endpoints, by the keys of their requests on the disk. */
  readonly #endpointNames = new Map<string, string>();
  readonly snapshot: PersistedSnapshot = new PersistedSnapshot();
  readonly #unpersistable: UnpersistableRecords = new UnpersistableRecords();

  constructor(store: Store, names: PersistableNames, disk: Pick<ChunkStore, 'has' | 'size'>) {
    this.#store = store;
    this.#disk = disk;
    this.#names = names;
  }

  has(key: string): boolean {
    return this.#pending.get(key) ?? this.#disk.has(key);
  }

  /** The response is on the disk. */
  addEndpointName({ key, name }: PersistedRead): void {
    this.#endpointNames.set(key, name);
  }

  /** The key is no longer on the disk. */
  drop(key: string): void {
    this.#pending.set(key, false);
  }

  /** All packed changes are on the disk. */
  settle(): void {
    this.#pending = new Map();
  }

  /** The disk is empty. */
  clear(): void {
    this.#pending = new Map();
    this.#endpointNames.clear();
    this.snapshot.clear();
  }

  /**
   * The changes to write, in parts, so that no more records are kept than a single part has. Yielded changes count
   * as written. A later change replaces an earlier change of the same key.
   */
  *collectChanges(changed: Changes, now: number): Generator<FoundChanges, void> {
    const { records, results, unkept } = changed;
    for (const [record, time] of unkept) this.#unpersistable.add(record, time);
    const batch: Batch = { changes: new Map(), records: new Set(records), carried: new Set(), now };
    for (const [key, endpoint] of results) {
      this.#result(batch, key, endpoint, now);
      yield this.#takePart(batch);
    }
    const { changes } = batch;
    let count = 0;
    // iteration includes members added to the set on the way
    for (const record of batch.records) {
      const key = this.#keyOf(record);
      if (key === undefined) continue;
      if (record instanceof EntityRecord) this.#entity(batch, key, record);
      else if (record instanceof ListRecord || record instanceof MapRecord)
        yield* this.#list(batch, key, record, now);
      if (changes.has(key) && changes.get(key) === undefined && !this.has(key)) changes.delete(key);
      if (++count % RECORDS_PER_PART === 0) yield this.#takePart(batch);
    }
    yield this.#takePart(batch);
  }

  /** Takes the changes found so far, which count as written from now on. */
  #takePart({ changes }: Batch): FoundChanges {
    const part = new Map(changes);
    changes.clear();
    for (const [key, persisted] of part) {
      this.#pending.set(key, persisted !== undefined);
      if (persisted?.kind === 'result') this.addEndpointName(persisted);
    }
    return part;
  }

  #keyOf(record: StoreRecord): string | undefined {
    const kind = record.kind as StoredKind;
    if (kind.stores === 'all') return undefined;
    const name = this.#names.tableOf(kind);
    if (name === undefined || !this.#names.isPersistable(kind)) return undefined;
    return keyFor(kind.stores, name, (record as EntityRecord).pk);
  }

  /** Adds the records among `records`, parts of a persisted record, that are not on the disk yet. */
  #addMissing(batch: Batch, records: Iterable<StoreRecord>): void {
    for (const record of records) {
      if (batch.records.has(record)) continue;
      const key = this.#keyOf(record);
      if (key !== undefined && !this.has(key)) batch.records.add(record);
    }
  }

  #result(batch: Batch, key: string, endpoint: EndpointInterface | undefined, now: number): void {
    const result = this.#store.findResult(key);
    if (result === undefined) return;
    const { args, hasResponse, stamp, expiredAt, invalidatedAt } = result;
    const name = this.#nameOf(key, endpoint, args);
    if (name === undefined) return;
    const isInvalid = invalidatedAt !== undefined;
    const response = hasResponse && !isInvalid ? this.#response(batch, result) : undefined;
    const at: PersistedStamp = response === undefined ? [0, now, 0] : this.snapshot.at(stamp);
    const resultKey = keyFor('result', key);
    const expiredOrder = this.snapshot.orderOf(expiredAt);
    const common = { kind: 'result', name, key, args, at, response, expiredOrder } as const;
    if (response !== undefined || isInvalid || (expiredOrder > 0 && !hasResponse))
      batch.changes.set(resultKey, {
        ...common,
        invalidOrder: this.snapshot.orderOf(invalidatedAt ?? 0),
      });
    else if (this.has(resultKey)) batch.changes.set(resultKey, undefined);
  }

  #nameOf(key: string, endpoint: EndpointInterface | undefined, args: Args): string | undefined {
    const name = endpoint && this.#names.nameOf(endpoint, args);
    return name ?? this.#endpointNames.get(key) ?? this.#names.nameByKey(key, args);
  }

  #response(batch: Batch, result: ResultRecord): PersistedResponse | undefined {
    const { schema, kind, node, stamp } = result;
    if (isNoStore(stamp)) return this.#excludeResponse(batch, node, stamp.time);
    if (schema !== undefined && !this.#names.isPersistable(kind)) return undefined;
    const serializer = new NodeSerializer(this.#store, this.#names);
    const value = serializer.serialize(kind, node);
    if (value === INVALID) return undefined;
    this.#addMissing(batch, serializer.records);
    const olderEntities: string[] = [];
    for (const record of reachableConfirmed(node)) {
      // expired with a result: other results show the record, too
      if ((record as EntityRecord | ListRecord).stamp?.expiresAt === 0) batch.records.add(record);
      if (!(record instanceof EntityRecord) || !record.isConfirmed) continue;
      if (record.versions.stamp === stamp) batch.carried.add(record);
      else if (record.versions.stamp.fetchedAt < stamp.fetchedAt)
        olderEntities.push(this.#keyOf(record) ?? '');
    }
    return { value, refs: serializer.refs, olderEntities, pages: pageImagesOf(result) };
  }

  #excludeResponse(batch: Batch, node: NormalizedNode, time: number): undefined {
    for (const record of reachableConfirmed(node)) {
      this.#unpersistable.add(record, time);
      batch.records.add(record);
    }
  }

  /** A mutation has changed the key of an entity: records that refer to the entity are persisted anew. */
  #persistHoldersAgain(batch: Batch, record: EntityRecord, formerPk: string): void {
    const { records: rows } = this.#store.table(record.kind) as EntityTable;
    // another entity with this key may be written already
    if (rows.get(formerPk)?.isConfirmed !== true)
      batch.changes.set(
        keyFor('entity', this.#names.tableOf(record.kind) as string, formerPk),
        undefined,
      );
    for (const { records } of this.#store.gcTables())
      for (const holder of records.values()) {
        if (!containsRecord(holder.confirmedParts(), record)) continue;
        if (holder instanceof ResultRecord) this.#result(batch, holder.key, undefined, batch.now);
        else batch.records.add(holder);
        this.snapshot.forget(holder);
      }
  }

  #entity(batch: Batch, key: string, record: EntityRecord): void {
    const { changes, carried } = batch;
    const { base, kind, pk } = record;
    const { stamp, floorTime } = record.versions;
    const last = this.snapshot.stateOf(record);
    const name = this.#names.tableOf(kind) as string;
    if (last !== undefined && last.pk !== pk) this.#persistHoldersAgain(batch, record, last.pk);
    if (base === undefined || this.#unpersistable.has(record))
      return void changes.set(key, undefined);
    const { snapshot } = this;
    const at = snapshot.at(stamp);
    const turn = snapshot.entity(record, base, {
      at,
      last: last && this.has(key) ? last : undefined,
      isCarried: carried.has(record),
    });
    if (turn === undefined) return;
    // most rows have no nested members
    const serializer =
      base.nodes.length > 0 ? new NodeSerializer(this.#store, this.#names) : undefined;
    const fields = storedFieldsOf(record, base, serializer);
    const { refs = NO_REFERENCES } = serializer ?? {};
    const creationOrder = floorTime === 0 ? 0 : snapshot.orderOf(floorTime);
    const hasKeyInFields = (this.#names.kind(name) as EntityKind).pkIn(fields, []) === pk;
    changes.set(key, {
      kind: 'entity',
      name,
      pk,
      fields,
      refs,
      at,
      turn,
      creationOrder,
      hasKeyInFields,
    });
    if (serializer !== undefined) this.#addMissing(batch, serializer.records);
  }

  *#list(
    batch: Batch,
    key: string,
    record: ListRecord | MapRecord,
    now: number,
  ): Generator<FoundChanges, void> {
    const members = confirmedMembersOf(record);
    if (members === undefined || this.#unpersistable.has(record)) {
      batch.changes.set(key, undefined);
      return;
    }
    // a list of added pages alone has no time of arrival
    const [order, fetchedAt, expiresAt] = this.snapshot.at(record.stamp);
    const at: PersistedStamp = [order, fetchedAt === 0 ? now : fetchedAt, expiresAt];
    const paged = record instanceof ListRecord && record.hasFurtherPages;
    const shown: PersistedMembers = { members: members.map(([member]) => member), at, paged };
    if (!this.has(key)) this.snapshot.forget(record);
    if (!this.snapshot.list(record, shown) && record instanceof ListRecord) return;
    const name = this.#names.tableOf(record.kind) as string;
    const rows: PersistedList['members'] = members.map(([member, at]) => {
      const of = this.#names.tableOf(member.kind as StoredKind) as string;
      const { pk: memberPk } = member as EntityRecord;
      return at === undefined ? [of, memberPk] : [of, memberPk, at];
    });
    batch.changes.set(key, { kind: 'list', name, pk: record.pk, members: rows, at, paged });
    for (let at = 0; at < shown.members.length; at += MEMBERS_PER_SLICE) {
      this.#addMissing(batch, shown.members.slice(at, at + MEMBERS_PER_SLICE));
      yield this.#takePart(batch);
    }
  }
}

/** An entity. */
interface PersistedState {
  readonly content: EntityContent;
  readonly unreceived: readonly string[];
  readonly at: PersistedStamp;
  readonly pk: string;
  /** The turn of the record in the store, and on the disk. */
  readonly recordTurn: number;
  readonly diskTurn: number;
}

/** A list. */
interface PersistedMembers {
  readonly members: readonly StoreRecord[];
  readonly at: PersistedStamp;
  readonly paged: boolean;
}

/** The content of records as last written to the disk, and the order of records there. */
class PersistedSnapshot {
  #entities = new WeakMap<EntityRecord, PersistedState>();
  #lists = new WeakMap<StoreRecord, PersistedMembers>();
  /** The last turn on the disk when the disk was read. */
  #turn = 0;
  #order = 0;
  #lastStamp: Stamp | undefined;
  #lastAt: PersistedStamp = [0, 0, 0];

  /** The last turn on the disk when the disk was read: entities of the disk come first. */
  get lastTurn(): number {
    return this.#turn;
  }

  /** Records persisted from now on come after this order and this turn. */
  startAfter({ order, turn }: Pick<DiskHead, 'order' | 'turn'>): void {
    this.#order = Math.max(this.#order, order);
    this.#turn = Math.max(this.#turn, turn);
  }

  /** The record equals the entry on the disk. */
  setFromDisk(record: EntityRecord, { at, turn }: PersistedEntity): void {
    const { base, versions } = record;
    if (base !== undefined)
      this.#set(record, { content: base, unreceived: versions.unreceived, at }, turn);
  }

  #set(
    record: EntityRecord,
    { content, unreceived, at }: Pick<PersistedState, 'content' | 'unreceived' | 'at'>,
    turn: number,
  ): void {
    const { pk } = record;
    this.#entities.set(record, {
      content,
      unreceived,
      at,
      pk,
      recordTurn: record.arrivalNumber,
      diskTurn: turn,
    });
  }

  /** The entity as last written; a mutation may have changed the primary key since. */
  stateOf(record: EntityRecord): PersistedState | undefined {
    return this.#entities.get(record);
  }

  clear(): void {
    this.#entities = new WeakMap();
    this.#lists = new WeakMap();
  }

  /** The rows of a response get the same object. */
  at(stamp: Stamp): PersistedStamp {
    const { time, fetchedAt, expiresAt } = stamp;
    const order = this.orderOf(time);
    if (this.#lastStamp !== stamp || this.#lastAt[0] !== order) {
      this.#lastStamp = stamp;
      this.#lastAt = [order, fetchedAt, expiresAt];
    }
    return this.#lastAt;
  }

  /**
   * The order on the disk: data of the disk keep their order, then come data sent by a server with the page, then the
   * page's own.
   */
  orderOf(time: number): number {
    return time < FIRST_LIVE_TIME
      ? Math.min(time * DISK_ORDER_RANGE, this.#order)
      : this.#order + time;
  }

  /**
   * Records that the entity is persisted with this content. Returns the turn; undefined if nothing changed. `last`: the
   * entity on the disk. `isCarried`: a request persisted in the same batch states the later time for the entity.
   */
  entity(
    record: EntityRecord,
    content: EntityContent,
    {
      at,
      last,
      isCarried,
    }: {
      readonly at: PersistedStamp;
      readonly last: PersistedState | undefined;
      readonly isCarried: boolean;
    },
  ): number | undefined {
    const { nestedIndexes } = record.kind.descriptor;
    const { unreceived } = record.versions;
    const isSame =
      last?.unreceived === unreceived && hasSameContent(last.content, content, nestedIndexes);
    if (isSame && (sameMembers(last.at, at) || (isCarried && isEarlier(last.at, at))))
      return undefined;
    const turn =
      last?.recordTurn === record.arrivalNumber ? last.diskTurn : this.#turn + record.arrivalNumber;
    this.#set(record, { content, unreceived, at }, turn);
    return turn;
  }

  /** Records that the list is persisted with this content. False if nothing changed. */
  list(record: StoreRecord, shown: PersistedMembers): boolean {
    const last = this.#lists.get(record);
    if (last !== undefined && isSameList(last, shown)) return false;
    this.#lists.set(record, shown);
    return true;
  }

  /** Forgets the persisted content of a record. */
  forget(record: StoreRecord): void {
    this.#lists.delete(record);
    if (record instanceof EntityRecord) this.#entities.delete(record);
  }
}

/** Compares wall times, because a response may arrive after the response to a later request. */
function isEarlier([, former]: PersistedStamp, [, present]: PersistedStamp): boolean {
  return former < present;
}

function isSameList(former: PersistedMembers, present: PersistedMembers): boolean {
  const isSame = former.paged === present.paged && sameMembers(former.at, present.at);
  return isSame && sameMembers(former.members, present.members);
}

/** Compares nodes by reference, and skips nested fields: these are rebuilt when nested data change. */
function hasSameContent(
  former: EntityContent,
  present: EntityContent,
  nested: ReadonlyMap<string, number>,
): boolean {
  if (!sameMembers(former.nodes, present.nodes)) return false;
  const names = Object.keys(present.fields);
  if (names.length !== Object.keys(former.fields).length) return false;
  return names.every((name) => nested.has(name) || former.fields[name] === present.fields[name]);
}

/** Logical times of the page begin here; times of disk data are below. */
export const FIRST_LIVE_TIME = 1;
/** Above every order on a disk: an order divided by this is a logical time. */
export const DISK_ORDER_RANGE: number = 2 ** 47;

/** Data from after `now` are expired: the clock was set back since, and the elapsed time is unknown. */
export function stampOf([order, fetchedAt, expiresAt]: PersistedStamp, now: number): Stamp {
  const isKnown = fetchedAt <= now || expiresAt === Infinity;
  return { time: order / DISK_ORDER_RANGE, fetchedAt, expiresAt: isKnown ? expiresAt : 0 };
}
