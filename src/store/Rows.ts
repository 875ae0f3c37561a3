/** The value of a list, and what has changed in it since it was built. */
import { INVALID } from '../schema/schema.ts';
import type { Builder, Record } from './Record.ts';

/** `gone` members left at `at`, then `member` entered there. */
interface Edit {
  readonly at: number;
  readonly gone: 0 | 1;
  readonly member: Record | undefined;
}

// with more changes than this, going through all members is cheaper than looking each one up
const FEW = 16;

export class Rows {
  value: readonly unknown[] | undefined = undefined;
  /** Members that changed since the value was built; undefined: look at all of them. */
  #touched: Record[] | undefined = undefined;
  #edits: Edit[] = [];

  /** The members are others. */
  edit(edit: Edit): void {
    if (this.#touched === undefined) return;
    if (this.#edits.length < FEW) this.#edits.push(edit);
    else this.lose();
  }

  /** One member is another. */
  touch(member: Record): void {
    if ((this.#touched?.length ?? 0) >= FEW) this.lose();
    else if (this.#touched?.includes(member) === false) this.#touched.push(member);
  }

  /** All of it is to be built anew. */
  lose(): void {
    this.#touched = undefined;
    this.#edits = [];
  }

  /** Fills `value` with what readers get for each member. */
  gather(
    value: unknown[],
    members: readonly Record[],
    { old, builder }: { old: readonly unknown[] | undefined; builder: Builder },
  ): void {
    if (old === undefined || !this.#patch(value, members, { old, builder })) {
      value.length = 0;
      for (const member of members) {
        const shown = builder.value(member);
        if (shown !== INVALID) value.push(shown);
      }
    }
    // from here on changes are noted one by one; a member that is not shown makes positions useless
    this.#touched = value.length === members.length ? [] : undefined;
    this.#edits = [];
  }

  /** The old value with its few changes copied in; false where all members must be looked at. */
  #patch(
    value: unknown[],
    members: readonly Record[],
    { old, builder }: { old: readonly unknown[]; builder: Builder },
  ): boolean {
    if (this.#touched === undefined) return false;
    for (const shown of old) value.push(shown);
    for (const { at, gone, member } of this.#edits) {
      if (member === undefined) value.splice(at, gone);
      else value.splice(at, gone, builder.value(member));
      if (member !== undefined && value[at] === INVALID) return false;
    }
    for (const member of this.#touched) {
      const at = members.indexOf(member);
      if (at >= 0) value[at] = builder.value(member);
      if (at >= 0 && value[at] === INVALID) return false;
    }
    return true;
  }
}
