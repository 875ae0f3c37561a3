/** The contents of a store at one moment, to be shown again. */
import { AllRecord } from '../store/lists/AllRecord.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import { MapRecord } from '../store/lists/MapRecord.ts';
import { UNWRITTEN_STAMP } from '../store/records/versioning.ts';
import { markDirty } from '../store/records/markDirty.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { PENDING } from '../store/results/Result.ts';
import type { Result } from '../store/results/Result.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';

/** Protects a record from garbage collection; called for each record that a moment may show again. */
export type Retain = (record: StoreRecord) => void;

/** The parts of a result that responses, failures and invalidations write. */
type Known = Pick<ResultRecord, 'node' | 'stamp' | 'failure' | 'expiredAt' | 'invalidatedAt'>;

/**
 * Holds contents only. Logical times stay as they are, so that later requests are newer than the data shown. Unchanged
 * contents keep their references, so their readers are not notified. The cost is proportional to the size of the store.
 */
export class StoreSnapshot {
  readonly #entities = new Map<StoreRecord, EntityContent | undefined>();
  /** The last data of deleted entities, for live objects. */
  readonly #lasts = new Map<StoreRecord, EntityContent | undefined>();
  readonly #lists = new Map<StoreRecord, readonly StoreRecord[] | undefined>();
  readonly #maps = new Map<StoreRecord, ReadonlyMap<string, StoreRecord> | undefined>();
  readonly #results = new Map<ResultRecord, Known>();
  readonly #outcomes = new Map<ResultRecord, Result>();

  constructor(store: Store, pin: Retain) {
    for (const record of stored(store)) {
      pin(record);
      if (record instanceof EntityRecord) {
        this.#entities.set(record, record.content);
        this.#lasts.set(record, record.observers?.lastContent);
      } else if (record instanceof ListRecord) this.#lists.set(record, record.members?.slice());
      else if (record instanceof MapRecord)
        this.#maps.set(record, record.entries && new Map(record.entries));
    }
    for (const record of store.results.values()) {
      pin(record);
      this.#results.set(record, knownOf(record));
      this.#outcomes.set(record, record.lastResult);
    }
  }

  /** Restores the moment in one commit. Later records are missing again; optimistic layers stay above. */
  show(store: Store): void {
    store.commit(() => {
      const records = [...stored(store)];
      for (const record of records)
        if (record instanceof EntityRecord)
          store.beforeWrite(record).setConfirmed(this.#entities.get(record));
      // rows that came or went have notified the lists of complete tables, which are sorted again here
      for (const record of records) {
        if (record instanceof ListRecord) this.#list(store.beforeWrite(record));
        else if (record instanceof MapRecord) this.#map(record);
      }
      for (const record of store.results.values()) this.#result(record, store);
      store.layers.rebase();
      for (const record of records) record.observers?.showLastContent(this.#lasts.get(record));
    });
  }

  #list(record: ListRecord): void {
    const members = this.#lists.get(record)?.slice();
    const { base: now = [] } = record;
    if (record instanceof AllRecord) {
      const rows = new Set(members);
      if (rows.size !== now.length || !now.every((row) => rows.has(row))) return;
    }
    record.setConfirmed(members);
  }

  #map(record: MapRecord): void {
    const entries = this.#maps.get(record);
    if (entries === undefined) record.clear();
    else record.fill(Object.fromEntries(entries), record.stamp);
  }

  #result(record: ResultRecord, store: Store): void {
    const then = this.#results.get(record) ?? unasked(record, store);
    const now = knownOf(record);
    // a result that was missing then must not count as deleted for its readers
    record.lastResult = this.#outcomes.get(record) ?? PENDING;
    if (Object.entries(then).every(([name, value]) => now[name as keyof Known] === value)) return;
    markDirty(record);
    record.setNode(then.node);
    Object.assign(record, then);
    record.notifyShape();
  }
}

function* stored(store: Store): Iterable<StoreRecord> {
  for (const { records } of store.tables.values()) yield* records.values();
}

function knownOf({ node, stamp, failure, expiredAt, invalidatedAt }: ResultRecord): Known {
  return { node, stamp, failure, expiredAt, invalidatedAt };
}

function unasked({ kind, args }: ResultRecord, store: Store): Known {
  const node = kind.queryKey?.(args, store);
  return {
    node,
    stamp: UNWRITTEN_STAMP,
    failure: undefined,
    expiredAt: 0,
    invalidatedAt: undefined,
  };
}
