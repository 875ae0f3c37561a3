/** A development warning about lists of one response that are one list, because nothing tells them apart. */
import { warn } from '../errors.ts';
import { equal } from './equal.ts';
import type { CollectionOptions } from './conditionsOf.ts';
import type { Kind, NormalizeContext, Ref } from './schema.ts';

interface Occurrence {
  readonly input: unknown;
  /** The fields of the entity around the list. */
  readonly fields: object | undefined;
}

/** What one normalization has met so far. */
interface WalkState {
  /** The fields of the entities around the current value. */
  readonly enclosing: object[];
  /** The last occurrence of each list. */
  readonly lists: Map<Ref, Occurrence>;
}

const walkStates: WeakMap<NormalizeContext, WalkState> = new WeakMap();

function walkStateOf(walk: NormalizeContext): WalkState {
  const known = walkStates.get(walk) ?? { enclosing: [], lists: new Map<Ref, Occurrence>() };
  walkStates.set(walk, known);
  return known;
}

/** Called before the members of an entity are normalized. */
export function enterEntity(walk: NormalizeContext, fields: object): void {
  walkStateOf(walk).enclosing.push(fields);
}

/** Called after the members of an entity are normalized. */
export function leaveEntity(walk: NormalizeContext): void {
  walkStateOf(walk).enclosing.pop();
}

/**
 * Warns (S21) if `list` has occurred with another input in the response, or in the same entity, unless its identity
 * comes from `nestKey`. A response may contain an entity twice, with other lists.
 */
export function warnOfSharedList(
  kind: Kind & { readonly listOrigin: { readonly options: CollectionOptions } },
  list: Ref,
  place: { readonly input: unknown; readonly parent: unknown; readonly walk: NormalizeContext },
): void {
  const { input, parent, walk } = place;
  const { nestKey, argsKey } = kind.listOrigin.options;
  const { enclosing, lists } = walkStateOf(walk);
  if (nestKey && parent && (walk.enclosingEntity ?? !argsKey)) return;
  const last = lists.get(list);
  const fields = enclosing.at(-1);
  const { title, name = 'set' } = walk.endpoint ?? {};
  const about = { endpoint: title ?? name, list: kind.title };
  if (last && last.fields === fields && !equal(last.input, input))
    warn('S21', `${about.endpoint} ${kind.title}`, about);
  lists.set(list, { input, fields });
}
