/** The last confirmed move or removal of each member: responses to older reads may still list the member. */
import type { StoredList } from './StoredList.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** True for the lists that a member leaves, also for lists that have never contained it. */
export type LeaveTest = (list: StoredList) => boolean;

/** Functions that return true if the member left the list after a logical time. */
export type Departures = WeakMap<StoreRecord, (list: StoredList, since: number) => boolean>;

/** True if the member was deleted, or left the list, after a logical time. */
export type GoneTest = (member: StoreRecord, since: number) => boolean;
