/** The value of a list, and what has changed in it since each of its readers looked. */
import { INVALID } from '../schema/schema.ts';
import { DIRTY } from './flags.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

/*
 *   edits     #7 in at 3    #8 out at 0    #9 in at 2         the next is #10; what is older than #7 is forgotten
 *   snapshot                             ▲ built at #9        copies its array and makes edit #9
 *   live rows ▲ shown at #7                                   copy theirs and make #7 to #9
 *
 * So a change of the members costs each reader a copy of its array, not a walk over the members. An edit holds a place
 * and no member: who enters is taken from the members as they are in the end.
 */

/** The place at which one member entered; of one that left, `~` of its place. */
export type ListEdit = number;

// with more changes than this, going through all members is cheaper than looking each one up
const FEW = 16;

export class ListValueCache {
  value: readonly unknown[] | undefined;
  /** Members that changed since the value was built; undefined: look at all of them. */
  #touched: StoreRecord[] | undefined;
  /** The latest of them. */
  #edits: ListEdit[] = [];
  /** The number of the edit that comes next. */
  #next = 0;
  /** The same, when the value was built. */
  #built = 0;
  /** A member that came or went. Who went is about to leave, as a rule. */
  #turned: StoreRecord | undefined;

  /** A member enters, or leaves. */
  edit(edit: ListEdit, member: StoreRecord): void {
    if (this.#turned === member) this.#turned = undefined;
    this.#next++;
    if (this.#edits.push(edit) > FEW) this.#edits.shift();
  }

  /** One member is another; `flipped`: it came or went. */
  markChanged(member: StoreRecord, flipped: boolean): void {
    if (flipped && (this.#turned ??= member) !== member) this.resetEdits();
    if (this.#touched?.includes(member) === false && this.#touched.push(member) > FEW)
      this.#touched = undefined;
  }

  /** All of it is to be built anew. */
  resetEdits(): void {
    this.#touched = undefined;
    this.#turned = undefined;
    this.#edits = [];
    this.#next++;
  }

  /** The number of the edit that comes next. */
  get nextEdit(): number {
    if (this.#turned !== undefined) this.resetEdits();
    return this.#next;
  }

  /** The edits from a number on; undefined where all members are to be looked at. */
  editsSince(number: number): readonly ListEdit[] | undefined {
    const first = this.nextEdit - this.#edits.length;
    return number < first ? undefined : this.#edits.slice(number - first);
  }

  /** Builds the value: what changed is made in a copy of the old one; where it has no such copy, of all members. */
  build(members: readonly StoreRecord[], builder: Builder): readonly unknown[] {
    const old = this.value;
    const edits = old && this.editsSince(this.#built);
    const { rows, places } = applyEdits(edits ? old : [], edits ?? []);
    // a row that shows the list again finds the array that is going to be its value
    this.value = rows;
    // a member that is not shown makes positions useless
    const inPlace = edits !== undefined && rows.length === members.length;
    try {
      if (!inPlace || !this.#renew(rows, places, members, builder)) showAll(rows, members, builder);
    } catch (error) {
      this.value = old;
      this.resetEdits();
      throw error;
    }
    // from here on changes are noted one by one
    this.#touched = rows.length === members.length ? [] : undefined;
    this.#built = this.nextEdit;
    return rows;
  }

  /** Takes in who came and who changed; if that is not known one by one, looks at each. False: one is not shown. */
  #renew(
    rows: unknown[],
    places: number[],
    members: readonly StoreRecord[],
    builder: Builder,
  ): boolean {
    if (this.#touched !== undefined) {
      for (const member of this.#touched) {
        const at = members.indexOf(member);
        if (at >= 0) places.push(at);
      }
      return places.every(
        (at) => (rows[at] = builder.value(members[at] as StoreRecord)) !== INVALID,
      );
    }
    for (let at = 0; at < members.length; at++) {
      const member = members[at] as StoreRecord;
      // most are as they were: nothing of them is to be built
      rows[at] = member.flags & DIRTY ? builder.value(member) : member.current(builder);
      if (rows[at] === INVALID) return false;
    }
    return true;
  }
}

function showAll(rows: unknown[], members: readonly StoreRecord[], builder: Builder): void {
  rows.length = 0;
  for (const member of members) {
    const shown = builder.value(member);
    if (shown !== INVALID) rows.push(shown);
  }
}

/** A copy with the edits made in it, and the places of those who entered: they are to be filled. */
export function applyEdits<T>(
  old: readonly T[],
  edits: readonly ListEdit[],
): { readonly rows: T[]; readonly places: number[] } {
  const [only = -1] = edits;
  const blank = [undefined as T];
  // by far the most: one comes at an end. `splice` would copy what it makes longer once more
  if (edits.length === 1 && (only === 0 || only === old.length))
    return { rows: only === 0 ? blank.concat(old) : old.concat(blank), places: [only] };
  const rows = old.slice();
  const places: number[] = [];
  for (const edit of edits) {
    if (edit < 0) rows.splice(~edit, 1);
    else rows.splice(edit, 0, ...blank);
  }
  let at = edits.length > 0 ? rows.indexOf(undefined as T) : -1;
  for (; at >= 0; at = rows.indexOf(undefined as T, at + 1)) places.push(at);
  return { rows, places };
}
