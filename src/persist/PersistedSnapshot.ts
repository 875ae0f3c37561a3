/** The content of records as last written to the disk, and the order of records there. */
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { shallowEqualArrays } from '../store/records/diffMembers.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { DiskHead } from './DiskHead.ts';
import type { PersistedStamp, PersistedEntity } from '../sync/PersistedRecord.ts';
import { DISK_ORDER_RANGE, FIRST_LIVE_TIME } from './diskTime.ts';

/** An entity. */
interface Known {
  readonly content: EntityContent;
  readonly left: readonly string[];
  readonly at: PersistedStamp;
  readonly pk: string;
  /** The turn of the record in the store, and on the disk. */
  readonly turns: readonly [record: number, disk: number];
}

/** A list. */
export interface PersistedMembers {
  readonly members: readonly StoreRecord[];
  readonly at: PersistedStamp;
  readonly paged: boolean;
}

export class PersistedSnapshot {
  #entities = new WeakMap<EntityRecord, Known>();
  #lists = new WeakMap<StoreRecord, PersistedMembers>();
  /** The last turn on the disk when the disk was read. */
  #turn = 0;
  #order = 0;

  /** The last turn on the disk when the disk was read: entities of the disk come first. */
  get lastTurn(): number {
    return this.#turn;
  }

  /** Records persisted from now on come after this order and this turn. */
  startAfter({ order, turn }: Pick<DiskHead, 'order' | 'turn'>): void {
    this.#order = Math.max(this.#order, order);
    this.#turn = Math.max(this.#turn, turn);
  }

  /** The record equals its entry on the disk. */
  setFromDisk(record: EntityRecord, { at, turn }: PersistedEntity): void {
    const { base, versions } = record;
    if (base !== undefined)
      this.#set(record, { content: base, left: versions.unreceived, at }, turn);
  }

  #set(
    record: EntityRecord,
    { content, left, at }: Pick<Known, 'content' | 'left' | 'at'>,
    turn: number,
  ): void {
    const { pk } = record;
    this.#entities.set(record, { content, left, at, pk, turns: [record.arrivalNumber, turn] });
  }

  /** The former primary key of the persisted entity, if a mutation has changed the key since. */
  formerOf(record: EntityRecord): string | undefined {
    const pk = this.#entities.get(record)?.pk;
    return pk === record.pk ? undefined : pk;
  }

  clear(): void {
    this.#entities = new WeakMap();
    this.#lists = new WeakMap();
  }

  at({ time, fetchedAt, expiresAt }: Stamp): PersistedStamp {
    return [this.orderOf(time), fetchedAt, expiresAt];
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
   * Records that the entity is persisted with this content. Returns its turn; undefined if nothing changed. `carried`: a
   * request persisted in the same batch states the later time for the entity.
   */
  entity(
    record: EntityRecord,
    content: EntityContent,
    at: PersistedStamp,
    carried: boolean,
  ): number | undefined {
    const last = this.#entities.get(record);
    const { nestedIndexes } = record.kind.descriptor;
    const { unreceived } = record.versions;
    const same = last?.left === unreceived && readsSame(last.content, content, nestedIndexes);
    if (same && (shallowEqualArrays(last.at, at) || (carried && cameBefore(last.at, at))))
      return undefined;
    const turn =
      last?.turns[0] === record.arrivalNumber ? last.turns[1] : this.#turn + record.arrivalNumber;
    this.#set(record, { content, left: unreceived, at }, turn);
    return turn;
  }

  /** Records that the list is persisted with this content. False if nothing changed. */
  list(record: StoreRecord, shown: PersistedMembers): boolean {
    const last = this.#lists.get(record);
    if (last !== undefined && sameList(last, shown)) return false;
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
function cameBefore([, one]: PersistedStamp, [, other]: PersistedStamp): boolean {
  return one < other;
}

function sameList(one: PersistedMembers, other: PersistedMembers): boolean {
  const same = one.paged === other.paged && shallowEqualArrays(one.at, other.at);
  return same && shallowEqualArrays(one.members, other.members);
}

/** Compares nodes by reference, and skips nested fields: these are rebuilt when nested data change. */
function readsSame(
  one: EntityContent,
  other: EntityContent,
  nested: ReadonlyMap<string, number>,
): boolean {
  if (!shallowEqualArrays(one.nodes, other.nodes)) return false;
  const names = Object.keys(other.fields);
  if (names.length !== Object.keys(one.fields).length) return false;
  return names.every((name) => nested.has(name) || one.fields[name] === other.fields[name]);
}
