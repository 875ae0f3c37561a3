/** Reports the fields that a record lacks, for `static validate`. */
import { hasField } from '../schema/fieldOf.ts';
import type { Fields } from '../schema/schema.ts';

/**
 * `static validate(record) { return validateRequired(record, this.defaults) || super.validate(record); }`: a message if
 * a field of `required` is absent, else undefined.
 */
// any: records of every type
export function validateRequired(record: any, required: object): string | undefined {
  const missing = Object.keys(required).filter((name) => !hasField(record as Fields, name));
  if (missing.length === 0) return undefined;
  return `Missing key ${missing.join(', ')}. Value: ${JSON.stringify(record, undefined, 2)}`;
}
