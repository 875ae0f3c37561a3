/** Moments of one controller, and how to show them again; the contents of a store at one moment. */
import type { Controller } from '../Controller.ts';
import { addTransport, contextOf } from '../request/FetchContext.ts';
import {
  AllRecord,
  EntityRecord,
  ListRecord,
  MapRecord,
  resultStateOf,
  showResultState,
} from '../store/StorePort.ts';
import type {
  EntityContent,
  ResultRecord,
  ResultState,
  Store,
  StoreRecord,
} from '../store/StorePort.ts';

/*
 *   present ── jump to an older moment ──►  past     requests are not sent, responses wait
 *      ▲                                     │
 *      └── jump to the newest, or a commit ──┘       then they go on
 */
export class TimeTravel {
  readonly #store: Store;
  readonly #moments = new Map<number, StoreSnapshot>();
  /** Signals that protect all records of the moments from garbage collection. */
  readonly #pins = new Map<StoreRecord, unknown>();
  readonly #maxMoments: number;
  readonly #stop: () => void;
  #newest = 0;
  #past: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  /** Keeps the last `maxMoments` moments, and the first. */
  constructor(controller: Controller, maxMoments: number) {
    const context = contextOf(controller);
    this.#store = context.store;
    this.#maxMoments = maxMoments;
    this.#stop = addTransport(context, (send) => async (...call) => {
      // an await without need would delay requests
      if (this.#past !== undefined) await this.#past.over;
      try {
        return await send(...call);
      } finally {
        await this.#past?.over;
      }
    });
  }

  /** The number of the newest moment. */
  get newest(): number {
    return this.#newest;
  }

  get isPaused(): boolean {
    return this.#past !== undefined;
  }

  /** Records the present state as a moment. */
  capture(): void {
    this.#newest++;
    this.#moments.set(this.#newest, new StoreSnapshot(this.#store, (record) => this.#pin(record)));
    for (const number of this.#moments.keys())
      if (number > 1 && number < this.#newest - this.#maxMoments) this.#moments.delete(number);
    this.resume();
  }

  #pin(record: StoreRecord): void {
    if (!this.#pins.has(record)) this.#pins.set(record, this.#store.cell(record));
  }

  /** Shows a moment; false if the moment is no longer kept. */
  jumpTo(number: number | undefined): boolean {
    const moment = this.#moments.get(number ?? 0);
    if (moment === undefined) return false;
    if (number !== this.#newest) this.#pause();
    moment.show(this.#store);
    if (number === this.#newest) this.resume();
    return true;
  }

  #pause(): void {
    if (this.#past !== undefined) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#past = { over, end };
  }

  /** Continues the requests and responses that waited. */
  resume(): void {
    this.#past?.end();
    this.#past = undefined;
  }

  /** Returns to the present, and stops. */
  stop(): void {
    if (this.isPaused) this.jumpTo(this.#newest);
    this.#stop();
    this.#moments.clear();
    this.#pins.clear();
  }
}

/** Protects a record from garbage collection; called for each record that a moment may show again. */
type Retain = (record: StoreRecord) => void;

/**
 * Holds contents only. Logical times stay as they are, so that later requests are newer than the data shown. Unchanged
 * contents keep their references, so their readers are not notified. The cost is proportional to the size of the store.
 */
class StoreSnapshot {
  readonly #entities = new Map<StoreRecord, EntityContent | undefined>();
  /** The last data of deleted entities, for live objects. */
  readonly #lastContents = new Map<StoreRecord, EntityContent | undefined>();
  readonly #lists = new Map<StoreRecord, readonly StoreRecord[] | undefined>();
  readonly #maps = new Map<StoreRecord, ReadonlyMap<string, StoreRecord> | undefined>();
  readonly #results = new Map<ResultRecord, ResultState>();

  constructor(store: Store, retain: Retain) {
    for (const record of recordsOf(store)) {
      retain(record);
      if (record instanceof EntityRecord) {
        this.#entities.set(record, record.content);
        this.#lastContents.set(record, record.observers?.fieldReaders?.last);
      } else if (record instanceof ListRecord) this.#lists.set(record, record.members?.slice());
      else if (record instanceof MapRecord)
        this.#maps.set(record, record.entries && new Map(record.entries));
    }
    for (const record of store.results.values()) {
      retain(record);
      this.#results.set(record, resultStateOf(record));
    }
  }

  /** Restores the moment in one commit. Later records are missing again; optimistic layers stay above. */
  show(store: Store): void {
    store.commit(() => {
      const records = [...recordsOf(store)];
      for (const record of records)
        if (record instanceof EntityRecord)
          store.beforeWrite(record).setConfirmed(this.#entities.get(record));
      // rows that came or went have notified the lists of complete tables, which are sorted again here
      for (const record of records) {
        if (record instanceof ListRecord) this.#list(store.beforeWrite(record));
        else if (record instanceof MapRecord) this.#map(record);
      }
      for (const record of store.results.values())
        showResultState(store, record, this.#results.get(record));
      store.layers.rebase();
      for (const record of records)
        record.observers?.fieldReaders?.showContent(this.#lastContents.get(record));
    });
  }

  #list(record: ListRecord): void {
    const members = this.#lists.get(record)?.slice();
    const { base: present = [] } = record;
    if (record instanceof AllRecord) {
      const rows = new Set(members);
      if (rows.size !== present.length || !present.every((row) => rows.has(row))) return;
    }
    record.setConfirmed(members);
  }

  #map(record: MapRecord): void {
    const entries = this.#maps.get(record);
    if (entries === undefined) record.clear();
    else record.fill(Object.fromEntries(entries), record.stamp);
  }
}

function* recordsOf(store: Store): Iterable<StoreRecord> {
  for (const { records } of store.tables.values()) yield* records.values();
}
