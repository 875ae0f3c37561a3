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

interface MemberChange {
  readonly op?: ListChangeOp['op'];
  /** Of the lists. */
  readonly kind?: ListKind;
  /** The stamp of a confirmed change, or the logical time of issue of an optimistic one. */
  readonly time?: Stamp | number;
}

/**
 * Prefers the stored value of a filter argument if it is later than the change; for a move, also if `lookup` has no value:
 * the confirmed value, or the one seen by the layer. Members of other kinds have no fields.
 */
export function withStoredFallback(
  member: StoreRecord,
  lookup: FilterLookup,
  { op = 'move', kind, time }: MemberChange = {},
): FilterLookup {
  if (!(member instanceof EntityRecord)) return lookup;
  const { base, versions } = member;
  const isLayer = typeof time === 'number';
  const content = isLayer ? member.contentAsOf(time) : base;
  const stored = (name: string) => content && filterTextOf(content, member, name);
  const isLater = (name: string) =>
    isLayer ? hasLaterOwnWrite(name, time, versions) : time && !canWriteField(name, time, versions);
  return (name) =>
    (isLater(name) && !kind?.listOrigin.isPathParam(name) ? stored(name) : undefined) ??
    lookup(name) ??
    (op === 'move' ? stored(name) : undefined);
}
