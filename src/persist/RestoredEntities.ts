/** Stages entities of a disk for a store. The entities of one response share one draft. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { normalize } from '../schema/normalize.ts';
import { Draft } from '../store/writes/Draft.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { Store } from '../store/Store.ts';
import { writeDraft } from '../store/writes/writeDraft.ts';
import type { PersistedEntity } from '../sync/PersistedRecord.ts';
import type { PersistableNames } from '../sync/PersistableNames.ts';
import { DISK_ORDER_RANGE, stampOf } from './diskTime.ts';
import { RestoreSink } from '../sync/RestoreSink.ts';

/** An entity, and its key on the disk. */
export type PersistedEntry = readonly [key: string, persisted: PersistedEntity];

/** A staged entity. */
export interface StagedEntity {
  readonly key: string;
  readonly persisted: PersistedEntity;
  readonly record: EntityRecord;
  /** True if the page already had the entity. */
  readonly known: boolean;
}

/** Thrown if an entity must be staged in a draft of its own. */
const APART = new Error();

export class RestoredEntities {
  readonly all: Map<EntityRecord, StagedEntity> = new Map();
  readonly #drafts: { readonly draft: Draft; readonly stamp: Stamp }[] = [];
  readonly #store: Store;
  readonly #named: PersistableNames;

  constructor(store: Store, named: PersistableNames) {
    this.#store = store;
    this.#named = named;
  }

  /** Stages the entities; `refuse` is called with each invalid entity, and the others are staged without it. */
  stage(entries: Iterable<PersistedEntry>, refuse: (key: string, reason: unknown) => void): void {
    const groups = new Map<string, PersistedEntry[]>();
    for (const entry of entries) {
      const at = entry[1].at.join();
      const group = groups.get(at);
      if (group === undefined) groups.set(at, [entry]);
      else group.push(entry);
    }
    for (const group of groups.values()) {
      try {
        this.#layAll(group);
      } catch (error) {
        this.#layEach(group, error, refuse);
      }
    }
  }

  #layEach(
    group: readonly PersistedEntry[],
    error: unknown,
    refuse: (key: string, reason: unknown) => void,
  ): void {
    const [first, second] = group;
    if (first === undefined) return;
    // newer data merged by a merge() of the application must not be merged again
    if (second === undefined) return error === APART ? undefined : refuse(first[0], error);
    for (const entry of group) {
      try {
        this.#layAll([entry]);
      } catch (reason) {
        this.#layEach([entry], reason, refuse);
      }
    }
  }

  /** Stages entities of the same times: all of them or, if it throws, none. */
  #layAll(group: readonly PersistedEntry[]): void {
    const [[, { at }]] = group as readonly [PersistedEntry];
    const stamp = stampOf(at);
    const draft = new Draft(this.#store, stamp);
    try {
      const staged = group.map(([key, persisted]) => this.#stageOne(draft, key, persisted));
      draft.prepare();
      for (const one of staged) this.all.set(one.record, one);
      this.#drafts.push({ draft, stamp });
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  #stageOne(draft: Draft, key: string, persisted: PersistedEntity): StagedEntity {
    const { name, pk, fields, refs } = persisted;
    const kind = this.#named.stored(name, 'entity') as EntityKind;
    const isNamed = persisted.named || kind.descriptor.pkField !== undefined;
    if (isNamed && kind.pkIn(fields, []) !== pk)
      throw new TypeError('its class now returns another primary key');
    const knownPks = new Map<unknown, string>([[fields, pk]]);
    const sink = new RestoreSink(draft, this.#named, refs);
    const origin = { args: [], endpoint: undefined, knownPks, mayHavePks: true };
    const record = normalize(kind, fields, sink, origin) as EntityRecord;
    const known = record.isConfirmed;
    if (known && kind.descriptor.hasAnyMerge) throw APART;
    return { key, persisted, record, known };
  }

  /**
   * Writes the drafts, as a part of a commit. Entities of the disk are placed before entities of the page, by turn.
   */
  write(lastTurn: number, isShaken: (key: string) => boolean): void {
    const { all } = this;
    for (const { record, persisted } of all.values())
      if (record.arrivalNumber === 0) record.arrivalNumber = persisted.turn - lastTurn - 1;
    for (const { draft, stamp } of this.#drafts) writeDraft(this.#store, draft, stamp, undefined);
    for (const { key, record, persisted } of all.values()) {
      if (!record.isConfirmed && !record.exists) record.arrivalNumber = 0;
      const { stamp } = record.versions;
      const isOfDisk = stamp.time === persisted.at[0] / DISK_ORDER_RANGE;
      if (isOfDisk && isShaken(key)) record.stamp = { ...stamp, expiresAt: 0 };
    }
  }

  /** Called after the lists are restored. A response before its creation does not make an entity complete. */
  writeFloors(): void {
    for (const { record, persisted, known } of this.all.values()) {
      const floor = persisted.born / DISK_ORDER_RANGE;
      if (!known && record.versions.floorTime !== floor)
        record.versions = { ...record.versions, floorTime: floor };
    }
  }
}
