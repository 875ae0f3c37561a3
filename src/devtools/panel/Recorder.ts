/** The latest requests and commits, as text, and what each commit changed and notified; the oldest are dropped. */
import type { Controller } from '../../Controller.ts';
import { titleOf } from '../../endpoint/argumentChecks.ts';
import type { Commit, Issued, Write } from '../../request/Events.ts';
import { contextOf } from '../../request/FetchContext.ts';
import { kindOf } from '../../schema/kindOf.ts';
import {
  EntityRecord,
  FieldIndex,
  IndexRecord,
  ListRecord,
  MapRecord,
  ResultRecord,
  setNotifyHook,
} from '../../store/StorePort.ts';
import type { StoreRecord } from '../../store/StorePort.ts';
import { WriteHistory } from '../WriteHistory.ts';
import { recordName } from '../toPlain.ts';
import { countReaders } from './RecordPlaces.ts';
import type { Place, RecordPlaces } from './RecordPlaces.ts';
import { inspect } from './inspect.ts';
import { formatCount } from './PanelTab.ts';
import { staleReason } from './staleReason.ts';

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
  end: 'in flight' | 'answered' | 'failed' | 'aborted' | 'not seen';
  /** The duration, ms. */
  ms?: number;
  /** Why the request was sent. */
  readonly cause: string;
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
  /** The requests that caused the commit. */
  readonly ids: readonly number[];
  readonly writes: readonly string[];
  readonly replayed: boolean;
}

/** A time without recording. */
interface GapItem extends TimelineEntry {
  readonly kind: 'gap';
  readonly ms: number;
}

export type TimelineItem = RequestItem | CommitItem | GapItem;

// how many writes of a commit are listed
const MAX_WRITES = 50;

export class Recorder {
  readonly #controller: Controller;
  readonly #places: RecordPlaces;
  readonly #maxItems: number;
  readonly #onChange: () => void;
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
    this.#maxItems = most;
    this.#onChange = news;
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
      controller.on('request', (request) => this.#onRequest(request)),
      controller.on('retry', ({ id, attempt, error }) =>
        this.#change(id, { attempts: attempt, reason: reasonText(error) }),
      ),
      controller.on('commit', (commit) => this.#onCommit(commit, wakes.take())),
      controller.on('error', ({ id, error }) =>
        this.#end(id, { end: 'failed', reason: reasonText(error) }),
      ),
      controller.on('abort', ({ id, reason }) =>
        this.#end(id, { end: 'aborted', reason: reasonText(reason) }),
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
    this.#onChange();
  }

  clear(): void {
    this.#items = [];
    this.#onChange();
  }

  #resume(): void {
    const at = this.#since;
    this.#since = undefined;
    if (at === undefined || this.#items.length === 0) return;
    this.#add({ kind: 'gap', number: this.#number++, at, ms: this.#now - at });
  }

  #add(item: TimelineItem): void {
    this.#items.push(item);
    if (this.#items.length > this.#maxItems)
      this.#items.splice(0, this.#items.length - this.#maxItems);
    this.#onChange();
  }

  #onRequest({ id, endpoint, key, args, read, at }: Issued): void {
    if (this.paused) return this.#onChange();
    const details = {
      id,
      key,
      read,
      at,
      cause: this.#causeOf(key, read),
      title: titleOf(endpoint),
      args: inspect(args, { depth: 3 }),
    };
    this.#add({
      kind: 'request',
      number: this.#number++,
      ...details,
      attempts: 1,
      end: 'in flight',
    });
  }

  /** By the state of the data when the request is sent. */
  #causeOf(key: string, read: boolean): string {
    if (!read) return 'the application sent a mutation';
    const record = contextOf(this.#controller).store.findResult(key);
    return (
      staleReason(record, this.#now) ?? 'a refetch of fresh data, by the application or a poll'
    );
  }

  #change(id: number, change: Partial<RequestItem>): void {
    const sent = this.#items.find((item) => item.kind === 'request' && item.id === id);
    if (sent !== undefined) Object.assign(sent, change);
    this.#onChange();
  }

  #end(id: number, change: Partial<RequestItem>): void {
    const sent = this.#items.find((item) => item.kind === 'request' && item.id === id);
    this.#change(id, { ...change, ms: this.#now - (sent?.at ?? this.#now) });
  }

  #onCommit(commit: Commit, changes: CommitChanges): void {
    const { cause, key = '', at, time, written, ids, writes, replayed = false } = commit;
    if (cause === 'answer') for (const id of ids) this.#end(id, { end: 'answered' });
    if (this.paused) return this.#onChange();
    const requests = WriteHistory.of(this.#controller)?.requestTraces(ids) ?? [];
    const details = writes.slice(0, MAX_WRITES).map(describeWrite);
    const title =
      requests.map(({ endpoint }) => endpoint).join(', ') || key || subjectsOf(changes, writes);
    const what = { cause, key, at, time, written, ids, replayed, title, writes: details };
    this.#add({ kind: 'commit', number: this.#number++, ...what, ...changes });
  }
}

/** The first changed record; without changes, the first written record. */
function subjectsOf({ changes }: CommitChanges, writes: readonly Write[]): string {
  const changed = changes.filter(({ what }) => what !== '').map(({ name }) => name);
  const [first = '', ...others] = changed.length > 0 ? changed : writes.map(subjectOf);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function subjectOf({ key, schema }: Write): string {
  return key ?? (schema === undefined ? '' : kindOf(schema, 'schema').title);
}

function describeWrite(write: Write): string {
  const { args, value, failure } = write;
  const name = subjectOf(write);
  if (failure !== undefined) return `${name} ← ${reasonText(failure.error)}`;
  if (value === undefined) return name;
  const short = inspect(args, { depth: 2, length: 40 });
  return `${name} ${short} ← ${inspect(value, { depth: 2, length: 120 })}`;
}

/** The code or status of an error, and the message. */
export function reasonText(reason: unknown): string {
  if (!(reason instanceof Error)) return inspect(reason);
  const { code, status } = reason as { code?: unknown; status?: unknown };
  const about = [code, status].filter((each) => each !== undefined).map((each) => inspect(each));
  const known = about.join(' ').replaceAll('"', '');
  return `${reason.name}${known && ` ${known}`}: ${reason.message.slice(0, 500)}`;
}

/** A record that changed for readers. */
interface RecordChange {
  readonly name: string;
  readonly place: Place | undefined;
  /** `title, done`; `came`, `went`, `members`, `result`; empty if only a record inside of this record changed. */
  readonly what: string;
  /** Readers that were notified: `field title`, `2 listeners`, `signal data`. */
  readonly notified: readonly string[];
}

interface CommitChanges {
  readonly changes: readonly RecordChange[];
  /** How many more changes there were. */
  readonly more: number;
}

// changes listed for a commit
const MAX_CHANGES = 200;

interface RecordLog {
  readonly fields: Set<string>;
  readonly notified: Set<string>;
  moved: boolean;
}

/** The log of a running commit. */
class CommitLog {
  readonly seen = new Map<StoreRecord, RecordLog>();
  more = 0;

  note(record: StoreRecord, news: readonly string[] | true | undefined): void {
    if (record instanceof FieldIndex || record instanceof IndexRecord) return;
    let seen = this.seen.get(record);
    if (seen === undefined) {
      if (this.seen.size >= MAX_CHANGES) return void this.more++;
      this.seen.set(record, (seen = { fields: new Set(), notified: new Set(), moved: false }));
    }
    const { fields, signals, listeners } = countReaders(record);
    if (news === true) {
      seen.moved = true;
      if (signals.includes('shape')) seen.notified.add('signal shape');
    } else if (news === undefined) {
      for (const name of signals) if (name !== 'shape') seen.notified.add(`signal ${name}`);
      if (listeners > 0) seen.notified.add(formatCount(listeners, 'listener'));
    } else {
      for (const name of news) {
        seen.fields.add(name);
        if (fields.has(name)) seen.notified.add(`field ${name}`);
      }
    }
  }
}

/*
 * Commits may run inside of others: an effect at the end of a commit writes again. Each commit emits an event at the
 * end, so the changes collected last belong to the next event.
 */
class NotificationLog {
  readonly #places: RecordPlaces;
  readonly #stop: () => void;
  #last: CommitLog | undefined;

  constructor(controller: Controller, places: RecordPlaces) {
    this.#places = places;
    this.#stop = controller.wrapCommits((commit) => {
      const tally = new CommitLog();
      const before = setNotifyHook((record, news) => tally.note(record as StoreRecord, news));
      try {
        commit();
      } finally {
        setNotifyHook(before);
        this.#last = tally;
      }
    });
  }

  /** The changes of the commit that has ended, own writes first. */
  take(): CommitChanges {
    const { seen = new Map<StoreRecord, RecordLog>(), more = 0 } = this.#last ?? {};
    this.#last = undefined;
    const changes = Array.from(seen, ([record, each]) => this.#toChange(record, each));
    const own = changes.filter(({ what }) => what !== '');
    const others = changes.filter(({ what }) => what === '');
    return { changes: [...own, ...others], more };
  }

  #toChange(record: StoreRecord, { fields, moved, notified: woken }: RecordLog): RecordChange {
    const name = record instanceof ResultRecord ? record.key : recordName(record);
    const what = fields.size > 0 ? [...fields].join(', ') : moved ? describeChange(record) : '';
    return { name, place: this.#places.of(record), what, notified: [...woken] };
  }

  end(): void {
    this.#stop();
  }
}

function describeChange(record: StoreRecord): string {
  if (record instanceof EntityRecord) return record.exists ? 'came' : 'went';
  return record instanceof ListRecord || record instanceof MapRecord ? 'members' : 'result';
}
