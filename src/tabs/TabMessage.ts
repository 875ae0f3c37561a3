/** The messages between tabs: plain data for structured clone, in the order of the events. */
import type { Stamp } from '../store/StorePort.ts';
import type { Commit, Issued, Write } from '../request/Events.ts';
import type { Args } from '../schema/schema.ts';
import type { Resets } from '../sync/TabResets.ts';
import type { StoreRow } from './hydrateStore.ts';
import { toShortText } from '../errors.ts';
import { isObject } from '../schema/fieldOf.ts';

/*
 *   { signalbox: 1, version, owner, from: 0.5271…, time: 17638…, opened: 17638…, generation: [], resets, presence, news: [
 *       { request: { id, at, … } }                    a request was sent: its response may come
 *       { commit: { cause, time, writes: […] } }      the writes of a commit
 *       { ended: [id, …] }                            requests that ended without a commit to replay
 *       { handover: { says, … } }                     to, or from, a tab that opens
 *   ] }
 */

/** The version of this format. Tabs that run another build of this library may use another one. */
export const MESSAGE_VERSION = 1;

export interface TabMessage {
  readonly signalbox: typeof MESSAGE_VERSION;
  readonly version: string | number | undefined;
  /** The owner of the data of the sending tab: a channel of the application may carry messages of several owners. */
  readonly owner?: string | undefined;
  /** The id of the sending tab. */
  readonly from: number;
  /** The logical time of the sending tab. */
  readonly time: number;
  /** Logical time at which the sending tab was connected, with an empty store: its data are later than all resets before. */
  readonly opened: number;
  /** The resets that the data in this message are later than. */
  readonly generation: Resets;
  /** True if the tab was reset, and reports this reset with this message. */
  readonly resets: boolean;
  /** `come`: the tab was just connected, and needs the state of the others. `go`: the tab is disconnecting. */
  readonly presence: 'come' | 'go' | undefined;
  readonly news: readonly TabEvent[];
}

export type TabEvent =
  | { readonly request: SerializedRequest }
  | { readonly commit: SerializedCommit }
  | { readonly ended: readonly number[] }
  | { readonly handover: HandoverMessage };

/** Between a tab that opens and the leader, if requests are shared. */
export type HandoverMessage =
  /** `leads`: this tab leads now. `wants`: this tab has opened. `more`: this tab has stored a slice. */
  | { readonly says: 'leads' | 'wants' | 'more' }
  | {
      readonly says: 'slice';
      readonly to: number;
      /** Logical time. */
      readonly at: number;
      readonly rows: readonly StoreRow[];
      readonly isLast: boolean;
    };

/** A request of another tab. Of a mutation only that it is in flight. */
export interface SerializedRequest extends Pick<Issued, 'id' | 'at'> {
  readonly title: string;
  readonly read?:
    | { readonly key: string; readonly schema: SchemaRef; readonly args: Args }
    | undefined;
}

export interface SerializedCommit extends Pick<Commit, 'cause' | 'key' | 'ids' | 'at' | 'time'> {
  readonly writes: readonly SerializedWrite[];
  /** The names of the endpoints whose keys `invalidateAll` or `expireAll` has selected. */
  readonly selects?: readonly string[] | undefined;
}

/** Without a schema: tabs that have the key know its schema. */
export interface SerializedWrite extends Pick<Write, 'key' | 'args' | 'value' | 'stamp' | 'pages'> {
  readonly schema?: SchemaRef | undefined;
  readonly by?: SerializedEndpoint | undefined;
  /** Of a page of a list: the key of the page before. */
  readonly follows?: string | undefined;
  /** True if the value cannot be cloned or named: the stored response of the key is out of date. */
  readonly unsaid?: true;
}

/** An endpoint: its name, or the properties that a reader of its response needs. */
export type SerializedEndpoint =
  | string
  | {
      readonly title: string;
      /** True for a mutation: the last one of its arguments, the body, identifies no list. */
      readonly sideEffect?: boolean | undefined;
      /** PUT and PATCH may give the entity that the arguments name another primary key. */
      readonly method?: string | undefined;
      /** Of a page: the list to which the page is added. */
      readonly list?:
        | { readonly key: string; readonly schema: SchemaRef; readonly args: Args }
        | undefined;
    };

/** True for a message of this format; other messages on the channel are ignored. */
export function isTabMessage(data: unknown): data is TabMessage {
  return (data as Partial<TabMessage> | null | undefined)?.signalbox === MESSAGE_VERSION;
}

/** True for stored records, and for writes. */
export function hasData(news: TabEvent): boolean {
  return 'commit' in news || ('handover' in news && news.handover.says === 'slice');
}

/** The name, an array with the name of a member schema, or null for no schema. */
export type SchemaRef = string | null | readonly [string];

// a logical time far ahead would stay newer than all later writes; up to here each tab has its own fraction of a time
const LATEST = 2 ** 36;

/** The causes of posted commits; a reset is a property of each message instead. */
const CAUSES = ['answer', 'set', 'error', 'invalidate', 'expire', 'optimistic', 'rollback'];
const GREETINGS = [undefined, 'come', 'go'];

/** The flaw of the message, or undefined. Values are checked later, with their schemas. */
export function tabMessageFlaw(message: TabMessage): string | undefined {
  try {
    const { from, time, opened, generation, presence, news } = message;
    if (![from, opened].every(Number.isFinite) || !isTime(time)) return 'invalid time or tab';
    if (!isListOf(generation, isTime)) return 'invalid generation';
    if (!GREETINGS.includes(presence)) return 'invalid presence';
    return isListOf(news, isNews) ? undefined : 'invalid news';
  } catch (error) {
    return toShortText(error, 80);
  }
}

const isTime = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= LATEST;
/** Infinity: never expires, or is not kept. */
const isWallTime = (value: unknown): boolean => typeof value === 'number' && !Number.isNaN(value);
const isText = (value: unknown): boolean => typeof value === 'string';

function isListOf(list: unknown, fits: (member: never) => boolean): boolean {
  // a copy without holes, because `every` skips holes
  return Array.isArray(list) && Array.from(list as never[]).every(fits);
}

function isOptional(value: unknown, fits: (value: never) => boolean): boolean {
  return value === undefined || fits(value as never);
}

function isNews(news: TabEvent): boolean {
  if ('request' in news) return isRequest(news.request);
  // its rows are checked when they are written
  if ('handover' in news) return isObject(news.handover);
  return 'ended' in news ? isListOf(news.ended, isTime) : isCommit(news.commit);
}

function isRequest({ id, at, title, read }: SerializedRequest): boolean {
  return isTime(id) && isWallTime(at) && isText(title) && isOptional(read, isRead);
}

function isRead({ key, schema, args }: NonNullable<SerializedRequest['read']>): boolean {
  return isText(key) && isTerm(schema) && Array.isArray(args);
}

function isTerm(term: SchemaRef): boolean {
  return term === null || isText(term) || (Array.isArray(term) && isText(term[0]));
}

function isCommit({ cause, key, ids, at, time, writes, selects }: SerializedCommit): boolean {
  if (!isOptional(selects, (names) => isListOf(names, isText))) return false;
  const isOurs = CAUSES.includes(cause) && isOptional(key, isText) && isListOf(ids, isTime);
  return isOurs && isWallTime(at) && isTime(time) && isListOf(writes, isWrite);
}

function isWrite({ key, args, schema, by, stamp }: SerializedWrite): boolean {
  const isNamed = isOptional(key, isText) && isOptional(schema, isTerm);
  return (
    isNamed && Array.isArray(args) && isOptional(by, isEndpointTold) && isOptional(stamp, isStamp)
  );
}

function isEndpointTold(by: NonNullable<SerializedWrite['by']>): boolean {
  if (typeof by === 'string') return true;
  return isText(by.title) && isOptional(by.list, isRead);
}

function isStamp(stamp: Stamp): boolean {
  const { time, ownTime, arrivedAt, own, fetchedAt, expiresAt, staleUntil } = stamp;
  const isOrdered =
    isTime(time) &&
    [ownTime, arrivedAt].every((other) => isOptional(other, isTime)) &&
    (own === undefined || own instanceof Set);
  return (
    isObject(stamp) &&
    isOrdered &&
    isWallTime(fetchedAt) &&
    isWallTime(expiresAt) &&
    isOptional(staleUntil, isWallTime)
  );
}
