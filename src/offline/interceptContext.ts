/** Replaces the network function of a controller, and the source of the server's keys, for an offline queue. */
import { install } from '../optimistic/optimistic.ts';
import { TempIds } from '../optimistic/TempIds.ts';
import type { TempIdSource } from '../request/OptimisticWrites.ts';
import type { FetchContext, FetchMiddleware } from '../request/FetchContext.ts';
import type { Args } from '../schema/schema.ts';

/** The source of the server's keys. */
export type Naming = TempIdSource;

interface Interception {
  /** The response to a request with these arguments, if the queue has it. */
  responseTo(args: Args): { readonly value: unknown } | undefined;
  /**
   * Resolves with the arguments to send, when the request may be sent; undefined: send now, with the same arguments.
   */
  real(args: Args): Promise<Args> | undefined;
}

/** The replaced functions. */
interface Replaced {
  readonly send: FetchMiddleware;
  readonly tempIds: Naming;
  /** Restores the replaced functions. */
  readonly restore: () => void;
}

export function interceptContext(context: FetchContext, by: Interception): Replaced {
  install(context);
  const place = context as { send: FetchMiddleware; tempIds?: Naming };
  const { send } = place;
  const tempIds = (place.tempIds ??= new TempIds());
  const own: FetchMiddleware = (endpoint, args, leave) => {
    const response = by.responseTo(args);
    return response === undefined ? send(endpoint, args, leave) : Promise.resolve(response.value);
  };
  const named: Naming = {
    expectKeys: (made, args) => tempIds.expectKeys(made, args),
    resolveArgs: (args) => by.real(args),
  };
  place.send = own;
  place.tempIds = named;
  const restore = () => {
    // a queue that was made later keeps its place, and passes the other requests on
    if (place.send === own) place.send = send;
    if (place.tempIds === named) place.tempIds = tempIds;
  };
  return { send, tempIds, restore };
}
