/** Where persistence keeps its records: a small port. IndexedDB and the origin's private file system implement it. */
import type { Clock } from '../clock.ts';

/** One record of a storage. */
export type StoredData = string | Uint8Array;

/** One change of a storage: all of it happens, or nothing. */
export interface StorageWrite {
  /** Records to put, by key. A storage without transactions puts them in this order: the last one makes the others valid. */
  readonly put: ReadonlyMap<string, StoredData>;
  /** Keys to delete. */
  readonly remove?: Iterable<string>;
  /** Every other record whose key begins with this text is deleted, too. */
  readonly removeAll?: string;
}

/** A storage that all pages of an origin share. Each method rejects where the storage fails. */
export interface PersistStorage {
  /** All records whose keys begin with `prefix`, as of one moment. */
  read(prefix: string): Promise<ReadonlyMap<string, StoredData>>;
  /**
   * Reads the records of these keys and writes what `decide` returns, with no write of any page between. `decide` is called
   * once, synchronously, with the records in the order of the keys; undefined stands for a missing record. It returns
   * undefined to write nothing. Resolves when the write is complete.
   */
  change(
    keys: readonly string[],
    decide: (found: readonly (StoredData | undefined)[]) => StorageWrite | undefined,
  ): Promise<void>;
  /**
   * Writes without reading first, and as early as the storage can: the page may die next. `key` names a record that
   * decides where the write had to wait: `isObsolete` is called with it then, and returns true to write nothing.
   */
  replace(
    write: StorageWrite,
    key: string,
    isObsolete: (found: StoredData | undefined) => boolean,
  ): Promise<void>;
}

/** Opens the storage of this name; nothing is read before the first call of a method. */
export type StorageFactory = (name: string, clock: Clock) => PersistStorage;

/** Changes everything on its way to the storage and back, for example by encryption. */
export interface Transform {
  /** A rejection leaves the storage as it was (P3). */
  encode(plain: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** The bytes given to `encode`. Where it throws or rejects, the data are dropped (P2). */
  decode(encoded: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** Whose records lie where, and in which form. */
export interface StoragePlace {
  readonly storage: PersistStorage;
  readonly owner: string | undefined;
  readonly transform: Transform | undefined;
  readonly clock: Clock;
}
