/** What a controller and an endpoint tell each other of one attempt under the policy `http`, beside the value. */

/** What a server said of its answer. */
export interface Told {
  /** The address that it answers for. */
  readonly url?: string;
  /** The header that asks whether it still holds, with its value: a validator (RFC 9110, 8.8). */
  readonly condition?: readonly [name: string, value: string] | undefined;
  /** How long it counts as fresh, ms from its arrival; undefined: that was not said. Below 0 it came too late. */
  readonly lifetime?: number | undefined;
  /** How much longer it may be shown while it is asked again, ms; -Infinity: it must not be kept at all. */
  readonly grace?: number | undefined;
}

/** Made by the controller for each attempt, filled in by the endpoint. */
export interface Exchange {
  /** What was said of the answer that is stored, as long as that stands as it came; undefined: none is stored. */
  readonly known: Told | undefined;
  /** The server was asked whether that still holds. */
  asked?: boolean;
  /** What it said of the answer to this attempt. */
  told?: Told;
}

/** By the signal of the attempt: it alone reaches the network whatever an endpoint overrides. */
export const exchanges: WeakMap<AbortSignal, Exchange> = new WeakMap();
