/** The server to which a mutation goes. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';

/** Scheme and host of the address; `''` for an address without them, the name of an endpoint without an address. */
export function originOf(endpoint: EndpointInterface, args: Args): string {
  const { url } = endpoint as { readonly url?: unknown };
  if (typeof url !== 'function') return endpoint.name;
  try {
    const address = String(url.apply(endpoint, args));
    return /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i.exec(address)?.[0] ?? '';
  } catch {
    // the attempt fails with the same error
    return '';
  }
}
