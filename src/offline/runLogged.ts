/** Runs the request of a mutation from the log, which has no caller since its page was closed. */
import { SignalboxError, warn } from '../errors.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { run } from '../request/run.ts';
import type { Args } from '../schema/schema.ts';

interface LoggedMutation {
  /** The id of the entry in the log. */
  readonly id: number;
  readonly endpoint: EndpointInterface;
  readonly args: Args;
  /** Logical time; undefined: now. */
  readonly issued: number | undefined;
}

/** Issues the request. A refusal is a warning, O4, since no caller gets the error. */
export function runLogged(
  context: FetchContext,
  { id, endpoint, args, issued }: LoggedMutation,
): void {
  const options = { endpointSignal: null, issued, isBackground: true };
  run(context, endpoint, args, options).catch((reason: unknown) => {
    const own = reason instanceof SignalboxError && ['F3', 'O5'].includes(reason.code);
    if (!own && !isAbort(reason)) warn('O4', `${id}`, { endpoint: titleOf(endpoint), reason });
  });
}
