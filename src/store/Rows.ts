/** The value of a list, and what has changed in it since each of its readers looked. */
import { INVALID } from '../schema/schema.ts';
import type { Builder, Record } from './Record.ts';

/*
 *   edits     #7 in at 3    #8 out at 0    #9 in at 2         the next is #10; what is older than #7 is forgotten
 *   snapshot                             ▲ built at #9        copies its array and makes edit #9
 *   live rows ▲ shown at #7                                   copy theirs and make #7 to #9
 *
 * So a change of the members costs each reader a copy of its array, not a walk over the members. An edit holds a place
 * and no member: who enters is taken from the members as they are in the end.
 */

/** The place at which one member entered; of one that left, `~` of its place. */
export type Edit = number;

// with more changes than this, going through all members is cheaper than looking each one up
const FEW = 16;

export class Rows {
  value: readonly unknown[] | undefined = undefined;
  /** Members that changed since the value was built; undefined: look at all of them. */
  #touched: Record[] | undefined = undefined;
  #edits: Edit[] = [];
  /** The number of the first of them. */
  #first = 0;
  /** The number of the edit that comes next after the value was built. */
  #built = 0;
  /** Of the value that is being built: who entered. Undefined: all are to be looked at. */
  #places: number[] | undefined = undefined;
  /** A member that came or went. Who went is about to leave, as a rule. */
  #turned: Record | undefined = undefined;

  /** A member enters, or leaves. */
  edit(edit: Edit, member: Record): void {
    if (edit < 0 && this.#turned === member) this.#turned = undefined;
    if (this.#edits.push(edit) <= FEW) return;
    this.#edits.shift();
    this.#first++;
  }

  /** One member is another. */
  touch(member: Record): void {
    if ((this.#touched?.length ?? 0) >= FEW) this.#touched = undefined;
    else if (this.#touched?.includes(member) === false) this.#touched.push(member);
  }

  /** A member came or went. */
  turn(member: Record): void {
    if (this.#turned !== undefined && this.#turned !== member) this.lose();
    this.#turned = member;
    this.touch(member);
  }

  /** All of it is to be built anew. */
  lose(): void {
    this.#touched = undefined;
    this.#turned = undefined;
    this.#first += this.#edits.length + 1;
    this.#edits = [];
  }

  /** The number of the edit that comes next. */
  get next(): number {
    if (this.#turned !== undefined) this.lose();
    return this.#first + this.#edits.length;
  }

  /** The edits from a number on; undefined where all members are to be looked at. */
  since(number: number): readonly Edit[] | undefined {
    if (this.next < number || number < this.#first) return undefined;
    return this.#edits.slice(number - this.#first);
  }

  /** An array for the next value: the old one's members, as far as they are of use. */
  begin(): unknown[] {
    const edits = this.#touched && this.since(this.#built);
    const known = edits && this.value && edited(this.value, edits);
    this.#places = known?.places;
    return known?.rows ?? [];
  }

  /** Fills what `begin` gave with what readers get for each member. */
  gather(value: unknown[], members: readonly Record[], builder: Builder): void {
    if (!this.#patch(value, members, builder)) {
      value.length = 0;
      for (const member of members) {
        const shown = builder.value(member);
        if (shown !== INVALID) value.push(shown);
      }
    }
    // from here on changes are noted one by one; a member that is not shown makes positions useless
    this.#touched = value.length === members.length ? [] : undefined;
    this.#built = this.next;
  }

  /** Changes the old value where there are few changes; false where all members must be looked at. */
  #patch(value: unknown[], members: readonly Record[], builder: Builder): boolean {
    const places = this.#places;
    for (const member of this.#touched ?? []) {
      const at = members.indexOf(member);
      if (at >= 0) places?.push(at);
    }
    return (
      places?.every((at) => {
        value[at] = builder.value(members[at] as Record);
        return value[at] !== INVALID;
      }) ?? false
    );
  }
}

/** A copy with the edits made in it, and the places of those who entered: they are to be filled. */
export function edited<T>(
  old: readonly T[],
  edits: readonly Edit[],
): { readonly rows: T[]; readonly places: number[] } {
  const [only = -1] = edits;
  const blank = [undefined as T];
  // by far the most: one comes at an end. `splice` would copy what it makes longer once more
  if (edits.length === 1 && only === old.length) return { rows: old.concat(blank), places: [only] };
  if (edits.length === 1 && only === 0) return { rows: blank.concat(old), places: [only] };
  const rows = old.slice();
  let places: number[] = [];
  for (const edit of edits) {
    const at = edit < 0 ? ~edit : edit;
    const by = edit < 0 ? -1 : 1;
    if (edit < 0) rows.splice(at, 1);
    else rows.splice(at, 0, ...blank);
    places = places.filter((place) => by > 0 || place !== at);
    places = places.map((place) => (place >= at ? place + by : place));
    if (by > 0) places.push(at);
  }
  return { rows, places };
}
