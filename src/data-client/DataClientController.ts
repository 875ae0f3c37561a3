/** The controller with the verbs of Data Client, whose requests and writes pass the middleware of managers. */
import { Controller } from '../Controller.ts';
import type { ArgsOf, CheckedArgs, ControllerOptions, DataOf, Snapshot } from '../Controller.ts';
import { systemClock } from '../clock.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import { SignalboxError } from '../errors.ts';
import type { UnknownError } from '../errors.ts';
import { optimistic } from '../optimistic/optimistic.ts';
import type { KeyTest } from '../request/Events.ts';
import type { SchemaArgs } from '../schema/SchemaArgs.ts';
import type { Args, Denormalized, Schema } from '../schema/schema.ts';
import { ActionPipeline } from './ActionPipeline.ts';
import { errorsBelow500 } from './Endpoint.ts';
import type { Middleware } from './Manager.ts';
import { ownerOf, stateOf } from './State.ts';
import type { State } from './State.ts';
import { actionTypes, createSet } from './actionTypes.ts';
import type {
  ActionTypes,
  DataClientDispatch,
  FetchAction,
  GenericDispatch,
} from './actionTypes.ts';
import { shapeOf, resultOf, storedDataOf } from './storedDataOf.ts';

/** A response or an error that a middleware has received in another way. */
export interface Resolution {
  readonly args: readonly any[]; // any: of every endpoint
  readonly response: any; // any: a response has no type
  readonly fetchedAt?: number;
  readonly error?: boolean | undefined;
}

/** The arguments of a request, followed by the response or the error. */
// any: a response has no type
type ArgsAndOutcome<E extends EndpointInterface> =
  | readonly [...Parameters<E>, any]
  | ([] extends Parameters<E> ? readonly [any] : never);
/** The arguments of a read of the store, which may be followed by a state: the present store is read. */
type ArgsAndState<E extends EndpointInterface> =
  | ArgsOf<E>
  | readonly [...Parameters<E>, State]
  | ([] extends Parameters<E> ? readonly [State] : never)
  | readonly [null, State];

/** The stored response of a request: `data` also behind an error, and after the invalidation of an entity or a list. */
export interface StoredResponse<T> {
  readonly data: T | undefined;
  readonly error: UnknownError | undefined;
  /** 1: invalidated or deleted; 2: absent, or not to be shown once expired; 3: to be shown. */
  readonly expiryStatus: ExpiryStatus;
  readonly expiresAt: number;
}

/** The result of `controller.snapshot`. */
export interface ControllerSnapshot
  extends
    Omit<Snapshot, 'getError' | 'getResponse'>,
    Pick<DataClientController, 'getError' | 'getResponse' | 'getResponseMeta' | 'getQueryMeta'> {}

/** The freshness of a stored response. */
export type ExpiryStatus = 1 | 2 | 3;
/** The freshness of a stored response. */
export const ExpiryStatus = { Invalid: 1, InvalidIfStale: 2, Valid: 3 } as const;

/**
 * `new Controller()` of Data Client. Optimistic writes are installed, requests are not retried, and incomplete data are
 * shown: options override these. `D` is the type of `dispatch`.
 */
export class DataClientController<
  D extends GenericDispatch = DataClientDispatch,
> extends Controller {
  readonly #pipeline: ActionPipeline;
  #lastReset = 0;
  #state: State | undefined;

  constructor(options: ControllerOptions = {}) {
    super({
      optimistic,
      retry: 0,
      returnPartialData: true,
      errorPolicy: errorsBelow500,
      ...options,
    });
    const { prototype } = DataClientController;
    const fetch = prototype.fetch.bind(this);
    // oxlint-disable-next-line typescript/unbound-method -- an identity, not called
    if (new.target.prototype.fetch === prototype.fetch) this.fetch = fetch;
    this.#pipeline = new ActionPipeline(this, (action) => this.#perform(action), fetch);
    this.on('commit', () => (this.#state = undefined));
    this.on('reset', () => {
      this.#lastReset = systemClock.now();
      this.#pipeline.mutations.clear();
    });
    for (const name of Object.getOwnPropertyNames(prototype).slice(1)) {
      const value: unknown = Reflect.get(this, name);
      if (typeof value !== 'function' || Object.hasOwn(this, name)) continue;
      // writable: the constructor of a subclass may wrap a method
      const bound: unknown = value.bind(this);
      Object.defineProperty(this, name, { value: bound, configurable: true, writable: true });
    }
  }

  /** Passes an action through the middleware, and performs it. */
  readonly dispatch: D = ((action: ActionTypes) => this.#pipeline.dispatch(action)) as D;

  /** Replaces the middleware that actions pass, in order. Returns a function that removes the middleware. */
  bindMiddleware(middleware: readonly Middleware[]): () => void {
    return this.#pipeline.use(middleware.map((each) => each(this as never)));
  }

  /** Sends the request of a FETCH action whose middleware does not call `next`. */
  readonly handleFetch = (action: FetchAction): void => this.#pipeline.send(action);

  /** The middleware has passed an action on. */
  async #perform(action: ActionTypes): Promise<void> {
    switch (action.type) {
      case actionTypes.SET:
        return super.set(action.schema, ...action.args, action.value).catch(ignoreAbsentValue);
      case actionTypes.SET_RESPONSE:
        return action.error
          ? super.setError(action.endpoint, ...action.args, action.response)
          : super.setResponse(action.endpoint, ...action.args, action.response);
      case actionTypes.INVALIDATE:
        return super.invalidateAll({ testKey: (key) => key === action.key });
      case actionTypes.INVALIDATEALL:
        return super.invalidateAll(action);
      case actionTypes.EXPIREALL:
        return super.expireAll(action);
      case actionTypes.RESET:
        return super.reset();
      default:
      // subscriptions belong to their manager; the others are reports
    }
  }

  override fetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>>;
  // as in Controller: without null, an error names the argument
  override fetch<E extends EndpointInterface>(
    endpoint: E,
    ...args: CheckedArgs<Parameters<E>>
  ): Promise<DataOf<E>>;
  override fetch<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>> {
    const send = () => super.fetch(withOptimisticUpdate(endpoint), ...args);
    const data = this.#pipeline.readers.call(endpoint, args, send);
    if (endpoint.sideEffect) this.#pipeline.keepMutation(keyOf(endpoint, args), data);
    return data;
  }

  override set<S extends Schema>(
    schema: S,
    ...rest: readonly [...Args, (previous: Denormalized<S>) => unknown]
  ): Promise<void>;
  override set(schema: Schema, ...rest: readonly [...Args, unknown]): Promise<void>;
  override set(schema: Schema, ...rest: readonly unknown[]): Promise<void> {
    const action = createSet(schema, { args: rest.slice(0, -1), value: rest.at(-1) });
    return this.#pipeline.dispatch(action);
  }

  override setResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndOutcome<E>
  ): Promise<void> {
    return this.#setOutcome(endpoint, rest, false);
  }

  override setError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndOutcome<E>
  ): Promise<void> {
    return this.#setOutcome(endpoint, rest, true);
  }

  #setOutcome(endpoint: EndpointInterface, rest: Args, error: boolean): Promise<void> {
    const [args, response] = [rest.slice(0, -1), rest.at(-1)];
    if (args[0] === null) return Promise.resolve();
    const key = keyOf(endpoint, args);
    const meta = this.#pipeline.metaFor(endpoint);
    const about = { type: actionTypes.SET_RESPONSE, endpoint, args, key, meta };
    const action = error ? { ...about, response: response as UnknownError, error } : about;
    return this.#pipeline.dispatch({ response, ...action } as ActionTypes);
  }

  /** The older name of `setResponse`. */
  receive<E extends EndpointInterface>(endpoint: E, ...rest: ArgsAndOutcome<E>): Promise<void> {
    return this.#setOutcome(endpoint, rest, false);
  }

  /** The older name of `setError`. */
  receiveError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndOutcome<E>
  ): Promise<void> {
    return this.#setOutcome(endpoint, rest, true);
  }

  /** Stores the response or the error of a request that a middleware answers itself. */
  resolve(endpoint: EndpointInterface, { args, response, error }: Resolution): Promise<void> {
    return this.#setOutcome(endpoint, [...args, response], error === true);
  }

  override invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<void> {
    if (args[0] === null) return Promise.resolve();
    return this.#pipeline.dispatch({ type: actionTypes.INVALIDATE, key: keyOf(endpoint, args) });
  }

  override invalidateAll(test: KeyTest): Promise<void> {
    const testKey = (key: string) => test.testKey?.(key) === true;
    return this.#pipeline.dispatch({ type: actionTypes.INVALIDATEALL, testKey });
  }

  override expireAll(test: KeyTest): Promise<void> {
    const testKey = (key: string) => test.testKey?.(key) === true;
    return this.#pipeline.dispatch({ type: actionTypes.EXPIREALL, testKey });
  }

  /** Log out: empties the store; see `reset` of the controller of `signalbox`. */
  override reset(): Promise<void> {
    return this.#pipeline.dispatch({ type: actionTypes.RESET, date: systemClock.now() });
  }

  /** The same as `reset`. */
  resetEntireStore(): Promise<void> {
    return this.reset();
  }

  /** Begins a subscription, which the managers serve: polling, streams. */
  subscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<void> {
    return this.#changeSubscription(actionTypes.SUBSCRIBE, endpoint, args);
  }

  /** Ends a single subscription. */
  unsubscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): Promise<void> {
    return this.#changeSubscription(actionTypes.UNSUBSCRIBE, endpoint, args);
  }

  #changeSubscription(
    type: typeof actionTypes.SUBSCRIBE | typeof actionTypes.UNSUBSCRIBE,
    endpoint: EndpointInterface,
    args: Args,
  ): Promise<void> {
    if (args[0] === null) return Promise.resolve();
    return this.#pipeline.dispatch({ type, endpoint, args, key: keyOf(endpoint, args) });
  }

  /** The contents of the store as plain data. */
  getState(): State<unknown> {
    return (this.#state ??= stateOf(this, this.#lastReset));
  }

  /** The store at present, or the store that a state of `mockInitialState` shows. */
  override snapshot(state?: State<unknown>, fetchedAt?: number): ControllerSnapshot {
    const owner = this.#otherOwner(state);
    const snapshot = owner === undefined ? super.snapshot() : owner.snapshot();
    const reader = owner instanceof DataClientController ? owner : this;
    // oxlint-disable-next-line typescript/unbound-method -- the constructor binds them
    const { getError, getResponse, getResponseMeta, getQueryMeta } = reader;
    const reads = { getError, getResponse, getResponseMeta, getQueryMeta };
    return { ...snapshot, fetchedAt: fetchedAt ?? snapshot.fetchedAt, ...reads };
  }

  override getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndState<E>
  ): StoredResponse<DataOf<E>> {
    const args = withoutState(rest) as ArgsOf<E>;
    const owner = this.#otherOwner(rest.at(-1)) ?? this;
    const stored = Controller.prototype.getResponse.call(owner, endpoint, ...args);
    const shape = shapeOf(endpoint.schema) as DataOf<E> | undefined;
    if (args[0] === null) return { ...stored, data: shape, expiryStatus: ExpiryStatus.Valid };
    const result = resultOf(owner, endpoint, args);
    const ofMutation = this.#pipeline.mutations.get(keyOf(endpoint, args));
    const known = stored.data ?? ofMutation ?? (result && storedDataOf(result));
    const data: unknown = known === undefined ? shape : known;
    // after an error, a deletion is no reason to suspend
    const isDeleted = result?.deletionIssued !== undefined && result.failure === undefined;
    const isInvalid = result?.invalidatedAt !== undefined || isDeleted;
    const isShown = known !== undefined && endpoint.invalidIfStale !== true;
    const expiryStatus = isShown ? ExpiryStatus.Valid : ExpiryStatus.InvalidIfStale;
    return {
      ...stored,
      data: data as DataOf<E> | undefined,
      expiryStatus: isInvalid ? ExpiryStatus.Invalid : expiryStatus,
    };
  }

  /** The same as `getResponse`. */
  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndState<E>
  ): StoredResponse<DataOf<E>> {
    return this.getResponse(endpoint, ...rest);
  }

  /** `get` as the member `data` of an object. */
  getQueryMeta<S extends Schema>(
    schema: S,
    ...rest: SchemaArgs<S> | readonly [...SchemaArgs<S>, State<unknown>]
  ): { readonly data: Denormalized<S> | undefined } {
    return { data: this.get(schema, ...rest) };
  }

  /** The error, unless stored data are shown in spite of the error. */
  override getError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAndState<E>
  ): UnknownError | undefined {
    const args = withoutState(rest) as ArgsOf<E>;
    const owner = this.#otherOwner(rest.at(-1)) ?? this;
    const { data, error } = Controller.prototype.getResponse.call(owner, endpoint, ...args);
    return data === undefined ? error : undefined;
  }

  override get<S extends Schema>(
    schema: S,
    ...rest: SchemaArgs<S> | readonly [...SchemaArgs<S>, State<unknown>]
  ): Denormalized<S> | undefined {
    const call = withoutState(rest) as SchemaArgs<S>;
    const owner = this.#otherOwner((rest as Args).at(-1));
    return owner ? owner.get(schema, ...call) : super.get(schema, ...call);
  }

  #otherOwner(state: unknown): Controller | undefined {
    const owner = ownerOf(state);
    return owner === this ? undefined : owner;
  }
}

/** A function that has no current value to change is no error: streams begin before the first response. */
function ignoreAbsentValue(error: unknown): void {
  if (!(error instanceof SignalboxError) || error.code !== 'S10') throw error;
}

/** The arguments without a state at the end. */
function withoutState(args: Args): Args {
  const last = args.at(-1) as Partial<State> | null | undefined;
  const isState = typeof last === 'object' && last !== null && 'entitiesMeta' in last;
  return isState ? args.slice(0, -1) : args;
}

/** An endpoint of Rest Hooks 4 and 5, whose optimistic response is a function of the arguments alone. */
interface OlderEndpoint {
  readonly optimisticUpdate?: (...args: readonly unknown[]) => unknown;
  extend(options: object): never;
}

const extended = new WeakMap<object, EndpointInterface>();

/** The endpoint with `optimisticUpdate` as `getOptimisticResponse`. */
function withOptimisticUpdate<E extends EndpointInterface>(endpoint: E): E {
  // the checks of arguments come later
  const older = (endpoint ?? {}) as unknown as OlderEndpoint;
  const respond = older.optimisticUpdate;
  if (respond === undefined || endpoint.getOptimisticResponse !== undefined) return endpoint;
  let made = extended.get(endpoint);
  if (made === undefined) {
    made = older.extend({
      getOptimisticResponse: (_snapshot: unknown, ...args: readonly unknown[]) =>
        respond.call(endpoint, ...args),
    }) as EndpointInterface;
    extended.set(endpoint, made);
  }
  return made as E;
}
