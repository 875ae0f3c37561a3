/** The optimistic response to a mutation with changed arguments. */
import { change } from '../fetch/commit.ts';
import type { Desk } from '../fetch/Desk.ts';
import type { InFlightRequest } from '../fetch/InFlightRequest.ts';
import type { Args } from '../schema/schema.ts';

/** Renders the optimistic response to these arguments. */
export function renderArgs(desk: Desk, request: InFlightRequest, args: Args): void {
  request.args = args;
  const { layer } = request;
  if (layer === undefined) return;
  change(desk, 'optimistic', () => desk.store.layers.renew(layer), { by: request });
}
