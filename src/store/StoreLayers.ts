/** The optimistic writes as the store uses them. The module `optimistic` creates the layers for the first write. */
import { INVALID } from '../schema/schema.ts';
import type { Source } from '../schema/schema.ts';
import type { EntityPatch } from './entities/EntityContent.ts';
import type { EntityRecord } from './entities/EntityRecord.ts';
import type { StoredList } from './lists/ListRecord.ts';
import type { StoreRecord } from './records/StoreRecord.ts';
import type { ResultRecord } from './results/ResultRecord.ts';

export interface StoreLayers {
  /** The layers whose mutations are pending. */
  readonly active: ReadonlySet<object>;
  /** Lists with optimistic changes. */
  readonly pendingLists: Iterable<StoredList>;
  /** While a layer is active: called before the confirmed data of a record change. */
  beforeWrite(record: StoreRecord): void;
  /** A result has another state, which layers may have read. */
  noteChange(result: StoreRecord): void;
  /**
   * While a layer is active: a push or a read is about to store an entity that was never stored before. `isAddition`: to
   * data that were known before.
   */
  onNewEntity(patch: EntityPatch, isAddition: boolean): void;
  /** An entity is surely not the row that a creation in flight has made. */
  reveal(record: EntityRecord): void;
  /** The own creation of this entity is confirmed. */
  onCreateConfirmed(record: EntityRecord): void;
  /** Applies the patches that layers have for `record` to `other` from now on. */
  movePatches(record: EntityRecord, other: EntityRecord): void;
  /** At the end of a commit: shows readers the confirmed data with the layers on top. */
  rebase(): void;
  /** Removes all layers. */
  clear(): void;
  /** The records that garbage collection keeps for layers. */
  gcRoots(): ReadonlySet<StoreRecord>;
  /** Reads confirmed data only; undefined while no layer is active. */
  confirmedView(): Source | undefined;
  /** The data that a result would have without the optimistic deletion that hides them, or INVALID. */
  dataBeforeDeletion(result: ResultRecord): unknown;
}

const NONE: ReadonlySet<never> = new Set();

/** Of a store that has had no optimistic write. */
export const NO_LAYERS: StoreLayers = {
  active: NONE,
  pendingLists: NONE,
  beforeWrite() {},
  noteChange() {},
  onNewEntity() {},
  reveal() {},
  onCreateConfirmed() {},
  movePatches() {},
  rebase() {},
  clear() {},
  gcRoots: () => NONE,
  confirmedView: () => undefined,
  dataBeforeDeletion: () => INVALID,
};
