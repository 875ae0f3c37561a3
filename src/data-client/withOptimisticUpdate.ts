/** The optimistic response of Rest Hooks 4 and 5: a function of the arguments alone. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';

interface OlderEndpoint {
  readonly optimisticUpdate?: (...args: readonly unknown[]) => unknown;
  extend(options: object): never;
}

const known = new WeakMap<object, EndpointInterface>();

/** The endpoint with its `optimisticUpdate` as `getOptimisticResponse`. */
export function withOptimisticUpdate<E extends EndpointInterface>(endpoint: E): E {
  // the checks of arguments come later
  const older = (endpoint ?? {}) as unknown as OlderEndpoint;
  const respond = older.optimisticUpdate;
  if (respond === undefined || endpoint.getOptimisticResponse !== undefined) return endpoint;
  const getOptimisticResponse = (_snapshot: unknown, ...args: readonly unknown[]) =>
    respond.call(endpoint, ...args);
  const made: EndpointInterface = known.get(endpoint) ?? older.extend({ getOptimisticResponse });
  known.set(endpoint, made);
  return made as E;
}
