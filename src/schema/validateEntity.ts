/** Runs the validation of an entity class before a record is stored. */
import type { SignalboxError } from '../diagnostics.ts';
import { badDataError } from './badDataError.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { isStandard, validateStandard } from './StandardSchemaV1.ts';
import type { Args, Fields } from './schema.ts';

/** Throws S6 if `validate`, a function or a Standard Schema, rejects a record. */
export function validateEntity(
  Class: EntityStatics,
  pk: string,
  fields: Fields,
  endpoint: string | undefined,
): void {
  const { validate } = Class;
  const reason = isStandard(validate)
    ? validateStandard(validate, fields).reason
    : validate.call(Class, fields);
  if (typeof reason !== 'string' || reason === '') return;
  throw badDataError('S6', { entity: Class.key, pk, reason }, endpoint);
}

/** S1: a record without a primary key; `record` and what `pk` gets with it. */
export function noKeyError(
  Class: EntityStatics,
  record: readonly [fields: unknown, parent: unknown, key: string, args: Args],
  endpoint: string | undefined,
): SignalboxError {
  const value = Class.pk(...record);
  const members = Object.keys(record[0] as Fields);
  return badDataError('S1', { entity: Class.key, value, members }, endpoint);
}
