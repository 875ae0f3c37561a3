/** Rejects mutations where a read is expected: E7. */
import { DEV, SignalboxError } from '../errors.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { argumentChecks } from './argumentChecks.ts';
import { titleOf } from './titleOf.ts';

/** Throws E7 for a mutation: a reader would send it repeatedly, and its response is not stored under a key. */
export function refuseMutation(endpoint: EndpointInterface): void {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (endpoint.sideEffect) throw new SignalboxError('E7', { endpoint: titleOf(endpoint) });
}
