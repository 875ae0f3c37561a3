/** Stages entities of a disk for a store. The entities of one response share one draft. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { normalize } from '../schema/normalize.ts';
import { Draft } from '../store/Draft.ts';
import type { EntityRecord } from '../store/EntityRecord.ts';
import type { Stamp } from '../store/versioning.ts';
import type { Store } from '../store/Store.ts';
import { writeDraft } from '../store/writeDraft.ts';
import type { FiledEntity } from './Filed.ts';
import type { Named } from './Named.ts';
import { LATEST, stampOf } from './diskTime.ts';
import { Sowing } from './Sowing.ts';

/** An entity, and its key on the disk. */
export type FiledEntry = readonly [key: string, filed: FiledEntity];

/** A staged entity. */
export interface StagedEntity {
  readonly key: string;
  readonly filed: FiledEntity;
  readonly record: EntityRecord;
  /** True if the page already had the entity. */
  readonly known: boolean;
}

/** Thrown if an entity must be staged in a draft of its own. */
const APART = new Error();

export class PlantedEntities {
  readonly all: Map<EntityRecord, StagedEntity> = new Map();
  readonly #drafts: { readonly draft: Draft; readonly stamp: Stamp }[] = [];
  readonly #store: Store;
  readonly #named: Named;

  constructor(store: Store, named: Named) {
    this.#store = store;
    this.#named = named;
  }

  /** Stages the entities; `refuse` is called with each invalid entity, and the others are staged without it. */
  lay(entries: Iterable<FiledEntry>, refuse: (key: string, reason: unknown) => void): void {
    const groups = new Map<string, FiledEntry[]>();
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
    group: readonly FiledEntry[],
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
  #layAll(group: readonly FiledEntry[]): void {
    const [[, { at }]] = group as readonly [FiledEntry];
    const stamp = stampOf(at);
    const draft = new Draft(this.#store, stamp);
    try {
      const laid = group.map(([key, filed]) => this.#layOne(draft, key, filed));
      draft.finish();
      for (const one of laid) this.all.set(one.record, one);
      this.#drafts.push({ draft, stamp });
    } catch (error) {
      draft.discard();
      throw error;
    }
  }

  #layOne(draft: Draft, key: string, filed: FiledEntity): StagedEntity {
    const { name, pk, fields, refs } = filed;
    const kind = this.#named.stored(name, 'entity') as EntityKind;
    const isNamed = filed.named || kind.plan.pkField !== undefined;
    if (isNamed && kind.pkIn(fields, []) !== pk)
      throw new TypeError('its class gives it another primary key now');
    const planted = new Map<unknown, string>([[fields, pk]]);
    const sink = new Sowing(draft, this.#named, refs);
    const origin = { args: [], endpoint: undefined, planted, keyed: true };
    const record = normalize(kind, fields, sink, origin) as EntityRecord;
    const known = record.isConfirmed;
    if (known && kind.plan.merges) throw APART;
    return { key, filed, record, known };
  }

  /**
   * Writes the drafts, as a part of a commit. Entities of the disk are placed before entities of the page, by turn.
   */
  write(lastTurn: number, isShaken: (key: string) => boolean): void {
    const { all } = this;
    for (const { record, filed } of all.values())
      if (record.sequence === 0) record.sequence = filed.turn - lastTurn - 1;
    for (const { draft, stamp } of this.#drafts) writeDraft(this.#store, draft, stamp, undefined);
    for (const { key, record, filed } of all.values()) {
      if (!record.isConfirmed && !record.exists) record.sequence = 0;
      const { stamp } = record.versions;
      const isOfDisk = stamp.time === filed.at[0] / LATEST;
      if (isOfDisk && isShaken(key)) record.stamp = { ...stamp, expiresAt: 0 };
    }
  }

  /** Called after the lists are restored. A response before its creation does not make an entity complete. */
  writeFloors(): void {
    for (const { record, filed, known } of this.all.values()) {
      const floor = filed.born / LATEST;
      if (!known && record.versions.floor !== floor)
        record.versions = { ...record.versions, floor };
    }
  }
}
