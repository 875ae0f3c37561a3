/** Validates the form of a message: another program, or a half-updated application, may post on the same channel. */
import { toShortText } from '../errors.ts';
import { isObject } from '../schema/isObject.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type {
  TabEvent,
  TabMessage,
  SerializedCommit,
  SerializedRequest,
  SerializedWrite,
} from './TabMessage.ts';
import type { SchemaRef } from './SchemaRef.ts';

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

function isCommit({ cause, key, ids, at, time, writes }: SerializedCommit): boolean {
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
  const { time, ownTime, own, fetchedAt, expiresAt, staleUntil } = stamp;
  const isOrdered =
    isTime(time) && isOptional(ownTime, isTime) && (own === undefined || own instanceof Set);
  return (
    isObject(stamp) &&
    isOrdered &&
    isWallTime(fetchedAt) &&
    isWallTime(expiresAt) &&
    isOptional(staleUntil, isWallTime)
  );
}
