/** What a request needs from above. */
import type { Clock } from '../clock.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import type { Store } from '../store/Store.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Creations } from './Creations.ts';
import type { Emitter } from './Emitter.ts';
import type { Events } from './Events.ts';
import type { Inflight } from './Inflight.ts';
import type { Watched } from './live.ts';

/** Lent by the controller. */
export interface Desk {
  readonly store: Store;
  readonly inflight: Inflight;
  readonly creations: Creations;
  readonly clock: Clock;
  readonly policies: Policies;
  /** How a request leaves: `leave` sends it. */
  readonly send: Send;
  readonly surroundings: Surroundings;
  readonly events: Emitter<Events>;
  /** What somebody shows, or polls: it asks again when everything expires. Walked as it was at the beginning. */
  readonly watched: Iterable<Watched> & Record<'add' | 'delete', (shown: Watched) => void>;
}

/** Stands between the library and the network: calls `leave`, or answers by itself. */
export type Send = (
  endpoint: EndpointInterface,
  args: Args,
  leave: () => Promise<unknown>,
) => Promise<unknown>;

const desks = new WeakMap<object, Desk>();

/** Of a controller, for what an application may leave out. */
export function deskOf(controller: object): Desk {
  return desks.get(controller) as Desk;
}

export function lend(controller: object, desk: Desk): Desk {
  desks.set(controller, desk);
  return desk;
}
