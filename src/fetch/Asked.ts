/** One request, who asked for it, and who keeps its answer back. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import type { Layer } from '../store/Layer.ts';
import type { Begun } from './Creations.ts';
import type { Flight } from './Inflight.ts';

/** Keeps answers back until others have come. */
export interface Holder {
  hold(asked: Asked, value: unknown): unknown;
}

/** Who calls, if it is not a caller who waits for ever. */
export interface Via {
  /** Says that this caller waits no longer. */
  readonly left?: AbortSignal | undefined;
  readonly holder?: Holder | undefined;
}

export interface Asked extends Flight {
  readonly endpoint: EndpointInterface;
  /** With the server's primary keys, once they are known. */
  args: Args;
  /** How messages name it. */
  readonly title: string;
  /** Wall time of its issue, ms since 1970. */
  readonly fetchedAt: number;
  readonly holder: Holder | undefined;
  /** What is shown of a mutation until it ends, and what it is to name. */
  shown?: { readonly layer: Layer; readonly begun: Begun } | undefined;
}
