/** Resources with requests that need values from a hook: a token in a context, a session. */
import { checkArgument, checkObject, DEV } from '../errors.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { fitHeaders } from './request.ts';

/** The members of an endpoint that a hook requires. */
export interface Hookable extends EndpointInterface {
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  // any: endpoints of each kind have their own options
  extend(options: any): unknown;
}

/** For each endpoint of the resource a hook that returns the endpoint: useGet, useGetList, … */
export type HookResource<R> = {
  readonly [
    K in keyof R & string as R[K] extends Hookable ? `use${Capitalize<K>}` : never
  ]: () => R[K];
};

/**
 * `hookifyResource(Todos, useInit)` is a resource of hooks: Todos.useGet() returns the endpoint for
 * `useSuspense(get, {id: 1})`. Each calls `useInit()`, which may be any hook of any framework, for the RequestInit of
 * fetch; its headers win over the headers of the endpoint. The key of a request does not change: all share one
 * response.
 */
export function hookifyResource<R extends object>(
  resource: R,
  useInit: () => RequestInit,
): HookResource<R> {
  if (DEV) checkObject('hookifyResource', resource, 'a resource');
  if (DEV) checkArgument(typeof useInit === 'function', 'hookifyResource', useInit, 'a hook');
  const hooks: Record<string, () => unknown> = {};
  for (const [name, member] of Object.entries(resource)) {
    if (!isHookable(member)) continue;
    const hook = `use${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    hooks[hook] = () => withInit(member, useInit());
  }
  return hooks as HookResource<R>;
}

function isHookable(member: unknown): member is Hookable {
  return typeof member === 'function' && 'getRequestInit' in member && 'extend' in member;
}

function withInit(endpoint: Hookable, init: RequestInit): unknown {
  return endpoint.extend({
    async getRequestInit(this: Hookable, body?: unknown): Promise<RequestInit> {
      const ownInit = await endpoint.getRequestInit.call(this, body);
      return { ...ownInit, ...init, headers: mergeHeaders(ownInit.headers, init.headers) };
    },
  });
}

/** Both headers; the second ones win. */
function mergeHeaders(first: HeadersInit = {}, second: HeadersInit = {}): HeadersInit {
  return fitHeaders({ ...toPlainHeaders(first), ...toPlainHeaders(second) });
}

function toPlainHeaders(headers: HeadersInit): Record<string, string> {
  return Symbol.iterator in headers ? Object.fromEntries(headers) : headers;
}
