/** One request, who asked for it, and who keeps its answer back. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Args } from '../schema/schema.ts';
import type { Layer } from '../store/Layer.ts';
import { Abort } from './Abort.ts';
import type { Leave } from './Abort.ts';
import type { Begun } from './Creations.ts';
import type { Flight } from './Inflight.ts';

/** Keeps answers back until others have come. */
export interface Holder {
  hold(asked: Asked, value: unknown): unknown;
}

/** Who calls, if it is not a caller who waits for ever. */
export interface Via {
  /** Says that this caller waits no longer. */
  readonly left?: Leave | undefined;
  readonly holder?: Holder | undefined;
  /** Of the request, where it is known already. */
  readonly key?: string;
}

/** What is known of a request when it is issued. */
interface Issue {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
  readonly key: string;
  /** False: a mutation. */
  readonly read: boolean;
  /** Logical time. */
  readonly issued: number;
  /** Wall time, ms since 1970. */
  readonly fetchedAt: number;
  readonly holder?: Holder | undefined;
}

/** It is aborted when all who wait have left. */
export class Asked extends Abort implements Flight {
  readonly endpoint: EndpointInterface;
  /** With the server's primary keys, once they are known. */
  args: Args;
  readonly key: string;
  readonly read: boolean;
  readonly issued: number;
  readonly fetchedAt: number;
  readonly holder: Holder | undefined;
  /** What is shown of a mutation until it ends, and what it is to name. */
  shown: { readonly layer: Layer; readonly begun: Begun } | undefined = undefined;
  lost: unknown = undefined;
  callers = 0;
  /** Rejects whoever waits, whatever the network does. */
  cancel: (reason: unknown) => void = ignore;

  constructor({ endpoint, args, key, read, issued, fetchedAt, holder }: Issue) {
    super();
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
    this.read = read;
    this.issued = issued;
    this.fetchedAt = fetchedAt;
    this.holder = holder;
  }

  override abort(reason: unknown): void {
    super.abort(reason);
    this.cancel(reason);
  }

  /** How messages name it. */
  get title(): string {
    return titleOf(this.endpoint);
  }
}

/** The cancelling of what is over, or has not begun. */
export function ignore(): void {}
