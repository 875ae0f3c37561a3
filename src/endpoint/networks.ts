/** The function that sends an attempt, instead of the global `fetch`. */

export type Network = (typeof globalThis)['fetch'];

/** Keyed by the signal of the attempt: no other value reaches the network, whichever method an endpoint overrides. */
export const networks: WeakMap<AbortSignal, Network> = new WeakMap();
