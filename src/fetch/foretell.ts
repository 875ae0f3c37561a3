/** What is shown of a mutation before its answer, and how it is taken back. */
import type { Asked } from './Asked.ts';
import { commit } from './commit.ts';
import type { Desk } from './Desk.ts';
import { expect } from './expect.ts';

/** Shows what a mutation is expected to answer. */
export function foretell(desk: Desk, asked: Asked): void {
  const { store, creations } = desk;
  const layer = expect(store, asked);
  if (layer === undefined) return;
  asked.shown = { layer, begun: creations.begin(layer.made, asked.args) };
  const lay = () => store.commit(() => store.layers.lay(layer));
  commit(desk, 'optimistic', lay, { by: asked });
}

/** Takes back what was shown of a mutation that failed. */
export function rollBack(desk: Desk, asked: Asked, reason: unknown): void {
  const { shown } = asked;
  if (shown === undefined) return;
  shown.begun?.(undefined, reason);
  const { store } = desk;
  if (!store.layers.has(shown.layer)) return;
  const drop = () => store.commit(() => store.layers.drop(shown.layer));
  commit(desk, 'rollback', drop, { by: asked });
}
