/** The members of a list in their order: what a read leaves of them, which of them are seen, which come twice. */
import { INVALID } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { VISITED } from './flags.ts';
import { StoreRecord } from './StoreRecord.ts';
import type { Builder } from './StoreRecord.ts';

/*
 *   there          first page again   together
 *   1 2 3 4 5 6    0 1 2              0 1 2 3 4 5 6    one came, the rest moved on
 *   1 2 3 4 5 6    1 3 4              1 3 4 5 6        2 went
 *   1 2 3 4 5 6    7 8 9              7 8 9            nothing tells how the two belong together
 */

/** What a new first page leaves of a list of several: it, and what follows the last member that both know. */
export function replaceFirstMembers<T>(there: readonly T[], first: T[]): T[] {
  const members = new Set(first);
  let last = there.length - 1;
  while (last >= 0 && !members.has(there[last] as T)) last--;
  return last < 0 ? first : [...first, ...there.slice(last + 1)];
}

/** True when readers see the member. */
export function isVisible(member: StoreRecord, builder: Builder): boolean {
  try {
    return builder.read(member) !== INVALID;
  } catch {
    // its readers get the exception
    return true;
  }
}

/** True where readers see the member, whatever else becomes of it in this commit. */
export function isCertainlyVisible(member: StoreRecord): boolean {
  return !member.mayBeIncomplete && (member as { readonly exists?: boolean }).exists !== false;
}

/** Of two lists what is between the beginning and the end that they have in common. */
export function diffMembers<T>(
  old: readonly T[],
  next: readonly T[],
): { readonly at: number; readonly out: readonly T[]; readonly come: readonly T[] } {
  const at = firstDifference(old, next);
  const most = Math.min(old.length, next.length) - at;
  let back = 0;
  while (back < most && old[old.length - 1 - back] === next[next.length - 1 - back]) back++;
  return {
    at,
    out: old.slice(at, old.length - back),
    come: next.slice(at, next.length - back),
  };
}

export function distinctRecords(nodes: readonly Node[]): StoreRecord[] {
  const members: StoreRecord[] = [];
  for (const node of nodes) {
    if (!(node instanceof StoreRecord) || node.flags & VISITED) continue;
    node.flags |= VISITED;
    members.push(node);
  }
  for (const member of members) member.flags &= ~VISITED;
  return members;
}

export function sameOrder(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && firstDifference(a, b) === a.length;
}

/** The first place at which two lists of things differ; what is behind an end is undefined. */
export function firstDifference(a: readonly unknown[], b: readonly unknown[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
