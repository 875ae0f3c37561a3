/** The optimistic response to a mutation with changed arguments. */
import { commit } from '../request/commit.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import type { InFlightRequest } from '../request/InFlightRequest.ts';
import type { Args } from '../schema/schema.ts';

/** Renders the optimistic response to these arguments. */
export function renderArgs(context: FetchContext, request: InFlightRequest, args: Args): void {
  request.args = args;
  const { layer } = request;
  if (layer === undefined) return;
  const { store } = context;
  const change = () => store.layers.rebaseLater(layer);
  commit(context, 'optimistic', change, { causedBy: request });
}
