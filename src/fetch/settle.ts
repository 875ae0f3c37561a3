/** Policies with their defaults: the narrowest that is set wins. */
import { defaultErrorPolicy } from '../endpoint/Endpoint.ts';
import type { Policies } from '../endpoint/Endpoint.ts';
import type { Desk } from './Desk.ts';

/** An error as policies see it. */
export interface Refusal {
  readonly status?: number;
}

const defaults = {
  errorExpiryLength: 1_000,
  invalidIfStale: false,
  pollFrequency: 0,
  refetchOnFocus: true,
  refetchOnReconnect: true,
  timeout: 0,
};

/** What holds for an endpoint: its own policy of this name, else the controller's, else the default. */
export function settle<N extends keyof typeof defaults>(
  { policies }: Pick<Desk, 'policies'>,
  own: Policies,
  name: N,
): (typeof defaults)[N] {
  return (own[name] ?? policies[name] ?? defaults[name]) as (typeof defaults)[N];
}

/** Whether an error is shown in the place of the data that are there. */
export function isHard({ policies }: Desk, own: Policies, error: Refusal): boolean {
  // the default of a class is not a choice of the user's: the controller's goes before it
  const chosen = own.errorPolicy === defaultErrorPolicy ? undefined : own.errorPolicy?.(error);
  return (chosen ?? policies.errorPolicy?.(error) ?? defaultErrorPolicy(error)) === 'hard';
}
