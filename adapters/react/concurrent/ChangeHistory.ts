/** The changes of pending commits: a reader that mounts meanwhile derives the former versions of its value from them. */
import { isPlainObject } from '../../../src/schema/fieldOf.ts';
import type { SetUpdate } from '../../../src/store/StorePort.ts';
import { areVersions, copyOf, findIn, pkOf } from './rebase.ts';

/** Numbers of store commits that are not rendered everywhere yet; a new array for each update of the provider. */
export type CommitIds = readonly number[];

/** The change of a value by a store commit, or by several that are not distinguished. */
export interface Change<T = unknown> {
  readonly commits: CommitIds;
  readonly before: T;
  readonly after: T;
  readonly replay: SetUpdate | undefined;
}

/** The changes of all sources by the same commits: `formerVersions` are the former versions of the objects after it. */
type Step = Pick<Change, 'commits' | 'replay'> & { readonly formerVersions: Map<unknown, unknown> };

/*
 *   source 1, with readers      A5 ──7──► A6 ──8──► A7           recorded: `before` and `after` of each commit
 *   source 2, not read so far   [A5, B] ◄──7── [A6, B] ◄──8── [A7, B]           derived from these, backwards
 */
export class ChangeHistory {
  #changes: Change[] = [];
  #steps: readonly Step[] | undefined;

  add(change: Change): void {
    this.#changes.push(change);
    this.#steps = undefined;
  }

  clear(): void {
    this.#changes = [];
    this.#steps = undefined;
  }

  /** The changes that led to `present`. */
  changesOf<T>(present: T): Change<T>[] {
    const changes: Change<T>[] = [];
    const steps = (this.#steps ??= stepsOf(this.#changes));
    let after = present;
    for (const { formerVersions, ...step } of steps) {
      const before = formerVersionOf(after, formerVersions, new Map()) as T;
      if (before !== after) changes.unshift({ ...step, before, after });
      after = before;
    }
    return changes;
  }
}

/** The steps, the latest first. */
function stepsOf(changes: readonly Change[]): Step[] {
  const steps: Step[] = [];
  for (const { commits, before, after, replay } of changes) {
    let step = steps[0];
    if (step === undefined || step.commits.at(-1) !== commits.at(-1))
      steps.unshift((step = { commits, replay, formerVersions: new Map() }));
    addFormerVersions(step.formerVersions, before, after, true);
  }
  return steps;
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

/** `value` with the former versions of the objects in it. */
function formerVersionOf(
  value: unknown,
  formerVersions: Map<unknown, unknown>,
  results: Map<unknown, unknown>,
): unknown {
  const known = formerVersions.get(value) ?? results.get(value);
  if (known !== undefined) return known;
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value) && pkOf(value) === undefined) return value;
  // entities may refer to each other in a cycle
  results.set(value, value);
  let former: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value as object)) {
    const formerField = formerVersionOf(field, formerVersions, results);
    if (formerField === field) continue;
    former ??= isList ? ([...(value as unknown[])] as never) : copyOf(value as object);
    former[name] = formerField;
  }
  if (former === undefined) return value;
  results.set(value, Object.freeze(former));
  return former;
}
