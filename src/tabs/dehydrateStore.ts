/** From a store to rows for another tab: all confirmed records, in slices. */
import { INVALID } from '../schema/schema.ts';
import type { StoredKind } from '../schema/schema.ts';
import { reachableConfirmed } from '../store/records/eachRecord.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import { MapRecord } from '../store/lists/MapRecord.ts';
import { isNoStore } from '../store/records/versioning.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { storedFieldsOf } from '../sync/storedFieldsOf.ts';
import { confirmedMembersOf } from '../sync/confirmedMembersOf.ts';
import type { PersistableNames } from '../sync/PersistableNames.ts';
import type { TabMessageEncoder } from './TabMessageEncoder.ts';
import type { EntityRow, ListRow, ResponseRow, ResultRow, StoreRow } from './StoreRow.ts';
import { NodeSerializer } from '../sync/NodeSerializer.ts';
import type { UnpersistableRecords } from '../sync/UnpersistableRecords.ts';

// size of a slice, in entities; the key of a list member counts as a twentieth of an entity
const MOST = 200;
const MEMBERS = 20;

interface Context {
  readonly store: Store;
  readonly named: PersistableNames;
  readonly speech: TabMessageEncoder;
  /** Records written by `no-store` responses. */
  readonly unkept: UnpersistableRecords;
}

/** Entities come before the lists and requests that show them. Changes in the meantime are sent as commits. */
export function* dehydrateStore(context: Context): Generator<readonly StoreRow[]> {
  let slice: StoreRow[] = [];
  let weight = 0;
  for (const row of rowsOf(context)) {
    slice.push(row);
    weight += row.kind === 'list' ? 1 + countOf(row) / MEMBERS : 1;
    if (weight < MOST) continue;
    yield slice;
    slice = [];
    weight = 0;
  }
  yield slice;
}

function countOf({ members = [] }: ListRow): number {
  return members.reduce((count, [, pks]) => count + pks.length, 0);
}

function* rowsOf(context: Context): Generator<StoreRow> {
  const { store, unkept } = context;
  /** Records that are not handed over; their dependents are not handed over either. */
  const held = new Set<StoreRecord>();
  for (const record of recordsOf(store, 'entity')) {
    if (unkept.has(record)) held.add(record);
    else yield* some(entityRow(context, record as EntityRecord));
  }
  for (const record of recordsOf(store, 'list')) {
    if (unkept.has(record)) held.add(record);
    else yield* some(listRow(context, record as ListRecord | MapRecord, held));
  }
  for (const result of store.results.values()) yield* some(resultRow(context, result, held));
}

function* recordsOf(store: Store, stores: StoredKind['stores']): Generator<StoreRecord> {
  for (const { kind, records } of store.tables.values())
    if (kind.stores === stores) yield* (records as ReadonlyMap<string, StoreRecord>).values();
}

const some = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

function entityRow({ store, named }: Context, record: EntityRecord): EntityRow | undefined {
  const name = named.tableOf(record.kind);
  if (name === undefined || !named.isPersistable(record.kind)) return undefined;
  const { base } = record;
  const { time, times, ownIssued, floorTime, stamp } = record.versions;
  const row = { kind: 'entity', name, pk: record.pk, time } as const;
  if (base === undefined) return time > 0 ? row : undefined;
  const telling = new NodeSerializer(store, named);
  const fields = storedFieldsOf(record, base, telling);
  const { refs } = telling;
  return {
    ...row,
    content: { fields, refs, times, ownIssued, floor: floorTime, stamp: plain(stamp) },
  };
}

function listRow(
  { named }: Context,
  record: ListRecord | MapRecord,
  held: ReadonlySet<StoreRecord>,
): ListRow | undefined {
  const name = named.tableOf(record.kind);
  if (name === undefined || !named.isPersistable(record.kind)) return undefined;
  const all = confirmedMembersOf(record);
  if (all?.some(([member]) => held.has(member))) return undefined;
  const members = all && inTables(all, named);
  const keys = record instanceof MapRecord ? all?.map(([, key]) => key as string) : undefined;
  const paged = record instanceof ListRecord && record.hasFurtherPages;
  const contested = record instanceof ListRecord ? contestedIn(record, named) : [];
  if (members === undefined && contested.length === 0) return undefined;
  const { pk, stamp } = record;
  return { kind: 'list', name, pk, members, contested, keys, paged, stamp: plain(stamp) };
}

function inTables(
  all: readonly (readonly [member: StoreRecord, key?: string])[],
  named: PersistableNames,
): NonNullable<ListRow['members']> {
  const members: (readonly [name: string, pks: string[]])[] = [];
  for (const [member] of all) {
    const name = named.tableOf(member.kind as StoredKind) as string;
    const { pk } = member as EntityRecord;
    const last = members.at(-1);
    if (last?.[0] === name) last[1].push(pk);
    else members.push([name, [pk]]);
  }
  return members;
}

function contestedIn(list: ListRecord, named: PersistableNames): ListRow['contested'] {
  // contested entries follow the members and the pending changes: entities confirmed to enter or to leave
  const [, , , contested] = (list.gcEdges() ?? []) as readonly unknown[];
  if (!Array.isArray(contested)) return [];
  return (contested as readonly EntityRecord[]).map((record) => {
    const name = named.tableOf(record.kind) as string;
    return [name, record.pk, list.insertPositionOf(record)];
  });
}

function resultRow(
  context: Context,
  result: ResultRecord,
  held: ReadonlySet<StoreRecord>,
): ResultRow | undefined {
  const { key, args, expiredAt, invalidatedAt, updateAppliedAt } = result;
  const schema = context.speech.schemaRef(result.schema);
  if (schema === undefined) return undefined;
  const response = responseRow(context, result, held);
  if (response === undefined && invalidatedAt === undefined && expiredAt === 0) return undefined;
  return {
    kind: 'result',
    key,
    schema,
    args,
    response,
    expiredAt,
    invalidatedAt,
    amendedAt: updateAppliedAt,
  };
}

function responseRow(
  { store, named }: Context,
  { kind, schema, node, stamp, hasResponse, invalidatedAt }: ResultRecord,
  held: ReadonlySet<StoreRecord>,
): ResponseRow | undefined {
  if (!hasResponse || invalidatedAt !== undefined || isNoStore(stamp)) return undefined;
  if (schema !== undefined && !named.isPersistable(kind)) return undefined;
  if (held.size > 0)
    for (const record of reachableConfirmed(node)) if (held.has(record)) return undefined;
  const telling = new NodeSerializer(store, named);
  const value = telling.serialize(kind, node);
  return value === INVALID ? undefined : { value, refs: telling.refs, stamp: plain(stamp) };
}

/** Rows of one response share its stamp; the stamp's fields of a mutation body are left out. */
function plain({ time, fetchedAt, expiresAt, staleUntil }: Stamp): Stamp {
  return { time, fetchedAt, expiresAt, staleUntil };
}
