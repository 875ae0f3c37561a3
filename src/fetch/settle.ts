/** Policies with their defaults: the narrowest that is set wins. */
import { defaultErrorPolicy } from '../endpoint/Endpoint.ts';
import type { ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';

/** An error as policies see it. */
interface Refusal {
  readonly status?: number;
}

/** Policies with nothing left open. */
export interface Settled {
  readonly errorExpiryLength: number;
  readonly invalidIfStale: boolean;
  readonly onFocus: boolean;
  readonly onReconnect: boolean;
  readonly hard: (error: Refusal) => boolean;
}

const DATA_EXPIRY = 60_000;
const ERROR_EXPIRY = 1_000;

/** How long an answer counts as fresh, ms. */
export function freshFor(own: Policies, wider: Policies): number {
  return own.dataExpiryLength ?? wider.dataExpiryLength ?? DATA_EXPIRY;
}

/** What holds for an endpoint: its own policies, else the controller's, else 60 s, 1 s, and soft from status 500 up. */
export function settle(own: Policies, wider: Policies): Settled {
  return {
    errorExpiryLength: own.errorExpiryLength ?? wider.errorExpiryLength ?? ERROR_EXPIRY,
    invalidIfStale: own.invalidIfStale ?? wider.invalidIfStale ?? false,
    onFocus: own.refetchOnFocus ?? wider.refetchOnFocus ?? true,
    onReconnect: own.refetchOnReconnect ?? wider.refetchOnReconnect ?? true,
    hard: (error) => policyOf(error, own, wider) === 'hard',
  };
}

function policyOf(error: Refusal, own: Policies, wider: Policies): ErrorPolicy {
  // the default of a class is not a choice of the user's: the controller's goes before it
  const chosen = own.errorPolicy === defaultErrorPolicy ? undefined : own.errorPolicy?.(error);
  // without a status there was no answer
  return (
    chosen ?? wider.errorPolicy?.(error) ?? defaultErrorPolicy({ status: error.status ?? 500 })
  );
}
