/** The record of one entity: the confirmed content, when each field was written, and the optimistic writes over it. */
import type { RecordShape } from '../../schema/RecordShape.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import type { Fields, Node } from '../../schema/schema.ts';
import { recordExistenceWrite } from './recordExistenceWrite.ts';
import {
  foldPatches,
  lastWriteOf,
  nextWriteAfter,
  overlayFields,
  readFieldSafely,
} from '../../optimistic/foldPatches.ts';
import type { Patch } from '../../optimistic/foldPatches.ts';
import type { EntityContent } from './EntityContent.ts';
import { EntityValue, NO_NODES } from './EntityValue.ts';
import { versionsAfter, versionsOfNewEntity, NO_VERSIONS } from './FieldVersions.ts';
import type { FieldVersions } from './FieldVersions.ts';
import { append, EMPTY } from '../records/append.ts';
import { PendingEntity } from '../../optimistic/PendingEntity.ts';
import {
  UNWRITTEN_STAMP,
  isAtLeastAsNew,
  canWriteAllFields,
  fieldTime,
  fieldTimeInStamp,
  canWriteField,
} from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { DIRTY, REREAD_PARTS, SHARED } from '../records/flags.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';

export class EntityRecord extends EntityValue {
  versions: FieldVersions = NO_VERSIONS;
  /** While a draft is staged: its patch of this entity. */
  stagedPatch: Patch<EntityRecord> | undefined = undefined;
  override pending: PendingEntity | undefined = undefined;

  /** The confirmed content; undefined: the entity does not exist. */
  get base(): EntityContent | undefined {
    return this.pending === undefined ? this.content : this.pending.base;
  }

  /** True if the existence of the entity is confirmed. */
  get isConfirmed(): boolean {
    return (this.pending ? this.pending.base : this.instance) !== undefined;
  }

  get confirmedFields(): Fields | undefined {
    return this.pending === undefined ? this.instance : this.pending.base?.fields;
  }

  get confirmedNodes(): readonly Node[] {
    return this.pending === undefined ? this.nodes : (this.pending.base?.nodes ?? NO_NODES);
  }

  get time(): number {
    return this.versions.time;
  }

  get stamp(): Stamp {
    const first = this.pending?.patches[0];
    if (first === undefined || this.isConfirmed || !this.exists) return this.versions.stamp;
    // only optimistic writes know this entity: no server could send more of it
    return { ...UNWRITTEN_STAMP, time: first.issued, expiresAt: Infinity };
  }

  set stamp(stamp: Stamp) {
    if (stamp !== this.versions.stamp) this.versions = { ...this.versions, stamp };
  }

  override gcEdges(): Node {
    const { pending, nodes } = this;
    return pending === undefined ? nodes : [nodes, pending.gcEdges];
  }

  override confirmedParts(): Node {
    return this.confirmedNodes;
  }

  override deletedSince(time: number): boolean {
    const { existenceWrite, floorTime, time: deletedAt } = this.versions;
    const formerlyDeletedAt = existenceWrite?.formerDeletionTime ?? floorTime;
    return (this.isConfirmed ? formerlyDeletedAt : deletedAt) > time;
  }

  override get deletionIssued(): number | undefined {
    if (this.exists) return undefined;
    if (this.isConfirmed) return this.pending?.deletePatches.at(-1)?.issued;
    return this.time > 0 ? Infinity : undefined;
  }

  override get latestTime(): number {
    const { time, floorTime, times } = this.versions;
    const latest = Math.max(time, floorTime);
    return times === undefined ? latest : Math.max(latest, ...Object.values(times));
  }

  /** Writes the fields that are newer than the confirmed ones; notifies readers only of changes. */
  write(patch: Patch, stamp: Stamp): void {
    const { kind, isConfirmed } = this;
    if (patch.kind !== kind && (!isConfirmed || patch.kind.isOrExtends(kind)))
      this.changeClass(patch.kind);
    if (isConfirmed) this.#merge(patch, stamp);
    // servers reuse keys: all fields of a creation response count, and no field from before
    else if (patch.isOwnCreation || isAtLeastAsNew(stamp.time, this.versions.time)) {
      const { nodes, instance } = patch;
      this.versions = versionsOfNewEntity(this.versions, patch, stamp);
      if (this.pending === undefined) this.becomePresent(instance as Fields, nodes);
      else this.setConfirmed({ fields: instance as Fields, nodes });
    }
  }

  /** Changes the class. The class of an existing entity may only change to another class of the same table. */
  changeClass(kind: EntityKind): void {
    const { base, instance, versions, pending } = this;
    const { declaredFields, nestedIndexes } = kind.descriptor;
    const was = this.kind.descriptor.nestedIndexes;
    if (instance !== undefined) this.beforeChange();
    this.kind = kind;
    if (base !== undefined) {
      // a field that was no nested member of the old class is stored in its raw form
      const left = declaredFields.filter(
        (name) => !Object.hasOwn(base.fields, name) || nestedIndexes.has(name) !== was.has(name),
      );
      const unreceived = [...versions.unreceived, ...left];
      this.versions = { ...versions, unreceived, recordShape: undefined };
      if (pending) this.setConfirmed({ fields: kind.copyInstance(base.fields), nodes: base.nodes });
    }
    if (instance === undefined) return;
    this.instance = kind.copyInstance(instance);
    this.flags = (this.flags & ~SHARED) | REREAD_PARTS;
    this.notifyFields(declaredFields);
  }

  /** Deletes the entity, unless data later than the deletion are stored. True if the entity is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (stamp.own !== undefined) {
      if (!recordExistenceWrite(this, { issued: stamp.time, deleted: true })) return false;
    } else if (!isAtLeastAsNew(time, this.time)) return !this.isConfirmed;
    // `ownIssued` and `existenceWrite` are kept for ever
    const { floorTime, ownIssued, existenceWrite } = this.versions;
    // written out: a spread takes ten times as long
    this.versions = {
      time,
      times: undefined,
      ownIssued,
      floorTime,
      stamp: UNWRITTEN_STAMP,
      existenceWrite,
      recordShape: undefined,
      unreceived: EMPTY,
    };
    this.setConfirmed(undefined);
    return true;
  }

  /** Replaces the confirmed content without comparing times. */
  setConfirmed(content: EntityContent | undefined): void {
    const { pending } = this;
    if (pending === undefined) return this.setContent(content);
    pending.deletedBase = content === undefined ? (pending.base ?? pending.deletedBase) : undefined;
    pending.base = content;
    pending.markChanged(undefined);
  }

  protected override becomeMissing(): void {
    if (this.pending?.isDeleted !== true) this.arrivalNumber = 0;
    super.becomeMissing();
  }

  #merge(patch: Patch, stamp: Stamp): void {
    const { unreceived } = this.versions;
    const shape = patch.recordShape as RecordShape;
    // a class that decides about updates itself has done so: all fields of its result are written
    const all = this.kind.descriptor.bypassesVersioning || canWriteAllFields(stamp, this.versions);
    const names = all ? shape.names : shape.names.filter((name) => this.#acceptsField(name, stamp));
    this.versions = versionsAfter(this, patch, names, stamp);
    const isChanged = this.#applyFields(patch, names, all ? shape : undefined, stamp.own);
    // a field arrived with its default as value: only its being received is new
    if (!isChanged && this.versions.unreceived !== unreceived) this.#notifyCompleted();
  }

  /**
   * Writes these fields. `shape`: the shape with just these fields; `own`: fields that supersede patches. True if fields
   * now read differently.
   */
  #applyFields(
    { fields, nodes }: EntityContent,
    names: readonly string[],
    shape?: RecordShape,
    own?: ReadonlySet<string>,
  ): boolean {
    const { pending } = this;
    if (pending && (pending.patches.length > 0 || !this.#refoldFields(pending, names))) {
      const base = pending.base as EntityContent;
      pending.base = overlayFields(this.kind, base, { fields, nodes, names }, base);
      pending.markChanged(this.#changedNames(base, names, own));
      return false;
    }
    this.pending = undefined;
    const changed =
      shape === undefined
        ? names.filter((name) => this.updateField(name, fields[name], nodes))
        : this.updateFields(shape, fields, nodes);
    this.notifyFields(changed);
    return changed.length > 0;
  }

  /**
   * The names of fields whose confirmed value is no longer that of `before`, or whose patches are superseded by this own
   * write; undefined: layers may see other changes, too.
   */
  #changedNames(
    before: EntityContent,
    names: readonly string[],
    own?: ReadonlySet<string>,
  ): readonly string[] | undefined {
    const { kind, pending } = this;
    const { fields, nodes } = this.base as EntityContent;
    const { nestedIndexes, bypassesVersioning } = kind.descriptor;
    // these folds depend on more than values: on the own creation that stands, and on the stamp
    if (bypassesVersioning || pending?.isDeleted) return undefined;
    let changed: string[] = EMPTY;
    for (const name of names) {
      const at = nestedIndexes.get(name);
      const isSame =
        at === undefined
          ? Object.is(readFieldSafely(fields, name), readFieldSafely(before.fields, name))
          : nodes[at] === before.nodes[at];
      if (!isSame || own?.has(name)) changed = append(changed, name);
    }
    return changed;
  }

  /** Parents of this entity may be complete now. */
  #notifyCompleted(): void {
    for (const parent of this.allParents) parent.onPartCompletenessChange?.();
  }

  /** True if `kind` demands fields never received. An own response of the entity, issued at `since`, completes it. */
  override lacksRequiredField(since: number, kind: EntityKind = this.kind): boolean {
    const { versions, kind: its } = this;
    // an entity known only from optimistic writes was made here: no server knows more of it
    if (!this.isConfirmed || since >= versions.floorTime) return false;
    return !its.isOrExtends(kind) || versions.unreceived.some((name) => kind.requiresField(name));
  }

  /** A field never written before has no time: any data not older than the floor write the field. */
  #acceptsField(name: string, stamp: Stamp): boolean {
    const at = this.kind.descriptor.nestedIndexes.get(name);
    const known =
      at === undefined
        ? Object.hasOwn(this.confirmedFields as Fields, name)
        : this.confirmedNodes[at] !== undefined;
    return known
      ? canWriteField(name, stamp, this.versions)
      : isAtLeastAsNew(fieldTimeInStamp(name, stamp), this.versions.floorTime);
  }

  override isReceivedSince(time: number): boolean {
    const { versions, kind, confirmedFields = {}, confirmedNodes } = this;
    const nested = [...kind.descriptor.nestedIndexes].filter(([, at]) => confirmedNodes[at]);
    const names = [...Object.keys(confirmedFields), ...nested.map(([name]) => name)];
    return names.every(
      (name) => versions.unreceived.includes(name) || fieldTime(name, versions) >= time,
    );
  }

  override replaceParts(swap: (node: Node) => Node): void {
    const nodes = this.confirmedNodes.map(swap);
    if (this.isConfirmed)
      this.#applyFields({ fields: {}, nodes }, [...this.kind.descriptor.nestedIndexes.keys()]);
  }

  /** Begins to keep the confirmed content apart from the content that readers see: see `refold`. */
  beginPending(): PendingEntity {
    return (this.pending ??= new PendingEntity(this.content));
  }

  /** Logical times of issue of the optimistic deletions that no later own write has superseded. */
  get pendingDeletionTimes(): readonly number[] {
    return this.pending?.deletionTimes(this.versions.existenceWrite?.issued) ?? EMPTY;
  }

  /** The content with the optimistic writes that were issued before this logical time. */
  contentAsOf(time: number): EntityContent | undefined {
    const { pending } = this;
    if (pending === undefined) return this.content;
    // a new layer, mostly: it sees what readers see
    if (!pending.needsRefold && (pending.patches.at(-1)?.issued ?? 0) < time) return this.content;
    return pending.contentAsOf(this, time);
  }

  /**
   * For each of these fields, the time until which layers see a change at `issued`; undefined: they may see a change of
   * other fields, or of the existence.
   */
  visibilityOf(names: readonly string[], issued: number): ((name: string) => number) | undefined {
    const { pending, kind } = this;
    const { hasAnyMerge, settableAccessors } = kind.descriptor;
    if (!pending?.base || hasAnyMerge || settableAccessors[0] || pending.isDeleted)
      return undefined;
    const { patches } = pending;
    return (name) => nextWriteAfter(name, issued, this, patches);
  }

  override equalsCopyAsOf(time: number, copy: StoreRecord): boolean {
    if (copy === this) return false;
    const { content: seen } = copy as EntityCopy;
    const content = this.contentAsOf(time);
    if (seen === undefined || content === undefined) return seen === content;
    const names = (copy as EntityCopy).namesThatMatter(content.fields);
    return overlayFields(this.kind, seen, { ...content, names }, seen) === seen;
  }

  override copyAsOf(time: number): StoreRecord {
    // without pending writes and parts the content is the same at all times
    if (this.pending === undefined && this.nodes.length === 0) return this;
    return this.#copyOf(this.contentAsOf(time));
  }

  /** A deleted entity as it was before, without optimistic writes that were rolled back; undefined if it is visible. */
  copyBeforeDeletion(): StoreRecord | undefined {
    const { pending } = this;
    const base = pending?.base ?? pending?.deletedBase;
    if (this.exists || pending === undefined || base === undefined) return undefined;
    const first = pending.deletePatches[0]?.issued ?? Infinity;
    let content: EntityContent | undefined = base;
    for (const one of pending.patches) {
      if (one.issued >= first) break;
      const over = one.layer.patchOver;
      const patch = over ? over(this.#copyOf(content)) : one.patch;
      if (patch) content = foldPatches(this, content, [{ ...one, patch }]);
    }
    return this.#copyOf(content);
  }

  #copyOf(content: EntityContent | undefined): EntityCopy {
    const copy = new EntityCopy(this.kind, this.pk);
    copy.instance = content?.fields;
    copy.nodes = content?.nodes ?? NO_NODES;
    copy.flags |= SHARED | DIRTY | REREAD_PARTS;
    return copy;
  }

  /** Shows readers the fold: the confirmed content with the optimistic writes over it. */
  refold(): void {
    const { pending } = this;
    if (pending === undefined) return;
    pending.needsRefold = false;
    pending.changedFields = EMPTY;
    if (!this.#refoldFields(pending)) {
      // a write after a deletion creates the entity without its confirmed fields
      pending.staleFields = pending.deletePatches.length > 0 ? undefined : EMPTY;
      this.setContent(pending.contentAsOf(this, Infinity));
      // an entity known only from optimistic writes may be confirmed in part now
      this.#notifyCompleted();
    }
    if (pending.patches.length === 0) this.pending = undefined;
  }

  /** Shows readers the stale fields of the fold, except for these; false: the whole fold must be shown. */
  #refoldFields(pending: PendingEntity, except: readonly string[] = EMPTY): boolean {
    const { base, staleFields } = pending;
    const { hasAnyMerge, settableAccessors } = this.kind.descriptor;
    if (!base || !this.exists || !staleFields || hasAnyMerge || settableAccessors[0]) return false;
    pending.staleFields = EMPTY;
    let changed: string[] = EMPTY;
    for (const name of staleFields)
      if (!except.includes(name) && this.replaceField(name, lastWriteOf(name, this, pending)))
        changed = append(changed, name);
    this.notifyFields(changed);
    return true;
  }
}

/** The entity as one layer sees it. */
class EntityCopy extends EntityRecord {
  override readFields: readonly string[] | undefined = undefined;

  namesThatMatter(fields: Fields): readonly string[] {
    return this.readFields ?? this.fieldNamesToCompare(fields);
  }
}
