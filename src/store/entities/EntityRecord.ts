/** The record of one entity: the confirmed content, when each field was written, and the optimistic writes over it. */
import type { RecordShape, EntityKind } from '../../schema/EntityKind.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import { recordExistenceWrite } from './recordExistenceWrite.ts';
import type { EntityContent, PartialContent } from './EntityContent.ts';
import type { EntityPatch } from './EntityPatch.ts';
import { EntityValue, NO_NODES } from './EntityValue.ts';
import { versionsAfter, versionsOfNewEntity, NO_VERSIONS } from './FieldVersions.ts';
import type { FieldVersions } from './FieldVersions.ts';
import { EMPTY } from '../records/append.ts';
import {
  UNWRITTEN_STAMP,
  isAtLeastAsNew,
  canWriteAllFields,
  fieldTime,
  fieldTimeInStamp,
  canWriteField,
} from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { REREAD_PARTS, SHARED } from '../records/flags.ts';

/** The optimistic writes of an entity, as its record uses them. */
interface OptimisticEntity {
  /** The confirmed content; undefined: the entity does not exist. */
  readonly base: EntityContent | undefined;
  /** Logical times of issue of the first write, and of the last that deletes the entity. */
  readonly firstIssued: number | undefined;
  readonly lastDeletionIssued: number | undefined;
  /** True while a write deletes the confirmed entity, or an entity that another write creates. */
  readonly isDeleted: boolean;
  readonly gcEdges: NormalizedNode;
  setBase(content: EntityContent | undefined): void;
  /**
   * Writes confirmed fields below the optimistic writes. `own`: fields that supersede these. False: no optimistic write
   * is left, and the record shows the confirmed content again.
   */
  write(content: PartialContent, own?: ReadonlySet<string>): boolean;
  /** The content with the writes that were issued before this logical time. */
  contentAsOf(time: number): EntityContent | undefined;
}

export class EntityRecord extends EntityValue {
  versions: FieldVersions = NO_VERSIONS;
  /** While a draft is staged: its patch of this entity. */
  stagedPatch: EntityPatch | undefined = undefined;
  override pending: OptimisticEntity | undefined = undefined;

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

  get confirmedNodes(): readonly NormalizedNode[] {
    return this.pending === undefined ? this.nodes : (this.pending.base?.nodes ?? NO_NODES);
  }

  get time(): number {
    return this.versions.time;
  }

  get stamp(): Stamp {
    const issued = this.pending?.firstIssued;
    if (issued === undefined || this.isConfirmed || !this.exists) return this.versions.stamp;
    // only optimistic writes know this entity: no server could send more of it
    return { ...UNWRITTEN_STAMP, time: issued, expiresAt: Infinity };
  }

  set stamp(stamp: Stamp) {
    if (stamp !== this.versions.stamp) this.versions = { ...this.versions, stamp };
  }

  override gcEdges(): NormalizedNode {
    const { pending, nodes } = this;
    return pending === undefined ? nodes : [nodes, pending.gcEdges];
  }

  override confirmedParts(): NormalizedNode {
    return this.confirmedNodes;
  }

  override deletedSince(time: number): boolean {
    const { existenceWrite, floorTime, time: deletedAt } = this.versions;
    const formerlyDeletedAt = existenceWrite?.formerDeletionTime ?? floorTime;
    return (this.isConfirmed ? formerlyDeletedAt : deletedAt) > time;
  }

  override get deletionIssued(): number | undefined {
    if (this.exists) return undefined;
    if (this.isConfirmed) return this.pending?.lastDeletionIssued;
    return this.time > 0 ? Infinity : undefined;
  }

  override get latestTime(): number {
    const { time, floorTime, times } = this.versions;
    const latest = Math.max(time, floorTime);
    return times === undefined ? latest : Math.max(latest, ...Object.values(times));
  }

  /** Writes the fields that are newer than the confirmed ones; notifies readers only of changes. */
  write(patch: EntityPatch, stamp: Stamp): void {
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
    if (pending === undefined) this.setContent(content);
    else pending.setBase(content);
  }

  protected override becomeMissing(): void {
    if (this.pending?.isDeleted !== true) this.arrivalNumber = 0;
    super.becomeMissing();
  }

  #merge(patch: EntityPatch, stamp: Stamp): void {
    const { unreceived } = this.versions;
    const shape = patch.recordShape as RecordShape;
    // a class that decides about updates itself has done so: all fields of its result are written
    const all = this.kind.descriptor.bypassesVersioning || canWriteAllFields(stamp, this.versions);
    const names = all ? shape.names : shape.names.filter((name) => this.#acceptsField(name, stamp));
    this.versions = versionsAfter(this, patch, names, stamp);
    const isChanged = this.#applyFields(patch, names, all ? shape : undefined, stamp.own);
    // a field arrived with its default as value: only its being received is new
    if (!isChanged && this.versions.unreceived !== unreceived) this.notifyCompleted();
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
    if (this.pending?.write({ fields, nodes, names }, own) === true) return false;
    this.pending = undefined;
    const changed =
      shape === undefined
        ? names.filter((name) => this.updateField(name, fields[name], nodes))
        : this.updateFields(shape, fields, nodes);
    this.notifyFields(changed);
    return changed.length > 0;
  }

  /** Parents of this entity may be complete now. */
  notifyCompleted(): void {
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

  override replaceParts(swap: (node: NormalizedNode) => NormalizedNode): void {
    const nodes = this.confirmedNodes.map(swap);
    if (this.isConfirmed)
      this.#applyFields({ fields: {}, nodes }, [...this.kind.descriptor.nestedIndexes.keys()]);
  }

  /** The content with the optimistic writes that were issued before this logical time. */
  contentAsOf(time: number): EntityContent | undefined {
    const { pending } = this;
    return pending === undefined ? this.content : pending.contentAsOf(time);
  }
}
