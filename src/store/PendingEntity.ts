/** The state of an entity with optimistic writes: the confirmed content, and these writes in the order of issue. */
import type { Node } from '../schema/schema.ts';
import type { PendingPatch } from './foldPatches.ts';
import type { EntityContent } from './EntityContent.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import { append, EMPTY } from './append.ts';

export class PendingEntity {
  /** The confirmed content; undefined: the entity does not exist. */
  base: EntityContent | undefined;
  patches: PendingPatch[] = EMPTY;
  /** Fields that may differ from the values readers saw last; undefined: all fields, always while a write deletes it. */
  staleFields: readonly string[] | undefined = EMPTY;
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
    this.markStale(patch.patch?.recordShape?.names);
  }

  /** Drops the patch of the write issued at this logical time. */
  drop(issued: number): void {
    let left: PendingPatch[] = EMPTY;
    for (const one of this.patches)
      if (one.issued === issued) this.markStale(one.patch?.recordShape?.names);
      else left = append(left, one);
    this.patches = left;
  }

  /** Notes that readers may see other values of these fields; undefined: of all fields. */
  markStale(names: readonly string[] | undefined): void {
    const stale = this.staleFields;
    // a name may be in there twice: its field is compared twice
    this.staleFields = stale && names && (stale.length > 0 ? stale.concat(names) : names);
  }
}
