/** N20, N21: the effect on a list when fields of a row change, according to the rules. */
import type { Fields } from './confirmed.ts';

/** The effect on a list: the row enters or leaves for sure, only the server knows (if the list holds the row), or nothing. */
export type Place = 'certain' | 'certain and doubtful' | 'doubtful' | 'doubtful if there' | 'apart';

/**
 * How the arguments of a list fit a row: all match, an argument with a single value does not, an argument with several values
 * does not, or nothing decides.
 */
export type Fit = 'in' | 'out' | 'choice' | 'open';

export interface ListRule {
  readonly address: string;
  /** The list of the resource. */
  readonly isHome: boolean;
  /** Numbered pages, and arguments that meet a field of several values. */
  readonly isOpen: boolean;
  /** Any field may decide. */
  readonly isSearch: boolean;
  readonly hasChoices: boolean;
  /** The fields that have the name of an argument. */
  readonly names: readonly string[];
  readonly fit: (row: Fields) => Fit;
  /** When a row is created at an address. */
  readonly place: (row: Fields, from: string) => Place;
  /** When a row is deleted of which these fields are known. */
  readonly lost: (row: Fields) => Place;
}

export interface Change {
  readonly before: Fields;
  readonly after: Fields;
  /** By a mutation. */
  readonly isOwn: boolean;
  /** The fields that a mutation has named. */
  readonly stated?: readonly string[] | undefined;
  /** By a creation at this address, which says itself which lists the row enters. */
  readonly createdAt?: string | undefined;
}

/** Of a list: whether the list has the row, and whether a list at the same address has the row. */
interface Known {
  readonly isThere: boolean;
  readonly isAtAddress: boolean;
}

interface Effect {
  /** Any field may decide. */
  readonly isSearch?: boolean;
  readonly op?: 'enters' | 'leaves';
  readonly expires: boolean;
}

const NOTHING: Effect = { expires: false };
const EXPIRES: Effect = { expires: true };

export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export function effectOf(rule: ListRule, change: Change, known: Known): Effect {
  const { before, after, isOwn, createdAt, stated = [] } = change;
  const changed = rule.names.filter((name) => !same(before[name], after[name]));
  const isSearched = rule.isSearch && isOwn;
  const restated = rule.names.filter((name) => stated.includes(name) && !changed.includes(name));
  if (changed.length === 0 && !isSearched) {
    if (restated.length === 0) return NOTHING;
    const fit = rule.fit(after);
    const mayEnter = rule.isHome || known.isAtAddress;
    const expires = fit === 'in' ? mayEnter && !known.isThere : fit !== 'open' && known.isThere;
    return { expires, isSearch: true };
  }
  const [old, now] = [rule.fit(before), rule.fit(after)];
  const wasIn = old === 'in' || old === 'open';
  if (now === 'out' || now === 'choice') {
    const expires = known.isThere || now === 'choice' || (wasIn && rule.isOpen);
    return wasIn ? { op: 'leaves', expires } : { expires };
  }
  if (now === 'open')
    return old !== 'open' || isOwn || changed.includes('tags')
      ? { expires: true, isSearch: changed.length === 0 }
      : NOTHING;
  if (old === 'in') return rule.hasChoices ? EXPIRES : NOTHING;
  const expires = !known.isThere || rule.hasChoices;
  const enters = (rule.isHome || known.isAtAddress) && (old !== 'open' || isOwn);
  return enters && createdAt !== rule.address ? { op: 'enters', expires } : { expires };
}
