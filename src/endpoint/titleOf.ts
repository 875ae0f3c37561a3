/** The name of an endpoint in messages. */
import type { EndpointInterface } from './Endpoint.ts';

export function titleOf(endpoint: EndpointInterface): string {
  return endpoint.title ?? endpoint.name;
}
