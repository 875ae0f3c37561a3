/** Writes the rows of another tab into the store of this tab, by the rules of versioning. */
import type { Write } from '../request/Events.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { normalize } from '../schema/normalize.ts';
import { wrapOpaque } from '../schema/schema.ts';
import type { Fields, StoredKind } from '../schema/schema.ts';
import { tableKeysIn } from '../schema/tableKeysIn.ts';
import { Draft } from '../store/writes/Draft.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import { ListTable } from '../store/lists/ListTable.ts';
import type { MapRecord } from '../store/lists/MapRecord.ts';
import type { InsertPosition } from '../store/lists/MembershipLog.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { writeDraft } from '../store/writes/writeDraft.ts';
import type { TabMessageDecoder } from './TabMessageDecoder.ts';
import type { PersistableNames } from '../sync/PersistableNames.ts';
import { compareByTime } from './OwnWrites.ts';
import { RestoreSink } from '../sync/RestoreSink.ts';
import type { EntityRow, ListRow, ResponseRow, ResultRow, StoreRow } from './StoreRow.ts';

interface Context {
  readonly store: Store;
  readonly named: PersistableNames;
  readonly hearing: TabMessageDecoder;
  /** Logical time of the rows: the other tab had all changes confirmed there before this time. */
  readonly at: number;
}

/** Writes staged rows, as a part of a commit. */
type Apply = () => void;

interface Laid {
  readonly drafts: Draft[];
  readonly writes: Write[];
}

/**
 * Writes the rows in one commit. If a row is invalid, throws and writes nothing. Returns the requests among the rows.
 */
export function hydrateStore(context: Context, rows: readonly StoreRow[]): Write[] {
  const { store } = context;
  const drafts: Draft[] = [];
  const applies: Apply[] = [];
  const writes: Write[] = [];
  try {
    for (const row of rows)
      if (row.kind === 'entity') applies.push(...layEntity(context, row, drafts));
      else if (row.kind === 'list') applies.push(layList(context, row));
      else applies.push(layResult(context, row, { drafts, writes }));
  } catch (error) {
    for (const draft of drafts) draft.discard();
    throw error;
  }
  store.commit(() => {
    for (const apply of applies) apply();
  });
  return writes;
}

function kindOf({ named }: Context, name: string, stores: StoredKind['stores']): StoredKind {
  const kind = named.kind(name);
  if (kind?.stores !== stores) throw new TypeError(`the name ${name} is unknown`);
  return kind;
}

function layEntity(context: Context, row: EntityRow, drafts: Draft[]): readonly Apply[] {
  const { store } = context;
  const { name, pk, time, content } = row;
  const kind = kindOf(context, name, 'entity') as EntityKind;
  const record = store.ref(kind, pk) as EntityRecord;
  if (content === undefined)
    return [() => void store.beforeWrite(record).remove({ time, fetchedAt: 0, expiresAt: 0 })];
  const { fields, times, ownIssued, floor } = content;
  const lay = (some: Fields, stamp: Stamp) =>
    layFields(context, { row, kind, drafts }, some, stamp);
  if (record.isConfirmed && kind.descriptor.hasAnyMerge) return [];
  if (record.isConfirmed) return partsOf(row, content).map(([some, stamp]) => lay(some, stamp));
  const write = lay(fields, { ...content.stamp, time });
  return [
    () => {
      // deleted here since
      if (record.versions.time > time) return;
      write();
      if (record.isConfirmed)
        record.versions = { ...record.versions, times, ownIssued, floorTime: floor };
    },
  ];
}

/** The fields grouped by time, as the responses brought them. */
function partsOf(
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

interface Laying {
  readonly row: EntityRow;
  readonly kind: EntityKind;
  readonly drafts: Draft[];
}

function layFields(
  { store, named }: Context,
  { row, kind, drafts }: Laying,
  fields: Fields,
  stamp: Stamp,
): Apply {
  const draft = new Draft(store, stamp);
  drafts.push(draft);
  const sink = new RestoreSink(
    draft,
    named,
    (row.content as NonNullable<EntityRow['content']>).refs,
  );
  const knownPks = new Map<unknown, string>([[fields, row.pk]]);
  const record = normalize(kind, fields, sink, {
    args: [],
    endpoint: undefined,
    knownPks,
    mayHavePks: true,
  });
  draft.prepare();
  return () => {
    compareByTime(draft, stamp);
    writeDraft(store, draft, stamp, record);
  };
}

function layList(context: Context, row: ListRow): Apply {
  const { store, at } = context;
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
    // a later response is stored here: the row lacks entities that entered after it was requested
    const isLater = base.confirmedParts() !== undefined && base.stamp.time > stamp.time;
    if (members !== undefined && !isLater) {
      // the other tab also has changes confirmed since the response; changes confirmed here since then stay
      const dated = { ...stamp, time: at };
      if (base instanceof ListRecord) base.fill(members, dated);
      else base.fill(byKey(keys, members), dated);
      base.stamp = stamp;
    }
    if (!(base instanceof ListRecord)) return;
    base.hasFurtherPages ||= paged;
    for (const [member, entered] of contested) {
      const time = entered === undefined ? at : enteredAt(entered);
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

/** Logical time of the entry; for an entry before the members were known, the turn is its negative inverse. */
function enteredAt({ orderTime }: InsertPosition): number {
  return orderTime < 0 ? -1 / orderTime : orderTime;
}

function byKey(keys: ListRow['keys'] = [], members: readonly EntityRecord[]): Fields {
  return Object.fromEntries(keys.map((key, at) => [key, members[at]]));
}

function layResult(context: Context, row: ResultRow, { drafts, writes }: Laid): Apply {
  const { store, hearing } = context;
  const { key, args, response, expiredAt, invalidatedAt, amendedAt } = row;
  const schema = hearing.schema(row.schema);
  // the name is unknown here: B4
  if (schema === undefined) return () => {};
  const result = store.result(key, schema.of, args);
  const write = response && layResponse(context, response, { result, drafts });
  writes.push({ key, schema: schema.of, args, value: response?.value, stamp: response?.stamp });
  return () => {
    const { time } = result.stamp;
    write?.();
    result.expire(expiredAt);
    result.updateAppliedAt = Math.max(amendedAt, result.updateAppliedAt);
    if (invalidatedAt !== undefined && invalidatedAt > time) result.invalidate(invalidatedAt);
    store.layers.noteChange(result);
  };
}

function layResponse(
  { store, named }: Context,
  { value, refs, stamp: its }: ResponseRow,
  { result, drafts }: { readonly result: ResultRecord; readonly drafts: Draft[] },
): Apply {
  const { args, schema } = result;
  const isBehind = tableKeysIn(result.kind).some((identity) => {
    const table = store.tables.get(identity);
    return table instanceof ListTable && table.hasMembershipWrites;
  });
  // rows have moved here: only the server knows which of them are members
  const stamp = isBehind ? { ...its, expiresAt: 0 } : its;
  if (schema === undefined) return () => result.setResponse(wrapOpaque(value), stamp);
  const draft = new Draft(store, stamp);
  drafts.push(draft);
  const sink = new RestoreSink(draft, named, refs);
  const node = normalize(schema, value, sink, { args, endpoint: undefined, mayHavePks: true });
  draft.prepare();
  return () => {
    writeDraft(store, draft, stamp, node);
    result.setResponse(node, stamp);
  };
}
