/** Writes the draft of a response to the confirmed data. */
import type { Node, Ref } from '../schema/schema.ts';
import { recordExistenceWrite, isDeletionConfirmed } from './recordExistenceWrite.ts';
import type { Draft, StagedListChange } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import { recordsIn } from './eachRecord.ts';
import type { EntityPatch } from './EntityPatch.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { MembershipWrite } from './MembershipLog.ts';
import { containingLists } from './StoredList.ts';
import type { ListTable, MemberOp } from './ListTable.ts';
import type { StoredList } from './StoredList.ts';
import { EMPTY } from './append.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';
import { storedLookup } from './FilterLookup.ts';

/** `root`: the node of the response; own writes of a mutation apply to its entities. Cannot throw half-way. */
export function writeDraft(store: DraftStore, draft: Draft, given: Stamp, root: Node): void {
  const stamp = draft.keyChanges?.apply(given) ?? given;
  new DraftWriter(store, draft, stamp).write(root);
}

class DraftWriter {
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

  /** Fields in the body of a mutation are own writes in the root entities of its response, not in nested ones. */
  write(root: Node): void {
    const stamp = this.#stamp;
    const { patches, removals, fills, listChanges, tablesByKind } = this.#draft;
    const { layers } = this.#store;
    const { time, own, fetchedAt, expiresAt } = stamp;
    const roots = own && recordsIn(root);
    const nestedStamp = own ? { time, fetchedAt, expiresAt } : stamp;
    if (own)
      for (const table of tablesByKind.values())
        table.lastOwnWriteTime = this.#membershipWrite.confirmedAt;
    for (const patch of patches) {
      const record = layers.beforeWrite(patch.record);
      if (patch.isOwnCreation) this.#recordCreation(patch);
      record.write(patch, roots?.has(record) ? stamp : nestedStamp);
    }
    for (const record of removals) this.#remove(record);
    for (const { list, members, mode } of fills) {
      const { departures } = this.#store.table(list.kind) as Partial<ListTable>;
      layers.beforeWrite(list)[mode](members, stamp, departures);
    }
    for (const staged of listChanges) this.#applyListChange(staged);
  }

  #recordCreation(patch: EntityPatch): void {
    const { record } = patch;
    patch.isOwnCreation = recordExistenceWrite(record, { issued: this.#stamp.time });
    if (patch.isOwnCreation) this.#store.layers.onCreateConfirmed(record);
    else this.#supersededEntities.push(record);
  }

  #remove(record: EntityRecord): void {
    const { layers, affectedLists } = this.#store;
    const { confirmedNodes } = record;
    const lookup = storedLookup(record);
    if (!layers.beforeWrite(record).remove(this.#stamp)) return;
    for (const list of containingLists(record, layers.pendingLists))
      this.#removeMember(list, record);
    for (const table of this.#store.listTablesByEntity(record.kind.tableKey))
      affectedLists.addUncertain(table.compatibleLists(lookup, true));
    // records stored for this entity alone are removed, too; the iteration of a Set includes members added meanwhile
    for (const [at, { kind }] of record.kind.descriptor.nested.entries())
      if (kind.normalizesAbsent && confirmedNodes[at])
        this.#draft.remove(confirmedNodes[at] as Ref);
  }

  #applyListChange({
    table,
    change,
    preparedChange,
    tablesAtOtherAddresses,
  }: StagedListChange): void {
    const { layers, affectedLists } = this.#store;
    const { logTime } = this.#membershipWrite;
    table.hasMembershipWrites = true;
    for (const other of tablesAtOtherAddresses)
      affectedLists.addUncertain(other.uncertainListsForChange(change));
    const matched = preparedChange?.matched ?? table.matchMembers(change, this.#stamp);
    for (const memberOp of table.memberOps(change, matched)) this.#applyMemberOp(memberOp);
    for (const { member, uncertain, leaves } of matched) {
      affectedLists.addUncertain(uncertain);
      if (leaves && logTime)
        table.departures.set(member, (list, since) => logTime > since && leaves(list));
    }
    for (const { list, apply } of preparedChange?.merges ?? EMPTY) {
      layers.beforeWrite(list);
      apply(logTime);
    }
  }

  #applyMemberOp({ list, member, op, mapKey }: MemberOp): void {
    if (op === 'out') return this.#removeMember(list, member);
    const isDropped =
      this.#supersededEntities.includes(member) &&
      (mapKey === undefined || isDeletionConfirmed(member as EntityRecord));
    if (op === 'merge' || isDropped) return;
    const { layers, affectedLists } = this.#store;
    const target = layers.beforeWrite(list);
    if (!target.hasConfirmed(member)) affectedLists.addUpdated(list);
    target.addMember(member, this.#membershipWrite, op, mapKey);
  }

  #removeMember(list: StoredList, member: StoreRecord): void {
    const { layers, affectedLists } = this.#store;
    affectedLists.addUpdated(list);
    layers.beforeWrite(list).removeMember(member, this.#membershipWrite);
  }
}
