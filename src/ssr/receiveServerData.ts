/** Passes the data of server scripts to a controller of the page. */
import type { Controller } from '../Controller.ts';
import { Hydration } from './Hydration.ts';
import type { ServerState } from './Dehydrator.ts';
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
 * Passes the result of `dehydrate` on the server to the controller of the page. Each request is written when it is
 * first read; server data never replace newer data of the page. Parts must be passed in the order in which they were
 * made. A payload of another program or version is ignored with a warning (H2). A request with data that do not fit its
 * schema is dropped with a warning (H3): the page fetches it.
 */
export function hydrateController(controller: Controller, state: ServerState): void {
  hydrationOf(controller).receive(state);
}

/**
 * Passes the data of all scripts of the page, present and future, to its controller. To be called before hydration.
 * `name`: as in the options on the server.
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
  // set by a script of another program, or by an element with this id
  const before = page[name] ?? [];
  come(...((Array.isArray(before) ? before : [before]) as ServerState[]));
  page[name] = Object.assign([], { push: come });
}
