/** What was confirmed of a controller since somebody looked. */
import type { Controller } from '../Controller.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Commit, Write } from '../fetch/Events.ts';
import { kindOf } from '../schema/kindOf.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import { isFleeting } from '../store/order.ts';
import type { Record } from '../store/Record.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';

/** Told after each commit. */
export interface TouchListener {
  /** Something was confirmed. */
  changed(): void;
  /** Everything is empty since this logical time. */
  emptied(time: number): void;
}

/** What was confirmed. */
export interface Changes {
  /** Entities, lists and maps. */
  readonly records: ReadonlySet<Record>;
  /** Requests by key, with the endpoint where it is known. */
  readonly results: ReadonlyMap<string, EndpointInterface | undefined>;
  /** What responses that must not be kept have written, by the logical time of the last such commit. */
  readonly unkept: ReadonlyMap<Record, number>;
}

/**
 * Entities and lists are noted where answers are written to them (`Layers.below`), so layers leave no trace here;
 * requests by what commits tell.
 */
export class Touched implements Changes {
  readonly records: Set<Record> = new Set();
  readonly results: Map<string, EndpointInterface | undefined> = new Map();
  readonly unkept: Map<Record, number> = new Map();
  /** Written since the last commit. */
  readonly #written = new Set<Record>();
  readonly #store: Store;
  readonly #listener: TouchListener;
  readonly #stops: readonly (() => void)[];
  #quiet = false;

  constructor(controller: Controller, store: Store, listener: TouchListener) {
    this.#store = store;
    this.#listener = listener;
    this.#stops = [this.#follow(), controller.on('commit', (commit) => this.#hear(commit))];
  }

  #follow(): () => void {
    const { layers } = this.#store;
    const touch = layers.touch.bind(layers);
    layers.touch = (record) => {
      if (!this.#quiet) {
        this.records.add(record);
        this.#written.add(record);
      }
      return touch(record);
    };
    return () => void (layers.touch = touch);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** What `work` writes is no news. */
  unheard(work: () => void): void {
    this.#quiet = true;
    try {
      work();
    } finally {
      this.#quiet = false;
    }
  }

  /** True where nothing was confirmed. */
  get isEmpty(): boolean {
    return this.records.size + this.results.size === 0;
  }

  /** Gives what was confirmed, and begins anew. */
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

  #hear({ cause, writes, time }: Commit): void {
    if (writes.some(({ stamp }) => stamp !== undefined && isFleeting(stamp)))
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
    // an error leaves data as they are
    if (failure !== undefined) return;
    const result = this.#store.results.get(key);
    if (result === undefined) return;
    this.#add(result, endpoint);
    // a page was added there
    if (result.list !== undefined) this.#add(result.list);
  }

  #add(result: ResultRecord, endpoint?: EndpointInterface): void {
    const { key } = result;
    this.results.set(key, endpoint ?? this.results.get(key));
  }

  /** An empty answer let entities expire that nobody named: of these types, all are looked at. */
  #outdated(schema: Write['schema']): void {
    if (schema === undefined) return;
    const kind = kindOf(schema, 'schema');
    for (const identity of tablesIn(kind))
      for (const record of this.#store.tables.get(identity)?.records.values() ?? [])
        this.records.add(record);
  }
}
