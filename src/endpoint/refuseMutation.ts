/** Readers send no mutation: each would send it again, and its response is stored under no key. */
import { SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { titleOf } from './titleOf.ts';

/** Throws E7. */
export function refuseMutation(endpoint: EndpointInterface): void {
  if (endpoint.sideEffect) throw new SignalboxError('E7', { endpoint: titleOf(endpoint) });
}
