/** What products and tools use of the store: the only file of this folder that they import. */
import { tableKeysIn } from '../schema/kindOf.ts';
import type { Kind } from '../schema/schema.ts';
import { ListTable } from './lists/ListTable.ts';
import type { Store } from './Store.ts';

/** True if members of the lists in `kind` have entered or left by anything other than a read. */
export function hasMembershipWrites({ tables }: Store, kind: Kind): boolean {
  return tableKeysIn(kind).some((identity) => {
    const table = tables.get(identity);
    return table instanceof ListTable && table.hasMembershipWrites;
  });
}
