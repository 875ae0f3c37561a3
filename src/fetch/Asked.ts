/** One request, who asked for it, and who keeps its answer back. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
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
  /** False: a mutation. */
  readonly read: boolean;
  /** Of a read at least. */
  readonly key: string | undefined;
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
  readonly read: boolean;
  readonly issued: number;
  readonly fetchedAt: number;
  readonly holder: Holder | undefined;
  /** What is shown of a mutation until it ends, and what it is to name. */
  shown: { readonly layer: Layer; readonly begun: Begun } | undefined = undefined;
  lost: unknown = undefined;
  callers = 0;
  /** It ended, or is about to: what the network says does not matter any more. */
  over = false;
  /** Settles what its callers wait for. */
  resolve: (value: unknown) => void = ignore;
  reject: (reason: unknown) => void = ignore;
  /** Rejects whoever waits, whatever the network does. */
  cancel: (reason: unknown) => void = ignore;
  #key: string | undefined;
  #title: string | undefined;

  constructor({ endpoint, args, read, key, issued, fetchedAt, holder }: Issue) {
    super();
    this.endpoint = endpoint;
    this.args = args;
    this.read = read;
    this.#key = key;
    this.issued = issued;
    this.fetchedAt = fetchedAt;
    this.holder = holder;
  }

  /** That of a mutation names it in messages, for those who ask: it may cost as much as all the rest. */
  get key(): string {
    return (this.#key ??= nameOf(this));
  }

  override abort(reason: unknown): void {
    super.abort(reason);
    this.cancel(reason);
  }

  /** How messages name it. */
  get title(): string {
    return (this.#title ??= titleOf(this.endpoint));
  }
}

/** Why it has no key is what its endpoint says when it is sent. */
function nameOf({ endpoint, args, title }: Asked): string {
  try {
    return keyOf(endpoint, args);
  } catch {
    return title;
  }
}

/** The cancelling of what is over, or has not begun. */
export function ignore(): void {}
