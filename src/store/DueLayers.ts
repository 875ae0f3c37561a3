/** The layers to rebase at the end of a commit, found by the records that they depend on. */
import { EMPTY } from './append.ts';
import { insertByIssueTime } from './insertByIssueTime.ts';
import type { Layer } from './Layer.ts';
import type { StoreRecord } from './StoreRecord.ts';

export class DueLayers {
  /** The layers to compute again, or whose dependencies may have changed, in the order of issue. */
  #queue: Layer[] = EMPTY;
  /** The layers that depend on each record. */
  readonly #dependents = new Map<StoreRecord, Set<Layer>>();
  /**
   * The records that have changed since the last rebase, each with the logical time from which on layers see the change.
   * Empty while no layer has dependencies.
   */
  readonly #changedSince = new Map<StoreRecord, number>();

  /** True while a layer has dependencies. */
  get hasDependencies(): boolean {
    return this.#dependents.size > 0;
  }

  /** As `Layers.noteChange`. */
  noteChange(record: StoreRecord, issued: number): void {
    if (issued >= (this.#changedSince.get(record) ?? Infinity)) return;
    this.#changedSince.set(record, issued);
    // a new layer changes nothing that the layers before it see
    for (const layer of this.#dependents.get(record) ?? EMPTY)
      if (layer.issued > issued) this.add(layer);
  }

  add(layer: Layer): void {
    if (layer.isDue) return;
    layer.isDue = true;
    this.#queue = insertByIssueTime(this.#queue, layer);
  }

  /** Removes and returns the layer that was issued first; `isDue` stays true until the layer is rebased. */
  takeFirst(): Layer | undefined {
    return this.#queue.length === 0 ? undefined : this.#queue.shift();
  }

  /** All layers are rebased. */
  endRebase(): void {
    // to clear an empty map has a cost too
    if (this.#changedSince.size > 0) this.#changedSince.clear();
  }

  hasChangedDependency({ issued, dependencies }: Layer): boolean {
    const changed = this.#changedSince;
    for (const record of (dependencies.size < changed.size ? dependencies : changed).keys()) {
      const copy = dependencies.get(record);
      const since = changed.get(record) ?? Infinity;
      if (copy !== undefined && since < issued && !record.equalsCopyAsOf(issued, copy)) return true;
    }
    return false;
  }

  /** From now on the layer becomes due when one of its dependencies changes. */
  subscribe(layer: Layer): void {
    const { dependencies } = layer;
    if (dependencies.size === 0) return;
    layer.subscribedTo = dependencies;
    for (const record of dependencies.keys()) {
      const others = this.#dependents.get(record);
      if (others === undefined) this.#dependents.set(record, new Set([layer]));
      else others.add(layer);
      // changed in this commit, perhaps after the layer was computed
      if (this.#changedSince.has(record)) this.add(layer);
    }
  }

  unsubscribe(layer: Layer): void {
    for (const record of layer.subscribedTo?.keys() ?? EMPTY) {
      const others = this.#dependents.get(record);
      others?.delete(layer);
      if (others?.size === 0) this.#dependents.delete(record);
    }
    layer.subscribedTo = undefined;
  }
}
