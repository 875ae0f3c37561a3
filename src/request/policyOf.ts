/** Looks up policies: an endpoint's own value overrides the controller's. */
import { DEV, warn } from '../errors.ts';
import { defaultErrorPolicy } from '../endpoint/defaultErrorPolicy.ts';
import type { ErrorWithStatus } from '../endpoint/defaultErrorPolicy.ts';
import type { EndpointInterface, ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import type { FetchContext } from './FetchContext.ts';

/** The endpoint's value of a policy, else the controller's; undefined if neither sets it. */
export function policyOf<N extends keyof Policies>(
  { policies }: Pick<FetchContext, 'policies'>,
  own: Policies,
  name: N,
): Policies[N] {
  return own[name] ?? policies[name];
}

/** True if an error is shown instead of stored data. If a policy function throws, the default applies. */
export function isHardError(
  { policies }: FetchContext,
  own: EndpointInterface,
  error: ErrorWithStatus,
): boolean {
  let chosen: ErrorPolicy;
  try {
    // the default of an endpoint class is not a choice of the user: the controller's policy overrides it
    if (own.errorPolicy !== defaultErrorPolicy) chosen = own.errorPolicy?.(error);
    chosen ??= policies.errorPolicy?.(error);
  } catch (reason) {
    if (DEV) warn('E8', titleOf(own), { endpoint: titleOf(own), reason });
  }
  return (chosen ?? defaultErrorPolicy(error)) === 'hard';
}
