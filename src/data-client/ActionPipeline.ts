/** Passes the requests and writes of a controller through the middleware of the managers. */
import type { Controller } from '../Controller.ts';
import { systemClock } from '../clock.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { contextOf, addTransport } from '../request/FetchContext.ts';
import type { FetchMiddleware } from '../request/FetchContext.ts';
import { createArrivalStamp } from '../request/responseStamp.ts';
import type { Args } from '../schema/schema.ts';
import { ReaderRequests } from './ReaderRequests.ts';
import { actionTypes, addOlderMembers, withPayload, withResolvers } from './actionTypes.ts';
import type { ActionMeta, ActionTypes, Dispatch, FetchAction, FetchMeta } from './actionTypes.ts';

type Next = (next: Dispatch) => Dispatch;

/** Controllers whose managers have been cleaned up, until their next `init`. */
export const endedControllers: WeakSet<Controller> = new WeakSet();

/** A request whose action has passed the middleware, until the response is stored. */
interface Sending {
  readonly leave: () => Promise<unknown>;
  readonly args: Args;
}

/** A manager reads the data while the action of the response passes. */
const MAX_MUTATIONS = 100;

/*
 *   request ─► FETCH ─► middleware ─► network ─► SET_RESPONSE ─► middleware ─► commit
 *                 └─ meta.resolve, without `next` ──────────────────────────────►│
 *   set, invalidate, reset … ─► their action ─► middleware ─► `perform` ─► commit
 */
export class ActionPipeline {
  readonly #controller: Controller;
  readonly #perform: Dispatch;
  #dispatch: Dispatch;
  #stop: (() => void) | undefined;
  /** Requests by the `meta` of their FETCH action, which a middleware passes on. */
  readonly #sending = new WeakMap<FetchMeta, Sending>();
  /** How the transport of a request ends, by the `meta` of the SET_RESPONSE action. */
  readonly #answers = new WeakMap<ActionMeta, (action: ActionTypes) => Promise<void>>();
  /**
   * Subscriptions that ended after the managers: React ends the effects of a provider before those of the components
   * below. Managers learn of these only if the components subscribe again, as in StrictMode.
   */
  readonly #lateUnsubscribes: ActionTypes[] = [];
  /** The data of the last mutations, by key, for managers that report responses: `MAX_MUTATIONS` at most. */
  readonly mutations: Map<string, unknown> = new Map();
  readonly #keeping = new Map<string, Promise<void>>();
  /** The requests of readers, which call the `fetch` of a subclass. */
  readonly readers: ReaderRequests;
  /** The `id` of each request, by the arguments. */
  readonly #ids = new WeakMap<Args, number>();

  /** `fetch` of the controller, before a subclass has replaced it. */
  readonly #fetchOriginal: Controller['fetch'];

  constructor(controller: Controller, perform: Dispatch, fetch: Controller['fetch']) {
    this.#controller = controller;
    this.#perform = perform;
    this.#dispatch = perform;
    this.#fetchOriginal = fetch;
    this.readers = new ReaderRequests(controller, fetch);
  }

  /** Runs an action through the middleware. Resolves when the change of the store is complete. */
  async dispatch(action: ActionTypes): Promise<void> {
    addOlderMembers(action);
    if (action.type === actionTypes.UNSUBSCRIBE && endedControllers.has(this.#controller)) {
      this.#lateUnsubscribes.push(action);
      return;
    }
    if (action.type === actionTypes.SUBSCRIBE)
      for (const late of this.#lateUnsubscribes.splice(0)) void this.#dispatch(late);
    if (action.type === actionTypes.FETCH && !this.#sending.has(action.meta)) this.#request(action);
    else await this.#dispatch(action);
  }

  /** Keeps the data of a mutation, which are complete before the middleware of the response goes on. */
  keepMutation(key: string, data: Promise<unknown>): void {
    const { mutations } = this;
    const keep = (value: unknown) => {
      mutations.delete(key);
      mutations.set(key, value);
      const [oldest] = mutations.keys();
      if (mutations.size > MAX_MUTATIONS) mutations.delete(oldest as string);
    };
    const kept = data
      .then(keep, () => {})
      .then(() => {
        if (this.#keeping.get(key) === kept) this.#keeping.delete(key);
      });
    this.#keeping.set(key, kept);
  }

  /** Begins the request of an action that the application has created: the request has a separate action. */
  #request({ endpoint, args, meta }: FetchAction): void {
    void this.#fetchOriginal(endpoint, ...(args as never)).then(meta.resolve, meta.reject);
  }

  /** Replaces the middleware; the first receives actions first. Returns a function that removes the middleware. */
  use(middleware: readonly Next[]): () => void {
    this.#stop?.();
    const last: Dispatch = async (action) => this.#end(action);
    this.#dispatch = middleware.reduceRight((next, each) => each(next), last);
    const stopListening = this.#controller.on('request', ({ id, args }) => this.#ids.set(args, id));
    const stopTransport = addTransport(
      contextOf(this.#controller),
      (below) => (endpoint, args, leave) =>
        this.readers.send(endpoint, args, (sent) => {
          const send = sent === endpoint ? leave : () => sent(...args);
          return this.#fetch(sent, args, () => below(sent, args, send));
        }),
    );
    const stop = () => {
      if (this.#stop !== stop) return;
      this.#stop = undefined;
      this.#dispatch = this.#perform;
      stopListening();
      stopTransport();
    };
    return (this.#stop = stop);
  }

  /** The transport: resolves with the response that the middleware lets through. */
  #fetch(...[endpoint, args, leave]: Parameters<FetchMiddleware>): Promise<unknown> {
    const { promise, resolve, reject } = withResolvers();
    const meta: FetchMeta = { fetchedAt: systemClock.now(), promise, resolve, reject };
    const key = endpoint.key(...args);
    this.#sending.set(meta, { leave, args });
    if (endpoint.sideEffect && endpoint.getOptimisticResponse) this.#announce(endpoint, args);
    void this.dispatch({ type: actionTypes.FETCH, endpoint, args, key, meta }).catch(reject);
    return promise;
  }

  /** Layers are shown before the transport is called: the action is only a report. */
  #announce(endpoint: EndpointInterface, args: Args): void {
    const meta = this.metaFor(endpoint);
    const key = endpoint.key(...args);
    void this.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, meta });
  }

  /** What is left to do with an action that all middleware has passed on. */
  #end(action: ActionTypes): Promise<void> {
    if (action.type === actionTypes.FETCH) {
      this.send(action);
      return Promise.resolve();
    }
    if (action.type !== actionTypes.SET_RESPONSE) return this.#perform(action);
    return (this.#answers.get(action.meta) ?? this.#perform)(withPayload(action));
  }

  /** Sends the request of a FETCH action, and passes the response through the middleware. */
  send(action: FetchAction): void {
    const { endpoint, args, key, meta } = action;
    const sending = this.#sending.get(meta);
    if (sending === undefined) return this.#request(action);
    const respond = (outcome: { response: unknown; error?: true }) => {
      const time = this.metaFor(endpoint, meta.fetchedAt);
      this.#answers.set(time, (action) => this.#answer(action as never, meta, sending.args));
      const type = actionTypes.SET_RESPONSE;
      const action = { type, endpoint, args, key, meta: time, ...outcome } as ActionTypes;
      return this.dispatch(action).catch(meta.reject);
    };
    void sending.leave().then(
      (response) => respond({ response }),
      (error: unknown) => respond({ response: error, error: true }),
    );
  }

  /** Ends the transport. Resolves when the store has changed, or the request has failed. */
  #answer(
    action: { readonly key: string; readonly response: unknown; readonly error?: boolean },
    { resolve, reject }: FetchMeta,
    args: Args,
  ): Promise<void> {
    const { key, response, error } = action;
    const stored = this.#whenSettled(this.#ids.get(args));
    if (error) {
      reject(response);
      return stored;
    }
    resolve(response);
    return stored.then(() => this.#keeping.get(key));
  }

  #whenSettled(request: number | undefined): Promise<void> {
    if (request === undefined) return Promise.resolve();
    const controller = this.#controller;
    return new Promise((resolve) => {
      const end = () => {
        for (const stop of stops) stop();
        resolve();
      };
      const endIfOwn = ({ id }: { readonly id: number }) => id === request && end();
      const stops = [
        controller.on('commit', ({ ids, cause }) => {
          if (cause !== 'optimistic' && cause !== 'rollback' && ids.includes(request)) end();
        }),
        controller.on('error', endIfOwn),
        controller.on('abort', endIfOwn),
        controller.on('retry', endIfOwn),
        controller.on('reset', end),
      ];
    });
  }

  /** The times of a response that arrives now. */
  metaFor(endpoint: EndpointInterface, fetchedAt: number = systemClock.now()): ActionMeta {
    const stamp = createArrivalStamp(contextOf(this.#controller), endpoint, 0);
    return { fetchedAt, date: stamp.fetchedAt, expiresAt: stamp.expiresAt };
  }
}
