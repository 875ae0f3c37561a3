/** Records for the panel: names that do not prevent garbage collection, and reader counts that add no reader. */
import { isWatched } from '../../signals.ts';
import type { Store, StoreRecord, Table } from '../../store/StorePort.ts';
import type { StoreObserver } from '../../view/Reader.ts';

/** `3:42`: the table's number, and the primary key. Tables are never taken out of a store. */
export type Place = string;

export class RecordPlaces {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get tables(): readonly Table[] {
    return [...this.#store.tables.values()];
  }

  /** Undefined for records outside of tables: requests, derived values. */
  of({ kind, pk }: StoreRecord): Place | undefined {
    const at = this.tables.findIndex((table) => table.kind === kind);
    return at < 0 ? undefined : placeIn(at, pk);
  }

  /** The record, if still stored. */
  find(place: Place): StoreRecord | undefined {
    const at = place.indexOf(':');
    return this.tables[Number(place.slice(0, at))]?.records.get(place.slice(at + 1));
  }
}

export function placeIn(table: number, pk: string): Place {
  return `${table}:${pk}`;
}

/** The readers of a record: of an entity, a list or a request. */
interface ReaderCounts {
  /** A lower bound: a mounted component that listens counts once. */
  readonly count: number;
  /** Of a request: mounted components. */
  readonly mounted: number;
  /** Functions that run when the record changes. */
  readonly listeners: number;
  /** The watched signals of the record. */
  readonly signals: readonly string[];
  /** The number of watchers of each field, by name. */
  readonly fields: ReadonlyMap<string, number>;
}

/** Counts the readers of a record without becoming a reader. */
export function countReaders({ cell, observers }: StoreRecord): ReaderCounts {
  const { readers: mounted = 0 } = (observers?.readerRef?.deref() ?? {}) as Partial<StoreObserver>;
  const listeners = observers?.listeners?.size ?? 0;
  const signals: string[] = [];
  if (isWatched(cell)) signals.push('data');
  if (isWatched(observers?.result)) signals.push('result');
  if (isWatched(observers?.shape)) signals.push('shape');
  const fields = new Map<string, number>();
  for (let strand = observers?.firstField; strand !== undefined; strand = strand.next)
    if (strand.watchers > 0) fields.set(strand.name, strand.watchers);
  const count = Math.max(mounted, listeners + signals.length + fields.size);
  return { count, mounted, listeners, signals, fields };
}
