/** The fields of an entity with what is stored in them: nested things as records, what a getter tells as computed. */
import type { EntityContent } from '../../store/EntityContent.ts';
import type { EntityRecord } from '../../store/EntityRecord.ts';
import { fieldsOf } from './inspect.ts';

export type EntityFields = ReadonlyMap<string, unknown>;

/** `content`: what readers see, or what is confirmed. Undefined where it is missing. */
export function entityFields(
  { kind }: EntityRecord,
  content: EntityContent | undefined,
): EntityFields | undefined {
  if (content === undefined) return undefined;
  const fields = new Map(fieldsOf(content.fields));
  kind.plan.nested.forEach(({ name }, at) => fields.set(name, content.nodes[at]));
  return fields;
}
