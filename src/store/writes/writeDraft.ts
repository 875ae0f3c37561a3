/** Writes the draft of a response to the confirmed data. */
import { equal } from '../../schema/equal.ts';
import { tableKeysIn } from '../../schema/kindOf.ts';
import { Ref } from '../../schema/schema.ts';
import type { Args, NormalizedNode } from '../../schema/schema.ts';
import type { EntityPatch } from '../entities/EntityContent.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import {
  isDeletionConfirmed,
  recordExistenceWrite,
  wasDeletedBefore,
} from '../entities/FieldVersions.ts';
import { storedLookup, knownValue } from '../lists/FilterLookup.ts';
import { ANY_FIELD } from '../lists/ListGroups.ts';
import { containingLists } from '../lists/ListRecord.ts';
import type { StoredList } from '../lists/ListRecord.ts';
import { isHomeTable } from '../lists/ListTable.ts';
import type { ListTable, MemberOp } from '../lists/ListTable.ts';
import type { ListEnd, MembershipWrite } from '../lists/MembershipLog.ts';
import { fieldMovesIn } from '../lists/fieldMovesIn.ts';
import type { FieldChange, FieldMove } from '../lists/fieldMovesIn.ts';
import { EMPTY, append } from '../records/SmallSet.ts';
import { UNPLACED } from '../records/StoreRecord.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { recordsIn } from '../records/eachRecord.ts';
import { fieldTimeInStamp, isAtLeastAsNew } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { ResultRecord } from '../results/ResultRecord.ts';
import type { Draft, DraftStore, StagedListChange } from './Draft.ts';
import {
  addChangedPages,
  addContested,
  addOverlappingPages,
  addUncertainLists,
  addUpdatedList,
  addUncertainResult,
} from './ListChanges.ts';

/** A value that is written. */
interface WrittenValue {
  readonly node: NormalizedNode;
  readonly args: Args;
  /** True if new entities in the value are additions to data that were known before. */
  readonly isAddition?: boolean;
}

/** `node`: of the response; own writes of a mutation apply to the entities in this node. Cannot throw half-way. */
export function writeDraft(
  store: DraftStore,
  draft: Draft,
  given: Stamp,
  { node: root, args, isAddition = false }: WrittenValue,
): void {
  const stamp = draft.keyChanges?.apply(given) ?? given;
  const { patches, removals, fills, listChanges, tablesByKind } = draft;
  const { time, own, ownTime = time, fetchedAt, expiresAt } = stamp;
  // fields in the body of a mutation are own writes in the root entities of the response, not in nested ones
  const hasRoots = (own ?? stamp.isPush) && !(root instanceof Ref);
  const roots = hasRoots ? recordsIn(root) : undefined;
  const nestedStamp = own ? { time, ownTime, fetchedAt, expiresAt } : stamp;
  for (const record of draft.reusingKeys) invalidateFormerResults(store, record, time);
  if (own) for (const table of tablesByKind?.values() ?? EMPTY) table.lastOwnWriteTime = ownTime;
  // responses of most reads create and delete nothing, and need no writer
  const isChange = removals.size + listChanges.length > 0;
  const writer = isChange ? new MembershipWriter(store, draft, stamp) : undefined;
  let changes: WrittenChange[] = EMPTY;
  let restored: EntityRecord[] = EMPTY;
  const hasLayers = store.layers.active.size > 0;
  for (const patch of patches) {
    const record = store.beforeWrite(patch.record);
    if (hasLayers && (own || (!stamp.isPush && record.kind.pkInArgs(args) === record.pk)))
      store.layers.reveal(record);
    else if (hasLayers && !record.exists && record.latestTime === 0)
      store.layers.onNewEntity(patch, isAddition);
    if (stamp.isPush) store.inflight.notePush(record, stamp, patch);
    // a pushed row that is there already is not created again: a deletion in flight stands
    if (patch.isOwnCreation && !(stamp.isPush && record.isConfirmed)) writer?.recordCreation(patch);
    const isRoot = root === record || roots?.has(record);
    const written = isRoot ? stamp : nestedStamp;
    // what is changed may have come into a list by the change; a creation names its lists, and a read tells of no change
    const isChanged = isRoot && (own ?? stamp.isPush) && !patch.isOwnCreation;
    if (isChanged && own && !record.isConfirmed && wasDeletedBefore(record, time))
      restored = append(restored, record);
    if (!record.isConfirmed && !isChanged) {
      record.write(patch, written);
      // a read before a deletion tells nothing of the entity that is created again
      record.flags &= ~UNPLACED;
      if (patch.isOwnCreation) keepShownEntity(store, record);
      else record.flags |= UNPLACED;
    } else {
      const change = writePatch(store, record, patch, written);
      if (change !== undefined) changes = append(changes, change);
    }
  }
  if (writer) for (const record of removals) writer.remove(record);
  for (const { list, members, mode, placement } of fills) {
    // the list of all entities knows nothing of leaving
    const isGone = (store.table(list.kind) as Partial<ListTable>).goneTest?.(list, draft);
    const isContested = store.beforeWrite(list)[mode](members, stamp, isGone, placement) === true;
    if (isContested) addContested(store, list);
  }
  for (const change of changes) moveRow(store, change, draft);
  for (const record of restored) addListsOfRestored(store, record);
  if (writer) for (const staged of listChanges) writer.applyListChange(staged);
  if (writer && own) addOverlappingPages(store, tablesByKind?.keys() ?? EMPTY, time);
}

/** Results that were requested with the key of a new entity are those of the entity that had the key before. */
function invalidateFormerResults(
  { results }: DraftStore,
  { kind, pk }: EntityRecord,
  time: number,
): void {
  for (const result of results.values())
    // the response that brings the new entity is later
    if (kind.pkInArgs(result.args) === pk) result.invalidate(time - 1);
}

/** Readers that have seen an optimistic creation keep the entity while they fetch the fields that the response lacks. */
function keepShownEntity(store: DraftStore, record: EntityRecord): void {
  for (const parent of record.allParents) {
    if (!(parent instanceof ResultRecord && parent.wasReadable && parent.isIncomplete)) continue;
    parent.keepEntity(record.versions.floorTime);
    addUncertainResult(store, parent);
  }
}

/** The deletion has removed the row from its lists, and the mutation that restores the row names no list. */
function addListsOfRestored(store: DraftStore, record: EntityRecord): void {
  const lookup = storedLookup(record);
  for (const table of store.listTablesByEntity(record.kind.tableKey))
    addUncertainLists(store, table.openLists(lookup, false));
}

/** Moves a row between the lists that a change of its fields concerns. `draft`: the draft that brought the change. */
export function moveRow(store: DraftStore, change: WrittenChange, draft?: Draft): void {
  const { member, issued, time, confirmedAt } = change;
  const entities = member.kind.tableKey;
  const all = store.listTablesByEntity(entities);
  const write: MembershipWrite = {
    issued,
    confirmedAt: store.time,
    logTime: store.inflight.oldestIssued() < time ? time : undefined,
    wasOptimistic: false,
  };
  for (const table of store.tablesFollowing(entities)) {
    for (const move of impliedMovesIn(table, change, isHomeTable(table, all), draft)) {
      const { list, op, expires, isSearch } = move;
      if (draft && fillsMember(draft, list, member)) continue;
      // a response that was requested later has decided, but the server may have read the list earlier
      const isDecided = list.stamp.time > (isSearch ? confirmedAt : time);
      const isContradicted = op
        ? (op === 'out') === list.hasConfirmed(member)
        : expires && !change.isFirstWrite;
      if (isDecided ? isContradicted : expires) addUncertainLists(store, [list]);
      if (isDecided) continue;
      if (op === 'out') leaveList(store, list, member, write);
      else if (op && !list.hasConfirmed(member))
        enterList(store, { list, member, op, mapKey: undefined }, write);
      if (op) table.hasMembershipWrites = true;
    }
  }
}

/**
 * The moves that follow from a change of fields, beside the list changes that the draft states: the arguments of these
 * decide which lists the row enters, and those of a move that these lists have the members of the server.
 */
export function impliedMovesIn(
  table: ListTable,
  change: FieldChange,
  isHome: boolean,
  draft: Draft | undefined,
): FieldMove[] {
  const { member, isCreation } = change;
  // a creation that a later push supersedes adds the row to no list
  const stated = draft?.listChanges.filter(
    (staged) =>
      staged.table === table &&
      staged.change.members.includes(member) &&
      !(staged.change.creates && isCreation === false),
  );
  const moves = fieldMovesIn(table, change, isHome);
  if (!stated?.length) return moves;
  const isMove = stated.some((staged) => staged.change.op === 'move');
  return moves.map((move) => ({
    ...move,
    op: move.op === 'out' ? move.op : undefined,
    expires: move.expires && !isMove,
  }));
}

/** True if the draft brings all members of the list, or a page with this member. */
function fillsMember({ fills }: Draft, to: StoredList, member: StoreRecord): boolean {
  return fills.some(
    ({ list, mode, members }) =>
      list === to && (mode === 'fill' || Object.values(members).includes(member)),
  );
}

function enterList(
  store: DraftStore,
  { list, member, op, mapKey }: MemberOp,
  write: MembershipWrite,
): void {
  const target = store.beforeWrite(list);
  if (!target.hasConfirmed(member)) addUpdatedList(store, list);
  if (target.addMember(member, write, op as ListEnd, mapKey)) addUncertainLists(store, [list]);
}

function leaveList(
  store: DraftStore,
  list: StoredList,
  member: StoreRecord,
  write: MembershipWrite,
): void {
  // a list that has not loaded the row may count the row
  addUpdatedList(store, list, member);
  store.beforeWrite(list).removeMember(member, write);
}

/** Writes creations, deletions, and the changes of lists that follow. */
class MembershipWriter {
  readonly #store: DraftStore;
  readonly #draft: Draft;
  readonly #stamp: Stamp;
  readonly #membershipWrite: MembershipWrite;
  /** Entities with a confirmed own deletion or creation that was issued later, which enter no list. */
  readonly #supersededEntities: StoreRecord[] = [];

  constructor(store: DraftStore, draft: Draft, stamp: Stamp) {
    this.#store = store;
    this.#draft = draft;
    this.#stamp = stamp;
    const { time: issued, ownTime: confirmedAt = issued } = stamp;
    const logTime = store.inflight.oldestIssued() < confirmedAt ? confirmedAt : undefined;
    const wasOptimistic = draft.replacedLayer !== undefined;
    this.#membershipWrite = { issued, confirmedAt, logTime, wasOptimistic };
  }

  recordCreation(patch: EntityPatch): void {
    const { record } = patch;
    patch.isOwnCreation = recordExistenceWrite(record, { issued: this.#stamp.time });
    if (patch.isOwnCreation) this.#store.layers.onCreateConfirmed(record);
    else this.#supersededEntities.push(record);
  }

  remove(record: EntityRecord): void {
    const { layers } = this.#store;
    const { confirmedNodes } = record;
    const { time: issued, isPush } = this.#stamp;
    const { time, stamp } = record.versions;
    // a mutation that was issued later, and confirmed before, may have restored the row
    const isContested = stamp.ownTime !== undefined && isAtLeastAsNew(stamp.time, issued);
    const lookup = storedLookup(record);
    const tables = this.#store.listTablesByEntity(record.kind.tableKey);
    // numbered pages and searches; all lists elsewhere, and also at the address of the entity if the row may be there still
    const home = tables.filter((table) => !isContested && isHomeTable(table, tables));
    const uncertain = tables.flatMap((table) =>
      home.includes(table) ? table.openLists(lookup) : table.uncertainLists(record, lookup),
    );
    const counting = home.flatMap((table) => table.openLists(lookup, false));
    const knownTime = record.isConfirmed ? (stamp.arrivedAt ?? time) : 0;
    if (!this.#store.beforeWrite(record).remove(this.#stamp)) return;
    // the response of a creation in flight, here or in another tab, does not bring the entity back
    if (isPush) recordExistenceWrite(record, { issued, deleted: true, knownTime });
    for (const list of containingLists(record, layers.pendingLists))
      leaveList(this.#store, list, record, this.#membershipWrite);
    for (const parent of record.allParents)
      if (parent instanceof ResultRecord) addChangedPages(this.#store, parent, record);
    for (const list of counting) addUpdatedList(this.#store, list, record);
    addUncertainLists(this.#store, uncertain);
    // records stored for this entity alone are removed, too; the iteration of a Set includes members added meanwhile
    record.kind.descriptor.nested.forEach(({ kind }, at) => {
      if (kind.normalizesAbsent && confirmedNodes[at])
        this.#draft.remove(confirmedNodes[at] as Ref);
    });
  }

  applyListChange({
    table,
    change,
    preparedChange,
    tablesAtOtherAddresses,
  }: StagedListChange): void {
    const { logTime } = this.#membershipWrite;
    table.hasMembershipWrites = true;
    for (const other of tablesAtOtherAddresses)
      addUncertainLists(this.#store, other.uncertainListsForChange(change));
    const matched = preparedChange?.matched ?? table.matchMembers(change, this.#stamp);
    for (const memberOp of table.memberOps(change, matched)) this.#applyMemberOp(memberOp);
    for (const { member, uncertain, leaves } of matched) {
      addUncertainLists(this.#store, uncertain);
      if (leaves && logTime)
        table.departures.set(member, (list, since) => logTime > since && leaves(list));
    }
    for (const { list, apply } of preparedChange?.merges ?? EMPTY) {
      this.#store.beforeWrite(list);
      apply(logTime);
    }
  }

  #applyMemberOp({ list, member, op, mapKey }: MemberOp): void {
    if (op === 'out') return leaveList(this.#store, list, member, this.#membershipWrite);
    const isDropped =
      // a deletion was issued later
      !(member as EntityRecord).isConfirmed ||
      (this.#supersededEntities.includes(member) &&
        (mapKey === undefined || isDeletionConfirmed(member as EntityRecord)));
    // only a server that uses a key again knows of a row with this key after the pushed deletion
    if (isDropped && (member as EntityRecord).versions.existenceWrite?.knownTime !== undefined)
      addUncertainLists(this.#store, [list]);
    if (op === 'merge' || isDropped) return;
    enterList(this.#store, { list, member, op, mapKey }, this.#membershipWrite);
  }
}

/** A change of an entity by a confirmed write. */
export interface WrittenChange extends FieldChange {
  readonly member: EntityRecord;
  /** Logical times at which the request was issued, of the latest changed field, and of the response. */
  readonly issued: number;
  readonly time: number;
  readonly confirmedAt: number;
}

/**
 * Writes a patch of an entity whose existence is confirmed, or that is pushed or changed. Returns the change of the
 * fields by which stored lists are filtered; undefined if there is none.
 */
export function writePatch(
  store: DraftStore,
  record: EntityRecord,
  patch: EntityPatch,
  stamp: Stamp,
): WrittenChange | undefined {
  const { tableKey } = record.kind;
  const isUnknown = !record.isConfirmed;
  store.noteOverwrite(tableKey);
  const tables = store.tablesFollowing(tableKey);
  let fields: string[] = EMPTY;
  const { own } = stamp;
  const isOwn = own !== undefined;
  for (const { groups } of tables) {
    for (const name of groups.byField.keys()) fields = append(fields, name);
    // pushes and reads change the order of a list too often to request the list each time
    if (isOwn) for (const name of groups.byOrder.keys()) fields = append(fields, name);
  }
  const old = fields.map((name) => rawValue(record, name));
  const texts = fields.map((name) => knownValue(record, name));
  if (record.write(patch, stamp)) addContested(store, record);
  // a later deletion stands
  if (!record.isConfirmed) return undefined;
  const changed = fields.filter(
    (name, at) => knownValue(record, name) !== texts[at] || !equal(rawValue(record, name), old[at]),
  );
  // a read says nothing of the other lists of a row; a push reports a change, which may have brought the row into them
  const isPlacedNow = stamp.isPush === true && (record.flags & UNPLACED) > 0;
  if (isUnknown || isPlacedNow) record.flags &= ~UNPLACED;
  const isWhole = record.versions.unreceived.length === 0;
  const isFirstWrite = isUnknown || (isPlacedNow && changed.length === 0);
  const isWritten = (name: string) => isWhole || patch.recordShape?.names.includes(name);
  const names = isFirstWrite ? fields.filter(isWritten) : changed;
  const repeatedFields = isOwn
    ? fields.filter((name) => own.has(name) && !names.includes(name))
    : EMPTY;
  if (repeatedFields.length > 0) addOlderReads(store, tables, repeatedFields);
  const isChange = names.length + repeatedFields.length > 0;
  if (!isChange && !(isOwn && fields.includes(ANY_FIELD))) return undefined;
  return {
    member: record,
    isCreation: patch.isOwnCreation,
    names,
    repeatedFields,
    isOwn,
    isFirstWrite,
    before: (name) => texts[fields.indexOf(name)],
    after: (name) => knownValue(record, name),
    issued: stamp.time,
    confirmedAt: stamp.ownTime ?? stamp.time,
    time: Math.max(stamp.time, ...names.map((name) => fieldTimeInStamp(name, stamp))),
  };
}

/** An own write repeats what a read has brought: the server may have answered reads in flight before the write. */
function addOlderReads(
  store: DraftStore,
  tables: readonly ListTable[],
  repeatedFields: readonly string[],
): void {
  const keys = tables
    .filter(({ groups }) => repeatedFields.some((name) => groups.byField.has(name)))
    .map(({ kind }) => kind.tableKey);
  for (const key of store.inflight.reads.keys()) {
    const result = store.results.get(key);
    if (result && tableKeysIn(result.kind).some((one) => keys.includes(one)))
      addUncertainResult(store, result);
  }
}

/** The confirmed value of a field; of a nested member, its node. */
function rawValue({ confirmedFields, confirmedNodes, kind }: EntityRecord, name: string): unknown {
  const at = kind.descriptor.nestedIndexes.get(name);
  return at === undefined ? confirmedFields?.[name] : confirmedNodes[at];
}
