/** Distinguishes several records by required members, if no member is a discriminator. */
import type { Definition } from './Document.ts';
import { membersOf } from './Forms.ts';
import type { Shapes } from './Shapes.ts';

/** Each record with a member that it requires, and no other record has; the last record may have none. */
export type DistinctMembers = readonly (readonly [
  record: Definition,
  member: string | undefined,
])[];

/** Undefined if more than one record has no distinct member. */
export function byMembers(
  records: readonly Definition[],
  shapes: Shapes,
): DistinctMembers | undefined {
  const members = records.map((each) => membersOf(each, shapes));
  const told = records.map((record, at) => {
    const others = members.filter((_, index) => index !== at).flat();
    const own = members[at]?.find(
      ({ name, required }) => required && others.every((each) => each.name !== name),
    );
    return [record, own?.name] as const;
  });
  const [none, another] = told.filter(([, member]) => member === undefined);
  if (another !== undefined) return undefined;
  return none === undefined ? told : [...told.filter((each) => each !== none), none];
}
