/** The last confirmed move or removal of each member, while reads that were issued before it may still list the member. */
import { pruneLog } from './MembershipLog.ts';
import type { StoredList } from './StoredList.ts';
import type { StoreRecord } from './StoreRecord.ts';

/** True for the lists that a member leaves, also for lists that have never contained it. */
export type LeaveTest = (list: StoredList) => boolean;

/** True if the member left the list after this logical time. */
export type DepartureTest = (member: StoreRecord, time: number) => boolean;

export const neverLeft: DepartureTest = () => false;

export class Departures {
  readonly #last: Map<StoreRecord, { readonly time: number; readonly leaves: LeaveTest }> =
    new Map();

  /** `oldest`: when the oldest request in flight was issued. */
  log(member: StoreRecord, leaves: LeaveTest, time: number, oldest: number): void {
    pruneLog(this.#last, oldest);
    if (time > oldest) this.#last.set(member, { time, leaves });
  }

  /** For the members of a list. */
  testFor(list: StoredList): DepartureTest {
    if (this.#last.size === 0) return neverLeft;
    return (member, time) => {
      const last = this.#last.get(member);
      return last !== undefined && last.time > time && last.leaves(list);
    };
  }
}
