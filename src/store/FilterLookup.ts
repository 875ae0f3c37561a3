/** Filter values of a list member as text, by filter argument: from a response, a patch or the store. */
import { toIndexKey } from '../schema/EntityDescriptor.ts';
import { Ref } from '../schema/schema.ts';
import type { ListChangeOp, ListKind } from '../schema/schema.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { EntityContent } from './EntityContent.ts';
import type { StoreRecord } from './StoreRecord.ts';
import { canWriteField, hasLaterOwnWrite } from './versioning.ts';
import type { Stamp } from './versioning.ts';

export type FilterLookup = (name: string) => string | undefined;

export const EMPTY_LOOKUP: FilterLookup = () => undefined;

/** The text of one field; a nested entity counts as its primary key. */
function filterTextOf(
  { fields, nodes }: EntityContent,
  { kind }: EntityRecord,
  name: string,
): string | undefined {
  const node = nodes[kind.descriptor.nestedIndexes.get(name) ?? -1];
  return node instanceof Ref ? node.pk : toIndexKey(fields[name]);
}

/**
 * Prefers the staged fields of each member over the values of the response, since `process` may have renamed fields.
 * For a path parameter, the value of the call comes first.
 */
export function preferStagedValues(
  entry: ListChangeOp,
  kind: ListKind,
  stagedContentOf: (member: EntityRecord) => EntityContent | undefined,
): ListChangeOp {
  const filterLookups = entry.members.map((node, at): FilterLookup => {
    const lookup = entry.filterLookups[at] as FilterLookup;
    const content = stagedContentOf(node as EntityRecord);
    const field = (name: string) => content && filterTextOf(content, node as EntityRecord, name);
    return (name) =>
      kind.listOrigin.isPathParam(name)
        ? (lookup(name) ?? field(name))
        : (field(name) ?? lookup(name));
  });
  return { ...entry, filterLookups };
}

/**
 * Prefers the stored value of a field over an older one, and for a move falls back to the stored entity if `lookup` has no
 * value for a filter argument: to its confirmed content, or to the content seen by the layer. Members of other kinds have
 * no fields. `time`: the stamp of a confirmed change, or the logical time of issue of a layer; with the kind of its lists.
 */
export function withStoredFallback(
  member: StoreRecord,
  lookup: FilterLookup,
  time?: Stamp | number,
  kind?: ListKind,
  isMove = true,
): FilterLookup {
  if (!(member instanceof EntityRecord)) return lookup;
  const { base, versions } = member;
  const isLayer = typeof time === 'number';
  const content = isLayer ? member.contentAsOf(time) : base;
  const stored = (name: string) => content && filterTextOf(content, member, name);
  const isOutdated = (name: string) =>
    isLayer ? hasLaterOwnWrite(name, time, versions) : time && !canWriteField(name, time, versions);
  return (name) =>
    (isOutdated(name) && kind?.listOrigin.isPathParam(name) === false ? stored(name) : undefined) ??
    lookup(name) ??
    (isMove ? stored(name) : undefined);
}
