/** The state of requests beside their data: of a read, and the number of all requests in flight. */
import { nextMicrotask } from '../clock.ts';
import type { UnknownError } from '../errors.ts';
import { emitterOf } from '../request/Events.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { Cell, effect, signal, untracked, untrackedAll } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { Failure } from '../store/results/Result.ts';
import { reachableRecords } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { Reader } from './Reader.ts';
import type { View } from './View.ts';

/** The status of a read. The same object until a member changes. */
export interface Status {
  /** True while a request is in flight, regardless of the sender. */
  readonly isFetching: boolean;
  /** True if nothing is stored, or if the stored data have expired: the next component that reads them refetches. */
  readonly isStale: boolean;
  /** When the data arrived, ms since 1970; undefined without data. */
  readonly fetchedAt: number | undefined;
  /** The error of the last request, even if data are shown instead. */
  readonly error: UnknownError | undefined;
}

/** The status of readers without a request: null arguments, on a server, and during hydration. */
export const NO_STATUS: Status = {
  isFetching: false,
  isStale: false,
  fetchedAt: undefined,
  error: undefined,
};

const NO_STATUS_SIGNAL: ReadonlySignal<Status> = /* @__PURE__ */ signal(NO_STATUS);
const statusCells = /* @__PURE__ */ new WeakMap<Reader, StatusCell>();

/** The view of a request, or a view together with related rows. */
type RequestReader = Pick<View, 'record' | 'expiresAt' | 'fetching' | 'listen'> & {
  /** Default: the failure of `record`. */
  readonly failure?: Failure | undefined;
};

export const hasRequest = (reader: Reader): reader is Reader & RequestReader =>
  'expiresAt' in reader;

/** The status of a reader as a signal. Each call with the same reader returns the same signal. Sends no request. */
export function statusOf(controller: object, reader: Reader): ReadonlySignal<Status> {
  if (!hasRequest(reader)) return NO_STATUS_SIGNAL;
  let cell = statusCells.get(reader);
  if (cell === undefined)
    statusCells.set(reader, (cell = new StatusCell(contextOf(controller), reader)));
  return cell;
}

/** Follows commits, requests and the passing of time, while watched. */
class StatusCell extends Cell<Status> {
  readonly #context: FetchContext;
  readonly #view: RequestReader;
  #lastStatus: Status = NO_STATUS;
  /** The status that subscribers were notified of. */
  #notified: Status = NO_STATUS;
  #stop: (() => void) | undefined;
  #timer: unknown;

  constructor(context: FetchContext, view: RequestReader) {
    super();
    this.#context = context;
    this.#view = view;
  }

  protected current(): Status {
    const { record, expiresAt, fetching, failure = record.failure } = this.#view;
    const next: Status = {
      isFetching: fetching.peek(),
      isStale: this.#context.clock.now() > expiresAt,
      fetchedAt: fetchedAt(this.#view),
      error: failure?.error,
    };
    const names = Object.keys(next) as (keyof Status)[];
    if (names.some((name) => next[name] !== this.#lastStatus[name])) this.#lastStatus = next;
    return this.#lastStatus;
  }

  protected setStrong(strong: boolean): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#context.clock.clear(this.#timer);
    if (!strong) return;
    const check = () => this.#check();
    this.#notified = this.current();
    const stops = [
      // a listener keeps the record in the store during garbage collection and reset
      this.#view.listen(check),
      emitterOf(this.#context).on('commit', check),
      untrackedAll(() =>
        effect(() => {
          void this.#view.fetching.value;
          untracked(check);
        }),
      ),
    ];
    this.#stop = () => stops.forEach((stop) => stop());
  }

  #check(): void {
    const { clock } = this.#context;
    const now = this.current();
    clock.clear(this.#timer);
    const rest = this.#view.expiresAt - clock.now();
    // data are fresh up to and including their last millisecond
    if (!now.isStale && rest < Infinity) this.#timer = clock.after(rest + 1, () => this.#check());
    if (now === this.#notified) return;
    this.#notified = now;
    this.tick();
  }
}

/** If other responses brought the data, the arrival of the oldest part. */
function fetchedAt({ record, expiresAt }: RequestReader): number | undefined {
  if (record.hasResponse) return record.stamp.fetchedAt;
  if (expiresAt === 0) return undefined;
  let oldest: number | undefined;
  for (const part of reachableRecords(record.node)) {
    const { stamp } = part as StoreRecord & { readonly stamp?: Stamp };
    if (stamp && stamp.fetchedAt > 0) oldest = Math.min(oldest ?? Infinity, stamp.fetchedAt);
  }
  return oldest;
}

/** Selects keys, as an endpoint does. */
export interface KeyFilter {
  testKey?(key: string): boolean;
}

export class FetchingCountCell extends Cell<number> {
  readonly #context: FetchContext;
  readonly #keyFilter: KeyFilter | undefined;
  #stops: readonly (() => void)[] = [];
  #notified = 0;

  /** `test`: counts only the keys that `test` selects. */
  constructor(controller: object, test: KeyFilter | undefined) {
    super();
    this.#context = contextOf(controller);
    this.#keyFilter = test;
  }

  protected current(): number {
    const { inflight } = this.#context;
    let count = 0;
    for (const request of inflight.allRequests) {
      const { key, read } = request;
      // an invalidated request stays in flight beside the request that replaces it
      if (!read || inflight.reads.get(key) !== request) continue;
      if (this.#keyFilter === undefined || this.#keyFilter.testKey?.(key)) count++;
    }
    return count;
  }

  protected setStrong(strong: boolean): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    if (!strong) return;
    this.#notified = this.current();
    // a request may begin during a render, when no subscriber may be notified
    const check = () => void nextMicrotask(() => this.#check());
    const events = ['request', 'commit', 'error', 'abort'] as const;
    const emitter = emitterOf(this.#context);
    this.#stops = events.map((event) => emitter.on(event, check));
  }

  #check(): void {
    const count = this.current();
    if (count === this.#notified) return;
    this.#notified = count;
    this.tick();
  }
}
