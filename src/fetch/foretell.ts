/** What is shown of a mutation before its answer, and how it is taken back. */
import { swapKeys } from '../schema/swapKeys.ts';
import type { Layer } from '../store/Layer.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import { change } from './commit.ts';
import type { Begun } from './Creations.ts';
import type { Desk } from './Desk.ts';
import { expect } from './expect.ts';

/** Shows what a mutation is expected to answer. */
export function foretell(desk: Desk, request: InFlightRequest): void {
  const { store, creations } = desk;
  const layer = expect(store, request);
  if (layer === undefined) return;
  const begun = creations.begin(layer.made, request.args);
  const named = begun && ((...told: Parameters<Begun>) => renew(desk, begun(...told)));
  request.shown = { layer, begun: named };
  show(desk, layer, request);
}

/** The server gave these keys: what waits for them, and is shown meanwhile, has them at once. */
function renew({ store, inflight }: Desk, keys: ReadonlyMap<string, unknown>): typeof keys {
  for (const request of inflight.flights) {
    const args = request.waits ? swapKeys(request.args, (key) => keys.get(key)) : request.args;
    if (args === request.args) continue;
    request.args = args;
    if (request.shown !== undefined) store.layers.renew(request.shown.layer);
  }
  return keys;
}

/** Lays what is not confirmed over what is; `by` a request, if one expects it. */
export function show(desk: Desk, layer: Layer, by?: InFlightRequest): void {
  change(desk, 'optimistic', () => desk.store.layers.lay(layer), { by });
}

/** Takes back what was shown of a mutation that failed. */
export function rollBack(desk: Desk, request: InFlightRequest, reason: unknown): void {
  const { shown } = request;
  if (shown === undefined) return;
  shown.begun?.(undefined, reason);
  const { layers } = desk.store;
  if (!layers.has(shown.layer)) return;
  change(desk, 'rollback', () => layers.drop(shown.layer, true), { by: request });
}
