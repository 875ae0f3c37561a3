/** The changes of pending commits: a value that a reader first shows meanwhile gets the former versions from here. */
import { isPlainObject } from '../../../src/schema/fieldOf.ts';
import type { SetUpdate } from '../../../src/store/StorePort.ts';
import { areVersions, copyOf, findIn, pkOf, rebase } from './rebase.ts';

/** Numbers of store commits that are not rendered everywhere yet; a new array for each update of the provider. */
export type CommitIds = readonly number[];

/** The change of a value by a store commit, or by several that are not distinguished. */
export interface Change<T = unknown> {
  readonly commits: CommitIds;
  readonly before: T;
  readonly after: T;
  readonly replay: SetUpdate | undefined;
}

/** `start` with these changes. */
export const repeatChanges = <T>(start: T, changes: readonly Change<T>[]): T =>
  changes.reduce((value, { before, after, replay }) => rebase(value, before, after, replay), start);

/** The changes of all sources by the same commits: `formerVersions` are the former versions of the objects after it. */
interface Step extends Change {
  readonly formerVersions: Map<unknown, unknown>;
}

/*
 *   source 1, with readers      A5 ──7──► A6 ──8──► A7           recorded: `before` and `after` of each commit
 *   source 2, not read so far   [A5, B] ◄──7── [A6, B] ◄──8── [A7, B]           derived from these, backwards
 */
export class ChangeHistory {
  /** The changes of each source. */
  readonly changes: Map<object, readonly Change<never>[]> = new Map();
  readonly #newChanges: Change[] = [];
  readonly #knownSteps: Step[] = [];

  add(source: object, change: Change<never>): void {
    this.changes.set(source, [...(this.changes.get(source) ?? []), change]);
    this.#newChanges.push(change);
  }

  /** The steps, the latest first. */
  get #steps(): readonly Step[] {
    const steps = this.#knownSteps;
    for (const change of this.#newChanges.splice(0)) {
      if (steps[0]?.commits.at(-1) !== change.commits.at(-1))
        steps.unshift({ ...change, formerVersions: new Map() });
      addFormerVersions((steps[0] as Step).formerVersions, change.before, change.after, true);
    }
    return steps;
  }

  /** `value` without the changes that are not included. */
  valueIncluding<T>(value: T, isIncluded: (commits: CommitIds) => boolean): T {
    let result = value;
    // lists first: the entities that an included commit adds to a list may have pending changes
    for (const includesLists of [true, false]) {
      const repeated: Change<T>[] = [];
      for (const { formerVersions, ...step } of this.#steps) {
        const after = result;
        result = versionIn(formerVersions, after, includesLists) as T;
        if (result !== after && isIncluded(step.commits))
          repeated.unshift({ ...step, before: result, after });
      }
      result = repeatChanges(result, repeated);
    }
    return result;
  }
}

/** Adds the entities in `after`, and the list that is the value, each with the former version in `before`. */
function addFormerVersions(
  formerVersions: Map<unknown, unknown>,
  before: unknown,
  after: unknown,
  isValue = false,
): void {
  if (before === after || formerVersions.has(after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    // a default may be the same list in several entities
    if (isValue && after.length > 0) formerVersions.set(after, before);
    const find = findIn(before);
    for (const member of after) addFormerVersions(formerVersions, find(member), member);
  } else if (areVersions(before, after)) {
    const isPlain = isPlainObject(after);
    if (!isPlain) formerVersions.set(after, before);
    for (const [name, field] of Object.entries(after as object))
      addFormerVersions(
        formerVersions,
        (before as Record<string, unknown>)[name],
        field,
        isValue && isPlain,
      );
  }
}

/** `value` with these versions of the objects in it. */
function versionIn(
  versions: ReadonlyMap<unknown, unknown>,
  value: unknown,
  includesLists: boolean,
  results: Map<unknown, unknown> = new Map(),
): unknown {
  const isList = Array.isArray(value);
  const known = (includesLists || !isList ? versions.get(value) : undefined) ?? results.get(value);
  if (known !== undefined) return known;
  if (!isList && !isPlainObject(value) && pkOf(value) === undefined) return value;
  // entities may refer to each other in a cycle
  results.set(value, value);
  let version: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value as object)) {
    const other = versionIn(versions, field, includesLists, results);
    if (other === field) continue;
    version ??= isList ? ([...(value as unknown[])] as never) : copyOf(value as object);
    version[name] = other;
  }
  if (version === undefined) return value;
  results.set(value, Object.freeze(version));
  return version;
}
