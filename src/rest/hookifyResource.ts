/** Resources whose requests need what only a hook can give: a token in a context, a session. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { lastOfEachName } from './request.ts';

/** What an endpoint must have to be made a hook of. */
export interface Hookable extends EndpointInterface {
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  // any: whatever the options of its own kind
  extend(options: any): unknown;
}

/** `useGet`, `useGetList`, …: for each endpoint of the resource a function that gives it. */
export type HookResource<R> = {
  readonly [
    K in keyof R & string as R[K] extends Hookable ? `use${Capitalize<K>}` : never
  ]: () => R[K];
};

/**
 * `hookifyResource(Todos, useInit)` is a resource of hooks: `const get = Todos.useGet(); useSuspense(get, {id: 1})`.
 * Each asks `useInit()`, which may be any hook of any framework, for what goes to fetch beside the address; its
 * headers win over those of the endpoint. The key of a request does not change, so that all share one answer.
 */
export function hookifyResource<R extends object>(
  resource: R,
  useInit: () => RequestInit,
): HookResource<R> {
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
      const own = await endpoint.getRequestInit.call(this, body);
      return { ...own, ...init, headers: joined(own.headers, init.headers) };
    },
  });
}

/** Both headers, the later win. */
function joined(first: HeadersInit = {}, second: HeadersInit = {}): HeadersInit {
  return lastOfEachName({ ...plain(first), ...plain(second) });
}

function plain(headers: HeadersInit): Record<string, string> {
  const listed = Array.isArray(headers) || headers instanceof Headers;
  return listed ? Object.fromEntries(headers) : headers;
}
