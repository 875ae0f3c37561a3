/** Many members of which nobody asks yet: they are told apart when somebody does. */

// so that members that come again and again do not pile up
const FEW = 64;

/** A set for members that come one by one in thousands, and are looked at now and then: who shows a shared author. */
export class Crowd<T> {
  readonly #members: Set<T>;
  /** Who came since, perhaps twice: a place in an array costs a fraction of one in a set. */
  #come: T[] = [];

  constructor(members: readonly T[]) {
    this.#members = new Set(members);
  }

  add(member: T): void {
    if (this.#come.push(member) > FEW + this.#members.size) void this.members;
  }

  /** Each once. */
  get members(): Set<T> {
    for (const member of this.#come) this.#members.add(member);
    if (this.#come.length > 0) this.#come = [];
    return this.#members;
  }
}
