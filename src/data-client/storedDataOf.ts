/** The data that a failed or invalidated request still has in the store: readers of Data Client get these. */
import { useController } from '../../adapters/react/Provider.ts';
import { useSyncExternalStore } from '../../adapters/react/react.ts';
import type { Controller } from '../Controller.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { contextOf } from '../request/FetchContext.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args } from '../schema/schema.ts';
import { StoreRecord } from '../store/StorePort.ts';
import type { ResultRecord } from '../store/StorePort.ts';

/** The stored result of `endpoint(...args)`; undefined before the first read or write. */
export function resultOf(
  controller: Controller,
  endpoint: EndpointInterface,
  args: Args,
): ResultRecord | undefined {
  return contextOf(controller).store.results.get(keyOf(endpoint, args));
}

/**
 * The data of a result, behind an error or an invalidation. An invalidation keeps only data that the arguments
 * determine: an entity, or a list by its arguments.
 */
export function storedDataOf(result: ResultRecord): unknown {
  if (result.invalidatedAt !== undefined && !(result.node instanceof StoreRecord)) return undefined;
  try {
    const data = result.data();
    return data === INVALID ? undefined : data;
  } catch {
    // a function of the schema throws
    return undefined;
  }
}

/** The data behind the error of `endpoint(...args)`, followed by the component; undefined without an error. */
export function useDataBehindError(endpoint: EndpointInterface, args: Args): unknown {
  const controller = useController();
  const result = args[0] === null ? undefined : resultOf(controller, endpoint, args);
  const failed = result?.failure && result;
  const read = () => failed && storedDataOf(failed);
  return useSyncExternalStore(
    failed ? (notify) => failed.listen(notify) : listenToNothing,
    read,
    read,
  );
}

const listenToNothing = () => () => {};
