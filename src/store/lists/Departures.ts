/** The last confirmed move or removal of each member: responses to older reads may still list the member. */
import type { StoreRecord } from '../records/StoreRecord.ts';

/** A list, as far as departures use it. */
export interface DepartedList {
  readonly pk: string;
}

/** True for the lists that a member leaves, also for lists that have never contained it. */
export type LeaveTest = (list: DepartedList) => boolean;

/** Functions that return true if the member left the list after a logical time. */
export type Departures = WeakMap<StoreRecord, (list: DepartedList, since: number) => boolean>;

/** True if the member was deleted, or left the list, after a logical time. */
export type GoneTest = (member: StoreRecord, since: number) => boolean;
