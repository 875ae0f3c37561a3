/** Writes the records of a disk into a store, all of them older than anything the page does. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Kind, NormalizedNode, StoredKind } from '../schema/schema.ts';
import {
  EntityRecord,
  ListRecord,
  changeVersions,
  hasMembershipWrites,
  reachableConfirmed,
  restorePages,
} from '../store/StorePort.ts';
import type {
  EntityTable,
  MapRecord,
  ResultRecord,
  Stamp,
  Store,
  StoreRecord,
} from '../store/StorePort.ts';
import { keyFor, keyOfRecord, referencedKeys } from '../sync/PersistedRecord.ts';
import type {
  PersistedEntity,
  PersistedList,
  PersistedRead,
  PersistedRecord,
} from '../sync/PersistedRecord.ts';
import type { PersistableNames } from '../sync/Registry.ts';
import { StagedRestore } from '../sync/StagedRestore.ts';
import type { Loaded } from './LazyRows.ts';
import { DISK_ORDER_RANGE, FIRST_LIVE_TIME, stampOf } from './StoreSerializer.ts';

interface StagedRead {
  readonly persisted: PersistedRead;
  readonly result: ResultRecord;
  readonly restore: StagedRestore | undefined;
  readonly node: NormalizedNode;
}

interface StagedList {
  readonly persisted: PersistedList;
  readonly list: ListRecord | MapRecord;
  readonly members: readonly StoreRecord[];
}

/** Called with each unusable record, and the reason. */
type OnRejected = (key: string, reason: unknown) => void;

interface RestoreOptions {
  readonly store: Store;
  readonly names: PersistableNames;
  readonly onRejected: OnRejected;
  /** Wall time, ms. */
  readonly now: number;
  /** Entities of the disk are placed before entities of the page, in the order of their turns up to this turn. */
  readonly lastTurn: number;
}

export class StoreRestore {
  readonly #store: Store;
  readonly #names: PersistableNames;
  readonly #onRejected: OnRejected;
  readonly #options: RestoreOptions;
  readonly #holders: Loaded['holders'];
  readonly #entities: RestoredEntities;
  readonly #reads: StagedRead[] = [];
  readonly #lists: StagedList[] = [];
  /** The keys of unusable records. */
  readonly #broken: Set<string>;
  /** Records that refer to unusable records, at any depth: shown without the unusable records, and expired. */
  readonly #dependents: ReadonlySet<string>;

  /** Stages all valid records; invalid records are refused. */
  constructor(options: RestoreOptions, loaded: Loaded) {
    const { entities, lists, results, broken, holders } = loaded;
    this.#store = options.store;
    this.#names = options.names;
    this.#onRejected = options.onRejected;
    this.#options = options;
    this.#holders = holders;
    this.#broken = new Set(broken);
    this.#entities = new RestoredEntities(options);
    const byTurn = [...entities].sort((entity, otherEntity) => entity.turn - otherEntity.turn);
    loaded.stageEntities(() =>
      this.#entities.stage(byTurn, (entity, reason) => this.#reject(entity, reason)),
    );
    for (const list of lists) this.#tryStage(list, () => this.#stageList(list));
    for (const result of results) this.#tryStage(result, () => this.#stageRead(result));
    this.#dependents = dependentsOf(loaded, this.#broken);
  }

  #tryStage(persisted: PersistedRecord, work: () => void): void {
    try {
      work();
    } catch (reason) {
      this.#reject(persisted, reason);
    }
  }

  #reject(persisted: PersistedRecord, reason: unknown): void {
    const key = keyOfRecord(persisted);
    this.#broken.add(key);
    this.#onRejected(key, reason instanceof Error ? reason.message : reason);
  }

  /**
   * Writes all records in a single commit, or as a part of the commit that loads the records. Returns the entities; if
   * the page did not have an entity, the entity now equals the record on the disk.
   */
  restore(): Iterable<StagedEntity> {
    const { lastTurn } = this.#options;
    this.#store.joinCommit(() => {
      this.#entities.write(lastTurn, (persisted) => this.#hasDamagedPart(persisted));
      // each list is restored, also with members that were created after the fetch of the list
      const floors = clearFloors(this.#lists);
      for (const staged of this.#lists) this.#writeList(staged);
      for (const [member, floorTime] of floors) changeVersions(member, { floorTime });
      for (const read of this.#reads) this.#writeResult(read);
      for (const read of this.#reads) this.#renewEntitiesOf(read);
      if (this.#holders.size > 0) this.#renewHeldEntities();
      this.#entities.writeFloors();
    });
    return this.#entities.all.values();
  }

  #renewHeldEntities(): void {
    for (const { persisted, record } of this.#entities.all.values()) {
      const holder = this.#holders.get(keyOfRecord(persisted));
      if (holder !== undefined) this.#renew(record, stampOf(holder.at, this.#options.now));
    }
  }

  #hasDamagedPart(persisted: PersistedRecord): boolean {
    return this.#dependents.size > 0 && this.#dependents.has(keyOfRecord(persisted));
  }

  /** A list with missing members is restored incomplete, and expired. */
  #stageList(persisted: PersistedList): void {
    const kind = this.#names.stored(persisted.name, 'list');
    const list = this.#store.ref(kind, persisted.pk) as ListRecord | MapRecord;
    const found = this.#presentMembers(persisted);
    const members = found.filter((record) => record !== undefined);
    const isComplete = members.length === found.length;
    if (!isComplete) this.#broken.add(keyOfRecord(persisted));
    const present = isComplete
      ? persisted.members
      : persisted.members.filter((_, at) => found[at] !== undefined);
    this.#lists.push({ persisted: { ...persisted, members: present }, list, members });
  }

  /** The records of the members; undefined: neither loaded with the list, nor before. */
  #presentMembers({ members }: PersistedList): (EntityRecord | undefined)[] {
    let last: string | undefined;
    let kind: StoredKind;
    let table: EntityTable | undefined;
    return members.map(({ 0: name, 1: pk }) => {
      if (name !== last) {
        kind = this.#names.stored((last = name), 'entity');
        table = this.#store.tables.get(kind.tableKey) as EntityTable | undefined;
      }
      if (this.#broken.size > 0 && this.#broken.has(keyFor('entity', name, pk))) return undefined;
      // a mutation of this page may have replaced the key
      const isRenamed = table !== undefined && table.aliases.size > 0 && table.aliases.has(pk);
      const record = isRenamed
        ? (this.#store.ref(kind, pk) as EntityRecord)
        : table?.records.get(pk);
      return record && (record.isConfirmed || this.#entities.all.has(record)) ? record : undefined;
    });
  }

  #stageRead(persisted: PersistedRead): void {
    const { name, key, args, response, at } = persisted;
    const endpoint = this.#names.endpoint(name, args);
    if (endpoint === undefined) throw new TypeError(`the name ${name} is unknown`);
    if (endpoint.key(...args) !== key) throw new TypeError('its arguments now have another key');
    const { schema } = endpoint;
    const result = this.#store.result(key, schema, args);
    if (response === undefined)
      return void this.#reads.push({ persisted, result, restore: undefined, node: undefined });
    const stamp = stampOf(at, this.#options.now);
    const restore = new StagedRestore(this.#store, this.#names, stamp);
    const node = restore.stage(() =>
      restore.stageResponse(schema, response, { args, endpoint: { name } }),
    );
    this.#reads.push({ persisted, result, restore, node });
  }

  #stampOf(persisted: PersistedRecord, kind?: Kind): Stamp {
    const [order, fetchedAt] = persisted.at;
    // the page has moved rows before the list was loaded: only the server knows the present members
    const isIntact =
      !this.#hasDamagedPart(persisted) && !(kind && hasMembershipWrites(this.#store, kind));
    return stampOf(isIntact ? persisted.at : [order, fetchedAt, 0], this.#options.now);
  }

  #writeList({ persisted, list, members }: StagedList): void {
    const store = this.#store;
    const base = store.beforeWrite(list);
    const stamp = this.#stampOf(persisted, list.kind);
    if (!(base instanceof ListRecord)) {
      const keys = persisted.members.map(([, pk, key]) => key ?? pk);
      base.fill(Object.fromEntries(keys.map((key, at) => [key, members[at]])), stamp);
    } else {
      base.fill(members, stamp);
      base.hasFurtherPages ||= persisted.paged;
    }
  }

  #writeResult({ persisted, result, restore, node }: StagedRead): void {
    const stamp = this.#stampOf(persisted, result.kind);
    restore?.write(node, stamp);
    if (persisted.response !== undefined) {
      result.setResponse(node, stamp);
      restorePages(result, persisted.response.pages, stamp.time);
    }
    // the page's own result is newer
    if (result.stamp.time < FIRST_LIVE_TIME) {
      result.expire(persisted.expiredOrder / DISK_ORDER_RANGE);
      if (persisted.invalidOrder > 0 && result.invalidatedAt === undefined)
        result.invalidate(persisted.invalidOrder / DISK_ORDER_RANGE);
    }
    this.#store.layers.noteChange(result);
  }

  /** Entities that the response brought unchanged are as fresh as the response. */
  #renewEntitiesOf({ persisted, result }: StagedRead): void {
    const { stamp } = result;
    if (persisted.response === undefined || stamp.time !== persisted.at[0] / DISK_ORDER_RANGE)
      return;
    const olderEntities = new Set(persisted.response.olderEntities);
    for (const record of reachableConfirmed(result.node)) {
      if (
        record instanceof EntityRecord &&
        !(olderEntities.size > 0 && olderEntities.has(this.#keyOf(record)))
      )
        this.#renew(record, stamp);
    }
  }

  /** The entity came with a later response, unchanged. */
  #renew(record: EntityRecord, stamp: Stamp): void {
    const { stamp: present } = record.versions;
    const isOlder = present.time < FIRST_LIVE_TIME && present.fetchedAt < stamp.fetchedAt;
    if (record.isConfirmed && isOlder && present.expiresAt <= stamp.expiresAt)
      changeVersions(record, { stamp });
  }

  #keyOf({ kind, pk }: EntityRecord): string {
    return keyFor('entity', this.#names.tableOf(kind) ?? '', pk);
  }
}

/** Clears the creation times of members loaded before. Returns the cleared times, to be restored after the lists. */
function clearFloors(
  lists: Iterable<{ readonly members: readonly StoreRecord[] }>,
): Map<EntityRecord, number> {
  const floors = new Map<EntityRecord, number>();
  for (const { members } of lists)
    for (const member of members) {
      const base = member as EntityRecord;
      const { floorTime } = base.versions;
      if (floorTime === 0 || floorTime >= FIRST_LIVE_TIME) continue;
      floors.set(base, floorTime);
      changeVersions(base, { floorTime: 0 });
    }
  return floors;
}

/** The keys of all records that refer to a `broken` record, directly or indirectly, and of the broken records. */
function dependentsOf({ entities, lists, results }: Loaded, broken: Iterable<string>): Set<string> {
  const found = new Set(broken);
  if (found.size === 0) return found;
  const holdersByPart = new Map<string, string[]>();
  for (const persisted of [...entities, ...lists, ...results]) {
    const key = keyOfRecord(persisted);
    for (const part of referencedKeys(persisted)) {
      const holders = holdersByPart.get(part);
      if (holders === undefined) holdersByPart.set(part, [key]);
      else holders.push(key);
    }
  }
  // iteration includes members added to the set on the way
  for (const key of found) for (const holder of holdersByPart.get(key) ?? []) found.add(holder);
  return found;
}

/** A staged entity. */
interface StagedEntity {
  readonly persisted: PersistedEntity;
  readonly record: EntityRecord;
  /** True if the page already had the entity. */
  readonly wasStored: boolean;
}

/** True if the entities of a group have these times. */
function hasTimes([first]: readonly PersistedEntity[], at: PersistedEntity['at']): boolean {
  if (first === undefined) return false;
  const known = first.at;
  if (known === at) return true;
  const [order, fetchedAt, expiresAt] = known;
  return order === at[0] && fetchedAt === at[1] && expiresAt === at[2];
}

/** Thrown if an entity must be staged in a separate draft. */
const NEEDS_OWN_DRAFT = new Error();

/** Stages entities of a disk for a store. The entities of a response share a draft. */
class RestoredEntities {
  readonly all: Map<EntityRecord, StagedEntity> = new Map();
  readonly #restores: StagedRestore[] = [];
  readonly #store: Store;
  readonly #names: PersistableNames;
  readonly #now: number;

  constructor({ store, names, now }: RestoreOptions) {
    this.#store = store;
    this.#names = names;
    this.#now = now;
  }

  /** Stages all valid entities; calls `onRejected` with each invalid entity. */
  stage(
    entries: Iterable<PersistedEntity>,
    onRejected: (entity: PersistedEntity, reason: unknown) => void,
  ): void {
    const groups = new Map<string, PersistedEntity[]>();
    let group: PersistedEntity[] = [];
    for (const entry of entries) {
      const { at } = entry;
      // the rows of a response follow each other
      if (!hasTimes(group, at)) {
        const name = at.join();
        group = groups.get(name) ?? [];
        groups.set(name, group);
      }
      group.push(entry);
    }
    for (const group of groups.values()) {
      try {
        this.#stageGroup(group);
      } catch (error) {
        this.#stageEach(group, error, onRejected);
      }
    }
  }

  #stageEach(
    group: readonly PersistedEntity[],
    error: unknown,
    onRejected: (entity: PersistedEntity, reason: unknown) => void,
  ): void {
    const [first, second] = group;
    if (first === undefined) return;
    // newer data merged by a merge() of the application must not be merged again
    if (second === undefined)
      return error === NEEDS_OWN_DRAFT ? undefined : onRejected(first, error);
    for (const entry of group) {
      try {
        this.#stageGroup([entry]);
      } catch (reason) {
        this.#stageEach([entry], reason, onRejected);
      }
    }
  }

  /** Stages entities of the same times: all or, after an error, none. */
  #stageGroup(group: readonly PersistedEntity[]): void {
    const [{ at }] = group as readonly [PersistedEntity];
    const restore = new StagedRestore(this.#store, this.#names, stampOf(at, this.#now));
    const staged = restore.stage(() =>
      group.map((persisted) => this.#stageOne(restore, persisted)),
    );
    for (const entity of staged) this.all.set(entity.record, entity);
    this.#restores.push(restore);
  }

  #stageOne(restore: StagedRestore, persisted: PersistedEntity): StagedEntity {
    const { name, pk, fields, refs } = persisted;
    const kind = this.#names.stored(name, 'entity') as EntityKind;
    const isKeyInFields = persisted.hasKeyInFields || kind.descriptor.pkField !== undefined;
    if (isKeyInFields && kind.pkIn(fields, []) !== pk)
      throw new TypeError('its class now returns another primary key');
    const record = restore.stageEntity(kind, pk, fields, refs);
    const wasStored = record.isConfirmed;
    if (wasStored && kind.descriptor.hasAnyMerge) throw NEEDS_OWN_DRAFT;
    return { persisted, record, wasStored };
  }

  /**
   * Writes the drafts, as a part of a commit. Entities of the disk are placed before entities of the page, by turn.
   */
  write(lastTurn: number, hasDamagedPart: (entity: PersistedEntity) => boolean): void {
    const { all } = this;
    for (const { record, persisted } of all.values())
      if (record.arrivalNumber === 0) record.arrivalNumber = persisted.turn - lastTurn - 1;
    for (const restore of this.#restores) restore.write(undefined);
    for (const { record, persisted } of all.values()) {
      if (!record.isConfirmed && !record.exists) record.arrivalNumber = 0;
      const { stamp } = record.versions;
      const isOfDisk = stamp.time === persisted.at[0] / DISK_ORDER_RANGE;
      if (isOfDisk && hasDamagedPart(persisted))
        changeVersions(record, { stamp: { ...stamp, expiresAt: 0 } });
    }
  }

  /** Called after the lists are restored. A response older than an entity's creation does not complete the entity. */
  writeFloors(): void {
    for (const { record, persisted, wasStored } of this.all.values()) {
      const floor = persisted.creationOrder / DISK_ORDER_RANGE;
      if (!wasStored && record.versions.floorTime !== floor)
        changeVersions(record, { floorTime: floor });
    }
  }
}
