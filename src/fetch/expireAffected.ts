/** Expires what a commit leaves uncertain: a mutation without a response, and lists that may have other members now. */
import { ObjectNode } from '../schema/containers.ts';
import { kindOf } from '../schema/kindOf.ts';
import { tablesIn } from '../schema/tablesIn.ts';
import type { Args, Kind, Node, Schema } from '../schema/schema.ts';
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
export function expireAffected(
  store: Store,
  { schema, args }: { readonly schema: Schema; readonly args: Args },
  again: Set<ResultRecord>,
): Write {
  const outdated = { schema, args };
  if (schema === undefined) return outdated;
  store.complete?.();
  const kind = kindOf(schema, 'schema');
  const results = resultsShowing(store, changedBy(store, kind, args));
  const time = expireResults(store, results);
  // the responses of requests in flight may be older than this mutation
  for (const identity of tablesIn(kind)) {
    const table = store.tables.get(identity);
    if (table !== undefined) table.writtenAt = time;
  }
  for (const result of results) again.add(result);
  return outdated;
}

/** Returns the logical time of the expiry. */
export function expireResults(store: Store, results: Iterable<ResultRecord>): number {
  const time = store.tick();
  for (const result of results) result.expire(time);
  return time;
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
export function resultsShowing(store: Store, changed: Set<Record>): Set<ResultRecord> {
  const results = new Set<ResultRecord>();
  for (const record of changed) {
    if (record instanceof ResultRecord) results.add(record);
    // for readers that come later, also under layers
    if (record instanceof EntityRecord) record.stamp = { ...record.known.stamp, expiresAt: 0 };
    // a set that grows while it is walked is walked to its end
    for (const parent of record.allParents) changed.add(parent);
  }
  return results;
}

/*
 *   a confirmed creation, move or deletion        the list                 its responses
 *   ────────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a list whose filters it meets, or not         updated at once          expire where they also hold a count
 *   a numbered page, a search, a list at          shows what is certain    expire
 *   another address
 */

const NONE: ReadonlySet<ResultRecord> = new Set();

/** Gives the requests that must be sent again. */
export function expireLists(store: Store, allowed: boolean): ReadonlySet<ResultRecord> {
  const changes = store.changes.take();
  if (!allowed || changes === undefined) return NONE;
  const { updated, uncertain } = changes;
  for (const list of uncertain) list.stamp = { ...list.stamp, expiresAt: 0 };
  const results = resultsShowing(store, new Set<Record>(uncertain));
  for (const list of updated)
    for (const parent of list.allParents)
      if (parent instanceof ResultRecord && holdsCount(parent.node)) results.add(parent);
  expireResults(store, results);
  return results;
}

/** True for an envelope that also holds a number: it may count the rows. */
function holdsCount(node: Node): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.values({ ...node.rest, ...node.inner }).some((value) => typeof value === 'number');
}
