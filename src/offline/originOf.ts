/** The origin to which a mutation is sent. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import { urlOf } from './urlOf.ts';

/** Scheme and host of the address; `''` for an address without them, the name of an endpoint without an address. */
export function originOf(endpoint: EndpointInterface, args: Args): string {
  if (!('url' in endpoint)) return endpoint.name;
  return /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i.exec(urlOf(endpoint, args) ?? '')?.[0] ?? '';
}
