/** The fields of an entity as they are persisted: nested values serialized. */
import { setOwn } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Fields } from '../schema/schema.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { NodeSerializer } from './NodeSerializer.ts';

export function storedFieldsOf(
  record: EntityRecord,
  { fields, nodes }: EntityContent,
  serializer: NodeSerializer,
): Fields {
  const { nested, nestedIndexes } = record.kind.descriptor;
  const stored: Fields = {};
  // a default of a field that was never received is not kept
  for (const [name, value] of Object.entries(fields))
    if (!nestedIndexes.has(name) && !record.versions.unreceived.includes(name))
      setOwn(stored, name, value);
  nested.forEach(({ name, kind: inner }, at) => {
    const value = nodes[at] === undefined ? undefined : serializer.serialize(inner, nodes[at]);
    if (value !== undefined && value !== INVALID) setOwn(stored, name, value);
  });
  return stored;
}
