/** The layers to rebase at the end of a commit, found by the records that they depend on. */
import { EMPTY } from '../store/records/append.ts';
import { countBefore, insertByIssueTime } from './insertByIssueTime.ts';
import { equalsCopyAsOf } from './copies.ts';
import type { Layer } from './Layer.ts';
import { readFieldsOf } from './LayerReadView.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';

/** Stands for all fields of a record in the place of a name. */
const ALL_FIELDS = '';
/** A change of some fields of a record that is there before and after. */
export interface FieldChange {
  readonly names: readonly string[];
  /** Logical time of the next write of the field: layers issued later do not see the change. */
  until(name: string): number;
}

export class DueLayers {
  /** The layers to compute again, or whose dependencies may have changed, in the order of issue. */
  protected queue: Layer[] = [];
  /** The layers that depend on each record, by the fields that they have read, in the order of issue. */
  protected readonly dependents: Map<StoreRecord, Map<string, Layer[]>> = new Map();
  /**
   * The records that have changed since the last rebase, each with the logical time from which on layers see the change.
   * Empty while no layer has dependencies.
   */
  protected readonly changedSince: Map<StoreRecord, number> = new Map();
  /** As `changedSince`, of the changes of all fields. */
  protected readonly replacedSince: Map<StoreRecord, number> = new Map();

  /**
   * Notes a change of this record, of all fields unless `change` is given: at the end of the commit, layers issued after
   * `issued` that saw another content are rebased.
   */
  noteChange(record: StoreRecord | undefined, issued = -1, change?: FieldChange): void {
    const { changedSince, replacedSince, dependents } = this;
    if (record === undefined || dependents.size === 0) return;
    if (issued >= (replacedSince.get(record) ?? Infinity)) return;
    if (change === undefined) replacedSince.set(record, issued);
    if (issued < (changedSince.get(record) ?? Infinity)) changedSince.set(record, issued);
    const byField = dependents.get(record);
    if (byField === undefined) return;
    if (change === undefined) {
      for (const layers of byField.values()) this.#queueLayers(layers, issued);
      return;
    }
    const all = byField.get(ALL_FIELDS);
    for (const name of change.names) {
      const some = byField.get(name);
      if (!all && !some) continue;
      const until = change.until(name);
      if (all) this.#queueLayers(all, issued, until);
      if (some) this.#queueLayers(some, issued, until);
    }
  }

  /** A new layer changes nothing that the layers before see, and nothing above the next write of the same field. */
  #queueLayers(layers: readonly Layer[], issued: number, until = Infinity): void {
    for (let at = countBefore(layers, issued); at < layers.length; at++) {
      const layer = layers[at] as Layer;
      if (layer.issued > until) return;
      if (layer.issued > issued) this.queueLayer(layer);
    }
  }

  /** Queues the layer. `isDue` stays true until the layer is rebased. */
  protected queueLayer(layer: Layer): void {
    if (!layer.isDue) this.queue = insertByIssueTime(this.queue, layer);
    layer.isDue = true;
  }

  protected hasChangedDependency({ issued, dependencies }: Layer): boolean {
    for (const [record, copy] of dependencies ?? EMPTY) {
      const since = this.changedSince.get(record) ?? Infinity;
      if (since < issued && !equalsCopyAsOf(record, issued, copy)) return true;
    }
    return false;
  }

  /** From now on the layer becomes due when one of its dependencies changes. */
  protected subscribe(layer: Layer): void {
    const { changedSince, dependents } = this;
    layer.subscribedTo = layer.dependencies;
    for (const [record, copy] of layer.dependencies ?? EMPTY) {
      let byField = dependents.get(record);
      if (byField === undefined) dependents.set(record, (byField = new Map()));
      for (const name of readFieldsOf(copy) ?? [ALL_FIELDS])
        byField.set(name, insertByIssueTime(byField.get(name) ?? EMPTY, layer));
      // changed in this commit, perhaps after the layer was computed
      if (changedSince.has(record)) this.queueLayer(layer);
    }
  }

  protected unsubscribe(layer: Layer): void {
    for (const [record, copy] of layer.subscribedTo ?? EMPTY) {
      const byField = this.dependents.get(record);
      for (const name of readFieldsOf(copy) ?? [ALL_FIELDS]) {
        const layers = byField?.get(name) ?? EMPTY;
        const at = layers.indexOf(layer);
        if (at >= 0) layers.splice(at, 1);
        if (layers.length === 0) byField?.delete(name);
      }
      if (byField?.size === 0) this.dependents.delete(record);
    }
  }
}
