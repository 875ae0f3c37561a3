/** How messages name an endpoint. */
import type { EndpointInterface } from './Endpoint.ts';

export function titleOf(endpoint: EndpointInterface): string {
  return endpoint.title ?? endpoint.name;
}
