/** The layers to rebase at the end of a commit, found by the records that they depend on. */
import { EMPTY } from './append.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import type { Layer } from './Layer.ts';
import type { StoreRecord } from './StoreRecord.ts';

export class DueLayers {
  /** The layers to compute again, or whose dependencies may have changed, in the order of issue. */
  protected queue: Layer[] = [];
  /** The layers that depend on each record. */
  protected readonly dependents: Map<StoreRecord, Set<Layer>> = new Map();
  /**
   * The records that have changed since the last rebase, each with the logical time from which on layers see the change.
   * Empty while no layer has dependencies.
   */
  protected readonly changedSince: Map<StoreRecord, number> = new Map();

  /**
   * Notes a change of this record: at the end of the commit, layers issued after `issued` that saw another content are
   * rebased.
   */
  noteChange(record: StoreRecord | undefined, issued = -1): void {
    const { changedSince, dependents } = this;
    if (record === undefined || dependents.size === 0) return;
    if (issued >= (changedSince.get(record) ?? Infinity)) return;
    changedSince.set(record, issued);
    // a new layer changes nothing that the layers before it see
    for (const layer of dependents.get(record) ?? EMPTY)
      if (layer.issued > issued) this.queueLayer(layer);
  }

  /** Queues the layer. `isDue` stays true until the layer is rebased. */
  protected queueLayer(layer: Layer): void {
    if (!layer.isDue) this.queue = insertByIssueTime(this.queue, layer);
    layer.isDue = true;
  }

  protected hasChangedDependency({ issued, dependencies }: Layer): boolean {
    for (const [record, copy] of dependencies ?? EMPTY) {
      const since = this.changedSince.get(record) ?? Infinity;
      if (since < issued && !record.equalsCopyAsOf(issued, copy)) return true;
    }
    return false;
  }

  /** From now on the layer becomes due when one of its dependencies changes. */
  protected subscribe(layer: Layer): void {
    const { changedSince, dependents } = this;
    layer.subscribedTo = layer.dependencies;
    for (const record of layer.dependencies?.keys() ?? EMPTY) {
      if (!dependents.get(record)?.add(layer)) dependents.set(record, new Set([layer]));
      // changed in this commit, perhaps after the layer was computed
      if (changedSince.has(record)) this.queueLayer(layer);
    }
  }

  protected unsubscribe(layer: Layer): void {
    for (const record of layer.subscribedTo?.keys() ?? EMPTY) {
      const others = this.dependents.get(record);
      others?.delete(layer);
      if (others?.size === 0) this.dependents.delete(record);
    }
  }
}
