/** The value of one entity: its instance, built when it is read, and its nested nodes. */
import { DEV } from '../../errors.ts';
import { hasStoredField } from '../../schema/EntityDescriptor.ts';
import type { EntityKind, RecordShape } from '../../schema/EntityKind.ts';
import type { NestedMember } from '../../schema/EntityDescriptor.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import { equal, replaceEqualDeep } from '../../schema/equal.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Fields, NormalizedNode } from '../../schema/schema.ts';
import { containsRecord, linkParts, relinkParts } from '../records/eachRecord.ts';
import { readFieldSafely, withNodeAt } from './EntityContent.ts';
import type { EntityContent } from './EntityContent.ts';
import { append, EMPTY } from '../records/append.ts';
import { INCOMPLETE, DIRTY, REREAD_PARTS, SHARED } from '../records/flags.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { addNewlyVisible, markDirty } from '../records/markDirty.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { onNotify } from '../records/notifyHook.ts';

export const NO_NODES: readonly NormalizedNode[] = Object.freeze([]);

/** The instances made by classes with their own `createIfValid` or `denormalize`. `of`: the plain instance. */
const customInstances = new WeakMap<StoreRecord, { readonly of: Fields; readonly made: object }>();

let lastArrivalNumber = 0;

export abstract class EntityValue extends StoreRecord {
  override kind: EntityKind;
  /** A temporary key is replaced by the key of the server. */
  pk: string;
  /**
   * The instance with all fields, changed in place only before a reader has seen it; undefined: missing. Readers get
   * `cachedValue`, unless the entity is incomplete.
   */
  instance: Fields | undefined = undefined;
  /** Nested members in normalized form, in the order of the kind's descriptor. */
  nodes: readonly NormalizedNode[] = NO_NODES;
  /** The order in which entities appeared; negative: loaded from disk, before all of the page; 0: not existing. */
  arrivalNumber = 0;

  constructor(kind: EntityKind, pk: string) {
    super();
    this.kind = kind;
    this.pk = pk;
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
  protected beforeChange(sure: boolean = !this.mayBeIncomplete): void {
    markDirty(this, sure);
  }

  protected becomeMissing(): void {
    if (this.instance === undefined) return;
    // a parent may be about to drop this entity, so its value does not surely change
    this.beforeChange(false);
    if (this.observers) this.observers.lastContent = this.content;
    this.#replaceContent(undefined, NO_NODES);
    customInstances.delete(this);
  }

  protected becomePresent(instance: Fields, nodes: readonly NormalizedNode[]): void {
    // an entity hidden by an optimistic deletion has kept its place
    if (this.arrivalNumber === 0) this.arrivalNumber = ++lastArrivalNumber;
    if (this.parents === undefined && this.cell === undefined && this.observers === undefined) {
      // a new record: nobody has to be notified
      this.instance = instance;
      this.nodes = nodes;
      this.flags = (this.flags & ~SHARED) | DIRTY | REREAD_PARTS;
      linkParts(this, nodes);
      return;
    }
    this.beforeChange(false);
    addNewlyVisible(this);
    this.#replaceContent(instance, nodes);
    this.observers?.tickAllFields();
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
    if (this.mayBeIncomplete && this.exists) this.observers?.tickAllFields();
  }

  /** Notifies readers of these fields, which have changed. */
  notifyFields(names: readonly string[]): void {
    if (names.length === 0) return;
    if (DEV) onNotify?.(this, names);
    // a class that makes its own instances may derive any field from any other
    if (this.kind.descriptor.denormalizeOwn !== undefined) this.observers?.tickAllFields();
    else if (this.observers?.liveObject !== undefined)
      for (const name of names) this.observers.tickField(name);
  }

  /** Sets the content that readers see; undefined: the entity is missing. */
  setContent(content: EntityContent | undefined): void {
    if (content === undefined) return this.becomeMissing();
    const { fields, nodes } = content;
    if (this.instance === undefined)
      return this.becomePresent(this.kind.copyInstance(fields), nodes);
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

  /** Updates a field as in `content`, or deletes it if it is not in there; true if the value changed. */
  replaceField(name: string, { fields, nodes }: EntityContent): boolean {
    const { descriptor } = this.kind;
    return descriptor.nestedIndexes.has(name) || hasStoredField(fields, name, descriptor)
      ? this.updateField(name, fields[name], nodes)
      : this.#deleteField(name);
  }

  /** Deletes a field; true if the field was there. */
  #deleteField(name: string): boolean {
    if (!Object.hasOwn(this.instance as Fields, name)) return false;
    this.beforeChange();
    Reflect.deleteProperty(this.#writable(), name);
    this.notifyShape();
    return true;
  }

  /** The content that readers see, flagged as shared since the caller keeps it; undefined: the entity is missing. */
  get content(): EntityContent | undefined {
    const { instance, nodes } = this;
    if (instance === undefined) return undefined;
    this.flags |= SHARED;
    return { fields: instance, nodes };
  }

  /** Updates the fields of a shape; returns the names of the fields that changed. */
  protected updateFields(
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

  /** Updates one field; true if its value changed. */
  protected updateField(name: string, value: unknown, nodes: readonly NormalizedNode[]): boolean {
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
    this.beforeChange();
    // a new field: readers that enumerate the fields read again
    if (!Object.hasOwn(instance, name)) this.notifyShape();
    setOwn(this.#writable(), name, next);
    return true;
  }

  #setNode(at: number, node: NormalizedNode): boolean {
    const old = this.nodes[at];
    const next = replaceEqualDeep(old, node);
    if (Object.is(next, old)) return false;
    // true if readers saw the default, and the new node equals it
    const { mustExist, absentValue } = this.kind.descriptor.nested[at] as NestedMember;
    const isDefault = old === undefined && !mustExist && equal(next, absentValue);
    // the new node may lead to a missing entity, so the value does not surely change
    if (!isDefault) this.beforeChange(false);
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

  /** In a cycle: the object that will become the value. A missing entity reads no parts while it is built. */
  protected override get valueInCycle(): unknown {
    return this.#writable();
  }

  /** Fills in the nested members. */
  protected build(builder: Builder): void {
    const { denormalizeOwn } = this.kind.descriptor;
    if (this.instance === undefined) {
      this.flags &= ~INCOMPLETE;
      return;
    }
    if (this.flags & REREAD_PARTS || denormalizeOwn !== undefined) this.#fillNested(builder);
    if (denormalizeOwn !== undefined && customInstances.get(this)?.of !== this.instance)
      this.#createCustomInstance(denormalizeOwn);
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
      const { name, kind, required, mustExist, absentValue } = nested[at] as NestedMember;
      const node = nodes[at];
      let value = node === undefined ? absentValue : kind.denormalize(node, builder);
      if (node === undefined ? mustExist : required && value === INVALID) this.flags |= INCOMPLETE;
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
    if (this.observers?.liveObject === undefined) return;
    this.kind.descriptor.nested.forEach(({ name }, at) => {
      if (containsRecord(this.nodes[at], child)) this.observers?.tickField(name);
    });
  }
}
