/** Policies: the narrowest that is set wins. */
import { warn } from '../diagnostics.ts';
import { defaultErrorPolicy } from '../endpoint/Endpoint.ts';
import type { EndpointInterface, ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { FetchContext } from './FetchContext.ts';

/** An error as policies see it. */
export interface ErrorWithStatus {
  readonly status?: number;
}

/** The policy of this name that an endpoint sets, else the controller's; undefined where neither sets one. */
export function policyOf<N extends keyof Policies>(
  { policies }: Pick<FetchContext, 'policies'>,
  own: Policies,
  name: N,
): Policies[N] {
  return own[name] ?? policies[name];
}

/** Whether an error is shown in the place of the data that are there. A policy that throws decides nothing. */
export function isHard(
  { policies }: FetchContext,
  own: EndpointInterface,
  error: ErrorWithStatus,
): boolean {
  let chosen: ErrorPolicy;
  try {
    // the default of a class is not a choice of the user's: the controller's goes before it
    if (own.errorPolicy !== defaultErrorPolicy) chosen = own.errorPolicy?.(error);
    chosen ??= policies.errorPolicy?.(error);
  } catch (reason) {
    const endpoint = titleOf(own);
    warn('E8', endpoint, { endpoint, reason });
  }
  return (chosen ?? defaultErrorPolicy(error)) === 'hard';
}
