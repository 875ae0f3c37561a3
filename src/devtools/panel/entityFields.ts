/** The stored fields of an entity: nested entities as records, values of getters as computed. */
import type { EntityContent } from '../../store/entities/EntityContent.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import { fieldsOf } from './inspect.ts';

export type EntityFields = ReadonlyMap<string, unknown>;

/** `content`: the content that readers see, or the confirmed content. Undefined if it is missing. */
export function entityFields(
  { kind }: EntityRecord,
  content: EntityContent | undefined,
): EntityFields | undefined {
  if (content === undefined) return undefined;
  const fields = new Map(fieldsOf(content.fields));
  kind.descriptor.nested.forEach(({ name }, at) => fields.set(name, content.nodes[at]));
  return fields;
}
