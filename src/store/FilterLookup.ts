/** What is said of members on their way into lists, and known of them: by the names of filter arguments, as text. */
import { indexText } from '../schema/EntityPlan.ts';
import { Ref } from '../schema/schema.ts';
import type { Entry, ListKind } from '../schema/schema.ts';
import { EntityRecord } from './EntityRecord.ts';
import type { EntityContent } from './EntityContent.ts';
import type { StoreRecord } from './StoreRecord.ts';

export type FilterLookup = (name: string) => string | undefined;

export const NO_FILTER_VALUES: FilterLookup = () => undefined;

/** Of fields; a nested entity counts as its primary key. */
function textIn(
  { fields, nodes }: EntityContent,
  { kind }: EntityRecord,
  name: string,
): string | undefined {
  const node = nodes[kind.plan.positions.get(name) ?? -1];
  return node instanceof Ref ? node.pk : indexText(fields[name]);
}

/**
 * With what is laid of each member before what its answer says: `process` may have given fields other names. A param of
 * the path is what the call says.
 */
export function withStagedValues(
  entry: Entry,
  kind: ListKind,
  laid: (member: EntityRecord) => EntityContent | undefined,
): Entry {
  const values = entry.members.map((node, at): FilterLookup => {
    const said = entry.values[at] as FilterLookup;
    const image = laid(node as EntityRecord);
    const field = (name: string) => image && textIn(image, node as EntityRecord, name);
    return (name) =>
      kind.at.isPathParam(name) ? (said(name) ?? field(name)) : (field(name) ?? said(name));
  });
  return { ...entry, values };
}

/**
 * Where an answer says nothing of a filter argument, the entity may, as it is confirmed or as the layer issued at this
 * logical time sees it; members of other kinds have no fields.
 */
export function withStoredValues(
  member: StoreRecord,
  said: FilterLookup,
  issued?: number,
): FilterLookup {
  if (!(member instanceof EntityRecord)) return said;
  const content = issued === undefined ? member.base : member.contentBefore(issued);
  return (name) => said(name) ?? (content && textIn(content, member, name));
}
