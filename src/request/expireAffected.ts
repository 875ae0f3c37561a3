/** Expires uncertain results: after mutations without a response, and of lists with unclear members. */
import { collectTopEntities } from '../schema/EntityKind.ts';
import { kindOf, kindsIn, tableKeysIn } from '../schema/kindOf.ts';
import type { Args, NormalizedNode, Schema } from '../schema/schema.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import { addUncertainLists } from '../store/writes/ListChanges.ts';
import type { Draft } from '../store/writes/Draft.ts';
import type { ListChanges } from '../store/writes/ListChanges.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { StoredList } from '../store/lists/ListRecord.ts';
import type { Table } from '../store/lists/ListTable.ts';
import type { PartialResponse } from './completeResponse.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { policyOf } from './FetchContext.ts';
import type { FetchContext } from './FetchContext.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { contestedEntities } from './Inflight.ts';

/**
 * Expires the results that a mutation without a response affects. Their data stay stored. Mounted views refetch at once
 * (`revalidate`), other readers with the next read. Affected is the entity that the arguments identify, and, if the new
 * values are not known, each list with filters; for a creation, each list that the entity may have entered; otherwise
 * everything that the response could have contained. Results to refetch are added to `again`.
 */
export function expireAffected(
  store: Store,
  { schema, args }: { readonly schema: Schema; readonly args: Args },
  again: Set<ResultRecord>,
): void {
  if (schema === undefined) return;
  store.loadAll();
  const kind = kindOf(schema, 'schema');
  const node = kind.queryKey?.(args, store);
  const deleted = [...kindsIn(kind)].flatMap((each) => each.deletedEntities?.() ?? []);
  const identities = [...tableKeysIn(kind), ...deleted.map(({ tableKey }) => tableKey)];
  const tables = identities.flatMap((identity) => store.tables.get(identity) ?? []);
  const changed = affectedRecords(node, tables);
  const [named] = changed;
  // only a stored row, which has the fields that were sent, tells which fields have changed
  if (named instanceof EntityRecord && !(node && named.isConfirmed && args.length > 1))
    for (const table of store.tablesFollowing(named.kind.tableKey))
      addUncertainLists(store, table.records.values());
  const results = expire(store, changed);
  // the responses of requests in flight may be older than this mutation
  for (const table of tables) table.lastOwnWriteTime = store.time;
  for (const result of results) again.add(result);
}

function affectedRecords(node: NormalizedNode, tables: readonly Table[]): Set<StoreRecord> {
  const changed = recordsIn(node);
  const [named] = changed;
  if (named instanceof EntityRecord || (named as StoredList | undefined)?.base) return changed;
  // a list that is not stored: what was changed is in other lists
  const lists = tables.filter(({ kind }) => !named && kind.stores === 'list');
  for (const { records } of lists.length > 0 ? lists : tables) {
    for (const record of records.values()) changed.add(record);
  }
  return changed;
}

/** Expires the entities of `changed`, the entities and results made of them, and `results`. Returns all results. */
function expire(
  store: Store,
  changed: Set<StoreRecord>,
  results?: Set<ResultRecord>,
): Set<ResultRecord> {
  const all = expireEntities(store, changed, results);
  store.tick();
  expireResults(store, all);
  return all;
}

/** As `expire`, but expires no result. */
function expireEntities(
  store: Store,
  changed: Set<StoreRecord>,
  results: Set<ResultRecord> = new Set(),
): Set<ResultRecord> {
  for (const record of changed) {
    if (record instanceof ResultRecord) results.add(record);
    // also for later readers, and while layers are pending
    if (record instanceof EntityRecord) record.stamp = { ...record.versions.stamp, expiresAt: 0 };
    // iteration over a set includes members that are added meanwhile
    for (const parent of record.allParents) if (!parent.isRelated) changed.add(parent);
    // lists in which an optimistic deletion hides the record
    for (const list of store.layers.pendingLists)
      if (list.containsAnywhere(record)) changed.add(list);
  }
  return results;
}

/** Expires results as of now. */
export function expireResults({ time }: Store, results: Iterable<ResultRecord> = EMPTY): void {
  for (const result of results) result.expire(time);
}

/** What a response leaves uncertain. */
export interface UncertainResponse {
  /** See `CompletedResponse`. */
  readonly partial: PartialResponse | undefined;
  readonly request: InFlightRequest;
  readonly stamp: Stamp;
  readonly node: NormalizedNode;
  readonly draft: Draft;
}

/**
 * Expires, as `expireAffected` does, the entities whose fields a response has left out, and those that a push contests.
 * Returns the entries of the commit event.
 */
export function expireUncertain(
  store: Store,
  { partial, request, stamp, node, draft }: UncertainResponse,
  again: Set<ResultRecord>,
): { readonly schema: Schema; readonly args: Args }[] {
  const records = new Set(contestedEntities(request, stamp, { node, draft }));
  if (partial)
    for (const record of recordsIn(node))
      if (record instanceof EntityRecord && record.kind.tableKey === partial.kind.tableKey)
        records.add(record);
  // an update may give a row of a union another class: whoever shows the row has the row of the former class
  if (node instanceof EntityRecord) {
    const kinds = collectTopEntities(kindOf(request.endpoint.schema, ''));
    const isUnion = kinds.length > 1 && node.kind.pkInArgs(request.args) === node.pk;
    for (const { tableKey } of isUnion ? kinds : EMPTY) {
      const former = store.tables.get(tableKey)?.records.get(node.pk);
      if ([...(former?.allParents ?? EMPTY)].some((parent) => !node.hasParent(parent)))
        records.add(former as EntityRecord);
    }
  }
  return Array.from(records, ({ kind, pk }) => {
    // with a body, because the fields of the entity are stored
    const args = partial?.isChangeUnknown ? [pk] : [pk, null];
    const write = { schema: kind.Class as Schema, args };
    expireAffected(store, write, again);
    return write;
  });
}

/*
 *   a confirmed creation, move or deletion        the list                 the responses
 *   ────────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a list with filters, met or not               updated at once          expire if these also hold a count
 *   a list in numbered pages                      updated at once          expire from the changed page on
 *   a numbered page, a search, a list at          shows certain members    expire
 *   another address
 */

// a server whose lists contradict each other would be asked without end
const MAX_REFETCHES = 5;

/**
 * Expires the lists that commits have made uncertain, unless a policy keeps them. A chain of reads, each of which expires
 * the list of the next read, ends after MAX_REFETCHES. Returns the results to refetch.
 */
export function expireLists(
  context: FetchContext,
  cause: InFlightRequest | undefined,
): ReadonlySet<ResultRecord> {
  const { store } = context;
  const { counting, uncertain, contested, pages } = store.affectedLists as ListChanges;
  store.affectedLists = undefined;
  const refetchDepth = cause?.read ? cause.refetchDepth + 1 : 0;
  const policies = cause?.endpoint ?? {};
  if (refetchDepth > MAX_REFETCHES || policyOf(context, policies, 'revalidateLists') === false)
    return new Set();
  for (const list of uncertain) {
    store.beforeWrite(list);
    list.stamp = { ...list.stamp, expiresAt: 0 };
  }
  const doubtful = expireEntities(store, contested);
  // reads that were issued after the last own write have the data of the server
  for (const result of doubtful) result.expire(store.lastOvertakenTime(result));
  const counted = new Set(counting);
  const results = expire(store, new Set<StoreRecord>(uncertain), counting);
  const { time } = store;
  for (const [result, from] of pages) {
    const isUncertain = results.has(result) && !counted.has(result);
    result.pages?.markChanged(isUncertain ? 0 : from, time);
    if (from < Infinity && result.pages?.isNumbered) {
      result.expire(time);
      results.add(result);
    }
  }
  // the responses of reads in flight may be older than the change
  for (const result of results) result.uncertainSince = time;
  const all = new Set([...results, ...doubtful]);
  for (const result of all) result.refetchDepth = refetchDepth;
  return all;
}
