/** The record of one entity: what is confirmed of it and when that was written, and the unconfirmed writes over it. */
import type { Form } from '../schema/Form.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Fields, Node } from '../schema/schema.ts';
import { recordExistenceWrite, existenceWriteOf } from './existenceWriteOf.ts';
import { foldPatches, overlayFields, sameContent } from './foldPatches.ts';
import type { Patch } from './foldPatches.ts';
import type { EntityContent } from './EntityContent.ts';
import { relinkParts } from './eachRecord.ts';
import { EntityValue, NO_NODES } from './EntityValue.ts';
import { knownAfter, knownOfNew, NO_VERSIONS } from './FieldVersions.ts';
import type { FieldVersions } from './FieldVersions.ts';
import { EMPTY } from './append.ts';
import { PendingEntity } from './PendingEntity.ts';
import {
  UNWRITTEN,
  isAtLeastAsNew,
  canWriteAllFields,
  stampTime,
  canWriteField,
} from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { PARTS_DIRTY, SHARED } from './flags.ts';
import type { StoreRecord } from './StoreRecord.ts';

let lastSequence = 0;

export class EntityRecord extends EntityValue {
  versions: FieldVersions = NO_VERSIONS;
  /** In which turn it came to exist; negative: on a disk, which comes before the page; 0: it does not. */
  sequence = 0;
  /** While a response is laid out: what it says of this. */
  patch: Patch<EntityRecord> | undefined = undefined;
  override pending: PendingEntity | undefined = undefined;

  /** What is confirmed of it; undefined: it does not exist. */
  get base(): EntityContent | undefined {
    return this.pending === undefined ? this.content : this.pending.base;
  }

  /** True where its existence is confirmed. */
  get isConfirmed(): boolean {
    return this.pending === undefined ? this.exists : this.pending.base !== undefined;
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
    // only unconfirmed writes know of it: no server could say more
    return { ...UNWRITTEN, time: first.issued, expiresAt: Infinity };
  }

  set stamp(stamp: Stamp) {
    if (stamp !== this.versions.stamp) this.versions = { ...this.versions, stamp };
  }

  override gcEdges(): Node {
    const { pending, nodes } = this;
    return pending === undefined ? nodes : [nodes, pending.needs];
  }

  override confirmedParts(): Node {
    return this.confirmedNodes;
  }

  override deletedSince(time: number): boolean {
    const { versions: known } = this;
    const last = this.isConfirmed
      ? (existenceWriteOf(this)?.formerDeletion ?? known.floor)
      : known.time;
    return last > time;
  }

  override get deletedAt(): number | undefined {
    if (this.exists) return undefined;
    if (this.isConfirmed) return this.pending?.deletions.at(-1)?.issued;
    return this.time > 0 ? Infinity : undefined;
  }

  override get latestTime(): number {
    const { time, floor, times } = this.versions;
    return times === undefined
      ? Math.max(time, floor)
      : Math.max(time, floor, ...Object.values(times));
  }

  /** Writes what is newer than what is confirmed; wakes readers only where something changed. */
  write(patch: Patch, stamp: Stamp): void {
    const { kind, isConfirmed: confirmed } = this;
    if (patch.kind !== kind && (!confirmed || patch.kind.is(kind))) this.changeClass(patch.kind);
    if (confirmed) this.#merge(patch, stamp);
    else this.#create(patch, stamp);
    // what writes issued before say of these is hidden from now on
    if (stamp.own !== undefined) this.pending?.markStale([...stamp.own]);
  }

  /** Is of this class from now on; where it is there, that shares its table with the one that it was of. */
  changeClass(kind: EntityKind): void {
    const { base, instance, versions: known, pending } = this;
    const { declared, positions } = kind.plan;
    const was = this.kind.plan.positions;
    if (instance !== undefined) this.beforeChange();
    this.kind = kind;
    if (base !== undefined) {
      // what was no nested member stands there in its raw form
      const left = declared.filter(
        (name) => !Object.hasOwn(base.fields, name) || positions.has(name) !== was.has(name),
      );
      this.versions = { ...known, unreceived: [...known.unreceived, ...left], form: undefined };
      if (pending) pending.base = { fields: kind.copy(base.fields), nodes: base.nodes };
    }
    if (instance === undefined) return;
    this.instance = kind.copy(instance);
    this.flags = (this.flags & ~SHARED) | PARTS_DIRTY;
    this.onFieldsChanged(declared);
  }

  /** Deletes it, unless data later than the deletion are stored. True when it is missing afterwards. */
  remove(stamp: Stamp): boolean {
    const time = stamp.ownTime ?? stamp.time;
    if (stamp.own !== undefined) {
      if (!recordExistenceWrite(this, { issued: stamp.time, deleted: true })) return false;
    } else if (!isAtLeastAsNew(time, this.time)) return !this.isConfirmed;
    // which own writes stand is known for ever
    const { floor, ownIssued, existence: made } = this.versions;
    this.versions = { ...NO_VERSIONS, time, floor, ownIssued, existence: made };
    this.setConfirmed(undefined);
    return true;
  }

  /** This is confirmed from now on, be it newer or not. */
  setConfirmed(content: EntityContent | undefined): void {
    const { pending } = this;
    if (pending === undefined) return this.setContent(content);
    pending.base = content;
    pending.markStale(undefined);
  }

  /** As `restore`; readers are not told, as they see no difference. */
  override setContentSilently(content: EntityContent | undefined): void {
    if (this.pending === undefined) super.setContentSilently(content);
    else this.setConfirmed(content);
  }

  protected override becomePresent(instance: Fields, nodes: readonly Node[]): void {
    // what an unconfirmed write hid has its place still
    if (this.sequence === 0) this.sequence = ++lastSequence;
    super.becomePresent(instance, nodes);
  }

  protected override becomeMissing(): void {
    if (this.pending?.hides !== true) this.sequence = 0;
    super.becomeMissing();
  }

  #create({ nodes, instance, created, form }: Patch, stamp: Stamp): void {
    // servers give keys again: of a new entity all of the answer counts, and nothing from before
    if (created) recordExistenceWrite(this, { issued: stamp.time, formerDeletion: this.time });
    else if (!isAtLeastAsNew(stamp.time, this.time)) return;
    this.versions = knownOfNew(this.versions, form as Form, stamp, created);
    if (this.pending === undefined) this.becomePresent(instance as Fields, nodes);
    else this.setConfirmed({ fields: instance as Fields, nodes });
  }

  #merge(patch: Patch, stamp: Stamp): void {
    const { unreceived: left } = this.versions;
    const form = patch.form as Form;
    // a class that decides by itself has done so: what it says is taken
    const all = this.kind.plan.decides || canWriteAllFields(stamp, this.versions);
    const names = all ? form.names : form.names.filter((name) => this.#takes(name, stamp));
    this.versions = knownAfter(
      this.versions,
      { patch, names, record: this.confirmedFields as Fields },
      stamp,
    );
    const touched = this.#applyFields(patch, all, names);
    if (touched.length > 0) this.onFieldsChanged(touched);
    // the default itself came: that it is known is all that is new
    else if (this.versions.unreceived !== left) this.#notifyCompleted();
  }

  /** Takes these fields; gives the names of those in which readers see something else now. */
  #applyFields(patch: Patch, all: boolean, names: readonly string[]): readonly string[] {
    const { pending } = this;
    const { fields, nodes } = patch;
    if (pending === undefined)
      return all
        ? this.mergeFields(patch.form as Form, fields, nodes)
        : names.filter((name) => this.mergeField(name, fields[name], nodes));
    const base = pending.base as EntityContent;
    pending.base = overlayFields(this.kind, base, { fields, nodes, names }, base);
    if (pending.base !== base) pending.markStale(names);
    return EMPTY;
  }

  /** What is shown inside of others may be complete now. */
  #notifyCompleted(): void {
    for (const parent of this.allParents) parent.onPartCompleted?.();
  }

  /** True where it is shown as a whole by who needs more than was received. */
  override isIncompleteFor(since: number, kind: EntityKind = this.kind): boolean {
    const { versions: known, kind: its } = this;
    // what only unconfirmed writes know of is the user's own: no server knows more
    if (!this.isConfirmed || since >= known.floor) return false;
    return !its.is(kind) || kind.plan.demanded.some((name) => known.unreceived.includes(name));
  }

  /** A field never written before has no time: any data bring it. */
  #takes(name: string, stamp: Stamp): boolean {
    const at = this.kind.plan.positions.get(name);
    const known =
      at === undefined
        ? Object.hasOwn(this.confirmedFields as Fields, name)
        : this.confirmedNodes[at] !== undefined;
    return known
      ? canWriteField(name, stamp, this.versions)
      : isAtLeastAsNew(stampTime(name, stamp), this.versions.floor);
  }

  override replaceParts(swap: (node: Node) => Node): void {
    const { nodes, pending } = this;
    if (pending !== undefined) {
      const { base } = pending;
      return this.setConfirmed(base && { ...base, nodes: base.nodes.map(swap) });
    }
    const { nested } = this.kind.plan;
    this.beforeChange();
    this.nodes = nodes.map(swap);
    this.flags |= PARTS_DIRTY;
    relinkParts(this, nodes, this.nodes);
    this.onFieldsChanged(
      nested.filter((_, at) => nodes[at] !== this.nodes[at]).map(({ name }) => name),
    );
  }

  /** From now on what is confirmed and what readers see are two things: see `refold`. */
  beginPending(): PendingEntity {
    return (this.pending ??= new PendingEntity(this.content));
  }

  /** Logical times at which the unconfirmed writes were issued that delete it, and are not outrun. */
  get deletionTimes(): readonly number[] {
    const claimed = existenceWriteOf(this)?.issued ?? 0;
    const deletions = this.pending?.deletions ?? EMPTY;
    return deletions.map(({ issued }) => issued).filter((issued) => issued >= claimed);
  }

  /** The content with the unconfirmed writes that were issued before this logical time. */
  contentBefore(time: number): EntityContent | undefined {
    const { pending } = this;
    return pending ? foldPatches(this, pending.base, pending.patches, time) : this.content;
  }

  override isUnchangedFor(time: number, copy: StoreRecord): boolean {
    if (copy === this) return false;
    return sameContent(this.kind, (copy as EntityRecord).content, this.contentBefore(time));
  }

  override copyBefore(time: number): EntityRecord {
    // the same for all
    if (this.pending === undefined && this.nodes.length === 0) return this;
    const copy = new EntityRecord(this.kind, this.pk);
    copy.setContentSilently(this.contentBefore(time));
    return copy;
  }

  /** Lets readers see what is confirmed with the unconfirmed writes over it. */
  refold(): void {
    const { pending, kind } = this;
    if (pending === undefined) return;
    const content = foldPatches(this, pending.base, pending.patches);
    const names = kind.plan.merges || !this.exists ? undefined : pending.staleNames;
    pending.stale = EMPTY;
    this.setContent(content, names);
    if (pending.patches.length === 0) this.pending = undefined;
    // what only unconfirmed writes knew may be known in part now
    this.#notifyCompleted();
  }
}
