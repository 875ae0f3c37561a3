/** Observers of a list, notified of each change to its members. */
import type { ListRecord } from './ListRecord.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

export interface ListObserver {
  /** As `ListRecord.onChange`, with the list that has changed. */
  onListChange(list: ListRecord, member?: StoreRecord, at?: number): void;
}

const observers = new WeakMap<ListRecord, Set<ListObserver>>();

export function observersOf(list: ListRecord): Set<ListObserver> {
  const known = observers.get(list);
  if (known !== undefined) return known;
  const followers = new Set<ListObserver>();
  observers.set(list, followers);
  list.onChange = (member, at) => {
    for (const follower of followers) follower.onListChange(list, member, at);
  };
  return followers;
}
