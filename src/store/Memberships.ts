/** Who is in a list, where that has a time of its own: membership is a field of (list, pk). */
import type { Record } from './Record.ts';

export type Side = 'start' | 'end';

/** Where a member entered, and in which turn: logical time. Among those at one side the later stands further out. */
export interface Turn {
  readonly side: Side;
  readonly turn: number;
}

/** A confirmed creation or deletion. */
export interface Membership {
  /** Logical time; undefined where no answer to an older request is still to come that may deny it. */
  readonly time: number | undefined;
  /** Undefined: the member left. */
  readonly entered?: Turn | undefined;
}

interface Known extends Membership {
  readonly time: number;
}

/** Each is remembered until a list read issued after it arrives. */
export class Memberships {
  readonly #known: Map<Record, Known> = new Map();

  remember(member: Record, { time, entered }: Membership): void {
    if (time === undefined) this.#known.delete(member);
    else this.#known.set(member, { time, entered });
  }

  /** What a read of `time` says, corrected by memberships that were confirmed after it was issued. */
  reconcile(incoming: Record[], time: number): Record[] {
    const left = new Set<Record>();
    const come: (Turn & { readonly member: Record })[] = [];
    const listed = new Set(incoming);
    for (const [member, { time: since, entered }] of this.#known) {
      if (since <= time) this.#known.delete(member);
      else if (entered === undefined) left.add(member);
      else if (!listed.has(member) && !member.deletedSince(since))
        come.push({ ...entered, member });
    }
    if (left.size === 0 && come.length === 0) return incoming;
    come.sort((a, b) => a.turn - b.turn);
    const at = (wanted: Side) =>
      come.filter(({ side }) => side === wanted).map(({ member }) => member);
    const stay = incoming.filter((member) => !left.has(member));
    return [...at('start').reverse(), ...stay, ...at('end')];
  }

  turnOf(member: Record): Turn | undefined {
    return this.#known.get(member)?.entered;
  }

  /** True when `member` was taken out after this time. */
  leftSince(member: Record, time: number): boolean {
    const known = this.#known.get(member);
    return known !== undefined && known.entered === undefined && known.time > time;
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
