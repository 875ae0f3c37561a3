/** A development warning about lists of one response that are one list, because nothing tells them apart. */
import { warn } from '../diagnostics.ts';
import { equal } from './equal.ts';
import type { ListIdentity } from './ListIdentity.ts';
import type { ListKind, NormalizeContext, Ref } from './schema.ts';

interface Occurrence {
  readonly input: unknown;
  /** The fields of the entity around the list. */
  readonly fields: object | undefined;
}

/** The last occurrence of each list of a response. */
const occurrences: WeakMap<NormalizeContext, Map<Ref, Occurrence>> = new WeakMap();

/**
 * Warns (S21) if `list` has occurred with another input in the response, or in the same entity, unless its identity
 * comes from `nestKey`. A response may contain an entity twice, with other lists.
 */
export function warnOfSharedList(
  { title, listOrigin }: ListKind & { readonly listOrigin: ListIdentity },
  list: Ref,
  { input, parent, walk }: { input: unknown; parent: unknown; walk: NormalizeContext },
): void {
  const { nestKey, argsKey } = listOrigin.options;
  const { enclosingEntity, enclosingFields: fields, endpoint } = walk;
  if (nestKey && parent && (enclosingEntity ?? !argsKey)) return;
  const known = occurrences.get(walk) ?? new Map<Ref, Occurrence>();
  const last = known.get(list);
  const by = endpoint?.title ?? endpoint?.name ?? 'set';
  if (last && last.fields === fields && !equal(last.input, input))
    warn('S21', `${by} ${title}`, { endpoint: by, list: title });
  occurrences.set(walk, known.set(list, { input, fields }));
}
