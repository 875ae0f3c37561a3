/** Repeats a write on a value that lacks an earlier write: React renders urgent writes before pending transitions. */
import { isObject } from '../../../src/schema/fieldOf.ts';
import type { SetUpdate } from '../../../src/store/StorePort.ts';

type Fields = Record<string, unknown>;
type List = readonly unknown[];
type Keyed = { pk?: () => unknown } | null | undefined;

/**
 * `value` with all changes of the write between `before` and `after`. A function that was passed to `set` is called
 * with the entity of `value`; for other writes the changed fields and list members are applied.
 */
export function rebase<T>(value: T, before: T | undefined, after: T, replay?: SetUpdate): T {
  if (value === before || before === after) return before === after ? value : after;
  const states = [value, before, after];
  if (states.every(Array.isArray))
    return rebaseList(value as List, before as List, after as List, replay) as T;
  if (!states.every(isObject)) return after;
  const replayed = replay && replay.present === before ? replayFields(replay, value) : {};
  const changes: Fields = {};
  for (const [name, fieldAfter] of Object.entries(after as Fields)) {
    const fieldBefore = (before as Fields)[name];
    if (fieldBefore === fieldAfter) continue;
    const field = replayed[name];
    changes[name] =
      field === undefined || isObject(field)
        ? rebase((value as Fields)[name], fieldBefore, fieldAfter, replay)
        : field;
  }
  const prototype = Object.getPrototypeOf(after) as object;
  return Object.freeze(Object.assign(Object.create(prototype) as T & object, value, changes));
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

/** Entities are identified by their primary key, other members by identity. */
const identityOf = (member: unknown): unknown => (member as Keyed)?.pk?.() ?? member;

const byIdentity = (list: readonly unknown[]): Map<unknown, unknown> =>
  new Map(list.map((member) => [identityOf(member), member]));

function rebaseList(
  list: readonly unknown[],
  before: readonly unknown[],
  after: readonly unknown[],
  replay: SetUpdate | undefined,
): readonly unknown[] {
  const listMembers = byIdentity(list);
  const membersBefore = byIdentity(before);
  const rebased = after.flatMap((member) => {
    const id = identityOf(member);
    if (!listMembers.has(id)) return membersBefore.has(id) ? [] : [member];
    return [rebase(listMembers.get(id), membersBefore.get(id) ?? member, member, replay)];
  });
  // members that the earlier write removed
  list.forEach((member, at) => {
    if (!membersBefore.has(identityOf(member)) && !rebased.includes(member))
      rebased.splice(at, 0, member);
  });
  return Object.freeze(rebased);
}
