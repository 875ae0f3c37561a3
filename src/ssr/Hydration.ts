/** In a page: writes server data into a controller, request by request, when each is first read. */
import { Controller } from '../Controller.ts';
import type { KeyTest } from '../Controller.ts';
import { nextMicrotask, systemClock } from '../clock.ts';
import { toShortText, warn } from '../errors.ts';
import { collectNotifications } from '../signals.ts';
import { tableKeysIn } from '../schema/tableKeysIn.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { StagedWrite } from '../store/writes/StagedWrite.ts';
import type { Store } from '../store/Store.ts';
import { ListTable } from '../store/lists/ListTable.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { HydratableView, Hydrator, ViewContext } from '../view/Hydrator.ts';
import type { Reader } from '../view/Reader.ts';
import type { ServerState } from './Dehydrator.ts';
import { flawIn } from './flawIn.ts';
import { PendingHydration } from './PendingHydration.ts';
import type { HydrationChunk } from './PendingHydration.ts';
import { decode } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';

// server-rendered data are kept until all of the page is hydrated; ms
const HYDRATED = 60_000;
// how many parts one page can have; each is later than the part before, and earlier than anything that the page does
const PARTS = 2 ** 20;

/*
 *   script ──► Received ──► written into the page's controller, as known last: newer data there stay
 *                   │
 *                   └─────► written into a second controller, as known when rendered. Created only if the page has
 *                           changed before hydration: it renders first as the server did, to match the markup
 */
export class Hydration implements Hydrator {
  readonly #store: Store;
  readonly #received: PendingHydration;
  /** Keys that were not read yet. */
  readonly #waiting: Set<string>;
  /** True: data are written as they were when they were rendered. */
  readonly #exact: boolean;
  readonly #forget: () => void;
  #moved: boolean;
  #twin: Controller | undefined;
  /** An empty controller, for server markup that was rendered without data. */
  #empty: Controller | undefined;
  #timer: unknown;
  readonly #judged = new WeakMap<object, { readonly now: unknown; readonly same: boolean }>();

  constructor(
    controller: Controller,
    received: PendingHydration = new PendingHydration(),
    exact: boolean = false,
  ) {
    const ground: ViewContext = contextOf(controller);
    ground.hydrator = this;
    this.#store = ground.store;
    this.#received = received;
    this.#waiting = new Set(received.chunks.keys());
    this.#exact = exact;
    this.#moved = this.#store.tables.size > 0;
    this.#forget = controller.on('commit', () => this.#move());
    controller.on('reset', () => this.#end());
  }

  #move(): void {
    this.#moved = true;
    this.#forget();
  }

  /** Ends hydration: later renders need not match the server's markup. */
  #end(): void {
    systemClock.clear(this.#timer);
    this.#moved = false;
    this.#twin = undefined;
    this.#forget();
  }

  /** Takes a payload atomically: if any part is malformed, the payload is ignored and the page fetches its data. */
  receive(state: ServerState): void {
    const reason = flawIn(state);
    if (reason !== undefined) return warn('H2', reason, { value: state, reason });
    this.#received.receive(state);
    systemClock.clear(this.#timer);
    this.#timer = systemClock.after(HYDRATED, () => this.#end());
    this.#twin = undefined;
    for (const [key] of state.results) {
      this.#waiting.add(key);
      const record = this.#store.findResult(key);
      if (record !== undefined) this.hydrate(record);
    }
  }

  hydrate(record: ResultRecord): void {
    const parcel = this.#received.chunks.get(record.key);
    if (!this.#waiting.delete(record.key) || parcel === undefined) return;
    let told: readonly (() => void)[];
    try {
      told = collectNotifications(() => this.#lay(record, parcel));
    } catch (error) {
      // another schema, or cyclic data: only this request is dropped, before anything is stored
      this.#received.chunks.delete(record.key);
      return warn('H3', record.key, { key: record.key, reason: toShortText(error, 200) });
    }
    if (told.length === 0) return;
    void nextMicrotask(() => this.#store.commit(() => told.forEach((tell) => tell())));
  }

  #lay(record: ResultRecord, { part, result }: HydrationChunk): void {
    const store = this.#store;
    const { data, failure, fetchedAt = 0, expiresAt = 0 } = result;
    const time = part / PARTS;
    const error = failure && errorIn(failure.error);
    if (data !== undefined) {
      const { args, kind, schema } = record;
      const { value, knownPks } = this.#received.decode(data, this.#exact ? part : Infinity);
      const stamp: Stamp = { time, fetchedAt, expiresAt: this.#isBehind(record) ? 0 : expiresAt };
      const laid = new StagedWrite(store, {
        schema,
        args,
        value,
        stamp,
        knownPks,
        endpoint: kind,
      });
      store.commit(() => laid.writeResponse(record));
    }
    if (failure === undefined || error === undefined) return;
    store.commit(() => record.setFailure({ ...failure, error, time }));
  }

  /** The page created or moved rows before it knew the list: only the server knows whether they are members. */
  #isBehind({ kind }: ResultRecord): boolean {
    return tableKeysIn(kind).some((identity) => {
      const table = this.#store.tables.get(identity);
      return table instanceof ListTable && table.hasMembershipWrites;
    });
  }

  dropUnrequested(test: KeyTest): void {
    for (const key of this.#waiting) if (test.testKey?.(key) ?? false) this.#waiting.delete(key);
  }

  serverReader(view: HydratableView, place = ''): Reader | undefined {
    if (this.#received.chunks.get(view.key)?.result.blanks?.includes(place) === true) {
      this.#empty ??= new Controller({ sweepAfter: Infinity });
      return this.#empty.view(view.endpoint, ...(view.args as [unknown]));
    }
    if (!this.#moved || !this.#received.chunks.has(view.key)) return undefined;
    const twin = this.#drawn();
    const reader = twin.view(view.endpoint, ...(view.args as [unknown]));
    const now = view.result.peek();
    let judged = this.#judged.get(reader);
    if (judged === undefined || judged.now !== now) {
      judged = { now, same: sameData(reader.result.peek(), now) };
      this.#judged.set(reader, judged);
    }
    return judged.same ? undefined : reader;
  }

  /** A controller with the data of the server render. */
  #drawn(): Controller {
    if (this.#twin === undefined) {
      this.#twin = new Controller({ sweepAfter: Infinity });
      hydrateAll(this.#twin, this.#received);
    }
    return this.#twin;
  }
}

/** Writes the data as the server rendered them. */
function hydrateAll(controller: Controller, received: PendingHydration): void {
  void new Hydration(controller, received, true);
}

function errorIn(json: Json): Error {
  const error = decode(json, () => undefined);
  if (error instanceof Error) return error;
  throw new TypeError(`not an error: ${toShortText(json, 80)}`);
}

/** Compares by structure, instances of one class included; both values may be cyclic and deeper than the call stack. */
function sameData(one: unknown, other: unknown): boolean {
  const met = new Map<object, unknown>();
  const line: [unknown, unknown][] = [[one, other]];
  for (let pair = line.pop(); pair !== undefined; pair = line.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (met.get(a) === b) continue;
    met.set(a, b);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (String(told(a)) !== String(told(b))) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      line.push([Reflect.get(a, name), Reflect.get(b, name)]);
    }
  }
  return true;
}

/** The content of an object without fields: dates, errors, maps, and other objects with a text form. */
function told(value: object): unknown {
  if (value instanceof Map || value instanceof Set) return JSON.stringify([...value]);
  if (value instanceof Date) return value.getTime();
  return value instanceof Error ? value.message : '';
}
