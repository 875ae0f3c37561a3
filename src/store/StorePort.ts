/** The store for products, devtools and server rendering, which import no other file of this folder. */
import { tableKeysIn } from '../schema/kindOf.ts';
import type { Kind } from '../schema/schema.ts';
import type { Store } from './Store.ts';
import type { EntityRecord } from './entities/EntityRecord.ts';
import { EntityTable } from './entities/EntityTable.ts';
import type { FieldVersions } from './entities/FieldVersions.ts';
import { ListTable } from './lists/ListTable.ts';
import { markDirty } from './records/markDirty.ts';
import { UNWRITTEN_STAMP } from './records/versioning.ts';
import { LoadedPages, imagesOf, pagesFrom } from './results/LoadedPages.ts';
import type { PageImage } from './results/LoadedPages.ts';
import { PENDING } from './results/Result.ts';
import type { Result } from './results/Result.ts';
import type { ResultRecord } from './results/ResultRecord.ts';

/*
 *   Store.onWrite      before confirmed data of a record change     persist, tabs
 *   Store.provide      records that are missing in the store        persist
 *   Store.joinCommit   a change as a part of the running commit     persist
 *   addTransport       middleware between requests and network      tabs, offline, devtools   (src/request/FetchContext.ts)
 *   addGate            when a request is sent                       offline                   (src/request/FetchContext.ts)
 *
 * The rest reads records, compares versions, and writes staged values.
 */
export type { Store } from './Store.ts';

// records
export { StoreRecord } from './records/StoreRecord.ts';
export { EntityRecord } from './entities/EntityRecord.ts';
export type { EntityContent } from './entities/EntityContent.ts';
export type { EntityTable } from './entities/EntityTable.ts';
export { FieldIndex, IndexRecord } from './entities/FieldIndex.ts';
export { AllRecord } from './lists/All.ts';
export { ListRecord } from './lists/ListRecord.ts';
export { MapRecord } from './lists/Values.ts';
export { isStoredList } from './lists/ListRecord.ts';
export type { StoredList } from './lists/ListRecord.ts';
export type { Table } from './lists/ListTable.ts';
export type { GcTable } from './gc/GarbageCollector.ts';
export { ResultRecord } from './results/ResultRecord.ts';
export type { Result } from './results/Result.ts';
export { PENDING, dataOf, toNewReaderResult } from './results/Result.ts';
export { configurePages, expectPageBefore } from './results/LoadedPages.ts';
export type { PageImage } from './results/LoadedPages.ts';
export { containsRecord, reachableConfirmed } from './records/eachRecord.ts';

// versions
export {
  canWriteField,
  fieldTime,
  hasLaterOwnWrite,
  isNoStore,
  metaOf,
} from './records/versioning.ts';
export type { FieldTimes, Stamp } from './records/versioning.ts';
export type { FieldVersions } from './entities/FieldVersions.ts';
export type { MemberPosition } from './lists/MembershipLog.ts';

// writes
export { Draft, StagedWrite } from './writes/Draft.ts';
export { writeDraft } from './writes/writeDraft.ts';
export { currentSetUpdate } from './writes/currentSetUpdate.ts';
export type { SetUpdate } from './writes/currentSetUpdate.ts';

// the devtools panel
export { DIRTY } from './records/StoreRecord.ts';
export { setNotifyHook } from './records/RecordObservers.ts';

/**
 * True if members of the lists in `kind` have entered or left by anything other than a read, or may have because a field
 * has changed by which the lists are filtered.
 */
export function hasMembershipWrites({ tables, overwritten }: Store, kind: Kind): boolean {
  const keys = tableKeysIn(kind);
  const isOverwritten = keys.some((key) => overwritten.has(key));
  return keys.some((key) => {
    const table = tables.get(key);
    if (!(table instanceof ListTable)) return false;
    return table.hasMembershipWrites || (isOverwritten && table.groups.byField.size > 0);
  });
}

/** True if changes so far may concern lists and results that are not in the store. */
export function hasChangesOfMissing({ layers, tables }: Store): boolean {
  if (layers.active.size > 0) return true;
  return [...tables.values()].some((table) => {
    if (table instanceof ListTable) return table.hasMembershipWrites;
    if (!(table instanceof EntityTable)) return table.records.size > 0;
    if (table.indexes.size > 0 || table.hasKeyChanges) return true;
    return [...table.records.values()].some(({ isConfirmed, time }) => !isConfirmed && time > 0);
  });
}

/** Sets versions of an entity whose data come from another place: a disk, or another tab. */
export function changeVersions(record: EntityRecord, changes: Partial<FieldVersions>): void {
  record.versions = { ...record.versions, ...changes };
}

/** An `update` that was applied in another tab has changed the result at this logical time. */
export function addAppliedUpdate(result: ResultRecord, time: number): void {
  result.updateAppliedAt = Math.max(time, result.updateAppliedAt);
}

/** The pages of a list as plain data; undefined if the list has no further pages, or a page that must not be kept. */
export function pageImagesOf({ pages }: ResultRecord): readonly PageImage[] | undefined {
  return imagesOf(pages?.pages);
}

/** Gives a list the pages of another store, unless pages were loaded here. Must be called after the list's response. */
export function restorePages(
  result: ResultRecord,
  images: readonly PageImage[] | undefined,
  time: number,
): void {
  if (images === undefined || (result.pages?.pages.length ?? 0) > 1) return;
  const loaded = (result.pages = new LoadedPages());
  loaded.pages = pagesFrom(images, time);
  loaded.time = time;
}

/** The parts of a result that responses, failures and invalidations write, and the result for readers. */
export interface ResultState extends Pick<
  ResultRecord,
  'node' | 'stamp' | 'failure' | 'expiredAt' | 'invalidatedAt'
> {
  readonly lastResult: Result;
}

export function resultStateOf(record: ResultRecord): ResultState {
  const { node, stamp, failure, expiredAt, invalidatedAt, lastResult } = record;
  return { node, stamp, failure, expiredAt, invalidatedAt, lastResult };
}

/** Shows a result in an earlier state, as a part of a commit; undefined: as before the first request. */
export function showResultState(store: Store, record: ResultRecord, state?: ResultState): void {
  const { lastResult, ...written } = state ?? initialResultState(store, record);
  // a result that was missing then must not count as deleted for readers
  record.lastResult = lastResult;
  const present = resultStateOf(record);
  const names = Object.keys(written) as (keyof typeof written)[];
  if (names.every((name) => present[name] === written[name])) return;
  markDirty(record);
  record.setNode(written.node);
  Object.assign(record, written);
  record.notifyShape();
}

function initialResultState(store: Store, { kind, args }: ResultRecord): ResultState {
  return {
    node: kind.queryKey?.(args, store),
    stamp: UNWRITTEN_STAMP,
    failure: undefined,
    expiredAt: 0,
    invalidatedAt: undefined,
    lastResult: PENDING,
  };
}
