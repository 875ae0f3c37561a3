/** What is shown of a mutation before its answer, and how it is taken back. */
import type { Layer } from '../store/Layer.ts';
import type { Asked } from './Asked.ts';
import { change } from './commit.ts';
import type { Desk } from './Desk.ts';
import { expect } from './expect.ts';

/** Shows what a mutation is expected to answer. */
export function foretell(desk: Desk, asked: Asked): void {
  const { store, creations } = desk;
  const layer = expect(store, asked);
  if (layer === undefined) return;
  asked.shown = { layer, begun: creations.begin(layer.made, asked.args) };
  show(desk, layer, asked);
}

/** Lays what is not confirmed over what is; `by` a request, if one expects it. */
export function show(desk: Desk, layer: Layer, by?: Asked): void {
  change(desk, 'optimistic', () => desk.store.layers.lay(layer), { by });
}

/** Takes back what was shown of a mutation that failed. */
export function rollBack(desk: Desk, asked: Asked, reason: unknown): void {
  const { shown } = asked;
  if (shown === undefined) return;
  shown.begun?.(undefined, reason);
  const { layers } = desk.store;
  if (!layers.has(shown.layer)) return;
  change(desk, 'rollback', () => layers.drop(shown.layer, true), { by: asked });
}
