/** The primary keys that the response to an optimistic write brings for the entities that the write has created. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { hasField } from '../schema/fieldOf.ts';
import type { Fields, NormalizedNode } from '../schema/schema.ts';
import { keysIn } from '../schema/toPk.ts';
import { withNodeAt } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Table } from '../store/lists/ListTable.ts';
import { isStoredList } from '../store/lists/StoredList.ts';
import { dropPushedCreation } from '../store/entities/FieldVersions.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import { EMPTY, append } from '../store/records/append.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { DraftStore } from '../store/writes/Draft.ts';
import { KeyChanges, deleteConfirmedData } from '../store/writes/KeyChanges.ts';
import type { Duplicates, FillList } from '../store/writes/KeyChanges.ts';
import { renameEntity } from '../store/writes/renameEntity.ts';
import type { Layer } from './Layer.ts';
import { patchOf } from './draftPatches.ts';

export class LayerKeyChanges extends KeyChanges {
  /** The optimistic result shown so far. The entities that it creates get server keys in their order. */
  readonly #layer: Layer;
  #unnamed: EntityRecord[] | undefined;
  /** Entities that had temporary keys. */
  #named: EntityRecord[] = EMPTY;
  #merged: Duplicates[] = EMPTY;

  constructor(store: DraftStore, stamp: Stamp | undefined, layer: Layer) {
    super(store, stamp);
    this.#layer = layer;
  }

  protected override resolveCreated(
    { kind }: Table,
    pk: string,
    known: EntityRecord | undefined,
  ): StoreRecord | undefined {
    if (known !== undefined && (!this.stamp || patchOf(this.#layer.draft, known))) return known;
    this.#unnamed ??= callerKeysLast(this.#layer);
    const record = takeFirstOfKind(this.#unnamed, kind as EntityKind);
    if (record === undefined) return known;
    const undo = renameEntity(this.store.tables, record, known?.pk ?? pk);
    this.undoRenames = append(this.undoRenames, undo);
    if (known === undefined) this.#named = append(this.#named, record);
    else this.#merged = append<Duplicates>(this.#merged, [record, known]);
    return known ?? record;
  }

  override apply(stamp: Stamp): Stamp {
    for (const [from, to] of this.#merged) {
      dropPushedCreation(to);
      this.store.layers.movePatches(from, to);
      deleteConfirmedData(this.store, from);
    }
    return super.apply(stamp);
  }

  /** Keeps optimistic lists nested in renamed entities if the response leaves them out: passes each to `fill`. */
  override keepNestedLists(fill: FillList): void {
    for (const record of this.#named) this.#keepListsIn(record, fill);
  }

  #keepListsIn(record: EntityRecord, fill: FillList): void {
    const { kind, stagedPatch } = record;
    const { draft } = this.#layer;
    const shown = patchOf(draft, record);
    if (stagedPatch === undefined || shown === undefined) return;
    for (const [at, { name }] of kind.descriptor.nested.entries()) {
      const list = shown.nodes[at];
      const isLeftOut = !hasField(stagedPatch.fields, name) && hasField(shown.fields, name);
      if (!isLeftOut || !(list instanceof StoreRecord) || !isStoredList(list)) continue;
      stagedPatch.fields = { ...stagedPatch.fields, [name]: shown.fields[name] };
      stagedPatch.nodes = withNodeAt(stagedPatch.nodes, at, list);
      const members = draft?.fills.find((one) => one.list === list)?.members ?? EMPTY;
      fill(list, confirmedIn(members));
    }
  }
}

/** The members of a list or map that exist: those created with the entity and not in the response do not. */
function confirmedIn(members: NormalizedNode): NormalizedNode {
  const isConfirmed = (member: NormalizedNode) => (member as EntityRecord).isConfirmed;
  if (Array.isArray(members)) return members.filter(isConfirmed);
  return Object.fromEntries(
    Object.entries(members as Fields).filter(([, member]) => isConfirmed(member)),
  );
}

/** The created entities in their order, those with keys that the caller chose last. */
function callerKeysLast(layer: Layer): EntityRecord[] {
  const created = layer.createdEntities;
  if (created.length < 2) return created;
  const callerKeys = new Set(keysIn(layer.call.args));
  return created.sort(
    (one, other) => Number(callerKeys.has(one.pk)) - Number(callerKeys.has(other.pk)),
  );
}

/** Removes and returns the first record of a kind that is not in the response under its own key. */
export function takeFirstOfKind(records: EntityRecord[], of: EntityKind): EntityRecord | undefined {
  const at = records.findIndex(
    ({ kind, stagedPatch }) => kind.tableKey === of.tableKey && stagedPatch === undefined,
  );
  return at < 0 ? undefined : records.splice(at, 1)[0];
}
