/** Endpoints where they cannot be read: named errors. */
import { DEV, SignalboxError } from '../diagnostics.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { isEndpoint } from './isEndpoint.ts';
import { titleOf } from './titleOf.ts';

/** Throws E7 for a mutation: a reader would send it again and again, and its response is stored under no key. */
export function refuseMutation(endpoint: EndpointInterface): void {
  if (endpoint.sideEffect) throw new SignalboxError('E7', { endpoint: titleOf(endpoint) });
}

/** Throws E10, in development, for an endpoint in the place of a schema: no arguments would find anything. */
export function refuseEndpoint(schema: unknown): void {
  if (DEV && isEndpoint(schema)) throw new SignalboxError('E10', { endpoint: titleOf(schema) });
}
