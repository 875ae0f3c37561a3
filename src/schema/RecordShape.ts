/** The shape that records with the same fields share, computed once instead of for each row of a response. */
import type { EntityDescriptor } from './EntityDescriptor.ts';
import { isPlainObject, setOwn } from './equal.ts';
import type { Fields } from './schema.ts';

/*
 *   class Todo { id = 0; title = ''; note = ''; author = User.fromJS(); get short() {…} }
 *
 *   {id: 5, title: 'x', short: 'y', author: {…}}    names            id title short author
 *                                                   plainNames         id title   copied to an instance as given
 *                                                   nestedIndexes    [0]        indexes of nested members: author
 *                                                   absentNames      note       fields that older data may still have
 */
export interface RecordShape {
  /** The names of the fields that have a value. */
  readonly names: readonly string[];
  readonly plainNames: readonly string[];
  readonly nestedIndexes: readonly number[];
  readonly absentNames: readonly string[];
  /** Time 0 for each field in `absentNames`. */
  readonly absentTimes: Readonly<Record<string, number>> | undefined;
  /** All fields are own or nested members, so that one Object.assign copies them to an instance. */
  readonly isAssignable: boolean;
  /** A value that the store computes for one record of this shape, and reuses for the next. */
  writeMemo: object | undefined;
}

export function createRecordShape(
  fields: Fields,
  { nestedIndexes, computedFields, declaredFields }: EntityDescriptor,
): RecordShape {
  const names: string[] = [];
  const own: string[] = [];
  const places: number[] = [];
  let all = 0;
  for (const name of Object.keys(fields)) {
    all++;
    if (fields[name] === undefined) continue;
    names.push(name);
    const place = nestedIndexes.get(name);
    if (place !== undefined) places.push(place);
    else if (!computedFields.has(name)) own.push(name);
  }
  const left: string[] = [];
  let times: Record<string, number> | undefined;
  for (const name of declaredFields)
    if (!names.includes(name)) {
      left.push(name);
      setOwn((times ??= {}), name, 0);
    }
  return {
    names,
    plainNames: own,
    nestedIndexes: places,
    absentNames: left,
    absentTimes: times,
    isAssignable: own.length + places.length === all && !names.includes('__proto__'),
    writeMemo: undefined,
  };
}

/** True if other fields have this shape, each with a value. */
export function hasRecordShape(fields: Fields, { names }: RecordShape): boolean {
  if (!isPlainObject(fields)) return false;
  let at = 0;
  for (const name in fields) {
    if (name !== names[at++] || fields[name] === undefined) return false;
  }
  return at === names.length;
}
