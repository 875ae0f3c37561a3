/** From records that changed in a store to the records to write to a disk. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { assign } from '../schema/equal.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args, Fields, Node, StoredKind } from '../schema/schema.ts';
import { EntityRecord } from '../store/EntityRecord.ts';
import { confirmedBelow, containsRecord } from '../store/eachRecord.ts';
import type { EntityContent } from '../store/EntityContent.ts';
import { ListRecord } from '../store/ListRecord.ts';
import { MapRecord } from '../store/MapRecord.ts';
import { isNoStore } from '../store/versioning.ts';
import type { StoreRecord } from '../store/StoreRecord.ts';
import { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { ChunkStore } from './ChunkStore.ts';
import { keyFor } from './Filed.ts';
import type { At, Filed, FiledAnswer, FiledList, FiledResult } from './Filed.ts';
import type { Named } from './Named.ts';
import { Remembered } from './Remembered.ts';
import type { Shown } from './Remembered.ts';
import { Telling } from './Telling.ts';
import type { Changes } from './Touched.ts';
import { Unkept } from './Unkept.ts';

// members of a list processed in one slice
const SOME = 500;

/** The changes found by one run. */
interface Batch {
  readonly changes: Map<string, Filed | undefined>;
  /** Records to compare; the set grows during the run. */
  readonly records: Set<StoreRecord>;
  /** Entities that expire with a request in the same batch. */
  readonly carried: Set<StoreRecord>;
  /** Wall time. */
  readonly now: number;
}

/*
 *   request ──► response, with the keys of ──► entities and lists    An entity is filed when its fields change. If a
 *      at                                            at              response brings it unchanged, only the request is.
 *
 * All records that a filed record refers to are on the disk, too.
 */
export class Filing {
  readonly #store: Store;
  readonly #named: Named;
  readonly #disk: Pick<ChunkStore, 'has' | 'size'>;
  /** Keys to put (true) or delete (false) that are not yet on the disk. */
  #pending = new Map<string, boolean>();
  /** The names of endpoints, by the keys of their requests on the disk. */
  readonly #names = new Map<string, string>();
  readonly remembered: Remembered = new Remembered();
  readonly #unkept: Unkept = new Unkept();

  constructor(store: Store, named: Named, disk: Pick<ChunkStore, 'has' | 'size'>) {
    this.#store = store;
    this.#disk = disk;
    this.#named = named;
  }

  has(key: string): boolean {
    return this.#pending.get(key) ?? this.#disk.has(key);
  }

  /** The response is on the disk. */
  name({ key, name }: FiledResult): void {
    this.#names.set(key, name);
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
    this.#names.clear();
    this.remembered.clear();
  }

  /** The changes to write, in slices. They count as written from then on. */
  *pack({ records, results, unkept }: Changes, now: number): Generator<void, Batch['changes']> {
    for (const [record, time] of unkept) this.#unkept.add(record, time);
    const batch: Batch = { changes: new Map(), records: new Set(records), carried: new Set(), now };
    for (const [key, endpoint] of results) {
      this.#result(batch, key, endpoint, now);
      yield;
    }
    // iteration includes members added to the set on the way
    for (const record of batch.records) {
      const { changes } = batch;
      const key = this.#keyOf(record);
      if (key === undefined) continue;
      if (record instanceof EntityRecord) this.#entity(batch, key, record);
      else if (record instanceof ListRecord || record instanceof MapRecord)
        yield* this.#list(batch, key, record, now);
      if (changes.has(key) && changes.get(key) === undefined && !this.has(key)) changes.delete(key);
      yield;
    }
    for (const [key, filed] of batch.changes) {
      yield;
      this.#pending.set(key, filed !== undefined);
      if (filed?.kind === 'result') this.name(filed);
    }
    return batch.changes;
  }

  #keyOf(record: StoreRecord): string | undefined {
    const kind = record.kind as StoredKind;
    if (kind.stores === 'all') return undefined;
    const name = this.#named.tableOf(kind);
    if (name === undefined || !this.#named.fits(kind)) return undefined;
    return keyFor(kind.stores, name, (record as EntityRecord).pk);
  }

  /** Adds the records among `records`, parts of a filed one, that are not on the disk yet. */
  #show(batch: Batch, records: Iterable<StoreRecord>): void {
    for (const record of records) {
      const key = this.#keyOf(record);
      if (key !== undefined && !this.has(key)) batch.records.add(record);
    }
  }

  #result(batch: Batch, key: string, endpoint: EndpointInterface | undefined, now: number): void {
    const result = this.#store.results.get(key);
    if (result === undefined) return;
    const { args, answered, stamp, expiredAt, invalidatedAt } = result;
    const name = this.#nameOf(key, endpoint, args);
    if (name === undefined) return;
    const invalid = invalidatedAt !== undefined;
    const answer = answered && !invalid ? this.#answer(batch, result) : undefined;
    const at: At = answer === undefined ? [0, now, 0] : this.remembered.at(stamp);
    const here = keyFor('result', key);
    const expired = this.remembered.orderOf(expiredAt);
    const common = { kind: 'result', name, key, args, at, answer, expired } as const;
    if (answer !== undefined || invalid || (expired > 0 && !answered))
      batch.changes.set(here, { ...common, invalid: this.remembered.orderOf(invalidatedAt ?? 0) });
    else if (this.has(here)) batch.changes.set(here, undefined);
  }

  #nameOf(key: string, endpoint: EndpointInterface | undefined, args: Args): string | undefined {
    const name = endpoint && this.#named.nameOf(endpoint, args);
    return name ?? this.#names.get(key) ?? this.#named.nameAsked(key, args);
  }

  #answer(batch: Batch, { schema, kind, node, stamp }: ResultRecord): FiledAnswer | undefined {
    if (isNoStore(stamp)) return this.#leaveOut(batch, node, stamp.time);
    if (schema !== undefined && !this.#named.fits(kind)) return undefined;
    const telling = new Telling(this.#store, this.#named);
    const value = telling.tell(kind, node);
    if (value === INVALID) return undefined;
    this.#show(batch, telling.records);
    const apart: string[] = [];
    for (const record of confirmedBelow(node)) {
      if (!(record instanceof EntityRecord) || !record.isConfirmed) continue;
      if (record.versions.stamp === stamp) batch.carried.add(record);
      else if (record.versions.stamp.fetchedAt < stamp.fetchedAt)
        apart.push(this.#keyOf(record) ?? '');
    }
    return { value, refs: telling.refs, apart };
  }

  #leaveOut(batch: Batch, node: Node, time: number): undefined {
    for (const record of confirmedBelow(node)) {
      this.#unkept.add(record, time);
      batch.records.add(record);
    }
  }

  /** A mutation has changed the key of an entity: records that refer to it are filed anew. */
  #rekey(batch: Batch, record: EntityRecord, old: string): void {
    if (!batch.changes.has(old)) batch.changes.set(old, undefined);
    for (const { records } of this.#store.gcTables())
      for (const holder of records.values()) {
        if (!containsRecord(holder.confirmedParts(), record)) continue;
        if (holder instanceof ResultRecord) this.#result(batch, holder.key, undefined, batch.now);
        else batch.records.add(holder);
        this.remembered.forget(holder);
      }
  }

  #entity(batch: Batch, key: string, record: EntityRecord): void {
    const { changes, carried } = batch;
    const { base, kind } = record;
    const { stamp, floor } = record.versions;
    const former = this.remembered.formerOf(record);
    const name = this.#named.tableOf(kind) as string;
    if (former !== undefined) this.#rekey(batch, record, keyFor('entity', name, former));
    if (base === undefined || this.#unkept.has(record)) return void changes.set(key, undefined);
    const { remembered } = this;
    if (!this.has(key)) remembered.forget(record);
    const at = remembered.at(stamp);
    const turn = remembered.entity(record, base, at, carried.has(record));
    if (turn === undefined) return;
    const telling = new Telling(this.#store, this.#named);
    const fields = storedFieldsOf(record, base, telling);
    const { refs } = telling;
    const { pk } = record;
    const born = floor === 0 ? 0 : remembered.orderOf(floor);
    const named = (this.#named.kind(name) as EntityKind).pkIn(fields, []) === pk;
    changes.set(key, { kind: 'entity', name, pk, fields, refs, at, turn, born, named });
    this.#show(batch, telling.records);
  }

  *#list(batch: Batch, key: string, record: ListRecord | MapRecord, now: number): Generator<void> {
    const members = confirmedMembersOf(record);
    if (members === undefined || this.#unkept.has(record)) {
      batch.changes.set(key, undefined);
      return;
    }
    // a list of added pages alone has no time of arrival
    const [order, fetchedAt, expiresAt] = this.remembered.at(record.stamp);
    const at: At = [order, fetchedAt === 0 ? now : fetchedAt, expiresAt];
    const shown: Shown = {
      members: members.map(([member]) => member),
      at,
      paged: record instanceof ListRecord && record.hasFurtherPages,
    };
    if (!this.has(key)) this.remembered.forget(record);
    if (!this.remembered.list(record, shown) && record instanceof ListRecord) return;
    const name = this.#named.tableOf(record.kind) as string;
    const { pk } = record;
    const filed: FiledList['members'] = members.map(([member, at]) => {
      const of = this.#named.tableOf(member.kind as StoredKind) as string;
      const { pk: own } = member as EntityRecord;
      return at === undefined ? [of, own] : [of, own, at];
    });
    batch.changes.set(key, { kind: 'list', name, pk, members: filed, paged: shown.paged, at });
    for (let at = 0; at < shown.members.length; at += SOME) {
      this.#show(batch, shown.members.slice(at, at + SOME));
      yield;
    }
  }
}

export function storedFieldsOf(
  record: EntityRecord,
  { fields, nodes }: EntityContent,
  telling: Telling,
): Fields {
  const { nested, positions } = record.kind.plan;
  const told: Fields = {};
  // a default of a field that was never received is not kept
  for (const [name, value] of Object.entries(fields))
    if (!positions.has(name) && !record.versions.unreceived.includes(name))
      assign(told, name, value);
  nested.forEach(({ name, kind: inner }, at) => {
    const value = nodes[at] === undefined ? undefined : telling.tell(inner, nodes[at]);
    if (value !== undefined && value !== INVALID) assign(told, name, value);
  });
  return told;
}

export function confirmedMembersOf(
  list: ListRecord | MapRecord,
): readonly (readonly [member: StoreRecord, key?: string])[] | undefined {
  if (list instanceof ListRecord) return list.base?.map((member) => [member]);
  return list.entries && Array.from(list.entries, ([key, member]) => [member, key]);
}
