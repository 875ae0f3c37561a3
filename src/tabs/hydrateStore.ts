/** Hands the records of a tab over to another tab: as plain rows, with names in the place of schemas. */
import type { Write } from '../request/Events.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { toInputForm } from '../schema/normalize.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args, Fields, StoredKind } from '../schema/schema.ts';
import {
  ListRecord,
  MapRecord,
  addAppliedUpdate,
  changeVersions,
  hasMembershipWrites,
  isNoStore,
  metaOf,
  pageImagesOf,
  reachableConfirmed,
  restorePages,
} from '../store/StorePort.ts';
import type {
  EntityRecord,
  FieldTimes,
  MemberPosition,
  PageImage,
  ResultRecord,
  Stamp,
  Store,
  StoreRecord,
} from '../store/StorePort.ts';
import type { UnpersistableRecords } from '../sync/DirtyTracker.ts';
import { NodeSerializer, confirmedMembersOf, storedFieldsOf } from '../sync/NodeSerializer.ts';
import type { References } from '../sync/PersistedRecord.ts';
import type { PersistableNames } from '../sync/Registry.ts';
import { StagedRestore } from '../sync/StagedRestore.ts';
import { compareByTime } from './OwnWrites.ts';
import type { SchemaRef, TabMessageCodec } from './TabMessage.ts';

interface HydrateContext {
  readonly store: Store;
  readonly names: PersistableNames;
  readonly codec: TabMessageCodec;
  /** Logical time of the rows: the other tab had all changes confirmed there before this time. */
  readonly time: number;
}

/** Writes staged rows, as a part of a commit. */
type Apply = () => void;

interface StagedRows {
  readonly restores: StagedRestore[];
  readonly writes: Write[];
}

/**
 * Writes the rows in a single commit. If a row is invalid, throws and writes nothing. Returns the requests among the
 * rows.
 */
export function hydrateStore(context: HydrateContext, rows: readonly StoreRow[]): Write[] {
  const { store } = context;
  const restores: StagedRestore[] = [];
  const applies: Apply[] = [];
  const writes: Write[] = [];
  try {
    for (const row of rows)
      if (row.kind === 'entity') applies.push(...stageEntity(context, row, restores));
      else if (row.kind === 'list') applies.push(stageList(context, row));
      else applies.push(stageResult(context, row, { restores, writes }));
  } catch (error) {
    for (const restore of restores) restore.discard();
    throw error;
  }
  store.commit(() => {
    for (const apply of applies) apply();
  });
  return writes;
}

function kindOf({ names }: HydrateContext, name: string, stores: StoredKind['stores']): StoredKind {
  const kind = names.kind(name);
  if (kind?.stores !== stores) throw new TypeError(`the name ${name} is unknown`);
  return kind;
}

function stageEntity(
  context: HydrateContext,
  row: EntityRow,
  restores: StagedRestore[],
): readonly Apply[] {
  const { store, names } = context;
  const { name, pk, time, content } = row;
  const kind = kindOf(context, name, 'entity') as EntityKind;
  const record = store.ref(kind, pk) as EntityRecord;
  if (content === undefined)
    return [() => void store.beforeWrite(record).remove({ time, fetchedAt: 0, expiresAt: 0 })];
  const { fields, refs, times, ownIssued, floor } = content;
  const stage = (part: Fields, stamp: Stamp, merges = true): Apply => {
    const restore = new StagedRestore(store, names, stamp, merges);
    restore.stage(() => restore.stageEntity(kind, pk, part, refs));
    restores.push(restore);
    return () => {
      compareByTime(restore.draft, stamp);
      restore.write(record);
    };
  };
  if (record.isConfirmed && kind.descriptor.hasAnyMerge) {
    // the merge functions of the class have run in the other tab: its state replaces an older one as a whole
    const stamp = { ...content.stamp, time };
    return isOlder(record, fields, stamp) ? [] : [stage(fields, stamp, false)];
  }
  if (record.isConfirmed)
    return fieldsByTime(row, content).map(([part, stamp]) => stage(part, stamp));
  const write = stage(fields, { ...content.stamp, time });
  return [
    () => {
      // deleted here since
      if (record.versions.time > time) return;
      write();
      if (record.isConfirmed) changeVersions(record, { times, ownIssued, floorTime: floor });
    },
  ];
}

/** True if the class counts the fields of the other tab as older than the stored ones. */
function isOlder(
  { kind, versions, confirmedFields, confirmedNodes }: EntityRecord,
  fields: Fields,
  stamp: Stamp,
): boolean {
  const { Class, descriptor } = kind;
  const stored = toInputForm({ ...confirmedFields }, descriptor.nested, confirmedNodes);
  return Class.shouldReorder(metaOf(versions.stamp), metaOf(stamp), stored, fields);
}

/** The fields grouped by time, as brought by the responses. */
function fieldsByTime(
  { time: base }: EntityRow,
  { fields, times = {}, ownIssued = {}, stamp }: NonNullable<EntityRow['content']>,
): readonly (readonly [fields: Fields, stamp: Stamp])[] {
  const parts = new Map<string, readonly [fields: Fields, stamp: Stamp]>();
  for (const [name, value] of Object.entries(fields)) {
    const time = Object.hasOwn(times, name) ? (times[name] as number) : base;
    const issued = Object.hasOwn(ownIssued, name) ? (ownIssued[name] as number) : undefined;
    const id = `${time} ${issued}`;
    const own = { own: new Set(Object.keys(fields)), ownTime: time };
    const part = issued === undefined ? { ...stamp, time } : { ...stamp, ...own, time: issued };
    const [others] = parts.get(id) ?? [{}];
    parts.set(id, [{ ...others, [name]: value }, part]);
  }
  return [...parts.values()];
}

function stageList(context: HydrateContext, row: ListRow): Apply {
  const { store, time: rowTime } = context;
  const list = store.ref(kindOf(context, row.name, 'list'), row.pk) as ListRecord | MapRecord;
  const members = row.members?.flatMap(([name, pks]) => {
    const kind = kindOf(context, name, 'entity');
    return pks.map((pk) => store.ref(kind, pk) as EntityRecord);
  });
  const { keys, stamp, paged } = row;
  const contested = row.contested.map(([name, pk, entered]) => {
    const member = store.ref(kindOf(context, name, 'entity'), pk) as EntityRecord;
    return [member, entered] as const;
  });
  return () => {
    const base = store.beforeWrite(list);
    // a later response is stored here: the row lacks entities that entered after the row was requested
    const isLater = base.confirmedParts() !== undefined && base.stamp.time > stamp.time;
    if (members !== undefined && !isLater) {
      // the other tab also has changes confirmed since the response; changes confirmed here since then stay
      const dated = { ...stamp, time: rowTime };
      if (base instanceof ListRecord) base.fill(members, dated);
      else base.fill(membersByKey(keys, members), dated);
      base.stamp = stamp;
    }
    if (!(base instanceof ListRecord)) return;
    base.hasFurtherPages ||= paged;
    for (const [member, entered] of contested) {
      const time = entered === undefined ? rowTime : entryTimeOf(entered);
      if (!isLater) base.logMembership(member, time, entered);
      else if (entered !== undefined && time > base.stamp.time && member.isConfirmed)
        base.addMember(
          member,
          { logTime: time, issued: time, confirmedAt: time, wasOptimistic: false },
          entered.side,
        );
    }
  };
}

/** Logical time of the entry; for an entry before the members were known, the turn is the negative inverse. */
function entryTimeOf({ orderTime }: MemberPosition): number {
  return orderTime < 0 ? -1 / orderTime : orderTime;
}

function membersByKey(keys: ListRow['keys'] = [], members: readonly EntityRecord[]): Fields {
  return Object.fromEntries(keys.map((key, at) => [key, members[at]]));
}

function stageResult(
  context: HydrateContext,
  row: ResultRow,
  { restores, writes }: StagedRows,
): Apply {
  const { store, codec } = context;
  const { key, args, response, expiredAt, invalidatedAt, amendedAt } = row;
  const schema = codec.decodeSchema(row.schema);
  // the name is unknown here: B4
  if (schema === undefined) return () => {};
  const result = store.result(key, schema.of, args);
  const write = response && stageResponse(context, response, { result, restores });
  writes.push({ key, schema: schema.of, args, value: response?.value, stamp: response?.stamp });
  return () => {
    const { time } = result.stamp;
    write?.();
    result.expire(expiredAt);
    addAppliedUpdate(result, amendedAt);
    if (invalidatedAt !== undefined && invalidatedAt > time) result.invalidate(invalidatedAt);
    store.layers.noteChange(result);
  };
}

function stageResponse(
  { store, names }: HydrateContext,
  response: ResponseRow,
  { result, restores }: { readonly result: ResultRecord; readonly restores: StagedRestore[] },
): Apply {
  const { args, schema } = result;
  // rows have moved here: only the server knows which rows are members
  const stamp = hasMembershipWrites(store, result.kind)
    ? { ...response.stamp, expiresAt: 0 }
    : response.stamp;
  const restore = new StagedRestore(store, names, stamp);
  const node = restore.stage(() =>
    restore.stageResponse(schema, response, { args, endpoint: undefined }),
  );
  restores.push(restore);
  return () => {
    restore.write(node);
    result.setResponse(node, stamp);
    restorePages(result, response.pages, stamp.time);
  };
}

// size of a slice, in entities; the key of a list member counts as a twentieth of an entity
const SLICE_WEIGHT = 200;
const MEMBERS_PER_ENTITY = 20;

interface DehydrateContext {
  readonly store: Store;
  readonly names: PersistableNames;
  readonly codec: TabMessageCodec;
  /** Records written by `no-store` responses. */
  readonly unpersistable: UnpersistableRecords;
}

/** Entities come before the lists and requests that show them. Changes in the meantime are sent as commits. */
export function* dehydrateStore(context: DehydrateContext): Generator<readonly StoreRow[]> {
  let slice: StoreRow[] = [];
  let weight = 0;
  for (const row of rowsOf(context)) {
    slice.push(row);
    weight += row.kind === 'list' ? 1 + memberCountOf(row) / MEMBERS_PER_ENTITY : 1;
    if (weight < SLICE_WEIGHT) continue;
    yield slice;
    slice = [];
    weight = 0;
  }
  yield slice;
}

function memberCountOf({ members = [] }: ListRow): number {
  return members.reduce((count, [, pks]) => count + pks.length, 0);
}

function* rowsOf(context: DehydrateContext): Generator<StoreRow> {
  const { store, unpersistable } = context;
  /** Records that are not handed over; their dependents are not handed over either. */
  const excluded = new Set<StoreRecord>();
  for (const record of recordsOf(store, 'entity')) {
    if (unpersistable.has(record)) excluded.add(record);
    else yield* toArray(entityRow(context, record as EntityRecord));
  }
  for (const record of recordsOf(store, 'list')) {
    if (unpersistable.has(record)) excluded.add(record);
    else yield* toArray(listRow(context, record as ListRecord | MapRecord, excluded));
  }
  for (const result of store.results.values()) yield* toArray(resultRow(context, result, excluded));
}

function* recordsOf(store: Store, stores: StoredKind['stores']): Generator<StoreRecord> {
  for (const { kind, records } of store.tables.values())
    if (kind.stores === stores) yield* (records as ReadonlyMap<string, StoreRecord>).values();
}

const toArray = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

function entityRow(
  { store, names }: DehydrateContext,
  record: EntityRecord,
): EntityRow | undefined {
  const name = names.tableOf(record.kind);
  if (name === undefined || !names.isPersistable(record.kind)) return undefined;
  const { base } = record;
  const { time, times, ownIssued, floorTime, stamp } = record.versions;
  const row = { kind: 'entity', name, pk: record.pk, time } as const;
  if (base === undefined) return time > 0 ? row : undefined;
  const serializer = new NodeSerializer(store, names);
  const fields = storedFieldsOf(record, base, serializer);
  const { refs } = serializer;
  return {
    ...row,
    content: { fields, refs, times, ownIssued, floor: floorTime, stamp: withoutOwnFields(stamp) },
  };
}

function listRow(
  { names }: DehydrateContext,
  record: ListRecord | MapRecord,
  excluded: ReadonlySet<StoreRecord>,
): ListRow | undefined {
  const name = names.tableOf(record.kind);
  if (name === undefined || !names.isPersistable(record.kind)) return undefined;
  const all = confirmedMembersOf(record);
  if (all?.some(([member]) => excluded.has(member))) return undefined;
  const members = all && groupByTable(all, names);
  const keys = record instanceof MapRecord ? all?.map(([, key]) => key as string) : undefined;
  const paged = record instanceof ListRecord && record.hasFurtherPages;
  const contested = record instanceof ListRecord ? contestedEntriesOf(record, names) : [];
  if (members === undefined && contested.length === 0) return undefined;
  const { pk, stamp } = record;
  return {
    kind: 'list',
    name,
    pk,
    members,
    contested,
    keys,
    paged,
    stamp: withoutOwnFields(stamp),
  };
}

function groupByTable(
  all: readonly (readonly [member: StoreRecord, key?: string])[],
  names: PersistableNames,
): NonNullable<ListRow['members']> {
  const members: (readonly [name: string, pks: string[]])[] = [];
  for (const [member] of all) {
    const name = names.tableOf(member.kind as StoredKind) as string;
    const { pk } = member as EntityRecord;
    const last = members.at(-1);
    if (last?.[0] === name) last[1].push(pk);
    else members.push([name, [pk]]);
  }
  return members;
}

function contestedEntriesOf(list: ListRecord, named: PersistableNames): ListRow['contested'] {
  return list.contestedMembers.map((member) => {
    const { kind, pk } = member as EntityRecord;
    return [named.tableOf(kind) as string, pk, list.insertPositionOf(member)];
  });
}

function resultRow(
  context: DehydrateContext,
  result: ResultRecord,
  excluded: ReadonlySet<StoreRecord>,
): ResultRow | undefined {
  const { key, args, expiredAt, invalidatedAt, updateAppliedAt } = result;
  const schema = context.codec.encodeSchema(result.schema);
  if (schema === undefined) return undefined;
  const response = responseRow(context, result, excluded);
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
  { store, names }: DehydrateContext,
  result: ResultRecord,
  excluded: ReadonlySet<StoreRecord>,
): ResponseRow | undefined {
  const { kind, schema, node, stamp, hasResponse, invalidatedAt } = result;
  if (!hasResponse || invalidatedAt !== undefined || isNoStore(stamp)) return undefined;
  if (schema !== undefined && !names.isPersistable(kind)) return undefined;
  if (excluded.size > 0)
    for (const record of reachableConfirmed(node)) if (excluded.has(record)) return undefined;
  const serializer = new NodeSerializer(store, names);
  const value = serializer.serialize(kind, node);
  return value === INVALID
    ? undefined
    : {
        value,
        refs: serializer.refs,
        stamp: withoutOwnFields(stamp),
        pages: pageImagesOf(result),
      };
}

/** Rows of the same response share the stamp; the stamp's fields of a mutation body are left out. */
function withoutOwnFields({ time, fetchedAt, expiresAt, staleUntil }: Stamp): Stamp {
  return { time, fetchedAt, expiresAt, staleUntil };
}

export type StoreRow = EntityRow | ListRow | ResultRow;

interface EntityRow {
  readonly kind: 'entity';
  readonly name: string;
  readonly pk: string;
  /** Logical time of the fields that are not in `times`; of a deleted entity, of its deletion. */
  readonly time: number;
  /** Undefined: the entity is deleted. */
  readonly content?: {
    /** Nested entities are primary keys. */
    readonly fields: Fields;
    readonly refs: References;
    readonly times: FieldTimes | undefined;
    readonly ownIssued: FieldTimes | undefined;
    readonly floor: number;
    readonly stamp: Stamp;
  };
}

interface ListRow {
  readonly kind: 'list';
  readonly name: string;
  readonly pk: string;
  /** In order; consecutive members of the same table are grouped. Undefined: the members are not known yet. */
  readonly members: readonly (readonly [name: string, pks: readonly string[]])[] | undefined;
  /** Entities that entered or left the list, while requests are in flight that may contradict. */
  readonly contested: readonly (readonly [
    name: string,
    pk: string,
    entered: MemberPosition | undefined,
  ])[];
  /** Of a map: the key of each member. */
  readonly keys: readonly string[] | undefined;
  readonly paged: boolean;
  readonly stamp: Stamp;
}

interface ResultRow {
  readonly kind: 'result';
  readonly key: string;
  readonly schema: SchemaRef;
  readonly args: Args;
  /** Undefined: no response is stored, or the response was invalidated. */
  readonly response: ResponseRow | undefined;
  readonly expiredAt: number;
  readonly invalidatedAt: number | undefined;
  readonly amendedAt: number;
}

interface ResponseRow {
  /** With primary keys in the place of entities, and lists left empty. */
  readonly value: unknown;
  readonly refs: References;
  readonly stamp: Stamp;
  /** Of a list that is read in pages: the pages. */
  readonly pages?: readonly PageImage[] | undefined;
}
