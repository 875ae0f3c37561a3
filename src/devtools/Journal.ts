/** Which request, or whose call, wrote what: remembered for `why`, as long as somebody records. */
import type { Controller } from '../Controller.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { Commit, Issued } from '../fetch/Events.ts';

/** One request, as it is remembered. */
export interface Span {
  /** As in events. */
  readonly id: number;
  /** `GET /todos/:id` */
  readonly endpoint: string;
  readonly key: string;
  readonly args: readonly unknown[];
  /** When it was issued: wall time, ms since 1970. */
  readonly at: number;
  /** How long it took, in milliseconds; undefined while it is under way. */
  ms?: number | undefined;
}

/** One commit, as it is remembered. */
export interface JournalEntry extends Pick<Commit, 'cause' | 'key' | 'at' | 'time'> {
  readonly requests: readonly Span[];
}

// as many commits as a page makes in some minutes of busy polling
const MOST = 1_000;
const journals = new WeakMap<Controller, Journal>();

/** Of each commit the logical times that it wrote. Those of the last 1,000 commits are known. */
export class Journal {
  readonly #spans = new Map<number, Span>();
  readonly #entries = new Map<number, JournalEntry>();
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

  /** The requests with these ids, as far as they are known. */
  spans(ids: readonly number[]): readonly Span[] {
    return ids.flatMap((id) => this.#spans.get(id) ?? []);
  }

  /** What wrote at this logical time. */
  at(time: number): JournalEntry | undefined {
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
    const entry: JournalEntry = { cause, key, at, time, requests: this.spans(ids) };
    for (const { stamp } of writes) {
      if (stamp === undefined) continue;
      this.#entries.set(stamp.time, entry);
      if (stamp.ownTime !== undefined) this.#entries.set(stamp.ownTime, entry);
    }
    forget(this.#entries);
  }

  /** One more records. Gives how to stop. */
  static record(controller: Controller): () => void {
    const journal = journals.get(controller) ?? new Journal(controller);
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

  static of(controller: Controller): Journal | undefined {
    return journals.get(controller);
  }
}

/** The oldest go. */
function forget(entries: Map<number, unknown>): void {
  for (const time of entries.keys()) {
    if (entries.size <= MOST) return;
    entries.delete(time);
  }
}

/**
 * Remembers from now on which request or call wrote what, for `why`. Gives back how to stop. `connectDevTools` does it
 * while it is connected; without either `why` tells times alone.
 */
export function recordCommits(controller: Controller): () => void {
  return Journal.record(controller);
}
