/** One request, from its issue until it settles, and the callers that wait for it. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/keyOf.ts';
import type { Network } from '../endpoint/networks.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Args } from '../schema/schema.ts';
import type { Layer } from '../store/Layer.ts';
import type { Stamp } from '../store/versioning.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import type { TempIdResolver } from './TempIds.ts';
import { abortReason, LazyAbortController } from './LazyAbortController.ts';
import type { AbortSignalLike } from './LazyAbortController.ts';

/** A transaction: it holds responses back until all of its requests have succeeded. */
export interface ResponseHolder {
  defer(request: InFlightRequest, value: unknown): unknown;
}

/** Gives what callers get, or throws what their promises reject with. */
export type RequestOutcome = () => unknown;

/** What the policy `http` does for one attempt. */
export interface Exchange {
  /** Sends it in the place of `fetch`. */
  readonly send: Network;
  /** The stamp of its response, as the server's headers say. */
  date(stamp: Stamp): Stamp;
  /** Its response is stored, and readers see these data. */
  stored(data: unknown): void;
  /** The outcome of an error that is no failure; `again`: the request is sent anew. */
  outcome(error: unknown): RequestOutcome | 'again' | undefined;
}

/** What is known of a request when it is issued. */
interface Issue {
  /** The key of a read. */
  readonly key?: string | undefined;
  readonly holder?: ResponseHolder | undefined;
}

/** As an abort controller: it aborts the attempt that is under way. */
export class InFlightRequest extends LazyAbortController {
  readonly endpoint: EndpointInterface;
  /** Temporary primary keys are replaced by the server's as soon as these are known. */
  args: Args;
  /** True until the server has named all temporary keys in `args`: the request is sent after that. */
  waitsForKeys = false;
  /** False: a mutation. */
  readonly read: boolean;
  /** Logical time of issue. */
  readonly issued: number;
  /** Wall time of issue, ms since 1970. */
  fetchedAt = 0;
  readonly holder: ResponseHolder | undefined;
  /** The optimistic layer of a mutation. */
  layer: Layer | undefined = undefined;
  /** Gives the entities that the layer creates the primary keys of the response. */
  nameCreated: TempIdResolver | undefined = undefined;
  /** The present attempt, under the policy `http`. */
  exchange: Exchange | undefined = undefined;
  /** Why the request was cancelled: by its callers, or by a reset. */
  cancelReason: unknown = undefined;
  /** The outcome is known, or is not decided here: the network cannot change it. */
  decided = false;
  /** How many wait for it; Infinity once one of them has no signal. */
  #callers = 0;
  #promise: Promise<unknown> | undefined;
  #finish: ((outcome: RequestOutcome) => void) | undefined;
  #key: string | undefined;

  constructor(endpoint: EndpointInterface, args: Args, issued: number, { key, holder }: Issue) {
    super();
    this.endpoint = endpoint;
    this.args = args;
    this.read = !endpoint.sideEffect;
    this.issued = issued;
    this.#key = key;
    this.holder = holder;
    this.#promise = new Promise((resolve, reject) => {
      this.#finish = (outcome) => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      };
    });
  }

  /** Lazy: the key of a mutation is used in events and errors only, and may cost as much as all the rest of the request. */
  get key(): string {
    try {
      return (this.#key ??= keyOf(this.endpoint, this.args));
    } catch {
      // the endpoint throws the reason when it is sent
      return (this.#key = this.title);
    }
  }

  /** The name of the endpoint in messages. */
  get title(): string {
    return titleOf(this.endpoint);
  }

  /** The record in which the response of a read is stored. */
  resultIn(store: Store): ResultRecord {
    return store.result(this.key, this.endpoint.schema, this.args);
  }

  /** True where what `result` holds may be newer than the response: the request was issued before an own write or an invalidation. */
  isOvertaken(store: Store, result: ResultRecord): boolean {
    return this.issued <= store.minReadTime(result);
  }

  /**
   * The promise of one more caller. A caller with signals leaves when one of them is aborted: its own promise rejects at
   * once, and `abandon` runs when no caller is left. A caller without any stays until the request settles.
   */
  join(signals: readonly AbortSignalLike[], abandon: (reason: unknown) => void): Promise<unknown> {
    const promise = this.#promise as Promise<unknown>;
    if (signals.length === 0) {
      this.#callers = Infinity;
      return promise;
    }
    this.#callers++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        const reason = abortReason(signals.find(({ aborted }) => aborted) as AbortSignalLike);
        stop();
        reject(reason);
        if (--this.#callers === 0) abandon(reason);
      };
      const stop = () => signals.forEach((signal) => signal.removeEventListener('abort', leave));
      for (const signal of signals) signal.addEventListener('abort', leave);
      promise.finally(stop).then(resolve, reject);
    });
  }

  /** Gives the decided outcome to all callers. Code that keeps the request does not keep the response in memory. */
  finish(outcome: RequestOutcome): void {
    const finish = this.#finish;
    this.#promise = this.#finish = undefined;
    finish?.(outcome);
  }
}
