/** Records which request or call wrote each commit, for `why`, while recording is on. */
import type { Controller } from '../Controller.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { Commit, Issued } from '../request/Events.ts';

/** A recorded request. */
export interface RequestTrace {
  /** As in events. */
  readonly id: number;
  /** `GET /todos/:id` */
  readonly endpoint: string;
  readonly key: string;
  readonly args: readonly unknown[];
  /** When the request was issued: wall time, ms since 1970. */
  readonly at: number;
  /** The duration in milliseconds; undefined while the request is in flight. */
  ms?: number | undefined;
}

/** A recorded commit. */
export interface WriteHistoryEntry extends Pick<Commit, 'cause' | 'key' | 'at' | 'time'> {
  readonly requests: readonly RequestTrace[];
}

// as many commits as a page makes in some minutes of frequent polling
const MOST = 1_000;
const journals = new WeakMap<Controller, WriteHistory>();

/** The last 1,000 commits, by the logical times of the writes. */
export class WriteHistory {
  readonly #spans = new Map<number, RequestTrace>();
  readonly #entries = new Map<number, WriteHistoryEntry>();
  readonly #stops: readonly (() => void)[];
  #recorders = 0;

  constructor(controller: Controller) {
    const { clock } = contextOf(controller);
    const end = ({ id }: Issued) => this.#end(id, clock.now());
    this.#stops = [
      controller.on('request', (request) => this.#begin(request)),
      controller.on('commit', (commit) => this.#commit(commit)),
      controller.on('error', end),
      controller.on('abort', end),
    ];
  }

  /** The known requests with these ids. */
  requestTraces(ids: readonly number[]): readonly RequestTrace[] {
    return ids.flatMap((id) => this.#spans.get(id) ?? []);
  }

  /** The commit that wrote at this logical time. */
  at(time: number): WriteHistoryEntry | undefined {
    return this.#entries.get(time);
  }

  #begin({ id, endpoint, key, args, at }: Issued): void {
    this.#spans.set(id, { id, endpoint: titleOf(endpoint), key, args, at });
    forget(this.#spans);
  }

  #end(id: number, now: number): void {
    const span = this.#spans.get(id);
    if (span !== undefined) span.ms ??= now - span.at;
  }

  #commit({ cause, key, at, time, ids, writes }: Commit): void {
    if (cause === 'answer' || cause === 'error') for (const id of ids) this.#end(id, at);
    const entry: WriteHistoryEntry = { cause, key, at, time, requests: this.requestTraces(ids) };
    for (const { stamp } of writes) {
      if (stamp === undefined) continue;
      this.#entries.set(stamp.time, entry);
      if (stamp.ownTime !== undefined) this.#entries.set(stamp.ownTime, entry);
    }
    forget(this.#entries);
  }

  /** Adds a user of the recording. Returns a function that removes this user. */
  static record(controller: Controller): () => void {
    const journal = journals.get(controller) ?? new WriteHistory(controller);
    journals.set(controller, journal);
    journal.#recorders++;
    let stop: (() => void) | undefined = () => {
      if (--journal.#recorders > 0) return;
      for (const each of journal.#stops) each();
      journals.delete(controller);
    };
    return () => {
      stop?.();
      stop = undefined;
    };
  }

  static of(controller: Controller): WriteHistory | undefined {
    return journals.get(controller);
  }
}

/** Deletes the oldest entries. */
function forget(entries: Map<number, unknown>): void {
  for (const time of entries.keys()) {
    if (entries.size <= MOST) return;
    entries.delete(time);
  }
}

/**
 * Starts recording which request or call writes each commit, for `why`. Returns a function that stops.
 * `connectDevTools` records while connected; without a recording `why` returns only times.
 */
export function recordCommits(controller: Controller): () => void {
  return WriteHistory.record(controller);
}
