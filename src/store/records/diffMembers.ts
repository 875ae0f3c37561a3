/** Functions over the ordered members of a list: replacing the first page, visibility, differences, duplicates. */
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import { VISITED, StoreRecord } from './StoreRecord.ts';
import type { Builder } from './StoreRecord.ts';

/*
 *   members        new first page   result
 *   1 2 3 4 5 6    0 1 2            0 1 2 3 4 5 6    0 entered, the rest moved on
 *   1 2 3 4 5 6    1 3 4            1 3 4 5 6        2 left
 *   1 2 3 4 5 6    7 8 9            7 8 9            without a shared member the order of the two is unknown
 */

/** The members after a new first page: the page, and the old members behind the last member of both. */
export function replaceFirstPageMembers<T>(there: readonly T[], first: T[]): T[] {
  const members = new Set(first);
  let last = there.length - 1;
  while (last >= 0 && !members.has(there[last] as T)) last--;
  return last < 0 ? first : [...first, ...there.slice(last + 1)];
}

/** True if readers see the member. */
export function isVisible(member: StoreRecord, builder: Builder): boolean {
  try {
    return builder.read(member) !== INVALID;
  } catch {
    // the readers of the member get the exception
    return true;
  }
}

/** True if the member exists and cannot be incomplete, so readers surely see it. */
export function isCertainlyVisible(member: StoreRecord): boolean {
  return !member.mayBeIncomplete && (member as { readonly exists?: boolean }).exists !== false;
}

/** The parts of two lists between their common start and their common end. */
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

export function distinctRecords(nodes: readonly NormalizedNode[]): StoreRecord[] {
  const members: StoreRecord[] = [];
  for (const node of nodes) {
    if (!(node instanceof StoreRecord) || node.flags & VISITED) continue;
    node.flags |= VISITED;
    members.push(node);
  }
  for (const member of members) member.flags &= ~VISITED;
  return members;
}

export function shallowEqualArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && firstDifference(a, b) === a.length;
}

/** The first index at which two lists differ; past the end of a list all entries count as undefined. */
export function firstDifference(a: readonly unknown[], b: readonly unknown[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Stops at the first match, since lists are long and contain each member once. */
export function removeFrom(members: StoreRecord[] | undefined, member: StoreRecord): void {
  const at = members?.indexOf(member) ?? -1;
  if (at >= 0) members?.splice(at, 1);
}

/** True if both maps have the same values under the same keys, in the same order. */
export function sameEntries(
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
): boolean {
  return shallowEqualArrays([...a].flat(), [...b].flat());
}
