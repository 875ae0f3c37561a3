/** The Redux DevTools extension shows what a controller does, and takes it back in time. */
import { contextOf } from '../fetch/FetchContext.ts';
import { systemClock } from '../clock.ts';
import type { Controller } from '../Controller.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Commit, Issued, Write } from '../fetch/Events.ts';
import { kindOf } from '../schema/kindOf.ts';
import { devToolsExtension } from './DevToolsExtension.ts';
import type {
  DevToolsConnection,
  DevToolsExtension,
  DevToolsMessage,
} from './DevToolsExtension.ts';
import { Journal, recordCommits } from './Journal.ts';
import { plain } from './plain.ts';
import { tablesOf } from './tablesOf.ts';
import { Travel } from './Travel.ts';

/** Whatever else the extension takes (`trace`, `actionsDenylist`, …) is handed on to it. */
export interface DevToolsOptions {
  /** How this controller is called there. Default `signalbox`. */
  readonly name?: string | undefined;
  /** How many actions it remembers. Default 50. */
  readonly maxAge?: number | undefined;
  /** Default: `window.__REDUX_DEVTOOLS_EXTENSION__`. */
  readonly extension?: DevToolsExtension | undefined;
  readonly [option: string]: unknown;
}

// what this library cannot do is not offered
const features = { pause: true, jump: true, export: true, import: true };

/**
 * `const stop = connectDevTools(controller)`: each commit is an action with its cause, its requests and what it wrote;
 * requests are actions when they begin, are tried again, fail or are given up. The state is that of the store as plain
 * tables. While a past state is shown, no request is sent, and answers wait. While it is connected nothing is swept.
 * Where there is no extension nothing happens, and nothing is computed. To be called where the controller is made, in
 * development: a copy of the state is made for each action. Gives back how to stop.
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
  readonly #travel: Travel;
  // moments of another page have the same numbers
  readonly #session = String(systemClock.now());
  #state: object = {};
  readonly stop: () => void;

  constructor(controller: Controller, tools: DevToolsConnection, maxAge: number) {
    this.#controller = controller;
    this.#tools = tools;
    // first: what a commit is told with is recorded before
    const recorded = recordCommits(controller);
    this.#travel = new Travel(controller, maxAge);
    const stops = [
      recorded,
      tools.subscribe((message) => this.#obey(message)),
      controller.on('commit', (commit) => this.#commit(commit)),
      controller.on('request', (request) => this.#tell('request', request, { args: request.args })),
      controller.on('retry', ({ attempt, delay, error, ...request }) =>
        this.#tell('retry', request, { attempt, delay, error }),
      ),
      controller.on('error', ({ error, ...request }) => {
        // of a read the commit has told
        if (!request.read) this.#tell('failed', request, { error });
      }),
      controller.on('abort', ({ reason, ...request }) => this.#tell('abort', request, { reason })),
    ];
    this.#begin();
    this.stop = () => {
      for (const each of stops) each?.();
      this.#travel.end();
    };
  }

  /** A new history begins with what is shown. */
  #begin(): void {
    this.#travel.remember();
    this.#tools.init(this.#look());
  }

  #look(): object {
    const { newest: moment } = this.#travel;
    const session = this.#session;
    return (this.#state = { ...tablesOf(contextOf(this.#controller).store), moment, session });
  }

  #commit({ cause, key, written, writes, ids, replayed }: Commit): void {
    const requests = Journal.of(this.#controller)?.spans(ids) ?? [];
    const about =
      requests.map(({ endpoint }) => endpoint).join(', ') || writes.map(nameOf).join(', ');
    const type = `${cause} ${about || (key ?? '')}`.trim();
    const told = { key, requests, writes: writes.map(writeOf), written, replayed };
    this.#travel.remember();
    this.#tools.send({ ...(plain(told) as object), type }, this.#look());
  }

  /** What becomes of a request, between two commits. */
  #tell(what: string, { id, key, endpoint }: Issued, more: object): void {
    // in the past only what is shown there waits: it is asked again when that is over
    if (this.#travel.inPast) return;
    const [span] = Journal.of(this.#controller)?.spans([id]) ?? [];
    const told = { id, key, ms: span?.ms, ...more };
    this.#tools.send(
      { ...(plain(told) as object), type: `${what} ${titleOf(endpoint)}` },
      this.#state,
    );
  }

  /** Anything may post a message to the page in the name of the extension: what is malformed does nothing. */
  #obey(message: unknown): void {
    const { type, payload, state } = (message ?? {}) as Partial<DevToolsMessage>;
    if (type !== 'DISPATCH') return;
    const told = () => this.#momentIn(parsed(state));
    switch (payload?.type) {
      case 'JUMP_TO_STATE':
      case 'JUMP_TO_ACTION':
        return this.#go(told());
      case 'RESET':
        this.#go(1);
        return this.#begin();
      case 'COMMIT':
        return this.#begin();
      case 'ROLLBACK':
        this.#go(told());
        return this.#begin();
      case 'IMPORT_STATE':
        return this.#import(payload);
    }
  }

  #import({ nextLiftedState: history }: NonNullable<DevToolsMessage['payload']>): void {
    if (!Array.isArray(history?.computedStates)) {
      this.#tools.error('This file is no history of actions: the store stays as it is.');
      return;
    }
    this.#tools.send(null, history);
    this.#go(this.#momentIn(history.computedStates[history.currentStateIndex]?.state));
  }

  #momentIn(state: unknown): number | undefined {
    const { session, moment } = (state ?? {}) as { session?: unknown; moment?: number };
    return session === this.#session ? moment : undefined;
  }

  #go(moment: number | undefined): void {
    if (this.#travel.to(moment)) return;
    this.#tools.error('This state is of another page, or too old: the store stays as it is.');
  }
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function writeOf({ key, endpoint, schema, args, value, failure, stamp }: Write): object {
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
