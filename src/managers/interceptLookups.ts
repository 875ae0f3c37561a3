/** Tells persistence what a store looks up and does not find, and when a change may concern all that could be there. */
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { Shelf } from '../store/SweepRound.ts';

export interface LookupListener {
  /** Nothing stands there under this name. True where something does now. */
  miss(shelf: Shelf, name: string): boolean;
  /** All must be there. */
  all(): void;
  /** The store is about to be emptied. */
  cleared(): void;
}

export interface Lookups {
  /** As `store.commit`; as a part of the commit whose change runs, where one does: readers see all of it or nothing. */
  readonly commit: (change: () => void) => void;
  readonly stop: () => void;
}

/** The store of a page that does not import persistence has none of this. */
export function interceptLookups(store: Store, listener: LookupListener): Lookups {
  const { sweep } = store;
  const results = store.results as Map<string, ResultRecord>;
  const find = sweep.find.bind(sweep);
  const get = results.get.bind(results);
  const own = {
    find: store.find.bind(store),
    listTables: store.listTables.bind(store),
    listsOf: store.listsOf.bind(store),
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
  sweep.find = ((shelf: Shelf, name: string) =>
    find(shelf, name) ??
    (listener.miss(shelf, name) ? find(shelf, name) : undefined)) as typeof sweep.find;
  results.get = (key) =>
    get(key) ??
    (listener.miss({ records: results } as unknown as Shelf, key) ? get(key) : undefined);
  const complete = () => listener.all();
  store.complete = complete;
  store.find = (...args) => {
    complete();
    return own.find(...args);
  };
  store.listTables = (...args) => {
    complete();
    return own.listTables(...args);
  };
  store.listsOf = (...args) => {
    complete();
    return own.listsOf(...args);
  };
  store.clear = () => {
    listener.cleared();
    return own.clear();
  };
  const stop = () => {
    sweep.find = find;
    results.get = get;
    store.complete = undefined;
    store.find = own.find;
    store.listTables = own.listTables;
    store.listsOf = own.listsOf;
    store.clear = own.clear;
    store.commit = own.commit;
  };
  return { stop, commit: (change) => (running > 0 ? change() : void store.commit(change)) };
}
