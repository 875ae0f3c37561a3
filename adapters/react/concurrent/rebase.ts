/** Repeats a write on a value that lacks an earlier write: React renders urgent writes before pending transitions. */
import { isObject, isPlainObject } from '../../../src/schema/fieldOf.ts';
import type { SetUpdate } from '../../../src/store/StorePort.ts';

type Fields = Record<string, unknown>;
type List = readonly unknown[];
type Keyed = { pk?: () => unknown } | null | undefined;

/**
 * `value` with all changes of the write between `before` and `after`. A function that was passed to `set` is called
 * with the entity of `value`; for other writes the changed fields and list members are applied.
 */
export function rebase<T>(value: T, before: T | undefined, after: T, replay?: SetUpdate): T {
  const results = new Map<unknown, unknown>();
  return rebaseValue({ replay, results }, value, before, after);
}

/** A write that is repeated. */
interface Repetition {
  readonly replay: SetUpdate | undefined;
  /** The results of objects: entities may refer to each other in a cycle. */
  readonly results: Map<unknown, unknown>;
}

function rebaseValue<T>(repetition: Repetition, value: T, before: T | undefined, after: T): T {
  if (value === before || before === after) return before === after ? value : after;
  const states = [value, before, after];
  if (states.every(Array.isArray))
    return rebaseList(repetition, value as List, before as List, after as List) as T;
  if (!areVersions(before, after)) return after;
  // the earlier write has put another entity here, which this write does not change
  if (!areVersions(value, before)) return isPlainObject(before) ? after : value;
  const { replay, results } = repetition;
  if (results.has(value)) return results.get(value) as T;
  const result = copyOf(value as object);
  results.set(value, result);
  const replayed = replay && replay.present === before ? replayFields(replay, value) : {};
  for (const [name, fieldAfter] of Object.entries(after as Fields)) {
    const fieldBefore = (before as Fields)[name];
    if (fieldBefore === fieldAfter) continue;
    const field = replayed[name];
    result[name] =
      field === undefined || isObject(field)
        ? rebaseValue(repetition, (value as Fields)[name], fieldBefore, fieldAfter)
        : field;
  }
  return Object.freeze(result) as T;
}

/**
 * The result of the function for `value`; no fields after an exception, since the function may depend on the earlier
 * write.
 */
function replayFields({ update }: SetUpdate, value: unknown): Fields {
  try {
    return update(value) as Fields;
  } catch {
    return {};
  }
}

export const copyOf = (value: object): Fields =>
  Object.assign(Object.create(Object.getPrototypeOf(value) as object) as Fields, value);

/** The primary key of an entity; undefined for other values. */
export const pkOf = (value: unknown): unknown => (value as Keyed)?.pk?.();

/** True for two plain objects, and for two snapshots of one entity. Other objects (a Date) are replaced, not merged. */
export function areVersions(one: unknown, other: unknown): boolean {
  if (isPlainObject(one)) return isPlainObject(other);
  const pk = pkOf(one);
  return pk !== undefined && pk === pkOf(other) && one?.constructor === other?.constructor;
}

/** Entities are identified by their primary key, other members by identity. */
const identityOf = (member: unknown): unknown => pkOf(member) ?? member;

/** Returns a lookup of the version of a member in `list`. */
export function findIn(list: List): (member: unknown) => unknown {
  const members = new Map(list.map((member) => [identityOf(member), member]));
  return (member) => members.get(identityOf(member));
}

function rebaseList(repetition: Repetition, list: List, before: List, after: List): List {
  const inList = findIn(list);
  const inBefore = findIn(before);
  const rebased = after.flatMap((member) => {
    const former = inBefore(member);
    const present = inList(member);
    if (present === undefined) return former === undefined ? [member] : [];
    return [rebaseValue(repetition, present, former ?? member, member)];
  });
  // members that the earlier write removed
  list.forEach((member, at) => {
    if (inBefore(member) === undefined && !rebased.includes(member)) rebased.splice(at, 0, member);
  });
  return Object.freeze(rebased);
}
