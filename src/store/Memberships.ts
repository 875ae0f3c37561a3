/** Who is in a list, where that has a time of its own: membership is a field of (list, pk). */
import type { Record } from './Record.ts';

/** A confirmed creation or deletion, remembered until a list read issued after it arrives. */
interface Membership {
  readonly time: number;
  /** Where the member entered; undefined: it left. */
  readonly side: 'start' | 'end' | undefined;
}

export class Memberships {
  readonly #known: Map<Record, Membership> = new Map();

  /** `time`: where answers to older requests are still to come that may deny it. */
  remember(member: Record, side: Membership['side'], time: number | undefined): void {
    if (time === undefined) this.#known.delete(member);
    else this.#known.set(member, { time, side });
  }

  /** What a read of `time` says, corrected by memberships that were confirmed after it was issued. */
  reconcile(incoming: Record[], time: number): Record[] {
    let members = incoming;
    for (const [member, membership] of this.#known) {
      if (membership.time <= time) {
        this.#known.delete(member);
      } else if (membership.side === undefined) {
        members = members.filter((other) => other !== member);
      } else if (!members.includes(member) && !member.deletedSince(membership.time)) {
        members = membership.side === 'start' ? [member, ...members] : [...members, member];
      }
    }
    return members;
  }

  /** True when `member` was taken out after this time. */
  leftSince(member: Record, time: number): boolean {
    const membership = this.#known.get(member);
    return membership !== undefined && membership.side === undefined && membership.time > time;
  }

  /** Members that may come back. */
  [Symbol.iterator](): Iterator<Record> {
    return this.#known.keys();
  }

  get latest(): number {
    return Math.max(0, ...Array.from(this.#known.values(), ({ time }) => time));
  }

  /** Forgets what no request under way can deny. */
  settle(oldest: number): void {
    for (const [member, { time }] of this.#known) if (time <= oldest) this.#known.delete(member);
  }

  get empty(): boolean {
    return this.#known.size === 0;
  }
}
