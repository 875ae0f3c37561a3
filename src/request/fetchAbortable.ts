/** Fetches for one caller that may abort its own call. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { DEV } from '../errors.ts';
import type { Args } from '../schema/schema.ts';
import { contextOf } from './FetchContext.ts';
import type { AbortSignalLike } from './LazyAbortController.ts';
import { run } from './run.ts';

/** As `controller.fetch`. An abort of `callerSignal` rejects the promise, and aborts a request without other callers. */
export async function fetchAbortable(
  controller: object,
  endpoint: EndpointInterface,
  args: Args,
  callerSignal: AbortSignalLike,
): Promise<unknown> {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (args[0] === null) return undefined;
  const context = contextOf(controller);
  const { currentTransaction } = context;
  return (
    currentTransaction?.fetch(endpoint, args) ?? run(context, endpoint, args, { callerSignal })
  );
}
