/** Distinguishes endpoints from schemas. */
import type { EndpointInterface } from './Endpoint.ts';

/** True for an endpoint, false for a schema. */
export function isEndpoint(value: unknown): value is EndpointInterface {
  return typeof value === 'function' && 'key' in value && typeof value.key === 'function';
}
