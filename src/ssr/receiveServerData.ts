/** How a page hands over what came with it. */
import type { Controller } from '../Controller.ts';
import { Hydration } from './Hydration.ts';
import type { ServerState } from './Packing.ts';
import type { ServerDataOptions } from './ServerData.ts';

const hydrations = new WeakMap<Controller, Hydration>();

function hydrationOf(controller: Controller): Hydration {
  let hydration = hydrations.get(controller);
  if (hydration === undefined) {
    hydrations.set(controller, (hydration = new Hydration(controller)));
    controller.on('reset', () => hydrations.delete(controller));
  }
  return hydration;
}

/**
 * Gives what `dehydrate` told of a server's controller to the one of the page. Each request is planted when it is first
 * asked for; it never replaces what the page knows better. Parts are given in the order in which they were made. A payload
 * of another program or version is ignored with a warning (H2), and a request whose data do not fit its schema is dropped
 * with one (H3): the page fetches it.
 */
export function hydrateController(controller: Controller, state: ServerState): void {
  hydrationOf(controller).receive(state);
}

/**
 * Gives what the scripts of the page have brought, and what those still to come will bring, to its controller. To be run
 * before hydration. `name`: as the server was told.
 */
export function receiveServerData(
  controller: Controller,
  { name = '__signalbox' }: Pick<ServerDataOptions, 'name'> = {},
): void {
  const page = globalThis as unknown as Record<string, unknown>;
  const hydration = hydrationOf(controller);
  const come = (...states: readonly ServerState[]) => {
    for (const state of states) hydration.receive(state);
    return 0;
  };
  // a script of another program, or an element with this id
  const before = page[name] ?? [];
  come(...((Array.isArray(before) ? before : [before]) as ServerState[]));
  page[name] = Object.assign([], { push: come });
}
