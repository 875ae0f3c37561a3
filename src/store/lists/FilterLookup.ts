/** Filter values of a list member as text, by filter argument: from a response, a patch or the store. */
import { NULL_TEXT, UNDECIDED } from '../../schema/conditionsOf.ts';
import type { FilterValue } from '../../schema/conditionsOf.ts';
import { memberOf } from '../../schema/fieldOf.ts';
import { Ref } from '../../schema/schema.ts';
import type { ListChangeOp, ListKind, NormalizedNode } from '../../schema/schema.ts';
import { toIndexKey } from '../../schema/toPk.ts';
import type { EntityContent } from '../entities/EntityContent.ts';
import { EntityRecord } from '../entities/EntityRecord.ts';
import { canWriteField, hasLaterOwnWrite } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { StoredList } from './ListRecord.ts';
import type { ListTable } from './ListTable.ts';

export type FilterLookup = (name: string) => FilterValue;

/** Reads a field of the record's entity from `content`; of a nested entity, the primary key. */
export function filterValueIn(
  content: EntityContent | undefined,
  record: EntityRecord,
  name: string,
): FilterValue {
  if (content === undefined) return undefined;
  const node = content.nodes[record.kind.descriptor.nestedIndexes.get(name) ?? -1];
  if (node instanceof Ref) return node.pk;
  const value = memberOf(content.fields, name);
  if (value === null) return NULL_TEXT;
  return typeof value === 'object' ? UNDECIDED : toIndexKey(value);
}

/**
 * Prefers the staged fields of each member over the values of the response, except for path parameters, where the value of
 * the call comes first: `process` may have renamed fields.
 */
export function preferStagedValues(entry: ListChangeOp, { listOrigin }: ListKind): ListChangeOp {
  const filterLookups = entry.members.map((node, at): FilterLookup => {
    const lookup = entry.filterLookups[at] as FilterLookup;
    const member = node as EntityRecord;
    const { stagedPatch } = member;
    return (name) => {
      const value = filterValueIn(stagedPatch, member, name);
      // a text in the body counts where the response has a structure
      const isStaged = typeof value === 'string' && !listOrigin.isPathParam(name);
      return isStaged ? value : (lookup(name) ?? value);
    };
  });
  return { ...entry, filterLookups };
}

/**
 * Reads the stored entity: the confirmed content, or the content seen by the layer issued at logical time `issued`.
 * Members of other kinds have no fields.
 */
export function storedLookup(member: NormalizedNode, issued?: number): FilterLookup {
  if (!(member instanceof EntityRecord)) return () => undefined;
  if (issued === undefined) return (name) => knownValue(member, name);
  const content = member.contentAsOf(issued);
  return (name) => filterValueIn(content, member, name);
}

/** The confirmed value; a default that no response has contained is not known. */
export function knownValue(record: EntityRecord, name: string): FilterValue {
  return record.versions.unreceived.includes(name)
    ? undefined
    : filterValueIn(record.base, record, name);
}

/**
 * The lookup of the member at an index. Stored values that are later than the change count instead of the values of the
 * change; a move may leave out values, and then the stored ones count. `time`: the stamp of a confirmed change, or the
 * logical time of issue of an optimistic change.
 */
export function filterLookupAt(
  { op, members, filterLookups }: ListChangeOp,
  at: number,
  table: Pick<ListTable, 'kind' | 'listsWith'>,
  time?: Stamp | number,
): FilterLookup {
  const lookup = filterLookups[at] as FilterLookup;
  const member = members[at];
  if (op === 'out' || !(member instanceof EntityRecord)) return lookup;
  const { kind } = table;
  const { versions } = member;
  const stored = storedLookup(member, typeof time === 'number' ? time : undefined);
  const isStoredLater = (name: string): boolean => {
    if (typeof time !== 'object')
      return time !== undefined && hasLaterOwnWrite(name, time, versions);
    const isNamed = time.own?.has(name) === true;
    const isParam = kind.listOrigin.isPathParam(name);
    // a class with versions has decided which values are later
    if (
      (isNamed || !isParam) &&
      (member.kind.descriptor.bypassesVersioning || !canWriteField(name, time, versions))
    )
      return true;
    // params name the parent that the row had when the move was sent; a response may write a parent in another way
    const parent = (isNamed ? stored : lookup)(name);
    const isThere = ({ pk }: StoredList) => kind.filterArgs(pk)[name] === parent;
    return isParam && op === 'move' && table.listsWith(member).some(isThere) === isNamed;
  };
  return (name) =>
    (isStoredLater(name) ? stored(name) : undefined) ??
    lookup(name) ??
    (op === 'move' ? stored(name) : undefined);
}
