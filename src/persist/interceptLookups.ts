/** Notifies persistence when a lookup in the store fails, and when a change may concern records that are not loaded. */
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { GcTable } from '../store/gc/RecordAges.ts';

export interface LookupListener {
  /** There is no record with this name. True if there is one now. */
  miss(table: GcTable, name: string): boolean;
  /** All records must be loaded. */
  all(): void;
  /** The store is about to be emptied. */
  cleared(): void;
}

export interface Lookups {
  /**
   * Like `store.commit`. During the change of a commit it is a part of that commit, so that readers see all of it or
   * nothing.
   */
  readonly commit: (change: () => void) => void;
  readonly stop: () => void;
}

/** A hook, so that a page without persistence does not contain this code. */
export function interceptLookups(store: Store, listener: LookupListener): Lookups {
  const { gc } = store;
  const results = store.results as Map<string, ResultRecord>;
  const find = gc.findAndMarkUsed.bind(gc);
  const get = results.get.bind(results);
  const own = {
    find: store.findByField.bind(store),
    forChange: store.listTablesForChange.bind(store),
    byEntity: store.listTablesByEntity.bind(store),
    clear: store.clear.bind(store),
    commit: store.commit.bind(store),
  };
  let running = 0;
  store.commit = (change) =>
    own.commit(() => {
      running++;
      try {
        change();
      } finally {
        running--;
      }
    });
  gc.findAndMarkUsed = ((table: GcTable, name: string) =>
    find(table, name) ??
    (listener.miss(table, name) ? find(table, name) : undefined)) as typeof gc.findAndMarkUsed;
  results.get = (key) =>
    get(key) ??
    (listener.miss({ records: results } as unknown as GcTable, key) ? get(key) : undefined);
  const complete = () => listener.all();
  store.loadAllPersisted = complete;
  store.findByField = (...args) => {
    complete();
    return own.find(...args);
  };
  store.listTablesForChange = (...args) => {
    complete();
    return own.forChange(...args);
  };
  store.listTablesByEntity = (...args) => {
    complete();
    return own.byEntity(...args);
  };
  store.clear = () => {
    listener.cleared();
    return own.clear();
  };
  const stop = () => {
    gc.findAndMarkUsed = find;
    results.get = get;
    store.loadAllPersisted = undefined;
    store.findByField = own.find;
    store.listTablesForChange = own.forChange;
    store.listTablesByEntity = own.byEntity;
    store.clear = own.clear;
    store.commit = own.commit;
  };
  return { stop, commit: (change) => (running > 0 ? change() : void store.commit(change)) };
}
