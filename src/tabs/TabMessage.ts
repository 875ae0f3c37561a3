/** The messages between tabs: the form, the check, and how requests and commits are encoded and decoded. */
import { Endpoint } from '../endpoint/Endpoint.ts';
import type { EndpointCall, EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf, titleOf } from '../endpoint/argumentChecks.ts';
import { toShortText, warn } from '../errors.ts';
import { anyOf } from '../request/Events.ts';
import type { Commit, Issued, Write, KeyTest } from '../request/Events.ts';
import { isObject, isPlainObject } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args, Schema } from '../schema/schema.ts';
import { isNoStore } from '../store/StorePort.ts';
import type { Stamp, Store } from '../store/StorePort.ts';
import type { Registry } from '../sync/Registry.ts';
import type { Resets } from '../sync/TabResets.ts';
import type { StoreRow } from './hydrateStore.ts';

/*
 *   { signalbox: 1, version, owner, from: 0.5271…, time: 17638…, opened: 17638…, generation: [], resets, presence, news: [
 *       { request: { id, at, … } }                    a request was sent: a response may come
 *       { commit: { cause, time, writes: […] } }      the writes of a commit
 *       { ended: [id, …] }                            requests that ended without a commit to replay
 *       { handover: { says, … } }                     to, or from, a tab that opens
 *   ] }
 */

/** The version of this format. Tabs that run another build of this library may use another version. */
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
  /** Logical time of connecting the sending tab, with an empty store: the data are later than all earlier resets. */
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
interface SerializedRequest extends Pick<Issued, 'id' | 'at'> {
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

/** Without a schema: tabs that have the key know the schema. */
interface SerializedWrite extends Pick<Write, 'key' | 'args' | 'value' | 'stamp' | 'pages'> {
  readonly schema?: SchemaRef | undefined;
  readonly by?: SerializedEndpoint | undefined;
  /** Of a page of a list: the key of the page before. */
  readonly follows?: string | undefined;
  /** True if the value cannot be cloned or named: the stored response of the key is out of date. */
  readonly unsaid?: true;
}

/** An endpoint: the name, or the properties that a reader of the response needs. */
type SerializedEndpoint =
  | string
  | {
      readonly title: string;
      /** True for a mutation: the last argument, the body, identifies no list. */
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
  // the rows are checked when written
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
  const { time, ownTime, sentAt, arrivedAt, own, fetchedAt, expiresAt, staleUntil } = stamp;
  const isOrdered =
    isTime(time) &&
    [ownTime, sentAt, arrivedAt].every((other) => isOptional(other, isTime)) &&
    (own === undefined || own instanceof Set);
  return (
    isObject(stamp) &&
    isOrdered &&
    isWallTime(fetchedAt) &&
    isWallTime(expiresAt) &&
    isOptional(staleUntil, isWallTime)
  );
}

/** Encoded: names in the place of endpoints and schemas. Decoded: endpoints and schemas in the place of their names. */
export class TabMessageCodec {
  readonly #registry: Registry;
  readonly #store: Store;

  constructor(registry: Registry, store: Store) {
    this.#registry = registry;
    this.#store = store;
  }

  encodeRequest({ id, at, endpoint, key, args, read }: Issued): SerializedRequest {
    const schema = read ? this.encodeSchema(endpoint.schema) : undefined;
    const encodedRead = schema === undefined ? undefined : { key, schema, args };
    return { id, at, title: titleOf(endpoint), read: encodedRead };
  }

  /** The parts of a commit that other tabs need; undefined if there are none. Errors stay in their tab. */
  encodeCommit(commit: Commit): SerializedCommit | undefined {
    const { cause, key, ids, at, time, test } = commit;
    const known = commit.writes.filter(({ failure }) => failure === undefined);
    const writes = known.flatMap((write) => this.#encodeWrite(write));
    const selects = test && this.#namesIn(test);
    if (writes.length === 0 && selects === undefined) return undefined;
    // the key of a mutation without a schema contains the body
    const isOpaque = writes.every(({ schema }) => schema === null);
    return { cause, key: isOpaque ? undefined : key, ids, at, time, writes, selects };
  }

  /** The names of the endpoints that `invalidateAll` or `expireAll` was called with; undefined if none has a name. */
  #namesIn(test: KeyTest): readonly string[] | undefined {
    const names = (test.anyOf ?? [test]).flatMap((one) => this.#registry.nameOf(one) ?? []);
    return names.length > 0 ? names : undefined;
  }

  /** The same without the values, which cannot be cloned for `reason`. */
  encodeWithoutValues(
    serialized: SerializedCommit,
    { writes }: Commit,
    reason: unknown,
  ): SerializedCommit {
    for (const { schema, key } of writes) {
      const title = titleOfSchema(schema, key);
      warn('B2', title, { schema: title, reason });
    }
    return { ...serialized, writes: writes.flatMap((write) => this.#encodeOutdated(write)) };
  }

  #encodeWrite(write: Write): readonly SerializedWrite[] {
    const { key, endpoint, args, value, stamp, pages } = write;
    if (stamp !== undefined && isNoStore(stamp)) return this.#encodeOutdated(write);
    const schema = this.encodeSchema(write.schema);
    if (schema === undefined) {
      // tabs that have this key know the schema
      if (stamp === undefined && key !== undefined) return [{ key, args: [] }];
      const title = titleOfSchema(write.schema, key);
      warn('B1', title, { schema: title });
      return this.#encodeOutdated(write);
    }
    // other tabs learn that a mutation of unknown extent was made, without the body and the response
    if (schema === null && key === undefined) return [{ schema, args: [] }];
    const by = endpoint && this.#encodeEndpoint(endpoint, args);
    return [
      {
        key,
        by,
        schema,
        args: key === undefined ? args.map(toCloneable) : args,
        value,
        stamp,
        pages,
        follows: this.#pageBefore(write),
      },
    ];
  }

  /** The key of the page before a page; empty for a page that did not fit the list; undefined for every other write. */
  #pageBefore({ key, endpoint, args }: Write): string | undefined {
    const list = endpoint?.listOf?.(...args);
    if (list === undefined) return undefined;
    const { pages } = this.#store.findResult(keyOf(list.endpoint, list.args))?.pages ?? {};
    const at = pages?.findIndex((page) => page.key === key) ?? -1;
    return at < 0 ? '' : pages?.[at - 1]?.key;
  }

  /** Marks the key as out of date, in the place of a value. */
  #encodeOutdated({ key, schema, args }: Write): readonly SerializedWrite[] {
    if (key !== undefined) return [{ key, args: [], unsaid: true }];
    const [first] = args;
    const named = isPlainObject(first)
      ? Object.entries(first).filter(([, member]) => isKeyValue(member))
      : [];
    const params = isKeyValue(first) ? first : Object.fromEntries(named);
    return this.#registry.nearestNamed(schema).map((name) => {
      // all lists of a collection, not only the list of these arguments
      const lists = `${name}.push`;
      const ref = this.#registry.named(lists) === undefined ? name : lists;
      return { schema: ref, args: [params] };
    });
  }

  #encodeEndpoint(endpoint: EndpointInterface, args: Args): SerializedEndpoint {
    const name = this.#registry.nameOf(endpoint);
    if (name !== undefined) return name;
    const list = endpoint.listOf?.(...args);
    const schema = list && this.encodeSchema(list.endpoint.schema);
    const title = titleOf(endpoint);
    const { sideEffect, method } = endpoint as { sideEffect?: boolean; method?: string };
    if (list === undefined || schema === undefined) return { title, sideEffect, method };
    return { title, list: { key: keyOf(list.endpoint, list.args), schema, args: list.args } };
  }

  /** Undefined if the schema has no name. */
  encodeSchema(schema: Schema): SchemaRef | undefined {
    if (schema === undefined) return null;
    const name = this.#registry.nameOf(schema);
    if (name !== undefined || !Array.isArray(schema)) return name;
    const member = this.encodeSchema(schema[0] as Schema);
    return typeof member === 'string' ? [member] : undefined;
  }

  /** A read with an unknown schema counts as a mutation, of which only the time of issue matters. */
  decodeRequest({ id, at, title, read }: SerializedRequest): Issued {
    const schema = read && this.decodeSchema(read.schema);
    if (read === undefined || schema === undefined)
      return {
        id,
        at,
        key: title,
        args: [],
        read: false,
        endpoint: createStandIn({ title }, title),
      };
    const { key, args } = read;
    return { id, at, key, args, read: true, endpoint: createStandIn({ title }, key, schema.of) };
  }

  decodeCommit({ writes, selects = [], ...serialized }: SerializedCommit): Commit {
    const known = writes.flatMap((write) => this.#decodeWrite(write, serialized.time));
    const tests = selects.flatMap((name) => (this.#registry.named(name) as KeyTest) ?? []);
    const test = tests.length > 0 ? anyOf(tests) : undefined;
    return { ...serialized, written: 0, pending: [], writes: known, test };
  }

  #decodeWrite(
    { schema: ref, by, unsaid, follows, ...write }: SerializedWrite,
    time: number,
  ): readonly Write[] {
    const stored = write.key === undefined ? undefined : this.#store.findResult(write.key);
    if (unsaid === true) {
      // mounted readers do not refetch: if the response cannot be posted here either, two tabs would fetch for ever
      stored?.expire(time);
      return [];
    }
    if (ref === undefined)
      return stored ? [{ key: stored.key, schema: stored.schema, args: stored.args }] : [];
    const schema = this.decodeSchema(ref);
    if (schema === undefined) return [];
    const endpoint = by === undefined ? undefined : this.#decodeEndpoint(by, write, schema.of);
    const list = endpoint?.listOf?.(...write.args);
    if (follows !== undefined && !this.#fits(list, follows, write.stamp?.time)) return [];
    return [{ ...write, schema: schema.of, endpoint }];
  }

  /** False for a page that would leave a gap in the list of this call: `before` is not loaded, or has other rows by now. */
  #fits(list: EndpointCall | undefined, before: string, issued = 0): boolean {
    if (list === undefined) return false;
    const key = keyOf(list.endpoint, list.args);
    const result = this.#store.findResult(key);
    const { hasResponse = false, pages } = result ?? {};
    if (result === undefined || pages === undefined) return hasResponse && before === key;
    const isShifted = pages.mayShift && result.lastShiftTime >= issued;
    return !isShifted && pages.pages.some((page) => page.key === before);
  }

  #decodeEndpoint(
    by: SerializedEndpoint,
    { key = '' }: Partial<Write>,
    schema: Schema,
  ): EndpointInterface {
    const named = typeof by === 'string' ? this.#registry.named(by) : undefined;
    if (named !== undefined) return named as EndpointInterface;
    const { list, ...properties } = typeof by === 'string' ? { title: by } : by;
    const listSchema = list && this.decodeSchema(list.schema);
    if (list === undefined || listSchema === undefined)
      return createStandIn(properties, key, schema);
    return createStandIn(
      {
        ...properties,
        list: { ...list, endpoint: createStandIn(properties, list.key, listSchema.of) },
      },
      key,
      schema,
    );
  }

  /** In an object, because the schema may be undefined; undefined if the name is unknown here. */
  decodeSchema(ref: SchemaRef): { readonly of: Schema } | undefined {
    if (ref === null) return { of: undefined };
    const name = typeof ref === 'string' ? ref : ref[0];
    const schema = this.#registry.named(name);
    if (schema === undefined) warn('B4', name, { name });
    return schema && { of: name === ref ? schema : [schema] };
  }
}

function titleOfSchema(schema: Schema, key: string | undefined): string {
  return schema === undefined ? (key ?? '') : kindOf(schema, 'schema').title;
}

/** Bodies without fields (forms, streams) do not contain the values written, and many cannot be cloned. */
function toCloneable(arg: unknown): unknown {
  return typeof arg === 'object' && arg !== null && Object.keys(arg).length === 0 ? {} : arg;
}

/** True for values that name an entity or filter a list. */
function isKeyValue(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

interface EndpointProperties {
  readonly title: string;
  readonly sideEffect?: boolean | undefined;
  readonly method?: string | undefined;
  readonly list?: { readonly endpoint: EndpointInterface; readonly args: Args };
}

/** A stand-in for an endpoint of another tab: has the members that the store uses, and sends nothing. */
function createStandIn(
  { title, list, ...properties }: EndpointProperties,
  key: string,
  schema?: Schema,
): EndpointInterface {
  const sendNothing = () => Promise.resolve();
  const endpoint = new Endpoint(sendNothing, { name: title, key: () => key });
  // the schema of the other endpoint, not bound to this endpoint: results keep the schema, which has a name
  return Object.assign(endpoint, properties, { schema }, list && { listOf: () => list });
}
