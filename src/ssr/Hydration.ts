/** In a page: writes server data into a controller, request by request, when each is first read. */
import { Controller } from '../Controller.ts';
import { nextMicrotask, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { toShortText, warn } from '../errors.ts';
import type { KeyTest } from '../request/Events.ts';
import { contextOf } from '../request/FetchContext.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { Fields } from '../schema/schema.ts';
import { decode, VERSION } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';
import { collectNotifications } from '../signals.ts';
import { StagedWrite, hasMembershipWrites, restorePages } from '../store/StorePort.ts';
import type { PageImage, ResultRecord, Stamp, Store } from '../store/StorePort.ts';
import type { HydratableReader, Hydrator, Reader } from '../view/Reader.ts';
import type { ViewContext } from '../view/View.ts';
import type { ServerState, DehydratedResult, DehydratedEntity } from './Dehydrator.ts';
import { fromBlocks } from './ServerData.ts';
import type { EntityBlock, ServerDataOptions } from './ServerData.ts';

// server-rendered data are kept until all of the page is hydrated; ms
const HYDRATION_TIME = 60_000;
// how many parts a page can have; each is later than the part before, and earlier than anything that the page does
const MAX_PARTS = 2 ** 20;

/*
 *   script ──► Received ──► written into the page's controller, as known last: newer data there stay
 *                   │
 *                   └─────► written into a second controller, as known when rendered. Created only if the page has
 *                           changed before hydration: the page renders first as the server did, to match the markup
 */
export class Hydration implements Hydrator {
  readonly controller: Controller;
  readonly store: Store;
  readonly #clock: Clock;
  readonly #received: PendingHydration;
  /** Keys that were not read yet. */
  readonly #waiting: Set<string>;
  /** True: data are written in the version that the server rendered. */
  readonly #exact: boolean;
  readonly #stopListening: () => void;
  /** The states that the page keeps for a later controller. */
  pageStates: unknown[] = [];
  #hasChanged: boolean;
  /** The requests with server data that the page has read, and how many of these the server's controller has. */
  #read: ResultRecord[] | undefined = [];
  #copied = 0;
  #server: Hydration | undefined;
  /** An empty controller, for server markup that was rendered without data. */
  #empty: Controller | undefined;
  #timer: unknown;
  readonly #comparisons = new WeakMap<object, { readonly now: unknown; readonly same: boolean }>();

  constructor(
    controller: Controller,
    received: PendingHydration = new PendingHydration(),
    exact: boolean = false,
  ) {
    const context: ViewContext = contextOf(controller);
    context.hydrator = this;
    this.controller = controller;
    this.store = context.store;
    this.#clock = context.clock;
    this.#received = received;
    this.#waiting = new Set(received.chunks.keys());
    this.#exact = exact;
    this.#hasChanged = this.store.tables.size > 0;
    this.#stopListening = controller.on('commit', () => this.#onFirstCommit());
    controller.on('reset', () => this.#endHydration());
  }

  #onFirstCommit(): void {
    this.#hasChanged = true;
    this.#stopListening();
  }

  /** Ends hydration: later renders need not match the server's markup. */
  #endHydration(): void {
    systemClock.clear(this.#timer);
    this.#hasChanged = false;
    this.#server = undefined;
    this.#read = undefined;
    this.pageStates.length = 0;
    this.#stopListening();
  }

  /** Takes a payload atomically: if any part is malformed, the payload is ignored and the page fetches the data. */
  receive(payload: ServerState | ScriptState): void {
    const state = toServerState(payload);
    const reason = flawIn(state);
    if (reason !== undefined) return warn('H2', reason, { value: state, reason });
    this.#received.receive(state);
    systemClock.clear(this.#timer);
    this.#timer = systemClock.after(HYDRATION_TIME, () => this.#endHydration());
    this.#server = undefined;
    for (const [key] of state.results) {
      this.#waiting.add(key);
      const record = this.store.findResult(key);
      if (record !== undefined) this.hydrate(record);
    }
  }

  hydrate(record: ResultRecord): void {
    const chunk = this.#received.chunks.get(record.key);
    if (!this.#waiting.delete(record.key) || chunk === undefined) return;
    let notifications: readonly (() => void)[];
    try {
      notifications = collectNotifications(() => this.#write(record, chunk));
    } catch (error) {
      // another schema, or cyclic data: only this request is dropped, before anything is stored
      this.#received.chunks.delete(record.key);
      return warn('H3', record.key, { key: record.key, reason: toShortText(error, 200) });
    }
    this.#read?.push(record);
    if (notifications.length === 0) return;
    void nextMicrotask(() => this.store.commit(() => notifications.forEach((notify) => notify())));
  }

  #write(record: ResultRecord, { part, result }: HydrationChunk): void {
    const store = this.store;
    const { data, pages, failure } = result;
    const time = part / MAX_PARTS;
    const { fetchedAt, expiresAt } = timesOf(result, this.#clock.now());
    const error = failure && errorIn(failure.error);
    if (data !== undefined) {
      const { args, kind, schema } = record;
      const { value, knownPks } = this.#received.decode(data, this.#exact ? part : Infinity);
      // the page moved rows before the list was known: only the server knows whether these rows are members
      const isBehind = hasMembershipWrites(store, kind);
      const stamp: Stamp = { time, fetchedAt, expiresAt: isBehind ? 0 : expiresAt };
      const staged = new StagedWrite(store, {
        schema,
        args,
        value,
        stamp,
        knownPks,
        endpoint: kind,
      });
      store.commit(() => staged.writeResponse(record));
      if (pages !== undefined) {
        const images = this.#received.decode(pages, Infinity).value as readonly PageImage[];
        restorePages(record, images, time);
      }
    }
    if (failure === undefined || error === undefined) return;
    const until = failure.expiresAt ?? Infinity;
    store.commit(() => record.setFailure({ ...failure, error, time, expiresAt: until }));
  }

  dropUnrequested(test: KeyTest): void {
    for (const key of this.#waiting) if (test.testKey?.(key) ?? false) this.#waiting.delete(key);
  }

  /*
   *   server data of the request    page unchanged   page changed
   *   ───────────────────────────────────────────────────────────────────────────────────────────────────
   *   came after the place          no data          no data
   *   sent                          present data     server's data, if they differ
   *   none: a value of a schema,    present data     found in the server's data that the page has read,
   *   or a hook that does not wait                   or no data
   *   none: a hook that suspends    present data     present data
   */
  serverReader(reader: HydratableReader, place?: string): Reader | undefined {
    const { record, endpoint } = reader;
    const chunk = this.#received.chunks.get(record.key);
    if (place !== undefined && chunk?.result.blanks?.includes(place) === true) {
      this.#empty ??= new Controller({ sweepAfter: Infinity });
      return readerIn(this.#empty, reader);
    }
    const suspends = endpoint !== undefined && place === undefined;
    if (!this.#hasChanged || (suspends && chunk === undefined)) return undefined;
    const served = readerIn(this.#getServerController(), reader);
    const now = reader.result.peek();
    let comparison = this.#comparisons.get(served);
    if (comparison === undefined || comparison.now !== now) {
      comparison = { now, same: sameData(served.result.peek(), now) };
      this.#comparisons.set(served, comparison);
    }
    return comparison.same ? undefined : served;
  }

  /** A controller with the data of the server render that the page has read. */
  #getServerController(): Controller {
    if (this.#server === undefined) {
      this.#server = new Hydration(new Controller({ sweepAfter: Infinity }), this.#received, true);
      this.#copied = 0;
    }
    const { controller, store } = this.#server;
    const read = this.#read ?? [];
    for (const { key, schema, args } of read.slice(this.#copied))
      this.#server.hydrate(store.result(key, schema, args));
    this.#copied = read.length;
    return controller;
  }
}

/** The reader of the same value in another controller. */
function readerIn(controller: Controller, { record, endpoint }: HydratableReader): Reader {
  const args = record.args as [unknown];
  return endpoint === undefined
    ? controller.query(record.schema, ...args)
    : controller.view(endpoint, ...args);
}

/** By the clock of the page: data from after `now` came now, from a server with a clock that is ahead. */
function timesOf(
  { fetchedAt = 0, expiresAt = 0 }: DehydratedResult,
  now: number,
): Pick<Stamp, 'fetchedAt' | 'expiresAt'> {
  const ahead = Math.max(fetchedAt - now, 0);
  return { fetchedAt: fetchedAt - ahead, expiresAt: (expiresAt ?? Infinity) - ahead };
}

function errorIn(json: Json): Error {
  const error = decode(json, () => undefined);
  if (error instanceof Error) return error;
  throw new TypeError(`not an error: ${toShortText(json, 80)}`);
}

/** Compares by structure, also instances of the same class; values may be cyclic and deeper than the call stack. */
function sameData(value: unknown, otherValue: unknown): boolean {
  const met = new Map<object, unknown>();
  const pending: [unknown, unknown][] = [[value, otherValue]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (met.get(a) === b) continue;
    met.set(a, b);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (String(contentOf(a)) !== String(contentOf(b))) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      pending.push([Reflect.get(a, name), Reflect.get(b, name)]);
    }
  }
  return true;
}

/** The content of an object without fields: dates, errors, maps, and other objects with a text form. */
function contentOf(value: object): unknown {
  if (value instanceof Map || value instanceof Set) return JSON.stringify([...value]);
  if (value instanceof Date) return value.getTime();
  return value instanceof Error ? value.message : '';
}

/** The result of a request. */
interface HydrationChunk {
  /** The number of the part with the result: 1 is the first. */
  readonly part: number;
  readonly result: DehydratedResult;
}

/** A response to be staged: entities by their objects. */
interface DecodedResult {
  readonly value: unknown;
  readonly knownPks: ReadonlyMap<unknown, string>;
}

interface Version {
  readonly part: number;
  readonly pk: string;
  readonly fields: Json;
}

/** Server data that were not read yet: results by their key, entities by their number. */
class PendingHydration {
  readonly chunks: Map<string, HydrationChunk> = new Map();
  readonly #entities = new Map<number, Version[]>();
  #parts = 0;

  receive({ entities, results }: ServerState): void {
    const part = ++this.#parts;
    for (const [number, pk, fields] of entities) {
      const versions = this.#entities.get(number) ?? [];
      versions.push({ part, pk, fields });
      this.#entities.set(number, versions);
    }
    for (const [key, result] of results) this.chunks.set(key, { part, result });
  }

  /** The response, with the entities in the version of part `until`. */
  decode(data: Json, until: number): DecodedResult {
    const objects = new Map<number, Fields>();
    const knownPks = new Map<unknown, string>();
    const pending: (() => void)[] = [];
    const entity = (number: number): Fields => {
      const known = objects.get(number);
      if (known !== undefined) return known;
      const object: Fields = {};
      objects.set(number, object);
      const version = this.#entities
        .get(number)
        ?.filter(({ part }) => part <= until)
        .at(-1);
      if (version === undefined) return object;
      knownPks.set(object, version.pk);
      // a queue, because entities may contain each other, and be nested deeper than the call stack
      pending.push(() => copyTo(object, decode(version.fields, entity) as Fields));
      return object;
    };
    const value = decode(data, entity);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) next();
    return { value, knownPks };
  }
}

function copyTo(target: object, fields: Fields): void {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(fields));
}

/** The state of a script. */
type ScriptState = Omit<ServerState, 'entities'> & { readonly blocks: readonly EntityBlock[] };

/** A payload with a row for each entity; a malformed payload is returned unchanged. */
function toServerState(payload: ServerState | ScriptState): ServerState {
  try {
    const { blocks, ...rest } = payload as ScriptState;
    return blocks === undefined
      ? (payload as ServerState)
      : { ...rest, entities: fromBlocks(blocks) };
  } catch {
    return payload as ServerState;
  }
}

/** The flaw in the outer form of a payload, or undefined. The contents are decoded when read. */
function flawIn(state: unknown): string | undefined {
  try {
    if (!isObject(state)) return 'it is not an object';
    const { version, entities, results } = state as Partial<ServerState>;
    if (version !== VERSION) return `its version is ${toShortText(version, 20)}, not ${VERSION}`;
    if (!isListOf(entities, isEntity)) return 'its entities are invalid';
    return isListOf(results, isResult) ? undefined : 'its results are invalid';
  } catch (error) {
    return toShortText(error, 80);
  }
}

function isListOf(list: unknown, fits: (member: unknown) => boolean): boolean {
  // a copy without holes, which `every` would pass over
  return Array.isArray(list) && Array.from(list).every(fits);
}

function isEntity(row: unknown): boolean {
  if (!Array.isArray(row)) return false;
  const [number, pk, fields] = row as unknown as DehydratedEntity;
  return typeof number === 'number' && typeof pk === 'string' && isObject(fields);
}

function isResult(row: unknown): boolean {
  if (!Array.isArray(row)) return false;
  const [key, result] = row as readonly unknown[];
  if (typeof key !== 'string' || !isObject(result)) return false;
  const { fetchedAt = 0, expiresAt = 0, failure, blanks = [] } = result as DehydratedResult;
  const isFailure = failure === undefined || (isObject(failure) && isTime(failure['expiresAt']));
  return isTime(fetchedAt) && isTime(expiresAt) && isFailure && Array.isArray(blanks);
}

const isTime = (value: unknown): boolean => typeof value === 'number' || value === null;

const hydrations = new WeakMap<Controller, Hydration>();

function hydrationOf(controller: Controller): Hydration {
  let hydration = hydrations.get(controller);
  if (hydration === undefined) {
    hydrations.set(controller, (hydration = new Hydration(controller)));
    controller.on('reset', () => hydrations.delete(controller));
  }
  return hydration;
}

/**
 * Passes the result of `dehydrate` on the server to the controller of the page. Each request is written when first
 * read; server data never replace newer data of the page. Parts must be passed in the order of creation. A payload of
 * another program or version is ignored with a warning (H2). A request with data that do not fit the schema is dropped
 * with a warning (H3): the page fetches the data.
 */
export function hydrateController(controller: Controller, state: ServerState): void {
  hydrationOf(controller).receive(state);
}

/**
 * Passes the data of all scripts of the page, present and future, to the controller. To be called before hydration.
 * `name`: as in the options on the server. Several controllers may receive the same scripts, which are kept until a
 * controller is reset, or a minute after the last script.
 */
export function receiveServerData(
  controller: Controller,
  { name = '__signalbox' }: Pick<ServerDataOptions, 'name'> = {},
): void {
  const page = globalThis as unknown as Record<string, unknown>;
  // set by a script of another program, or by an element with this id
  const before = page[name] ?? [];
  const states = (Array.isArray(before) ? before : [before]) as ServerState[];
  const hydration = hydrationOf(controller);
  hydration.pageStates = states;
  for (const state of states) hydration.receive(state);
  // adds to the array, and passes the states to the controllers before
  const push = states.push.bind(states);
  page[name] = Object.assign(states, {
    push(...added: readonly ServerState[]): number {
      for (const state of added) hydration.receive(state);
      return push(...added);
    },
  });
}
