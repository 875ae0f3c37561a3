/** The records of one log in memory, and the changes of transactions until these are written. */
import { pack, unpack } from './logData.ts';
import type { PackedRecord } from './logData.ts';

/** A record in memory. */
export interface LogRecord {
  readonly value: unknown;
  readonly group: string;
  /** Its id in the storage; undefined until it is written. */
  id: string | undefined;
}

/** A change of a transaction. */
export interface LogRecordChange {
  /** The record before; undefined if there was none. */
  readonly before: LogRecord | undefined;
  /** What is to be written; undefined: nothing. */
  readonly packed: PackedRecord | undefined;
}

export class LogRecords {
  readonly #groupOf: (key: string, value: unknown) => string;
  readonly #all = new Map<string, LogRecord>();
  readonly #groups = new Map<string, Map<string, LogRecord>>();
  /** The changes of the present transaction, by key. */
  #changes = new Map<string, LogRecordChange>();
  /** The last id of a mutation. */
  last = 0;

  /** `groupOf`: records of one group are found together. */
  constructor(groupOf: (key: string, value: unknown) => string) {
    this.#groupOf = groupOf;
  }

  get(key: string): unknown {
    return this.#all.get(key)?.value;
  }

  /** The records of a group, by key. */
  group(name: string): ReadonlyMap<string, LogRecord> {
    return this.#groups.get(name) ?? new Map<string, LogRecord>();
  }

  /** The keys of a group, which may be deleted meanwhile. */
  keysOf(group: string): readonly string[] {
    return [...this.group(group).keys()];
  }

  get groups(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** Puts a copy of the value. Throws a TypeError for a value that cannot be stored. */
  put(key: string, value: unknown): void {
    const packed = pack(key, value);
    this.#note(key, packed);
    this.load(key, unpack(packed)[1], undefined);
  }

  delete(key: string): void {
    if (!this.#all.has(key)) return;
    this.#note(key, undefined);
    this.#remove(key);
  }

  #note(key: string, packed: PackedRecord | undefined): void {
    const first = this.#changes.get(key);
    const before = first === undefined ? this.#all.get(key) : first.before;
    this.#changes.set(key, { before, packed });
  }

  /** A record of the storage, outside of any transaction. */
  load(key: string, value: unknown, id: string | undefined): void {
    this.#set(key, { value, id, group: this.#groupOf(key, value) });
  }

  /** The storage no longer has the record with this id. */
  unload(key: string, id: string): void {
    if (this.#all.get(key)?.id === id) this.#remove(key);
  }

  #set(key: string, record: LogRecord): void {
    this.#remove(key);
    this.#all.set(key, record);
    const group = this.#groups.get(record.group);
    if (group === undefined) this.#groups.set(record.group, new Map([[key, record]]));
    else group.set(key, record);
  }

  #remove(key: string): void {
    const { group = '' } = this.#all.get(key) ?? {};
    this.#all.delete(key);
    const members = this.#groups.get(group);
    members?.delete(key);
    if (members?.size === 0) this.#groups.delete(group);
  }

  /** Begins a transaction. Returns its changes, which grow until the next one begins. */
  begin(): ReadonlyMap<string, LogRecordChange> {
    return (this.#changes = new Map());
  }

  /** Gives a record that the present transaction has put its id in the storage. */
  setId(key: string, id: string): void {
    (this.#all.get(key) as LogRecord).id = id;
  }

  /** Undoes the changes of a transaction; later transactions must be undone before. */
  rollBack(changes: ReadonlyMap<string, LogRecordChange>): void {
    for (const [key, { before }] of changes) {
      this.#remove(key);
      if (before !== undefined) this.#set(key, before);
    }
  }
}
