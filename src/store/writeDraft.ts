/** Writes the draft of a response to the confirmed data. */
import type { Node, Ref } from '../schema/schema.ts';
import { recordExistenceWrite, isDeletionConfirmed } from './recordExistenceWrite.ts';
import type { Draft, StagedListChange } from './Draft.ts';
import type { DraftStore } from './DraftStore.ts';
import { containsRecordTest } from './eachRecord.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { MemberMove } from './MembershipLog.ts';
import { containingLists } from './StoredList.ts';
import type { MemberOp } from './ListTable.ts';
import type { StoredList } from './StoredList.ts';
import { append, EMPTY } from './append.ts';
import type { Stamp } from './versioning.ts';
import type { StoreRecord } from './StoreRecord.ts';
import { withStoredFallback, EMPTY_LOOKUP } from './FilterLookup.ts';

/** `root`: the node of the response; own writes of a mutation apply to its entities. Cannot throw half-way. */
export function writeDraft(store: DraftStore, draft: Draft, given: Stamp, root: Node): void {
  const { layers } = store;
  const stamp = draft.keyChange?.apply(given) ?? given;
  for (const { optimistic, stored } of draft.tempIdMatcher?.merged ?? EMPTY)
    layers.movePatches(optimistic, stored);
  new DraftWriter(store, draft, stamp).write(root);
}

class DraftWriter {
  readonly #store: DraftStore;
  readonly #draft: Draft;
  readonly #stamp: Stamp;
  /** Logical time of the memberships, if the response to an older request may still contradict them. */
  readonly #membershipTime: number | undefined;
  /** Entities with a confirmed own deletion or creation that was issued later: they enter no list. */
  #supersededEntities: StoreRecord[] = EMPTY;

  constructor(store: DraftStore, draft: Draft, stamp: Stamp) {
    this.#store = store;
    this.#draft = draft;
    this.#stamp = stamp;
    const time = stamp.ownTime ?? stamp.time;
    this.#membershipTime = store.oldestIssued() < time ? time : undefined;
  }

  write(root: Node): void {
    const { newMemberPatches, patches, removals, fills, listChanges } = this.#draft;
    const { layers } = this.#store;
    const stamp = this.#stamp;
    for (const patch of newMemberPatches) {
      patch.isOwnCreation = recordExistenceWrite(layers.beforeWrite(patch.record), {
        issued: stamp.time,
      });
      if (patch.isOwnCreation) layers.onCreateConfirmed(patch.record);
      else this.#supersededEntities = append(this.#supersededEntities, patch.record);
    }
    if (stamp.own === undefined)
      for (const patch of patches) layers.beforeWrite(patch.record).write(patch, stamp);
    else this.#writeMutation(root);
    for (const record of removals) this.#remove(record);
    for (const { list, members, mode } of fills) layers.beforeWrite(list)[mode](members, stamp);
    for (const entering of listChanges) this.#applyListChange(entering);
  }

  /** Fields in the body of a mutation are own writes in the root entities of its response, not in nested ones. */
  #writeMutation(root: Node): void {
    const isRoot = containsRecordTest(root);
    const { time, ownTime = time, fetchedAt, expiresAt } = this.#stamp;
    const plain: Stamp = { time, fetchedAt, expiresAt };
    for (const table of this.#draft.tablesByKind.values()) table.lastOwnWriteTime = ownTime;
    for (const patch of this.#draft.patches) {
      const { record } = patch;
      this.#store.layers.beforeWrite(record).write(patch, isRoot(record) ? this.#stamp : plain);
    }
  }

  #remove(record: EntityRecord): void {
    const { layers, affectedLists } = this.#store;
    const { confirmedNodes } = record;
    const filterValue = withStoredFallback(record, EMPTY_LOOKUP);
    if (!layers.beforeWrite(record).remove(this.#stamp)) return;
    for (const list of containingLists(record, layers.pendingLists)) {
      affectedLists.addUpdated(list);
      layers.beforeWrite(list).removeMember(this.#toMemberMove(record));
    }
    for (const table of this.#store.listTablesByEntity(record.kind.tableKey))
      affectedLists.addUncertain(table.uncertainListsForMember(record, filterValue, true));
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
    table.hasMembershipWrites = true;
    const uncertain: StoredList[] = [];
    const onUncertain = (list: StoredList) => uncertain.push(list);
    for (const other of tablesAtOtherAddresses)
      affectedLists.addUncertain(other.uncertainListsForChange(change));
    for (const move of table.memberOps(change, {
      time: this.#stamp,
      matchingLists: preparedChange?.matchingLists,
      onUncertain,
    }))
      this.#applyMemberOp(move);
    affectedLists.addUncertain(uncertain);
    for (const { list, apply } of preparedChange?.merges ?? EMPTY) {
      layers.beforeWrite(list);
      apply(this.#membershipTime);
    }
  }

  #applyMemberOp({ list, member, op, mapKey }: MemberOp): void {
    const isSuperseded = op !== 'out' && this.#supersededEntities.includes(member);
    const isDropped =
      isSuperseded && (mapKey === undefined || isDeletionConfirmed(member as EntityRecord));
    if (op === 'merge' || isDropped) return;
    const move = this.#toMemberMove(member, mapKey);
    const target = this.#store.layers.beforeWrite(list);
    if (op === 'out' || !target.hasConfirmed(member)) this.#store.affectedLists.addUpdated(list);
    if (op === 'out') target.removeMember(move);
    else target.addMember(move, op);
  }

  #toMemberMove(member: StoreRecord, mapKey?: string): MemberMove {
    const { time: issued, ownTime: confirmedAt = issued } = this.#stamp;
    const wasOptimistic = this.#draft.replacedLayer !== undefined;
    return {
      member,
      issued,
      confirmedAt,
      wasOptimistic,
      logTime: this.#membershipTime,
      mapKey,
    };
  }
}
