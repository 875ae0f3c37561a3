/** Which function an attempt is sent with, in the place of the global `fetch`. */

export type Network = (typeof globalThis)['fetch'];

/** By the signal of the attempt: it alone reaches the network, whatever an endpoint overrides. */
export const networks: WeakMap<AbortSignal, Network> = new WeakMap();
