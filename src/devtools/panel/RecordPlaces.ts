/** Names of records that do not prevent garbage collection. */
import type { Store, StoreRecord, Table } from '../../store/StorePort.ts';

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

  /** The record, if it still exists. */
  find(place: Place): StoreRecord | undefined {
    const at = place.indexOf(':');
    return this.tables[Number(place.slice(0, at))]?.records.get(place.slice(at + 1));
  }
}

export function placeIn(table: number, pk: string): Place {
  return `${table}:${pk}`;
}
