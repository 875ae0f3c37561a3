/** An offline queue takes the place of a controller's network, and of the source of the server's keys. */
import type { TempIds } from '../fetch/TempIds.ts';
import type { FetchContext, FetchMiddleware } from '../fetch/FetchContext.ts';
import type { Args } from '../schema/schema.ts';

/** Gives the server's keys. */
export type Naming = Pick<TempIds, 'begin' | 'resolveArgs'>;

interface Interception {
  /** The response to a request with these arguments, where the queue has it. */
  responseTo(args: Args): { readonly value: unknown } | undefined;
  /** Resolves with the arguments to send, when they may be sent; undefined: now, as they are. */
  real(args: Args): Promise<Args> | undefined;
}

/** What was there before. */
interface Replaced {
  readonly send: FetchMiddleware;
  readonly creations: Naming;
  /** Puts it back. */
  readonly restore: () => void;
}

export function interceptDesk(desk: FetchContext, by: Interception): Replaced {
  const place = desk as { send: FetchMiddleware; tempIds: Naming };
  const { send, tempIds: creations } = place;
  const own: FetchMiddleware = (endpoint, args, leave) => {
    const response = by.responseTo(args);
    return response === undefined ? send(endpoint, args, leave) : Promise.resolve(response.value);
  };
  const named: Naming = {
    begin: (made, args) => creations.begin(made, args),
    resolveArgs: (args) => by.real(args),
  };
  place.send = own;
  place.tempIds = named;
  const restore = () => {
    // a queue that was made later keeps its place, and passes on the other requests
    if (place.send === own) place.send = send;
    if (place.tempIds === named) place.tempIds = creations;
  };
  return { send, creations, restore };
}
