/** The read of the entity that a mutation changes. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isEndpoint } from '../endpoint/isEndpoint.ts';
import type { Args } from '../schema/schema.ts';
import type { Registry } from '../sync/Registry.ts';
import { urlOf } from './urlOf.ts';

/** A request: an endpoint with its arguments. */
export interface ReadCall {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

/** A named read of the address of a PUT, PATCH or DELETE; undefined if there is none. */
export function readOf(registry: Registry, { endpoint, args }: ReadCall): ReadCall | undefined {
  const { method = '' } = endpoint as { readonly method?: string };
  const url = /^(?:PUT|PATCH|DELETE)$/i.test(method) ? urlOf(endpoint, args) : undefined;
  if (url === undefined) return undefined;
  const params = args.slice(0, 1);
  for (const [, read] of registry.all())
    if (isEndpoint(read) && !read.sideEffect && urlOf(read, params) === url)
      return { endpoint: read, args: params };
  return undefined;
}
