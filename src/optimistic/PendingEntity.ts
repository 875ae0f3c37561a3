/** The state of an entity with optimistic writes: the confirmed content, and these writes in the order of issue. */
import type { Node } from '../schema/schema.ts';
import { foldPatches } from './foldPatches.ts';
import type { FoldableEntity, PendingPatch } from './foldPatches.ts';
import type { EntityContent } from '../store/entities/EntityContent.ts';
import { countBefore, insertByIssueTime } from '../store/records/insertByIssueTime.ts';
import { EMPTY } from '../store/records/append.ts';

/** The content with the first patches applied, and what it was computed from. */
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
  /** Fields that may differ from the values readers saw last; undefined: all fields, always while a write deletes it. */
  staleFields: readonly string[] | undefined = EMPTY;
  /** Fields of the confirmed content that have changed in this commit; undefined: all fields. */
  changedFields: readonly string[] | undefined = EMPTY;
  /** The last fold: layers read one after the other, in the order of issue, and each fold continues the one before. */
  #prefix: Prefix | undefined = undefined;
  /** True until the end of the commit, if these writes or the confirmed content have changed. */
  needsRefold = false;

  constructor(base: EntityContent | undefined) {
    this.base = base;
  }

  get gcEdges(): Node {
    return [this.base?.nodes, ...this.patches.map(({ patch }) => patch?.nodes)];
  }

  /** The patches that delete the entity. */
  get deletePatches(): readonly PendingPatch[] {
    return this.patches.filter(({ patch }) => patch === undefined);
  }

  /** Logical times of issue of these patches, from this time on. */
  deletionTimes(from: number = 0): number[] {
    return this.deletePatches.map(({ issued }) => issued).filter((issued) => issued >= from);
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

  /** The content with the patches that were issued before this logical time. Must not be changed in place. */
  contentAsOf(entity: FoldableEntity, time: number): EntityContent | undefined {
    const { base, patches } = this;
    const { kind, pk, versions } = entity;
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
    const content = foldPatches(entity, from.content, patches.slice(from.count, count));
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

/** A name may be in there twice: its field is compared twice. */
function withNames(
  known: readonly string[] | undefined,
  names: readonly string[] | undefined,
): readonly string[] | undefined {
  return known && names && (known.length > 0 ? known.concat(names) : names);
}
