/** What a mutation leaves behind that was answered by nothing: something is different now, and nobody said how. */
import { kindOf } from '../schema/kindOf.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import type { Args, Kind, Schema } from '../schema/schema.ts';
import { EntityRecord } from '../store/EntityRecord.ts';
import { eachRecord } from '../store/eachRecord.ts';
import type { Record } from '../store/Record.ts';
import { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { Write } from './Events.ts';

/**
 * What is known stays and counts as expired wherever it is shown: those who show it are to ask again now (`revalidate`),
 * all others when they are read. Which entity: the one that the arguments identify; for a creation, all lists that it
 * may have entered; else all that the answer could have told of. `again` takes the requests. Gives what events tell of it.
 */
export function outdate(
  store: Store,
  { schema, args }: { readonly schema: Schema; readonly args: Args },
  again: Set<ResultRecord>,
): Write {
  const outdated = { schema, args };
  if (schema === undefined) return outdated;
  const kind = kindOf(schema, 'schema');
  const results = showing(store, changedBy(store, kind, args));
  const time = store.tick();
  // requests on their way were answered before this, perhaps
  for (const identity of tablesIn(kind)) {
    const table = store.tables.get(identity);
    if (table !== undefined) table.writtenAt = time;
  }
  for (const result of results) {
    result.expire(time);
    again.add(result);
  }
  return outdated;
}

function changedBy(store: Store, kind: Kind, args: Args): Set<Record> {
  const changed = new Set<Record>();
  eachRecord(kind.infer?.(args, store), (record) => changed.add(record));
  if (changed.size > 0) return changed;
  const tables = tablesIn(kind).flatMap((identity) => store.tables.get(identity) ?? []);
  const lists = tables.filter((table) => table.kind.stores === 'list');
  for (const { records } of lists.length > 0 ? lists : tables) {
    for (const record of records.values()) changed.add(record);
  }
  return changed;
}

/** The requests whose data show one of these. */
export function showing(store: Store, changed: Set<Record>): Set<ResultRecord> {
  const results = new Set<ResultRecord>();
  for (const record of changed) {
    if (record instanceof ResultRecord) results.add(record);
    // for readers who are still to come, also under layers
    if (record instanceof EntityRecord) record.stamp = { ...record.known.stamp, expiresAt: 0 };
    // a set that grows while it is walked is walked to its end
    for (const parent of record.allParents) changed.add(parent);
  }
  return results;
}
