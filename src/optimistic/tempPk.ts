/** Temporary primary keys: of entities that an optimistic write creates, until the server names them. */
import type { EntityDescriptor } from '../schema/EntityDescriptor.ts';
import type { Sink } from '../schema/schema.ts';

/** The temporary primary key of this number: of the type that the class declares, and unlike any server key. */
export function createTempPk(
  { declaredPkField }: EntityDescriptor,
  serial: number,
): string | number {
  hasIssuedTempIds = true;
  const isNumeric = declaredPkField?.numeric === true;
  return isNumeric ? Number.MIN_SAFE_INTEGER + serial : `temporary-${serial}`;
}

/** Returns a function that adds a temporary primary key to fields without one, if one field is the primary key. */
export function tempPkAdder(nextSerial: () => number): NonNullable<Sink['addTempPk']> {
  return (kind, fields, args) => {
    const { declaredPkField } = kind.descriptor;
    if (declaredPkField === undefined || kind.pkIn(fields, args) !== undefined) return fields;
    return { ...fields, [declaredPkField.field]: createTempPk(kind.descriptor, nextSerial()) };
  };
}

/** True once a temporary key was created. */
export let hasIssuedTempIds = false;

/** True for temporary keys that are numbers. A text key may come from a server. */
export function isNumericTempPk(pk: string): boolean {
  return /^-90071\d{11}$/.test(pk);
}
