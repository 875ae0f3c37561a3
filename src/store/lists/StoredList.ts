/** Lists and maps. */
import { append, EMPTY } from '../records/append.ts';
import type { ListRecord } from './ListRecord.ts';
import type { MapRecord } from './MapRecord.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

export type StoredList = ListRecord | MapRecord;

export function isStoredList(record: object): record is StoredList {
  return 'removeMember' in record;
}

/**
 * The lists that show `member`, and lists of `pending` (lists with optimistic writes) in which an optimistic write
 * hides it or will insert it.
 */
export function containingLists(member: StoreRecord, pending: Iterable<StoredList>): StoredList[] {
  let lists: StoredList[] = EMPTY;
  for (const parent of member.allParents) if (isStoredList(parent)) lists = append(lists, parent);
  for (const list of pending)
    if (!lists.includes(list) && list.containsAnywhere(member)) lists = append(lists, list);
  return lists;
}
