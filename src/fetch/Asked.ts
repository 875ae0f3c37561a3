/** One request, who asked for it, and who keeps its answer back. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Network } from '../endpoint/networks.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Args } from '../schema/schema.ts';
import type { Layer } from '../store/Layer.ts';
import type { Stamp } from '../store/order.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { Abort } from './Abort.ts';
import type { Leave } from './Abort.ts';
import type { Begun } from './Creations.ts';
import type { Desk } from './Desk.ts';
import type { Flight } from './Inflight.ts';

/** Keeps answers back until others have come. */
export interface Holder {
  hold(asked: Asked, value: unknown): unknown;
}

/** Who calls, if it is not a caller who waits for ever. */
export interface Via {
  /** Says that this caller waits no longer. */
  readonly left?: Leave | undefined;
  /** In the place of the endpoint's own, which may be another caller's; null: none. */
  readonly signal?: Leave | null | undefined;
  readonly holder?: Holder | undefined;
  /** Of the request, where it is known already. */
  readonly key?: string | undefined;
  /** Logical time, of its own: of what was issued before, elsewhere. */
  readonly issued?: number | undefined;
}

/** What its outcome becomes: gives what callers get, or throws it. */
export type Become = (desk: Desk, asked: Asked, outcome: unknown) => unknown;

/** What the policy `http` does for one attempt. */
export interface Exchange {
  /** Sends it in the place of `fetch`. */
  readonly send: Network;
  /** The stamp of its response, as the server's headers say. */
  date(stamp: Stamp): Stamp;
  /** Its response is stored, and readers see these data. */
  stored(data: unknown): void;
  /** What becomes of an error that is no failure; `again`: the request is sent anew. */
  outcome(error: unknown): Become | 'again' | undefined;
}

const NEVER = new Promise<never>(() => {});

/** It is aborted when all who wait have left. */
export class Asked extends Abort implements Flight {
  readonly endpoint: EndpointInterface;
  /** With the server's primary keys, once they are known. */
  args: Args;
  /** It is not sent before the server has named what they name. */
  waits = false;
  /** False: a mutation. */
  readonly read: boolean;
  /** When it was issued: logical time, and wall time, ms since 1970. */
  readonly issued: number;
  fetchedAt = 0;
  readonly holder: Holder | undefined;
  /** What is shown of a mutation until it ends, and what it is to name. */
  shown: { readonly layer: Layer; readonly begun: Begun | undefined } | undefined = undefined;
  /** The present attempt, under the policy `http`. */
  exchange: Exchange | undefined = undefined;
  /** Why it was given up: whatever comes of it then has not happened. */
  lost: unknown = undefined;
  /** How many wait for it; Infinity once there is one who cannot leave. */
  callers = 0;
  /** What its callers wait for, and what settles it; of a request of another controller nobody does. */
  promise: Promise<unknown> = NEVER;
  end: (become: Become, outcome: unknown) => void = ignore;
  /** Rejects whoever waits, whatever the network does. */
  cancel: (reason: unknown) => void = ignore;
  #key: string | undefined;

  constructor(endpoint: EndpointInterface, args: Args, issued: number, { key, holder }: Via) {
    super();
    this.endpoint = endpoint;
    this.args = args;
    this.read = !endpoint.sideEffect;
    this.#key = key;
    this.issued = issued;
    this.holder = holder;
  }

  /** That of a mutation names it in messages, for those who ask: it may cost as much as all the rest. */
  get key(): string {
    try {
      return (this.#key ??= keyOf(this.endpoint, this.args));
    } catch {
      // why it has none is what its endpoint says when it is sent
      return (this.#key = this.title);
    }
  }

  /** Of a read: where its answer is stored. */
  resultIn(store: Store): ResultRecord {
    return store.result(this.key, this.endpoint.schema, this.args);
  }

  /** It ends: whoever remembers that it was sent does not hold what it brought. */
  forget(): void {
    this.cancel = this.end = ignore;
    this.promise = NEVER;
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

/** The end of what is over, or has not begun. */
export function ignore(): void {}
