/** What is shown of a mutation before its answer, and how it is taken back. */
import { swapKeys } from '../schema/swapKeys.ts';
import type { Layer } from '../store/Layer.ts';
import type { Asked } from './Asked.ts';
import { change } from './commit.ts';
import type { Begun } from './Creations.ts';
import type { Desk } from './Desk.ts';
import { expect } from './expect.ts';

/** Shows what a mutation is expected to answer. */
export function foretell(desk: Desk, asked: Asked): void {
  const { store, creations } = desk;
  const layer = expect(store, asked);
  if (layer === undefined) return;
  const begun = creations.begin(layer.made, asked.args);
  const named = begun && ((...told: Parameters<Begun>) => renew(desk, begun(...told)));
  asked.shown = { layer, begun: named };
  show(desk, layer, asked);
}

/** The server gave these keys: what waits for them, and is shown meanwhile, has them at once. */
function renew({ store, inflight }: Desk, keys: ReadonlyMap<string, unknown>): typeof keys {
  for (const asked of inflight.flights as Iterable<object> as Iterable<Asked>) {
    const args = asked.waits ? swapKeys(asked.args, (key) => keys.get(key)) : asked.args;
    if (args === asked.args) continue;
    asked.args = args;
    if (asked.shown !== undefined) store.layers.renew(asked.shown.layer);
  }
  return keys;
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
