/** The address of a request. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';

/** Undefined if the endpoint has no address, or no address for these arguments. */
export function urlOf(endpoint: EndpointInterface, args: Args): string | undefined {
  const { url } = endpoint as { readonly url?: unknown };
  if (typeof url !== 'function') return undefined;
  try {
    return String(url.apply(endpoint, args));
  } catch {
    // the request fails with the same error
    return undefined;
  }
}
