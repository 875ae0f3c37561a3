/** The confirmed changes of a controller since they were last taken. */
import type { Controller } from '../Controller.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Commit, Write } from '../request/Events.ts';
import { kindOf, tableKeysIn } from '../schema/kindOf.ts';
import { EntityRecord, ResultRecord, isNoStore } from '../store/StorePort.ts';
import type { ListRecord, MapRecord, Store, StoreRecord } from '../store/StorePort.ts';

/** Notified after each commit. */
interface DirtyListener {
  /** Data were confirmed. */
  changed(): void;
  /** The store is empty since this logical time. */
  emptied(time: number): void;
}

/** Confirmed changes. */
export interface Changes {
  /** Entities, lists and maps. */
  readonly records: ReadonlySet<StoreRecord>;
  /** Requests by key, with the endpoint if known. */
  readonly results: ReadonlyMap<string, EndpointInterface | undefined>;
  /** Records written by responses that must not be kept, with the logical time of the last write. */
  readonly unkept: ReadonlyMap<StoreRecord, number>;
}

/**
 * Entities and lists are collected where confirmed data are written (`Store.onWrite`), so optimistic layers do not count;
 * requests by the events of commits, and by the ends of invalidations.
 */
export class DirtyTracker implements Changes {
  readonly records: Set<StoreRecord> = new Set();
  readonly results: Map<string, EndpointInterface | undefined> = new Map();
  readonly unkept: Map<StoreRecord, number> = new Map();
  /** Written since the last commit. */
  readonly #written = new Set<StoreRecord>();
  readonly #store: Store;
  readonly #listener: DirtyListener;
  readonly #stops: readonly (() => void)[];
  #quiet = false;

  constructor(controller: Controller, store: Store, listener: DirtyListener) {
    this.#store = store;
    this.#listener = listener;
    this.#stops = [this.#follow(), controller.on('commit', (commit) => this.#onCommit(commit))];
  }

  #follow(): () => void {
    return this.#store.onWrite((record) => {
      if (this.#quiet) return;
      if (record instanceof ResultRecord) return this.#add(record);
      this.records.add(record);
      this.#written.add(record);
    });
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Ignores the writes of `work`. */
  withoutTracking(work: () => void): void {
    this.#quiet = true;
    try {
      work();
    } finally {
      this.#quiet = false;
    }
  }

  /** True if nothing was confirmed. */
  get isEmpty(): boolean {
    return this.records.size + this.results.size === 0;
  }

  /** Returns the changes, and starts anew. */
  take(): Changes {
    const taken = {
      records: new Set(this.records),
      results: new Map(this.results),
      unkept: new Map(this.unkept),
    };
    this.clear();
    return taken;
  }

  clear(): void {
    this.records.clear();
    this.results.clear();
    this.unkept.clear();
    this.#written.clear();
  }

  #onCommit({ cause, writes, time }: Commit): void {
    if (writes.some(({ stamp }) => stamp !== undefined && isNoStore(stamp)))
      for (const record of this.#written) this.unkept.set(record, time);
    this.#written.clear();
    if (cause === 'reset') {
      this.clear();
      return this.#listener.emptied(time);
    }
    for (const write of writes) this.#note(write);
    if (!this.isEmpty) this.#listener.changed();
  }

  #note({ key, endpoint, schema, stamp, failure }: Write): void {
    if (key === undefined) {
      if (stamp === undefined) this.#outdated(schema);
      return;
    }
    // an error leaves the data unchanged
    if (failure !== undefined) return;
    const result = this.#store.findResult(key);
    if (result === undefined) return;
    this.#add(result, endpoint);
    // a page was added to this list
    if (result.listResult !== undefined) this.#add(result.listResult);
  }

  #add(result: ResultRecord, endpoint?: EndpointInterface): void {
    const { key } = result;
    this.results.set(key, endpoint ?? this.results.get(key));
  }

  /** An empty response can expire entities that no write names: all entities of these types are compared. */
  #outdated(schema: Write['schema']): void {
    if (schema === undefined) return;
    const kind = kindOf(schema, 'schema');
    for (const identity of tableKeysIn(kind))
      for (const record of this.#store.tables.get(identity)?.records.values() ?? [])
        this.records.add(record);
  }
}

/** Records written by responses that must not be kept; all other data of these records are not kept either. */
export class UnpersistableRecords {
  readonly #times = new WeakMap<StoreRecord, number>();

  /** A response of this logical time has written the record. */
  add(record: StoreRecord, time: number): void {
    this.#times.set(record, Math.max(time, this.#times.get(record) ?? 0));
  }

  /** True until all parts of the record came again, by responses that may be kept. */
  has(record: StoreRecord): boolean {
    const time = this.#times.get(record);
    return time !== undefined && oldestIn(record) <= time;
  }
}

/** The logical time of the oldest part. */
function oldestIn(record: StoreRecord): number {
  if (!(record instanceof EntityRecord)) return (record as ListRecord | MapRecord).stamp.time;
  const { time, times } = record.versions;
  return Math.min(time, ...Object.values(times ?? {}));
}
