/** The latest requests and commits, as text; the oldest are dropped. */
import type { Controller } from '../../Controller.ts';
import { titleOf } from '../../endpoint/titleOf.ts';
import { contextOf } from '../../request/FetchContext.ts';
import type { Commit, Issued, Write } from '../../request/Events.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { WriteHistory } from '../WriteHistory.ts';
import { inspect } from './inspect.ts';
import type { RecordPlaces } from './RecordPlaces.ts';
import { NotificationLog } from './NotificationLog.ts';
import type { CommitChanges } from './NotificationLog.ts';

interface TimelineEntry {
  /** Unique, and ascending. */
  readonly number: number;
  /** Wall time, ms since 1970. */
  readonly at: number;
}

/** A recorded request. */
export interface RequestItem extends TimelineEntry {
  readonly kind: 'request';
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly args: string;
  readonly read: boolean;
  /** How many attempts were made. */
  attempts: number;
  /** `not seen`: the request ended while nothing was recorded. */
  end: 'in flight' | 'answered' | 'failed' | 'given up' | 'not seen';
  /** The duration, ms. */
  ms?: number;
  /** Why the request failed, was retried or aborted. */
  reason?: string;
}

/** A recorded commit. */
export interface CommitItem extends TimelineEntry, CommitChanges {
  readonly kind: 'commit';
  readonly cause: Commit['cause'];
  readonly title: string;
  readonly key: string;
  /** Logical time. */
  readonly time: number;
  /** How many signals were written. */
  readonly written: number;
  /** The requests that caused it. */
  readonly ids: readonly number[];
  readonly writes: readonly string[];
  readonly replayed: boolean;
}

/** A time without recording. */
export interface GapItem extends TimelineEntry {
  readonly kind: 'gap';
  readonly ms: number;
}

export type TimelineItem = RequestItem | CommitItem | GapItem;

// how many writes of one commit are listed
const MOST_WRITES = 50;

export class Recorder {
  readonly #controller: Controller;
  readonly #places: RecordPlaces;
  readonly #most: number;
  readonly #news: () => void;
  #items: TimelineItem[] = [];
  #number = 0;
  #stops: readonly (() => void)[] = [];
  /** The start of the time without recording; undefined while recording. */
  #since: number | undefined = undefined;
  paused = false;

  /** Keeps the last `most` items; `news` is called after each. */
  constructor(controller: Controller, places: RecordPlaces, most: number, news: () => void) {
    this.#controller = controller;
    this.#places = places;
    this.#most = most;
    this.#news = news;
  }

  /** The oldest first. */
  get items(): readonly TimelineItem[] {
    return this.#items;
  }

  get #now(): number {
    return contextOf(this.#controller).clock.now();
  }

  start(): void {
    if (this.#stops.length > 0) return;
    const controller = this.#controller;
    const wakes = new NotificationLog(controller, this.#places);
    this.#stops = [
      WriteHistory.record(controller),
      () => wakes.end(),
      controller.on('request', (request) => this.#begin(request)),
      controller.on('retry', ({ id, attempt, error }) =>
        this.#change(id, { attempts: attempt, reason: reasonText(error) }),
      ),
      controller.on('commit', (commit) => this.#commit(commit, wakes.take())),
      controller.on('error', ({ id, error }) =>
        this.#end(id, { end: 'failed', reason: reasonText(error) }),
      ),
      controller.on('abort', ({ id, reason }) =>
        this.#end(id, { end: 'given up', reason: reasonText(reason) }),
      ),
    ];
    this.#catchUp();
    if (!this.paused) this.#resume();
  }

  #catchUp(): void {
    const flights = [...contextOf(this.#controller).inflight.allRequests];
    for (const item of this.#items) {
      if (item.kind !== 'request' || item.end !== 'in flight') continue;
      if (!flights.some(({ issued }) => issued === item.id)) item.end = 'not seen';
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#since ??= this.#now;
  }

  /** A paused recorder updates known requests, but adds nothing. */
  pause(paused: boolean): void {
    this.paused = paused;
    if (paused) this.#since ??= this.#now;
    else this.#resume();
    this.#news();
  }

  clear(): void {
    this.#items = [];
    this.#news();
  }

  #resume(): void {
    const at = this.#since;
    this.#since = undefined;
    if (at === undefined || this.#items.length === 0) return;
    this.#add({ kind: 'gap', number: this.#number++, at, ms: this.#now - at });
  }

  #add(item: TimelineItem): void {
    this.#items.push(item);
    if (this.#items.length > this.#most) this.#items.splice(0, this.#items.length - this.#most);
    this.#news();
  }

  #begin({ id, endpoint, key, args, read, at }: Issued): void {
    if (this.paused) return this.#news();
    const told = { id, key, read, at, title: titleOf(endpoint), args: inspect(args, { depth: 3 }) };
    this.#add({ kind: 'request', number: this.#number++, ...told, attempts: 1, end: 'in flight' });
  }

  #change(id: number, change: Partial<RequestItem>): void {
    const sent = this.#items.find((item) => item.kind === 'request' && item.id === id);
    if (sent !== undefined) Object.assign(sent, change);
    this.#news();
  }

  #end(id: number, change: Partial<RequestItem>): void {
    const sent = this.#items.find((item) => item.kind === 'request' && item.id === id);
    this.#change(id, { ...change, ms: this.#now - (sent?.at ?? this.#now) });
  }

  #commit(commit: Commit, changes: CommitChanges): void {
    const { cause, key = '', at, time, written, ids, writes, replayed = false } = commit;
    if (cause === 'answer') for (const id of ids) this.#end(id, { end: 'answered' });
    if (this.paused) return this.#news();
    const requests = WriteHistory.of(this.#controller)?.requestTraces(ids) ?? [];
    const told = writes.slice(0, MOST_WRITES).map(wordsOfWrite);
    const title =
      requests.map(({ endpoint }) => endpoint).join(', ') || key || aboutOf(changes, writes);
    const what = { cause, key, at, time, written, ids, replayed, title, writes: told };
    this.#add({ kind: 'commit', number: this.#number++, ...what, ...changes });
  }
}

/** The first changed record; without changes, the first written one. */
function aboutOf({ changes }: CommitChanges, writes: readonly Write[]): string {
  const changed = changes.filter(({ what }) => what !== '').map(({ name }) => name);
  const [first = '', ...others] = changed.length > 0 ? changed : writes.map(subjectOf);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function subjectOf({ key, schema }: Write): string {
  return key ?? (schema === undefined ? '' : kindOf(schema, 'schema').title);
}

function wordsOfWrite(write: Write): string {
  const { args, value, failure } = write;
  const name = subjectOf(write);
  if (failure !== undefined) return `${name} ← ${reasonText(failure.error)}`;
  if (value === undefined) return name;
  const short = inspect(args, { depth: 2, length: 40 });
  return `${name} ${short} ← ${inspect(value, { depth: 2, length: 120 })}`;
}

/** The code or status of an error, and its message. */
export function reasonText(reason: unknown): string {
  if (!(reason instanceof Error)) return inspect(reason);
  const { code, status } = reason as { code?: unknown; status?: unknown };
  const about = [code, status].filter((each) => each !== undefined).map((each) => inspect(each));
  const known = about.join(' ').replaceAll('"', '');
  return `${reason.name}${known && ` ${known}`}: ${reason.message.slice(0, 500)}`;
}
