/** Rejects reads where a mutation is expected: E13. */
import { DEV, SignalboxError } from '../errors.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { argumentChecks } from './argumentChecks.ts';
import { titleOf } from './titleOf.ts';

/** Throws E13 for a read and E14 for any other value, in development. */
export function refuseRead(endpoint: EndpointInterface): void {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (DEV && !endpoint.sideEffect) throw new SignalboxError('E13', { endpoint: titleOf(endpoint) });
}
