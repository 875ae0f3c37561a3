/** While unconfirmed writes lie over an entity: what is confirmed, and they in the order of their issue. */
import type { Node } from '../schema/schema.ts';
import type { PendingPatch } from './foldPatches.ts';
import type { EntityContent } from './EntityContent.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import { append, EMPTY } from './append.ts';

export class PendingEntity {
  /** What is confirmed; undefined: the entity does not exist. */
  base: EntityContent | undefined;
  patches: PendingPatch[] = EMPTY;
  /** Fields that may be others than readers were shown; undefined: all. */
  stale: string[] | undefined = EMPTY;

  constructor(base: EntityContent | undefined) {
    this.base = base;
  }

  get needs(): Node {
    return [this.base?.nodes, ...this.patches.map(({ patch }) => patch?.nodes)];
  }

  /** The writes that delete the entity. */
  get deletions(): readonly PendingPatch[] {
    return this.patches.filter(({ patch }) => patch === undefined);
  }

  /** True while a write deletes what is there, or what another makes. */
  get hides(): boolean {
    const isMade = this.base !== undefined || this.patches.some(({ patch }) => patch);
    return isMade && this.deletions.length > 0;
  }

  /** As `stale`; where a write makes or deletes the entity, it may hide any field, or show it again. */
  get staleNames(): readonly string[] | undefined {
    return this.base === undefined || this.deletions.length > 0 ? undefined : this.stale;
  }

  add(patch: PendingPatch): void {
    this.patches = insertByIssueTime(this.patches, patch);
    this.markStale(patch.patch?.form?.names);
  }

  /** Takes away what the write issued at this logical time says. */
  drop(issued: number): void {
    for (const one of this.patches)
      if (one.issued === issued) this.markStale(one.patch?.form?.names);
    this.patches = this.patches.filter((one) => one.issued !== issued);
  }

  /** Readers may see other values of these fields; undefined: of all. */
  markStale(names: readonly string[] | undefined): void {
    if (names === undefined) this.stale = undefined;
    for (const name of names ?? EMPTY)
      if (this.stale?.includes(name) === false) this.stale = append(this.stale, name);
  }
}
