/** The fields of an entity with what is stored in them: nested things as records, what a getter tells as computed. */
import type { EntityRecord } from '../../store/EntityRecord.ts';
import { fieldsOf } from './inspect.ts';

export type EntityFields = ReadonlyMap<string, unknown>;

/** Undefined where it is missing. */
export function entityFields({ kind, instance, nodes }: EntityRecord): EntityFields | undefined {
  if (instance === undefined) return undefined;
  const fields = new Map(fieldsOf(instance));
  kind.plan.nested.forEach(({ name }, at) => fields.set(name, nodes[at]));
  return fields;
}
