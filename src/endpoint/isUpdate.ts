/** Which calls change an entity that they name. */
import type { EndpointInterface } from './Endpoint.ts';

/** True for PUT and PATCH with params and a body: the response may give the entity another primary key. */
export function isUpdate(endpoint: EndpointInterface, args: readonly unknown[]): boolean {
  const { method } = endpoint as { readonly method?: unknown };
  return args.length > 1 && (method === 'PUT' || method === 'PATCH');
}
