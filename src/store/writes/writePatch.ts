/** Writes entities, and finds the lists that rows enter and leave because a field has changed. */
import { equal } from '../../schema/equal.ts';
import { tableKeysIn } from '../../schema/kindOf.ts';
import type { EntityPatch } from '../entities/EntityPatch.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { knownValue } from '../lists/FilterLookup.ts';
import { ANY_FIELD } from '../lists/ListGroups.ts';
import type { ListTable } from '../lists/ListTable.ts';
import type { FieldChange } from '../lists/fieldMovesIn.ts';
import { EMPTY, append } from '../records/append.ts';
import { UNPLACED } from '../records/flags.ts';
import { fieldTimeInStamp } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { DraftStore } from './Draft.ts';
import { addContested, addUncertainResult } from './ListChanges.ts';

/** A change of an entity by a confirmed write. */
export interface WrittenChange extends FieldChange {
  readonly member: EntityRecord;
  /** Logical times at which the request was issued, of the latest changed field, and of its response. */
  readonly issued: number;
  readonly time: number;
  readonly confirmedAt: number;
}

/**
 * Writes a patch of an entity whose existence is confirmed, or that is pushed. Returns the change of the fields by which
 * stored lists are filtered; undefined if there is none.
 */
export function writePatch(
  store: DraftStore,
  record: EntityRecord,
  patch: EntityPatch,
  stamp: Stamp,
): WrittenChange | undefined {
  const { tableKey } = record.kind;
  const isUnknown = !record.isConfirmed;
  const knownSince = record.versions.time;
  store.noteOverwrite(tableKey);
  const tables = store.tablesFollowing(tableKey);
  let fields: string[] = EMPTY;
  for (const { groups } of tables)
    for (const name of groups.byField.keys()) fields = append(fields, name);
  const old = fields.map((name) => rawValue(record, name));
  const texts = fields.map((name) => knownValue(record, name));
  if (record.write(patch, stamp)) addContested(store, record);
  const { own } = stamp;
  const isOwn = own !== undefined;
  const changed = fields.filter(
    (name, at) => knownValue(record, name) !== texts[at] || !equal(rawValue(record, name), old[at]),
  );
  // a read says nothing of the other lists of a row; a push reports a change, which may have brought the row into them
  const isPlacedNow = stamp.isPush === true && (record.flags & UNPLACED) > 0;
  if (isPlacedNow) record.flags &= ~UNPLACED;
  const isWhole = record.versions.unreceived.length === 0;
  const isFirstPush = isUnknown || (isPlacedNow && changed.length === 0);
  const isPushed = (name: string) => isWhole || patch.recordShape?.names.includes(name);
  const names = isFirstPush ? fields.filter(isPushed) : changed;
  const repeatedFields = isOwn
    ? fields.filter((name) => own.has(name) && !names.includes(name))
    : EMPTY;
  if (repeatedFields.length > 0)
    addOlderReads(
      store,
      tables.filter(({ groups }) => repeatedFields.some((name) => groups.byField.has(name))),
    );
  const isChange = names.length + repeatedFields.length > 0;
  if (!isChange && !(isOwn && fields.includes(ANY_FIELD))) return undefined;
  return {
    member: record,
    names,
    repeatedFields,
    isOwn,
    isFirstPush,
    before: (name) => texts[fields.indexOf(name)],
    after: (name) => knownValue(record, name),
    issued: stamp.time,
    confirmedAt: stamp.ownTime ?? stamp.time,
    time:
      isFirstPush && !isUnknown
        ? knownSince
        : Math.max(stamp.time, ...names.map((name) => fieldTimeInStamp(name, stamp))),
  };
}

/** An own write states what a read has brought: the server may have answered reads in flight before the write. */
function addOlderReads(store: DraftStore, tables: readonly ListTable[]): void {
  const keys = new Set(tables.map(({ kind }) => kind.tableKey));
  if (keys.size === 0) return;
  for (const key of store.inflight.reads.keys()) {
    const result = store.results.get(key);
    if (result && tableKeysIn(result.kind).some((one) => keys.has(one)))
      addUncertainResult(store, result);
  }
}

/** The confirmed value of a field; of a nested member, its node. */
function rawValue({ confirmedFields, confirmedNodes, kind }: EntityRecord, name: string): unknown {
  const at = kind.descriptor.nestedIndexes.get(name);
  return at === undefined ? confirmedFields?.[name] : confirmedNodes[at];
}
