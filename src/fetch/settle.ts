/** Policies with their defaults: the narrowest that is set wins. */
import type { ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';

/** Policies with nothing left open. */
export interface Settled {
  readonly dataExpiryLength: number;
  readonly errorExpiryLength: number;
  readonly invalidIfStale: boolean;
  readonly hard: (error: { readonly status?: number }) => boolean;
}

const DATA_EXPIRY = 60_000;
const ERROR_EXPIRY = 1_000;

/** What holds for an endpoint: its own policies, else the controller's, else 60 s, 1 s, and soft from status 500 up. */
export function settle(own: Policies, wider: Policies): Settled {
  return {
    dataExpiryLength: own.dataExpiryLength ?? wider.dataExpiryLength ?? DATA_EXPIRY,
    errorExpiryLength: own.errorExpiryLength ?? wider.errorExpiryLength ?? ERROR_EXPIRY,
    invalidIfStale: own.invalidIfStale ?? wider.invalidIfStale ?? false,
    hard: (error) => policyOf(error, own, wider) === 'hard',
  };
}

function policyOf(
  error: { readonly status?: number },
  own: Policies,
  wider: Policies,
): ErrorPolicy {
  const chosen = own.errorPolicy?.(error) ?? wider.errorPolicy?.(error);
  // without a status there was no answer
  return chosen ?? ((error.status ?? 500) >= 500 ? 'soft' : 'hard');
}
