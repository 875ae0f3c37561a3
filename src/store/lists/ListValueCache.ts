/** The cached value of a list, and the edits since each reader last read. */
import { INVALID } from '../../schema/schema.ts';
import { DIRTY } from '../records/StoreRecord.ts';
import type { Builder, StoreRecord } from '../records/StoreRecord.ts';

/*
 *   edits     #7 in at 3    #8 out at 0    #9 in at 2         the next is #10; edits older than #7 are forgotten
 *   snapshot                             ▲ built at #9        copies the array and applies edit #9
 *   live rows ▲ built at #7                                   copy their array and apply #7 to #9
 *
 * So a change of the members costs each reader a copy of its array, not a loop over the members. An edit holds an index
 * and no member: the entering member is read from the members in their final order.
 */

/** The index at which a member entered; for a member that left, `~` of the former index. */
export type ListEdit = number;

// with more changes than this, a loop over all members is cheaper than finding the index of each
const MAX_INDEXED_CHANGES = 16;

export class ListValueCache {
  value: readonly unknown[] | undefined;
  /** Members that changed since the value was built; undefined: check all members. */
  #changedMembers: StoreRecord[] | undefined;
  /** The latest edits. */
  #edits: ListEdit[] = [];
  /** The number of the next edit. */
  #editCount = 0;
  /** The number of the next edit when the value was built. */
  #editsAtBuild = 0;
  /** A member that appeared or disappeared. After disappearing, a member usually leaves the list in the same commit. */
  #visibilityChangedMember: StoreRecord | undefined;

  /** Logs that a member enters or leaves. */
  logEdit(edit: ListEdit, member: StoreRecord): void {
    if (this.#visibilityChangedMember === member) this.#visibilityChangedMember = undefined;
    // a member that left has no row: the next build need not search for a row
    if (edit < 0 && this.#changedMembers?.at(-1) === member) this.#changedMembers.pop();
    this.#editCount++;
    if (this.#edits.push(edit) > MAX_INDEXED_CHANGES) this.#edits.shift();
  }

  /** Notes that a member changed; `flipped`: the member appeared or disappeared. */
  markChanged(member: StoreRecord, flipped: boolean): void {
    if (flipped && (this.#visibilityChangedMember ??= member) !== member) this.resetEdits();
    if (
      this.#changedMembers?.includes(member) === false &&
      this.#changedMembers.push(member) > MAX_INDEXED_CHANGES
    )
      this.#changedMembers = undefined;
  }

  /** Forgets all edits: every reader rebuilds from all members. */
  resetEdits(): void {
    this.#changedMembers = undefined;
    this.#visibilityChangedMember = undefined;
    this.#edits = [];
    this.#editCount++;
  }

  /** The number of the next edit. */
  get editCount(): number {
    if (this.#visibilityChangedMember !== undefined) this.resetEdits();
    return this.#editCount;
  }

  /** The edits from a number on; undefined: check all members. */
  editsSince(number: number): readonly ListEdit[] | undefined {
    const first = this.editCount - this.#edits.length;
    return number < first ? undefined : this.#edits.slice(number - first);
  }

  /** Builds the value: a copy of the old value with the edits applied; if either is unknown, from all members. */
  build(members: readonly StoreRecord[], builder: Builder): readonly unknown[] {
    const old = this.value;
    const edits = old && this.editsSince(this.#editsAtBuild);
    const { rows, places } = edits ? applyEdits(old, edits) : { rows: [], places: [] };
    // a row that contains this list again finds the array that will become its value
    this.value = rows;
    // if a member is hidden, indexes of rows and members differ
    const inPlace = edits !== undefined && rows.length === members.length;
    try {
      if (!inPlace || !this.#fillChangedRows(rows, places, members, builder))
        fillRows(rows, members, builder);
    } catch (error) {
      this.value = old;
      this.resetEdits();
      throw error;
    }
    // from here on each changed member is noted
    this.#changedMembers = rows.length === members.length ? [] : undefined;
    this.#editsAtBuild = this.editCount;
    return rows;
  }

  /** Fills in entered and changed members; checks all if the changed are unknown. False: a member is hidden. */
  #fillChangedRows(
    rows: unknown[],
    places: number[],
    members: readonly StoreRecord[],
    builder: Builder,
  ): boolean {
    if (this.#changedMembers !== undefined) {
      for (const member of this.#changedMembers) {
        const at = members.indexOf(member);
        if (at >= 0) places.push(at);
      }
      for (const at of places) {
        rows[at] = builder.value(members[at] as StoreRecord);
        if (rows[at] === INVALID) return false;
      }
      return true;
    }
    for (let at = 0; at < members.length; at++) {
      const member = members[at] as StoreRecord;
      // most members are unchanged: nothing has to be built
      rows[at] = member.flags & DIRTY ? builder.value(member) : member.current(builder);
      if (rows[at] === INVALID) return false;
    }
    return true;
  }
}

function fillRows(rows: unknown[], members: readonly StoreRecord[], builder: Builder): void {
  rows.length = 0;
  for (const member of members) {
    const value = builder.value(member);
    if (value !== INVALID) rows.push(value);
  }
}

/** A copy with the edits applied, and the indexes of the entered members, which the caller fills. */
export function applyEdits<T>(
  old: readonly T[],
  edits: readonly ListEdit[],
): { readonly rows: T[]; readonly places: number[] } {
  const [only = -1] = edits;
  const blank = [undefined as T];
  // by far the most frequent: a single insertion at an end. `splice` would copy the longer array once more
  if (edits.length === 1 && (only === 0 || only === old.length))
    return { rows: only === 0 ? blank.concat(old) : old.concat(blank), places: [only] };
  const rows = old.slice();
  const places: number[] = [];
  let hasEntered = false;
  for (const edit of edits) {
    if (edit < 0) rows.splice(~edit, 1);
    else {
      hasEntered = true;
      rows.splice(edit, 0, ...blank);
    }
  }
  let at = hasEntered ? rows.indexOf(undefined as T) : -1;
  for (; at >= 0; at = rows.indexOf(undefined as T, at + 1)) places.push(at);
  return { rows, places };
}
