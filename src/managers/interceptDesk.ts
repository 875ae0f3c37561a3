/** An offline queue takes the place of a controller's network, and of the source of the server's keys. */
import type { Creations } from '../fetch/Creations.ts';
import type { Desk, Send } from '../fetch/Desk.ts';
import type { Args } from '../schema/schema.ts';

/** Gives the server's keys. */
export type Naming = Pick<Creations, 'begin' | 'real'>;

interface Interception {
  /** The response to a request with these arguments, where the queue has it. */
  responseTo(args: Args): { readonly value: unknown } | undefined;
  /** Resolves with the arguments to send, when they may be sent; undefined: now, as they are. */
  real(args: Args): Promise<Args> | undefined;
}

/** What was there before. */
interface Replaced {
  readonly send: Send;
  readonly creations: Naming;
  /** Puts it back. */
  readonly restore: () => void;
}

export function interceptDesk(desk: Desk, by: Interception): Replaced {
  const place = desk as unknown as { send: Send; creations: Naming };
  const { send, creations } = place;
  const own: Send = (endpoint, args, leave) => {
    const response = by.responseTo(args);
    return response === undefined ? send(endpoint, args, leave) : Promise.resolve(response.value);
  };
  const named: Naming = {
    begin: (made, args) => creations.begin(made, args),
    real: (args) => by.real(args),
  };
  place.send = own;
  place.creations = named;
  const restore = () => {
    // a queue that was made later keeps its place, and passes on the other requests
    if (place.send === own) place.send = send;
    if (place.creations === named) place.creations = creations;
  };
  return { send, creations, restore };
}
