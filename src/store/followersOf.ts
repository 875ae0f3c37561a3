/** Who is told of each change to the members of a list. */
import type { ListRecord } from './ListRecord.ts';
import type { Record } from './Record.ts';

export interface Follower {
  /** As a `Feed`, with the list that it is about. */
  note(list: ListRecord, member?: Record, at?: number): void;
}

const all = new WeakMap<ListRecord, Set<Follower>>();

export function followersOf(list: ListRecord): Set<Follower> {
  const known = all.get(list);
  if (known !== undefined) return known;
  const followers = new Set<Follower>();
  all.set(list, followers);
  list.feed = (member, at) => {
    for (const follower of followers) follower.note(list, member, at);
  };
  return followers;
}
