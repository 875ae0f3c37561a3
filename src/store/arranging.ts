/** Where a merge function of the user's own puts members of a list. */
import { badData } from '../schema/badData.ts';
import type { Entry, StoredKind } from '../schema/schema.ts';
import type { Turn } from './Memberships.ts';
import type { Record } from './Record.ts';

/** What this file needs of a list. */
export interface Arrangeable extends Record {
  readonly kind: StoredKind;
  /** The confirmed members. */
  readonly base: Record[] | undefined;
  has(member: Record): boolean;
  confirm(next: Record[] | undefined): void;
  remember(member: Record, time: number | undefined, entered?: Turn): void;
}

type Arrange = (time: number | undefined) => void;

/** Asks now, where a throw costs nothing; what it gives does the rest. Members that are there already do not enter. */
export function arranging(
  list: Arrangeable,
  merge: NonNullable<Entry['merge']>,
  coming: readonly { readonly member: Record }[],
): Arrange {
  const before = [...(list.base ?? [])];
  const fresh = coming.map(({ member }) => member).filter((member) => !list.has(member));
  const after = list.base && fresh.length > 0 ? merged(list, merge, [before, fresh]) : fresh;
  return (time) => {
    if (fresh.length === 0) return;
    const was = new Set(before);
    const is = new Set(after);
    for (const member of is) {
      const side = member === after[0] ? 'start' : 'end';
      if (!was.has(member)) list.remember(member, time, { side, turn: 0 });
    }
    const now = list.base;
    if (now === undefined) return;
    for (const member of was) if (!is.has(member)) list.remember(member, time);
    // what came or went by the same answer stays so
    const others = now.filter((member) => !was.has(member) && !is.has(member));
    const still = new Set(now);
    const those = after.filter((member) => !was.has(member) || still.has(member));
    list.confirm([...those, ...others]);
  };
}

/** Throws what the merge throws, or S14 where it gives what is no list of these. */
export function merged(
  list: Arrangeable,
  merge: NonNullable<Entry['merge']>,
  [before, fresh]: readonly [readonly Record[], readonly Record[]],
): Record[] {
  const given: unknown = merge([...before] as never, [...fresh] as never);
  const known = new Set<unknown>([...before, ...fresh]);
  if (Array.isArray(given) && given.every((member) => known.has(member)))
    return [...new Set(given as Record[])];
  throw badData('S14', { list: list.kind.title, value: given });
}
