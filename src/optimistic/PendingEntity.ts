/** The state of an entity with optimistic writes: the confirmed content, and these writes in the order of issue. */
import type { NormalizedNode } from '../schema/schema.ts';
import { readFieldSafely } from '../store/entities/EntityContent.ts';
import type { EntityContent, PartialContent } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { append, EMPTY } from '../store/records/SmallSet.ts';
import { foldPatches, lastWriteOf, nextWriteAfter, overlayFields } from './foldPatches.ts';
import type { FoldableEntity, PendingPatch } from './foldPatches.ts';
import { countBefore, insertByIssueTime } from './insertByIssueTime.ts';

/** The content with the first patches applied, and the input of that fold. */
interface Prefix extends FoldableEntity {
  readonly count: number;
  readonly base: EntityContent | undefined;
  readonly content: EntityContent | undefined;
}

export class PendingEntity {
  /** The confirmed content; undefined: the entity does not exist. */
  base: EntityContent | undefined;
  /** Of a confirmed deletion: the confirmed content before. */
  deletedBase: EntityContent | undefined = undefined;
  patches: PendingPatch[] = EMPTY;
  /**
   * Fields that may differ from the values readers saw last; undefined: all fields, always while a write deletes the
   * entity.
   */
  staleFields: readonly string[] | undefined = EMPTY;
  /** Fields of the confirmed content that have changed in this commit; undefined: all fields. */
  changedFields: readonly string[] | undefined = EMPTY;
  /** The last fold: layers read in turn, in the order of issue, and each fold continues the previous fold. */
  #prefix: Prefix | undefined = undefined;
  /** True until the end of the commit, if these writes or the confirmed content have changed. */
  needsRefold = false;
  readonly #record: EntityRecord;

  constructor(record: EntityRecord) {
    this.#record = record;
    this.base = record.content;
  }

  get firstIssued(): number | undefined {
    return this.patches[0]?.issued;
  }

  get lastDeletionIssued(): number | undefined {
    return this.deletePatches.at(-1)?.issued;
  }

  get gcEdges(): NormalizedNode {
    return [this.base?.nodes, ...this.patches.map(({ patch }) => patch?.nodes)];
  }

  /** The patches that delete the entity. */
  get deletePatches(): readonly PendingPatch[] {
    return this.patches.filter(({ patch }) => patch === undefined);
  }

  /** Logical times of issue of the deletions that no later own write has superseded. */
  get deletionTimes(): number[] {
    const { issued: from = 0 } = this.#record.versions.existenceWrite ?? {};
    return this.deletePatches
      .filter(({ issued, layer }) => issued >= from || layer.hidesEcho)
      .map(({ issued }) => issued);
  }

  /** True while an optimistic write deletes the confirmed entity, or an entity that another write creates. */
  get isDeleted(): boolean {
    const isMade = this.base !== undefined || this.patches.some(({ patch }) => patch);
    return isMade && this.deletePatches.length > 0;
  }

  addPatch(patch: PendingPatch): void {
    this.patches = insertByIssueTime(this.patches, patch);
    this.#dropPrefix(patch.issued);
    this.markStale(patch.patch?.recordShape?.names);
  }

  /** The write issued at this logical time is confirmed: readers that keep a deleted entity keep its values, too. */
  keepInDeleted(issued: number): void {
    const { existenceWrite } = this.#record.versions;
    if (!this.deletedBase || issued >= (existenceWrite?.issued ?? 0)) return;
    this.deletedBase = this.#foldOver(
      this.deletedBase,
      this.patches.filter((each) => each.issued === issued),
    );
  }

  /** Drops the patch of the write issued at this logical time. Returns the fields of the patch; undefined: all. */
  drop(issued: number): readonly string[] | undefined {
    const { patches } = this;
    this.#dropPrefix(issued);
    const at = countBefore(patches, issued);
    let names: readonly string[] | undefined = EMPTY;
    while (patches[at]?.issued === issued)
      for (const { patch } of patches.splice(at, 1))
        names = withNames(names, patch?.recordShape?.names);
    this.markStale(names);
    return names;
  }

  #dropPrefix(issued: number): void {
    if (this.#prefix && countBefore(this.patches, issued) < this.#prefix.count)
      this.#prefix = undefined;
  }

  /** Replaces the confirmed content. */
  setBase(content: EntityContent | undefined): void {
    this.deletedBase = content === undefined ? (this.base ?? this.deletedBase) : undefined;
    this.base = content;
    this.markChanged(undefined);
  }

  write(content: PartialContent, own?: ReadonlySet<string>): boolean {
    const { base } = this;
    if (this.patches.length === 0 && this.#showFields(content.names)) return false;
    this.base = overlayFields(this.#record.kind, base as EntityContent, content, base);
    this.markChanged(this.#changedNames(base as EntityContent, content.names, own));
    return true;
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
    const { fields, nodes } = this.base as EntityContent;
    const { nestedIndexes, bypassesVersioning } = this.#record.kind.descriptor;
    // these folds depend on more than values: on the own creation that stands, and on the stamp
    if (bypassesVersioning || this.isDeleted) return undefined;
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

  /** Shows readers the fold: the confirmed content with the optimistic writes on top. */
  show(): void {
    const record = this.#record;
    this.needsRefold = false;
    this.changedFields = EMPTY;
    if (!this.#showFields()) {
      // a write after a deletion creates the entity without its confirmed fields
      this.staleFields = this.deletePatches.length > 0 ? undefined : EMPTY;
      record.setContent(this.#fold(Infinity));
      // an entity known only from optimistic writes may be confirmed in part now
      record.notifyCompleted();
    }
    if (this.patches.length === 0) record.pending = undefined;
  }

  /** Shows readers the stale fields of the fold, except for these; false: the whole fold must be shown. */
  #showFields(except: readonly string[] = EMPTY): boolean {
    const record = this.#record;
    const { base, staleFields } = this;
    const { hasAnyMerge, settableAccessors } = record.kind.descriptor;
    if (!base || !record.exists || !staleFields || hasAnyMerge || settableAccessors[0])
      return false;
    this.staleFields = EMPTY;
    let changed: string[] = EMPTY;
    for (const name of staleFields)
      if (!except.includes(name) && record.replaceField(name, lastWriteOf(name, record, this)))
        changed = append(changed, name);
    record.notifyFields(changed);
    return true;
  }

  /**
   * For each of these fields, the time until which layers see a change at `issued`; undefined: layers may see a change
   * of other fields, or of the existence.
   */
  visibilityOf(issued: number): ((name: string) => number) | undefined {
    const record = this.#record;
    const { hasAnyMerge, settableAccessors } = record.kind.descriptor;
    if (!this.base || hasAnyMerge || settableAccessors[0] || this.isDeleted) return undefined;
    const { patches } = this;
    return (name) => nextWriteAfter(name, issued, record, patches);
  }

  contentAsOf(time: number): EntityContent | undefined {
    // mostly a new layer, which sees the content that readers see
    if (!this.needsRefold && (this.patches.at(-1)?.issued ?? 0) < time) return this.#record.content;
    return this.#fold(time);
  }

  /**
   * Of a deleted entity: the content before, without optimistic writes that were rolled back; undefined if the entity is
   * visible.
   */
  get contentBeforeDeletion(): EntityContent | undefined {
    const record = this.#record;
    const content = this.base ?? this.deletedBase;
    if (record.exists || content === undefined) return undefined;
    const first = this.deletePatches[0]?.issued ?? Infinity;
    return this.#foldOver(
      content,
      this.patches.filter(({ issued }) => issued < first),
    );
  }

  /** The content with these patches, each computed over the result of the previous patches. */
  #foldOver(base: EntityContent, patches: readonly PendingPatch[]): EntityContent | undefined {
    let content: EntityContent | undefined = base;
    for (const pending of patches) {
      const { layer } = pending;
      const patch = layer.patchOver ? layer.patchOver(content) : pending.patch;
      if (patch) content = foldPatches(this.#record, content, [{ ...pending, patch }]);
      if (content === undefined) break;
    }
    return content;
  }

  /** The content with the patches that were issued before this logical time. Must not be changed in place. */
  #fold(time: number): EntityContent | undefined {
    const { base, patches } = this;
    const { kind, pk, versions } = this.#record;
    const count = countBefore(patches, time);
    let from = this.#prefix;
    if (
      from === undefined ||
      from.count > count ||
      from.base !== base ||
      from.versions !== versions ||
      from.kind !== kind ||
      from.pk !== pk
    )
      from = { count: 0, base, content: base, kind, pk, versions };
    const content = foldPatches(this.#record, from.content, patches.slice(from.count, count));
    this.#prefix = { ...from, count, content };
    return content;
  }

  /** Notes that readers may see other values of these fields; undefined: of all fields. */
  markStale(names: readonly string[] | undefined): void {
    this.staleFields = withNames(this.staleFields, names);
  }

  /** As `markStale`, of fields of the confirmed content: layers may see other values, too. */
  markChanged(names: readonly string[] | undefined): void {
    this.markStale(names);
    this.changedFields = withNames(this.changedFields, names);
  }
}

/** A name may occur twice: the field is compared twice. */
function withNames(
  known: readonly string[] | undefined,
  names: readonly string[] | undefined,
): readonly string[] | undefined {
  return known && names && (known.length > 0 ? known.concat(names) : names);
}

/** The optimistic writes of an entity; undefined if there are none. */
export function pendingOf({ pending }: EntityRecord): PendingEntity | undefined {
  return pending as PendingEntity | undefined;
}

/** Begins to keep the confirmed content apart from the content that readers see: see `PendingEntity.show`. */
export function beginPending(record: EntityRecord): PendingEntity {
  return pendingOf(record) ?? (record.pending = new PendingEntity(record));
}
