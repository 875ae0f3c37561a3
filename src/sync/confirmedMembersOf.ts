/** The confirmed members of a list or a map, with their keys in a map; undefined if none were received. */
import { ListRecord } from '../store/lists/ListRecord.ts';
import type { MapRecord } from '../store/lists/MapRecord.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';

export function confirmedMembersOf(
  list: ListRecord | MapRecord,
): readonly (readonly [member: StoreRecord, key?: string])[] | undefined {
  if (list instanceof ListRecord) return list.base?.map((member) => [member]);
  return list.base && Array.from(list.base, ([key, member]) => [member, key]);
}
