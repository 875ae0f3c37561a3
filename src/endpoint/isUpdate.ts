/** Finds calls that change an entity identified by their arguments. */
import type { EndpointInterface } from './Endpoint.ts';

/** True for PUT and PATCH with params, a body and a schema: the response may give the entity another primary key. */
export function isUpdate(endpoint: EndpointInterface, args: readonly unknown[]): boolean {
  const { method, schema } = endpoint as { readonly method?: unknown; readonly schema?: unknown };
  return schema !== undefined && args.length > 1 && (method === 'PUT' || method === 'PATCH');
}
