/** Shows the actions of a controller in the Redux DevTools extension, which can travel back in time. */
import type { Controller } from '../Controller.ts';
import { systemClock } from '../clock.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import type { Commit, Issued, Write } from '../request/Events.ts';
import { contextOf, addTransport } from '../request/FetchContext.ts';
import { kindOf } from '../schema/kindOf.ts';
import {
  AllRecord,
  EntityRecord,
  ListRecord,
  MapRecord,
  resultStateOf,
  showResultState,
} from '../store/StorePort.ts';
import type {
  EntityContent,
  ResultRecord,
  ResultState,
  Store,
  StoreRecord,
} from '../store/StorePort.ts';
import { WriteHistory, recordCommits } from './WriteHistory.ts';
import { toPlain, toPlainTables } from './toPlain.ts';

/** All other options (`trace`, `actionsDenylist`, …) are passed on to the extension. */
export interface DevToolsOptions {
  /** The name of this controller in the extension. Default `signalbox`. */
  readonly name?: string | undefined;
  /** How many actions the extension keeps. Default 50. */
  readonly maxAge?: number | undefined;
  /** Default: `window.__REDUX_DEVTOOLS_EXTENSION__`. */
  readonly extension?: DevToolsExtension | undefined;
  readonly [option: string]: unknown;
}

// features that this library does not support are switched off
const features = { pause: true, jump: true, export: true, import: true };

/**
 * `const stop = connectDevTools(controller)`: each commit is an action with cause, requests and writes.
 * Requests are actions when issued, retried, failed or aborted. The state is the store as plain tables.
 * While a past state is shown, no request is sent, and responses wait. While connected, nothing is garbage collected.
 * Without an extension nothing happens, and nothing is computed. To be called where the controller is created, in
 * development only: the state is copied for each action. Returns a function that disconnects.
 */
export function connectDevTools(controller: Controller, options: DevToolsOptions = {}): () => void {
  const { extension = devToolsExtension(), ...rest } = options;
  if (extension === undefined) return () => {};
  const { maxAge = 50 } = rest;
  const tools = extension.connect({ name: 'signalbox', maxAge, features, ...rest });
  return new Bridge(controller, tools, maxAge).stop;
}

class Bridge {
  readonly #controller: Controller;
  readonly #tools: DevToolsConnection;
  readonly #travel: TimeTravel;
  // distinguishes moments of this page from moments of another page with the same numbers
  readonly #session = String(systemClock.now());
  #state: object = {};
  readonly stop: () => void;

  constructor(controller: Controller, tools: DevToolsConnection, maxAge: number) {
    this.#controller = controller;
    this.#tools = tools;
    // first, so that the journal has a commit before the action is sent
    const recorded = recordCommits(controller);
    this.#travel = new TimeTravel(controller, maxAge);
    const stops = [
      recorded,
      tools.subscribe((message) => this.#handleMessage(message)),
      controller.on('commit', (commit) => this.#onCommit(commit)),
      controller.on('request', (request) =>
        this.#sendRequestEvent('request', request, { args: request.args }),
      ),
      controller.on('retry', ({ attempt, delay, error, ...request }) =>
        this.#sendRequestEvent('retry', request, { attempt, delay, error }),
      ),
      controller.on('error', ({ error, ...request }) => {
        // the failure of a read is reported by the commit
        if (!request.read) this.#sendRequestEvent('failed', request, { error });
      }),
      controller.on('abort', ({ reason, ...request }) =>
        this.#sendRequestEvent('abort', request, { reason }),
      ),
    ];
    this.#startHistory();
    this.stop = () => {
      for (const each of stops) each?.();
      this.#travel.stop();
    };
  }

  /** Starts a new history with the present state. */
  #startHistory(): void {
    this.#travel.capture();
    this.#tools.init(this.#captureState());
  }

  #captureState(): object {
    const { newest: moment } = this.#travel;
    const session = this.#session;
    return (this.#state = { ...toPlainTables(contextOf(this.#controller).store), moment, session });
  }

  #onCommit({ cause, key, written, writes, ids, replayed }: Commit): void {
    const requests = WriteHistory.of(this.#controller)?.requestTraces(ids) ?? [];
    const about =
      requests.map(({ endpoint }) => endpoint).join(', ') || writes.map(nameOf).join(', ');
    const type = `${cause} ${about || (key ?? '')}`.trim();
    const content = { key, requests, writes: writes.map(toPlainWrite), written, replayed };
    this.#travel.capture();
    this.#tools.send({ ...(toPlain(content) as object), type }, this.#captureState());
  }

  /** Sends an event of a request that is not a commit. */
  #sendRequestEvent(eventName: string, { id, key, endpoint }: Issued, details: object): void {
    // in the past, only requests of the state shown wait, and are fetched when the present is shown again
    if (this.#travel.isPaused) return;
    const [span] = WriteHistory.of(this.#controller)?.requestTraces([id]) ?? [];
    const content = { id, key, ms: span?.ms, ...details };
    this.#tools.send(
      { ...(toPlain(content) as object), type: `${eventName} ${titleOf(endpoint)}` },
      this.#state,
    );
  }

  /** Handles a message of the extension. Any script may post messages, so malformed messages are ignored. */
  #handleMessage(message: unknown): void {
    const { type, payload, state } = (message ?? {}) as Partial<DevToolsMessage>;
    if (type !== 'DISPATCH') return;
    const target = () => this.#momentIn(parseJson(state));
    switch (payload?.type) {
      case 'JUMP_TO_STATE':
      case 'JUMP_TO_ACTION':
        return this.#jumpTo(target());
      case 'RESET':
        this.#jumpTo(1);
        return this.#startHistory();
      case 'COMMIT':
        return this.#startHistory();
      case 'ROLLBACK':
        this.#jumpTo(target());
        return this.#startHistory();
      case 'IMPORT_STATE':
        return this.#import(payload);
    }
  }

  #import({ nextLiftedState: history }: NonNullable<DevToolsMessage['payload']>): void {
    if (!Array.isArray(history?.computedStates)) {
      this.#tools.error('This file contains no history of actions: the store is unchanged.');
      return;
    }
    this.#tools.send(null, history);
    this.#jumpTo(this.#momentIn(history.computedStates[history.currentStateIndex]?.state));
  }

  #momentIn(state: unknown): number | undefined {
    const { session, moment } = (state ?? {}) as { session?: unknown; moment?: number };
    return session === this.#session ? moment : undefined;
  }

  #jumpTo(moment: number | undefined): void {
    if (this.#travel.jumpTo(moment)) return;
    this.#tools.error('This state belongs to another page, or is too old: the store is unchanged.');
  }
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function toPlainWrite({ key, endpoint, schema, args, value, failure, stamp }: Write): object {
  const title = endpoint && titleOf(endpoint);
  const error = failure?.error;
  return {
    key,
    endpoint: title,
    schema: nameOf({ schema }),
    args,
    value,
    error,
    time: stamp?.time,
  };
}

function nameOf({ schema, key }: Pick<Write, 'schema' | 'key'>): string {
  return schema === undefined ? (key ?? '') : kindOf(schema, 'schema').title;
}

/** `window.__REDUX_DEVTOOLS_EXTENSION__` */
export interface DevToolsExtension {
  connect(options: object): DevToolsConnection;
}

/** https://github.com/reduxjs/redux-devtools/blob/main/extension/docs/API/Methods.md#connectoptions */
export interface DevToolsConnection {
  init(state: unknown): void;
  /** Without an action: sends a complete history. */
  send(action: object | null, state: unknown): void;
  subscribe(listener: (message: DevToolsMessage) => void): (() => void) | undefined;
  error(message: string): void;
}

/** An action of the extension's user; `state` is JSON. */
export interface DevToolsMessage {
  readonly type: string;
  readonly state?: string | undefined;
  readonly payload?: { readonly type?: string; readonly nextLiftedState?: LiftedState } | undefined;
}

/** A history of actions with the state after each. */
export interface LiftedState {
  readonly computedStates: readonly { readonly state: unknown }[];
  readonly currentStateIndex: number;
}

/** The extension of this page. */
function devToolsExtension(): DevToolsExtension | undefined {
  const page = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: DevToolsExtension };
  return page.__REDUX_DEVTOOLS_EXTENSION__;
}

/*
 * Moments of a controller, and how to show a moment again.
 *
 *   present ── jump to an older moment ──►  past     requests are not sent, responses wait
 *      ▲                                     │
 *      └── jump to the newest, or a commit ──┘       then both go on
 */
class TimeTravel {
  readonly #store: Store;
  readonly #moments = new Map<number, StoreSnapshot>();
  /** Signals that protect all records of the moments from garbage collection. */
  readonly #pins = new Map<StoreRecord, unknown>();
  readonly #maxMoments: number;
  readonly #stop: () => void;
  #newest = 0;
  #past: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  /** Keeps the last `maxMoments` moments, and the first. */
  constructor(controller: Controller, maxMoments: number) {
    const context = contextOf(controller);
    this.#store = context.store;
    this.#maxMoments = maxMoments;
    this.#stop = addTransport(context, (send) => async (...call) => {
      // an await without need would delay requests
      if (this.#past !== undefined) await this.#past.over;
      try {
        return await send(...call);
      } finally {
        await this.#past?.over;
      }
    });
  }

  /** The number of the newest moment. */
  get newest(): number {
    return this.#newest;
  }

  get isPaused(): boolean {
    return this.#past !== undefined;
  }

  /** Records the present state as a moment. */
  capture(): void {
    this.#newest++;
    this.#moments.set(this.#newest, new StoreSnapshot(this.#store, (record) => this.#pin(record)));
    for (const number of this.#moments.keys())
      if (number > 1 && number < this.#newest - this.#maxMoments) this.#moments.delete(number);
    this.resume();
  }

  #pin(record: StoreRecord): void {
    if (!this.#pins.has(record)) this.#pins.set(record, this.#store.cell(record));
  }

  /** Shows a moment; false if the moment is no longer kept. */
  jumpTo(number: number | undefined): boolean {
    const moment = this.#moments.get(number ?? 0);
    if (moment === undefined) return false;
    if (number !== this.#newest) this.#pause();
    moment.show(this.#store);
    if (number === this.#newest) this.resume();
    return true;
  }

  #pause(): void {
    if (this.#past !== undefined) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#past = { over, end };
  }

  /** Continues the requests and responses that waited. */
  resume(): void {
    this.#past?.end();
    this.#past = undefined;
  }

  /** Returns to the present, and stops. */
  stop(): void {
    if (this.isPaused) this.jumpTo(this.#newest);
    this.#stop();
    this.#moments.clear();
    this.#pins.clear();
  }
}

/** Protects a record from garbage collection; called for each record that a moment may show again. */
type Retain = (record: StoreRecord) => void;

/**
 * Holds contents only. Logical times do not change, so that later requests are newer than the data shown. Unchanged
 * contents keep their references, so their readers are not notified. The cost is proportional to the size of the store.
 */
class StoreSnapshot {
  readonly #entities = new Map<StoreRecord, EntityContent | undefined>();
  /** The last data of deleted entities, for live objects. */
  readonly #lastContents = new Map<StoreRecord, EntityContent | undefined>();
  readonly #lists = new Map<StoreRecord, readonly StoreRecord[] | undefined>();
  readonly #maps = new Map<StoreRecord, ReadonlyMap<string, StoreRecord> | undefined>();
  readonly #results = new Map<ResultRecord, ResultState>();

  constructor(store: Store, retain: Retain) {
    for (const record of recordsOf(store)) {
      retain(record);
      if (record instanceof EntityRecord) {
        this.#entities.set(record, record.content);
        this.#lastContents.set(record, record.observers?.fieldReaders?.last);
      } else if (record instanceof ListRecord) this.#lists.set(record, record.members?.slice());
      else if (record instanceof MapRecord)
        this.#maps.set(record, record.entries && new Map(record.entries));
    }
    for (const record of store.results.values()) {
      retain(record);
      this.#results.set(record, resultStateOf(record));
    }
  }

  /** Restores the moment in a single commit. Later records are missing again; optimistic layers stay above. */
  show(store: Store): void {
    store.commit(() => {
      const records = [...recordsOf(store)];
      for (const record of records)
        if (record instanceof EntityRecord)
          store.beforeWrite(record).setConfirmed(this.#entities.get(record));
      // rows that came or went have notified the lists of complete tables, which are sorted again here
      for (const record of records) {
        if (record instanceof ListRecord) this.#list(store.beforeWrite(record));
        else if (record instanceof MapRecord) this.#map(record);
      }
      for (const record of store.results.values())
        showResultState(store, record, this.#results.get(record));
      store.layers.rebase();
      for (const record of records)
        record.observers?.fieldReaders?.showContent(this.#lastContents.get(record));
    });
  }

  #list(record: ListRecord): void {
    const members = this.#lists.get(record)?.slice();
    const { base: present = [] } = record;
    if (record instanceof AllRecord) {
      const rows = new Set(members);
      if (rows.size !== present.length || !present.every((row) => rows.has(row))) return;
    }
    record.setConfirmed(members);
  }

  #map(record: MapRecord): void {
    const entries = this.#maps.get(record);
    if (entries === undefined) record.clear();
    else record.fill(Object.fromEntries(entries), record.stamp);
  }
}

function* recordsOf(store: Store): Iterable<StoreRecord> {
  for (const { records } of store.tables.values()) yield* records.values();
}
