/** The record of an entity: the confirmed content, when each field was written, and the optimistic writes on top. */
import { DEV } from '../../errors.ts';
import { hasStoredField } from '../../schema/EntityDescriptor.ts';
import type { NestedMember } from '../../schema/EntityDescriptor.ts';
import type { EntityKind, RecordShape } from '../../schema/EntityKind.ts';
import { equal, replaceEqualDeep } from '../../schema/equal.ts';
import { hasField, setOwn } from '../../schema/fieldOf.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import { onNotify } from '../records/RecordObservers.ts';
import { EMPTY, append } from '../records/SmallSet.ts';
import { StoreRecord, DIRTY, INCOMPLETE, REREAD_PARTS, SHARED } from '../records/StoreRecord.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { containsRecord, linkParts, relinkParts } from '../records/eachRecord.ts';
import { addNewlyVisible, markDirty } from '../records/markDirty.ts';
import {
  UNWRITTEN_STAMP,
  canWriteAllFields,
  canWriteField,
  fieldTime,
  fieldTimeInStamp,
  hasLaterOwnWrite,
  isAtLeastAsNew,
  overlapsStored,
} from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { readFieldSafely, withNodeAt } from './EntityContent.ts';
import type { EntityContent, PartialContent, EntityPatch } from './EntityContent.ts';
import {
  NO_VERSIONS,
  recordExistenceWrite,
  versionsAfter,
  versionsOfNewEntity,
} from './FieldVersions.ts';
import type { FieldVersions } from './FieldVersions.ts';

export const NO_NODES: readonly NormalizedNode[] = Object.freeze([]);

/** The instances made by classes with their own `createIfValid` or `denormalize`. `of`: the plain instance. */
const customInstances = new WeakMap<StoreRecord, { readonly of: Fields; readonly made: object }>();

/** The arrival number of the entity that appeared last. */
export let lastArrivalNumber = 0;

/** The part of an entity's optimistic writes that the record uses. */
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

export class EntityRecord extends StoreRecord {
  override kind: EntityKind;
  /** A temporary key is replaced by the key of the server. */
  pk: string;
  /**
   * The instance with all fields, never changed in place after a reader has seen the object; undefined: missing.
   * Readers get `cachedValue`, unless the entity is incomplete.
   */
  instance: Fields | undefined;
  /** Nested members in normalized form, in the order of the kind's descriptor. */
  nodes: readonly NormalizedNode[] = NO_NODES;
  /** The order in which entities appeared; negative: loaded from disk, before all of the page; 0: not existing. */
  arrivalNumber = 0;
  versions: FieldVersions = NO_VERSIONS;
  /** The patch of this entity in the draft that is being staged. */
  stagedPatch: EntityPatch | undefined;
  override pending: OptimisticEntity | undefined = undefined;

  constructor(kind: EntityKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
  }

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
    // only optimistic writes know this entity: no server could send more
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

  /**
   * Writes the fields that are newer than the confirmed ones; notifies readers only of changes. True if the confirmed ones
   * differ, and only the server knows which are later.
   */
  write(patch: EntityPatch, stamp: Stamp): boolean {
    const { kind, isConfirmed } = this;
    if (patch.kind !== kind && (!isConfirmed || patch.kind.isOrExtends(kind)))
      this.changeClass(patch.kind);
    if (isConfirmed) return this.#merge(patch, stamp);
    // servers reuse keys: all fields of a creation response count, and no field from before
    if (patch.isOwnCreation || isAtLeastAsNew(stamp.time, this.versions.time)) {
      const { nodes, instance } = patch;
      this.versions = versionsOfNewEntity(this.versions, patch, stamp);
      if (this.pending === undefined) this.#becomePresent(instance as Fields, nodes);
      else this.setConfirmed({ fields: instance as Fields, nodes });
    }
    return false;
  }

  /** Changes the class. The class of an existing entity may only change to another class of the same table. */
  changeClass(kind: EntityKind): void {
    const { base, instance, versions, pending } = this;
    const { declaredFields, nestedIndexes } = kind.descriptor;
    const was = this.kind.descriptor.nestedIndexes;
    if (instance !== undefined) this.#beforeChange();
    this.kind = kind;
    if (base !== undefined) {
      // a field that was no nested member of the old class is stored in raw form
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
    this.observers?.fieldReaders?.onClassChange();
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
      ownStamp: undefined,
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

  #merge(patch: EntityPatch, stamp: Stamp): boolean {
    const { unreceived } = this.versions;
    const shape = patch.recordShape as RecordShape;
    // a class that decides about updates itself has done so: all resulting fields are written
    const { bypassesVersioning } = this.kind.descriptor;
    const all = bypassesVersioning || canWriteAllFields(stamp, this.versions);
    const names = all ? shape.names : shape.names.filter((name) => this.#acceptsField(name, stamp));
    const isContested = !bypassesVersioning && this.#isContested(patch, stamp);
    this.versions = versionsAfter(this, patch, names, stamp);
    const isChanged = this.#applyFields(patch, names, all ? shape : undefined, stamp.own);
    // a field arrived with the default as value: only the receipt is new
    if (!isChanged && this.versions.unreceived !== unreceived) this.notifyCompleted();
    return isContested;
  }

  /** True if data that overlap with the stored ones have another value for a field that no own write has decided. */
  #isContested(patch: EntityPatch, stamp: Stamp): boolean {
    const { versions } = this;
    if (stamp.ownTime === undefined) {
      if (stamp.time >= (versions.ownStamp?.ownTime ?? 0)) return false;
      // the read may be of before the own write, whose response has left out fields
      if (versions.stamp.expiresAt === 0) return true;
    }
    return (patch.recordShape as RecordShape).names.some(
      (name) =>
        !hasLaterOwnWrite(name, stamp.time, versions) &&
        overlapsStored(name, stamp, versions) &&
        this.differsFrom(patch, name),
    );
  }

  /** True if the content has a value for the field, and the confirmed content a different value. */
  differsFrom({ fields, nodes }: EntityContent, name: string): boolean {
    const { nestedIndexes, computedFields } = this.kind.descriptor;
    const at = nestedIndexes.get(name);
    if (at !== undefined)
      return nodes[at] !== undefined && !equal(nodes[at], this.confirmedNodes[at]);
    if (computedFields.has(name) || !hasField(fields, name)) return false;
    return !equal(fields[name], this.confirmedFields?.[name]);
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
        ? names.filter((name) => this.#updateField(name, fields[name], nodes))
        : this.#updateFields(shape, fields, nodes);
    this.notifyFields(changed);
    return changed.length > 0;
  }

  /** Parents of this entity may be complete now. */
  notifyCompleted(): void {
    for (const parent of this.allParents) parent.onPartCompletenessChange?.();
  }

  /**
   * True if `kind` demands fields never received. An own response, issued at `since`, completes the entity.
   * @internal
   */
  override lacksRequiredField(since: number, kind: EntityKind = this.kind): boolean {
    const { versions, kind: its } = this;
    // an entity known only from optimistic writes was made here: no server knows more
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

  get cachedValue(): unknown {
    if (this.instance === undefined || this.flags & INCOMPLETE) return INVALID;
    const isCustom = this.kind.descriptor.denormalizeOwn !== undefined;
    return (isCustom && customInstances.get(this)?.made) || this.instance;
  }

  get exists(): boolean {
    return this.instance !== undefined;
  }

  override get mayBeIncomplete(): boolean {
    return this.kind.descriptor.hasRequired;
  }

  override get alwaysChangesWithParts(): boolean {
    return !this.mayBeIncomplete && !this.kind.descriptor.mayIgnorePartChanges;
  }

  parts(): NormalizedNode {
    return this.nodes;
  }

  /** Must be called before the content changes. */
  #beforeChange(sure: boolean = !this.mayBeIncomplete): void {
    markDirty(this, sure);
  }

  #becomeMissing(): void {
    // an entity hidden by an optimistic deletion stays in place
    if (this.pending?.isDeleted !== true) this.arrivalNumber = 0;
    if (this.instance === undefined) return;
    // a parent may be about to drop this entity, so the parent's value does not surely change
    this.#beforeChange(false);
    this.observers?.fieldReaders?.keepContent(this.content);
    this.#replaceContent(undefined, NO_NODES);
    customInstances.delete(this);
  }

  #becomePresent(instance: Fields, nodes: readonly NormalizedNode[]): void {
    if (this.arrivalNumber === 0) this.arrivalNumber = ++lastArrivalNumber;
    if (this.parents === undefined && this.cell === undefined && this.observers === undefined) {
      // a new record: nobody has to be notified
      this.instance = instance;
      this.nodes = nodes;
      this.flags = (this.flags & ~SHARED) | DIRTY | REREAD_PARTS;
      linkParts(this, nodes);
      return;
    }
    this.#beforeChange(false);
    addNewlyVisible(this);
    this.#replaceContent(instance, nodes);
    this.observers?.fieldReaders?.notifyAllFields();
  }

  #replaceContent(instance: Fields | undefined, nodes: readonly NormalizedNode[]): void {
    const { nodes: before } = this;
    this.instance = instance;
    this.nodes = nodes;
    this.flags = (this.flags & ~SHARED) | REREAD_PARTS;
    relinkParts(this, before, nodes);
    // whether parents see an entity that may be incomplete is known at the end of the commit
    if (this.mayBeIncomplete) this.notifyShape();
    else this.notifyVisibilityChange();
  }

  override notifyVisibilityChange(): void {
    super.notifyVisibilityChange();
    if (this.mayBeIncomplete && this.exists) this.observers?.fieldReaders?.notifyAllFields();
  }

  /** Notifies readers of these fields, which have changed. */
  notifyFields(names: readonly string[]): void {
    if (names.length === 0) return;
    if (DEV) onNotify?.(this, names);
    const readers = this.observers?.fieldReaders;
    if (readers === undefined) return;
    // a class that makes instances itself may derive any field from any other
    if (this.kind.descriptor.denormalizeOwn !== undefined) readers.notifyAllFields();
    else for (const name of names) readers.notifyField(name);
  }

  /** Sets the content that readers see; undefined: the entity is missing. */
  setContent(content: EntityContent | undefined): void {
    if (content === undefined) return this.#becomeMissing();
    const { fields, nodes } = content;
    if (this.instance === undefined)
      return this.#becomePresent(this.kind.copyInstance(fields), nodes);
    this.notifyFields(
      this.fieldNamesToCompare(fields).filter((name) => this.replaceField(name, content)),
    );
  }

  /** All names under which the entity or `fields` may have a value: own fields, nested members, accessors with a setter. */
  fieldNamesToCompare(fields: Fields): readonly string[] {
    const { nestedIndexes, settableAccessors } = this.kind.descriptor;
    const own = { ...this.instance, ...fields };
    return [...new Set([...nestedIndexes.keys(), ...Object.keys(own), ...settableAccessors])];
  }

  /** Updates a field as in `content`, or deletes a field that is absent there; true if the value changed. */
  replaceField(name: string, { fields, nodes }: EntityContent): boolean {
    const { descriptor } = this.kind;
    return descriptor.nestedIndexes.has(name) || hasStoredField(fields, name, descriptor)
      ? this.#updateField(name, fields[name], nodes)
      : this.#deleteField(name);
  }

  /** Deletes a field; true if the field was there. */
  #deleteField(name: string): boolean {
    if (!Object.hasOwn(this.instance as Fields, name)) return false;
    this.#beforeChange();
    Reflect.deleteProperty(this.#writable(), name);
    this.notifyShape();
    return true;
  }

  /** The visible content, flagged as shared since the caller keeps a reference; undefined: the entity is missing. */
  get content(): EntityContent | undefined {
    const { instance, nodes } = this;
    if (instance === undefined) return undefined;
    this.flags |= SHARED;
    return { fields: instance, nodes };
  }

  /** Updates the fields of a shape; returns the names of the fields that changed. */
  #updateFields(
    { plainNames, nestedIndexes }: RecordShape,
    fields: Fields,
    nodes: readonly NormalizedNode[],
  ): readonly string[] {
    let changed: string[] = EMPTY;
    for (const name of plainNames) {
      const value = fields[name];
      if (value !== (this.instance as Fields)[name] && this.#setField(name, value))
        changed = append(changed, name);
    }
    for (const at of nestedIndexes) {
      if (nodes[at] !== this.nodes[at] && this.#setNode(at, nodes[at]))
        changed = append(changed, (this.kind.descriptor.nested[at] as NestedMember).name);
    }
    return changed;
  }

  /** Updates a field; true if the value changed. */
  #updateField(name: string, value: unknown, nodes: readonly NormalizedNode[]): boolean {
    const { nestedIndexes, computedFields } = this.kind.descriptor;
    const at = nestedIndexes.get(name);
    if (at !== undefined) return this.#setNode(at, nodes[at]);
    return !computedFields.has(name) && this.#setField(name, value);
  }

  #setField(name: string, value: unknown): boolean {
    const instance = this.instance as Fields;
    const old = readFieldSafely(instance, name);
    const next = replaceEqualDeep(old, value);
    if (Object.is(next, old)) return false;
    this.#beforeChange();
    // a new field: readers that enumerate the fields read again
    if (!Object.hasOwn(instance, name)) this.notifyShape();
    setOwn(this.#writable(), name, next);
    return true;
  }

  #setNode(at: number, node: NormalizedNode): boolean {
    const old = this.nodes[at];
    const next = replaceEqualDeep(old, node);
    if (Object.is(next, old)) return false;
    // true if readers saw the default, and the new node is equal
    const { mustExist, absentValue } = this.kind.descriptor.nested[at] as NestedMember;
    const isDefault = old === undefined && !mustExist && equal(next, absentValue);
    // the new node may lead to a missing entity, so the value does not surely change
    if (!isDefault) this.#beforeChange(false);
    this.nodes = withNodeAt(this.nodes, at, next);
    this.flags |= REREAD_PARTS;
    relinkParts(this, old, next, this.nodes);
    return !isDefault;
  }

  /** The instance to write to: a copy if a reader holds the present instance. */
  #writable(): Fields {
    if (this.flags & SHARED) {
      this.instance = this.kind.copyInstance(this.instance as Fields);
      this.flags &= ~SHARED;
    }
    return this.instance as Fields;
  }

  /**
   * In a cycle: the object that will become the value, a copy if readers have the present one. A missing entity reads
   * no parts while it is built.
   */
  override get valueInCycle(): unknown {
    return this.#writable();
  }

  /** Fills in the nested members. */
  protected build(builder: Builder): void {
    const { denormalizeOwn, relations } = this.kind.descriptor;
    if (this.instance === undefined) {
      this.flags &= ~INCOMPLETE;
      return;
    }
    if (this.flags & REREAD_PARTS || denormalizeOwn !== undefined) this.#fillNested(builder);
    if (denormalizeOwn !== undefined && customInstances.get(this)?.of !== this.instance)
      this.#createCustomInstance(denormalizeOwn);
    relations?.attach(this, builder);
    if (!DEV) return;
    // in development a finished instance is frozen
    Object.freeze(this.instance);
    this.flags |= SHARED;
  }

  #fillNested(builder: Builder): void {
    const { nodes } = this;
    const { nested } = this.kind.descriptor;
    // cleared first: a part in a cycle with this entity may turn out to be incomplete meanwhile
    this.flags &= ~(INCOMPLETE | REREAD_PARTS);
    for (let at = 0; at < nested.length; at++) {
      const { name, kind, required, mustExist, lenient, absentValue } = nested[at] as NestedMember;
      const node = nodes[at];
      let value = node === undefined ? absentValue : kind.denormalize(node, builder);
      const isMissing = value === INVALID && required && !(lenient && !(node as EntityRecord).time);
      if (node === undefined ? mustExist : isMissing) this.flags |= INCOMPLETE;
      if (value === INVALID || value === undefined) value = absentValue;
      const old = (this.instance as Fields)[name];
      // a record keeps its own reference, and may be a list that is being built further up the call stack
      if (!(node instanceof StoreRecord)) value = replaceEqualDeep(old, value);
      if (value !== old || !Object.hasOwn(this.instance as Fields, name))
        setOwn(this.#writable(), name, value);
    }
  }

  override onPartDirty(_child: StoreRecord): void {
    this.flags |= REREAD_PARTS;
  }

  /** Runs after the members are filled in: a member in a cycle with this entity has the plain instance already. */
  #createCustomInstance(denormalizeOwn: (fields: Fields) => object | undefined): void {
    const of = this.instance as Fields;
    const made = this.flags & INCOMPLETE ? undefined : denormalizeOwn(of);
    if (made === undefined) {
      customInstances.delete(this);
      this.flags |= INCOMPLETE;
    } else customInstances.set(this, { of, made: DEV ? Object.freeze(made) : made });
  }

  /** A nested record appeared or disappeared: live readers of that member must read again. */
  protected override onPartVisibilityChange(child: StoreRecord): void {
    const readers = this.observers?.fieldReaders;
    if (readers === undefined) return;
    this.kind.descriptor.nested.forEach(({ name }, at) => {
      if (containsRecord(this.nodes[at], child)) readers.notifyField(name);
    });
  }
}
