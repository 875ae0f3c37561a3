/** Writes the draft of a response to the confirmed data. */
import { Ref } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import type { EntityPatch } from '../entities/EntityPatch.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { isDeletionConfirmed, recordExistenceWrite } from '../entities/FieldVersions.ts';
import { storedLookup } from '../lists/FilterLookup.ts';
import type { ListTable, MemberOp } from '../lists/ListTable.ts';
import type { MembershipWrite } from '../lists/MembershipLog.ts';
import { containingLists } from '../lists/StoredList.ts';
import type { StoredList } from '../lists/StoredList.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { EMPTY } from '../records/append.ts';
import { recordsIn } from '../records/eachRecord.ts';
import type { Stamp } from '../records/versioning.ts';
import type { Draft, DraftStore, StagedListChange } from './Draft.ts';
import { addUncertainLists, addUpdatedList } from './ListChanges.ts';

/** `root`: the node of the response; own writes of a mutation apply to its entities. Cannot throw half-way. */
export function writeDraft(
  store: DraftStore,
  draft: Draft,
  given: Stamp,
  root: NormalizedNode,
): void {
  const stamp = draft.keyChanges?.apply(given) ?? given;
  const { patches, removals, fills, listChanges, tablesByKind } = draft;
  const { time, own, ownTime = time, fetchedAt, expiresAt } = stamp;
  // fields in the body of a mutation are own writes in the root entities of its response, not in nested ones
  const roots = own && !(root instanceof Ref) ? recordsIn(root) : undefined;
  const nestedStamp = own ? { time, fetchedAt, expiresAt } : stamp;
  if (own) for (const table of tablesByKind?.values() ?? EMPTY) table.lastOwnWriteTime = ownTime;
  // responses of most reads create and delete nothing, and need no writer
  const isChange = removals.size + listChanges.length > 0;
  const writer = isChange ? new MembershipWriter(store, draft, stamp) : undefined;
  for (const patch of patches) {
    const record = store.beforeWrite(patch.record);
    if (patch.isOwnCreation) writer?.recordCreation(patch);
    record.write(patch, root === record || roots?.has(record) ? stamp : nestedStamp);
  }
  if (writer) for (const record of removals) writer.remove(record);
  for (const { list, members, mode } of fills) {
    const { departures } = store.table(list.kind) as Partial<ListTable>;
    store.beforeWrite(list)[mode](members, stamp, departures);
  }
  if (writer) for (const staged of listChanges) writer.applyListChange(staged);
}

/** Writes creations, deletions, and the changes of lists that follow from them. */
class MembershipWriter {
  readonly #store: DraftStore;
  readonly #draft: Draft;
  readonly #stamp: Stamp;
  readonly #membershipWrite: MembershipWrite;
  /** Entities with a confirmed own deletion or creation that was issued later: they enter no list. */
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
    const lookup = storedLookup(record);
    if (!this.#store.beforeWrite(record).remove(this.#stamp)) return;
    for (const list of containingLists(record, layers.pendingLists))
      this.#removeMember(list, record);
    for (const table of this.#store.listTablesByEntity(record.kind.tableKey))
      addUncertainLists(this.#store, table.compatibleLists(lookup, true));
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
    if (op === 'out') return this.#removeMember(list, member);
    const isDropped =
      this.#supersededEntities.includes(member) &&
      (mapKey === undefined || isDeletionConfirmed(member as EntityRecord));
    if (op === 'merge' || isDropped) return;
    const target = this.#store.beforeWrite(list);
    if (!target.hasConfirmed(member)) addUpdatedList(this.#store, list);
    target.addMember(member, this.#membershipWrite, op, mapKey);
  }

  #removeMember(list: StoredList, member: StoreRecord): void {
    addUpdatedList(this.#store, list);
    this.#store.beforeWrite(list).removeMember(member, this.#membershipWrite);
  }
}
