/** Runs the validation of an entity class before a record is stored. */
import { badDataError } from './badDataError.ts';
import type { NamedEndpoint } from './badDataError.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { isStandard, validateStandard } from './StandardSchemaV1.ts';
import type { Fields } from './schema.ts';

/** Throws S6 if `validate`, a function or a Standard Schema, rejects a record. */
export function validateEntity(
  Class: EntityStatics,
  pk: string,
  fields: Fields,
  endpoint: NamedEndpoint | undefined,
): void {
  const { validate } = Class;
  const reason = isStandard(validate)
    ? validateStandard(validate, fields).reason
    : validate.call(Class, fields);
  if (typeof reason !== 'string' || reason === '') return;
  throw badDataError('S6', { entity: Class.key, pk, reason }, endpoint);
}
