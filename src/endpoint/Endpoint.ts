/** The definition of a kind of request: a callable with a key, a schema and policies. */
import { checkOptions, DEV, SignalboxError, warn } from '../errors.ts';
import { bindTo } from '../schema/bindTo.ts';
import type { ListEndpoint } from '../schema/bindTo.ts';
import { defineOwn } from '../schema/fieldOf.ts';
import { serialize } from '../schema/serialize.ts';

/** Sends a request: takes arguments that fit into JSON, returns a promise of the response, rejects on failure. */
// any: functions of every parameter list must fit; parameters are contravariant
export type FetchFunction<A extends readonly any[] = any[], R = unknown> = (
  ...args: A
) => Promise<R>;
/** How an error is shown: `soft` keeps stored data, `hard` is thrown instead; undefined: a wider policy decides. */
export type ErrorPolicy = 'hard' | 'soft' | undefined;
/** How often a failed request is retried, or a function that decides after each attempt; see `Policies.retry`. */
export type Retry = number | boolean | ((error: unknown, attempt: number) => boolean);

/** Policies of a controller, a resource or an endpoint; the narrowest wins. Times are in milliseconds. */
export interface Policies {
  /** How long a response is fresh after arrival. Default 60,000. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error is kept before the key may be refetched. Default 1,000. */
  readonly errorExpiryLength?: number | undefined;
  /** Readers of expired data suspend, instead of showing the data during the refetch. */
  readonly invalidIfStale?: boolean | undefined;
  /** Incomplete data (list rows without all fields of their class) are shown while the rest is fetched. */
  readonly returnPartialData?: boolean | undefined;
  /**
   * `soft` keeps showing stored data; `hard` throws. Default: soft from status 500 up, and for responses that are empty
   * or cannot be read (F2, R5, R6), else hard.
   */
  // any: a NetworkError has a status, errors of a custom fetch may be anything; the function knows their type
  errorPolicy?(error: any): ErrorPolicy;
  /**
   * The polling interval in milliseconds while there are subscribers (`subscribe`, `useSubscription`, `useLive`). No
   * polling while the page is hidden or offline. Several subscribers of a key share the smallest interval. A function of
   * the last result returns the interval; `false`, 0, undefined or an exception, which is reported, ends the polling.
   * So does a status 4xx (not 408, 425, 429), until a component subscribes anew.
   */
  readonly pollFrequency?:
    | number
    // any: the data have the user's own type
    | ((data: any, error: Error | undefined) => number | false | undefined)
    | undefined;
  /** `useDLE` keeps showing the data of the former arguments while the data of new arguments load. Default false. */
  readonly keepPreviousData?: boolean | undefined;
  /**
   * How often a failed request is retried before the error counts: `3` is up to four attempts. Default: 3 for reads.
   * Mutations are sent once, unless their own endpoint sets the option (options of a resource apply to its mutations,
   * options of the controller do not). `true` is 3, `false` 0; a function decides after each attempt, the first is 1.
   * Only these failures are retried: no response, 408, 425, 429, 500 up, and for reads R5 and R6. The delays grow from
   * 1 s to 30 s, each a random part; `Retry-After` is added, up to a minute: a longer delay ends the retries.
   */
  readonly retry?: Retry | undefined;
  /** Milliseconds until an attempt without a response is aborted and fails with F4 (`TimeoutError`). Default: none. */
  readonly timeout?: number | undefined;
  /** Refetches mounted, expired data when the user comes back to the page. Default true. */
  readonly refetchOnFocus?: boolean | undefined;
  /** The same when the network comes back. Default true. */
  readonly refetchOnReconnect?: boolean | undefined;
  /** How long unread data stay in memory after their last use and expiry. Default 300,000. */
  readonly sweepAfter?: number | undefined;
  /**
   * `httpCache`: the server's `Cache-Control`, `Age` and `Expires` (RFC 9111, 5861) override `dataExpiryLength`, stored
   * responses are revalidated by `ETag` or `Last-Modified`. For GET of rest endpoints; `no-store` applies to any
   * method.
   */
  readonly http?: HttpCache | false | undefined;
  /**
   * A confirmed mutation expires lists that may be affected and that cannot be updated with certainty, and
   * refetches mounted ones. `false` keeps the lists of an endpoint, or all lists after a mutation. Default 'auto'.
   */
  readonly revalidateLists?: 'auto' | false | undefined;
  /**
   * A change of a field by which stored lists are filtered moves the row between these lists, and expires the lists.
   * `false` leaves the lists of an endpoint, or all lists, unchanged. Default 'auto'.
   */
  readonly moveRows?: 'auto' | false | undefined;
}

/** Options of `new Endpoint(fn, options)` and `extend(options)`. Times are in milliseconds. */
export interface EndpointOptions<
  F extends FetchFunction = FetchFunction,
  S = unknown,
> extends Policies {
  readonly schema?: S;
  /** True for a mutation: always sent, never stored under the key. */
  readonly sideEffect?: boolean | undefined;
  readonly name?: string;
  /** Identity of a request: same key, same response. Default: the name and the arguments. */
  key?(...args: Parameters<F>): string;
  /** True when a key may belong to this endpoint; required with a `key` that does not begin with the name. */
  testKey?(key: string): boolean;
  // any: the snapshot is declared two layers above; the function declares the parameters
  getOptimisticResponse?: ((snapshot: any, ...args: Parameters<F>) => unknown) | undefined;
  /**
   * Changes of other results by the response of a mutation, by the key of each request; keys without a stored result
   * are skipped. In the response and the stored results, primary keys stand for entities, and `{id, schema}` for
   * members of a Union.
   */
  // any: the response and the stored results have the user's own types
  update?: ((answer: any, ...args: Parameters<F>) => Updates) | undefined;
  /** The caller's signal. An abort rejects the caller's promise, and aborts a request without other callers. */
  readonly signal?: AbortSignal | undefined;
  /** For the application: carried and never read by the library. */
  readonly extra?: unknown;
}

/** Functions from the stored result of a key to the new result. */
// any: stored results have the user's own types
export type Updates = Readonly<Record<string, (present: any) => unknown>>;

/** The members of an endpoint that readers, controllers and adapters use; `Endpoint` and subclasses fit. */
export interface EndpointInterface<
  F extends FetchFunction = FetchFunction,
  S = unknown,
> extends Policies {
  (...args: Parameters<F>): ReturnType<F>;
  readonly name: string;
  /** The name in messages: the endpoint's name, or `GET /users/:id`. */
  readonly title?: string;
  readonly schema?: S;
  readonly sideEffect?: boolean | undefined;
  key(...args: Parameters<F>): string;
  testKey?(key: string): boolean;
  readonly signal?: AbortSignal | undefined;
  // any: as in EndpointOptions
  getOptimisticResponse?: ((snapshot: any, ...args: Parameters<F>) => unknown) | undefined;
  // any: as in EndpointOptions
  update?: ((answer: any, ...args: Parameters<F>) => Updates) | undefined;
  /** If this endpoint fetches a page of a list: that list, to which each response adds rows. */
  listOf?(...args: Parameters<F>): EndpointCall | undefined;
  /** A reader in the place of the reader of a request. @internal */
  createReader?(this: void, reader: object, controller: object): object;
}

declare const mutation: unique symbol;

/**
 * Type only: marks an endpoint as a mutation. S is the type of `sideEffect`. Undefined is compared first:
 * without strictNullChecks, undefined extends `true`.
 */
export interface MutationMark<S> {
  readonly [mutation]?: [S] extends [undefined] ? undefined : [S] extends [true] ? true : undefined;
}

/** The endpoints of readers: none with a type that marks a mutation (to read any other mutation throws E7). */
export interface ReadEndpoint<
  F extends FetchFunction = FetchFunction,
  S = unknown,
> extends EndpointInterface<F, S> {
  readonly [mutation]?: undefined;
}

/** Type only: a schema, where an endpoint would be a mistake. */
export interface NoEndpoint {
  readonly testKey?: undefined;
}

/** The fields that a user's class adds to `Base`; `unknown` if there are none. */
export type OwnFields<E, Base> = [Exclude<keyof E, keyof Base>] extends [never]
  ? unknown
  : Pick<E, Exclude<keyof E, keyof Base>>;

/** An endpoint with the arguments of a call. */
export interface EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

export interface Endpoint<F extends FetchFunction = FetchFunction, S = undefined, M = false>
  extends EndpointInterface<F, S>, MutationMark<M> {
  readonly sideEffect: M extends true ? true : boolean | undefined;
  readonly extra?: unknown;
  /** Sends the request; same as calling the endpoint. */
  fetch(...args: Parameters<F>): ReturnType<F>;
}

/**
 * `new Endpoint(fetch, options)` is the function `fetch` with an identity, `key(...args)`, and with `extend`. A call
 * sends the request and stores nothing; `controller.fetch` stores. Uses no `eval` and no `Function` constructor: works
 * under a strict Content Security Policy. Throws E1 when the first argument is not a function.
 */
export class Endpoint<F extends FetchFunction = FetchFunction, S = undefined, M = false> {
  constructor(fetch: F, options?: EndpointOptions<F, S>) {
    if (typeof fetch !== 'function') throw new SignalboxError('E1', { value: fetch });
    if (DEV && options) checkOptions(options, new.target.prototype as object);
    const { prototype } = Endpoint;
    // when the first endpoint is made: a statement of the module would keep the class in bundles without endpoints
    if (!proxyablePrototypes.has(prototype)) {
      proxyablePrototypes.add(prototype);
      // endpoints are functions: bind, call and apply work
      Object.setPrototypeOf(prototype, Function.prototype);
    }
    const self = ((...args: Parameters<F>) => self.fetch(...args)) as unknown as this;
    Object.setPrototypeOf(self, new.target.prototype);
    Object.defineProperty(self, 'length', { value: fetch.length, configurable: true });
    setOptions(self, { name: fetch.name, ...options, fetch });
    return self;
  }

  get title(): string {
    return this.name;
  }

  /** Identity of the request with these arguments; the order of members inside an argument does not matter. */
  key(...args: Parameters<F>): string {
    if (DEV && this.name === '') warnOfNoName(this);
    return `${this.name} ${serialize(args, this)}`;
  }

  /** True when `key` may belong to this endpoint: for `controller.invalidateAll` and `expireAll`. */
  testKey(key: string): boolean {
    return key.startsWith(`${this.name} `);
  }

  /**
   * A new endpoint of the same class with these options over the existing options. The previous members stay reachable:
   * `fetch(...args) { return previous.fetch.call(this, ...args); }`. Options may contain fields of a user's own class.
   */
  extend<G extends FetchFunction = F, T = S, N = M>(
    options: EndpointOptions<G, T> & { readonly fetch?: G; readonly sideEffect?: N } & Partial<
        OwnFields<this, Endpoint>
      >,
  ): Endpoint<G, T, N> & OwnFields<this, Endpoint> {
    const Class = this.constructor as typeof Endpoint;
    const merged = { ...this, ...options } as EndpointOptions & { fetch: FetchFunction };
    return overrideFields(new Class(merged.fetch, merged), merged) as never;
  }
}

/** Options override the fields of a subclass, which are set after the constructor of Endpoint has run. */
export function overrideFields<E extends object>(endpoint: E, options: object): E {
  const isOwn = proxyablePrototypes.has(Object.getPrototypeOf(endpoint) as object);
  return isOwn ? endpoint : setOptions(endpoint, options);
}

/** Makes options own members of an endpoint. An `undefined` method restores the method of the class. */
function setOptions<E extends object>(endpoint: E, options: object): E {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined && typeof Reflect.get(endpoint, name) === 'function') continue;
    defineOwn(endpoint, name, value);
  }
  const { schema } = endpoint as { schema?: unknown };
  const bound = bindTo(schema, endpoint as unknown as ListEndpoint);
  if (bound !== schema) Object.defineProperty(endpoint, 'schema', { value: bound });
  return endpoint;
}

/** Keys of endpoints without a name are equal. */
function warnOfNoName({ fetch }: { readonly fetch: unknown }): void {
  const text = String(fetch);
  warn('E15', text, { fetch: text });
}

/**
 * Prototypes of the library's endpoint classes without private members: for these, a proxy replaces a copy at a
 * hundredth of the cost. Users' classes are not included. A class is added with the first endpoint of the class.
 */
export const proxyablePrototypes: WeakSet<object> = new WeakSet();

export type Network = (typeof globalThis)['fetch'];

/** Keyed by the signal of the attempt: no other value reaches the network, whichever method an endpoint overrides. */
export const networks: WeakMap<AbortSignal, Network> = new WeakMap();

declare const HTTP_CACHE: unique symbol;

/** Only `httpCache` has this type. */
export interface HttpCache {
  readonly [HTTP_CACHE]: true;
}

/** True for an abort error: of fetch (if the signal had no custom reason), of `throwIfAborted`, of React Native. */
export function isAbort(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | undefined | null)?.name === 'AbortError';
}

/** The error that an error policy gets. */
export interface ErrorWithStatus {
  readonly status?: number | undefined;
  readonly code?: unknown;
}

/** True for a response that arrived but cannot be read: HTML instead of JSON, truncated JSON. */
export function isUnreadable(error: unknown): boolean {
  const { code } = (error ?? {}) as ErrorWithStatus;
  return code === 'R5' || code === 'R6';
}

/** True for a response with status 404. */
export function isNotFound(error: unknown): boolean {
  return ((error ?? {}) as ErrorWithStatus).status === 404;
}

/**
 * The default error policy of rest endpoints: soft from status 500 up and without a status, and for a response without
 * the requested data (R5, R6, F2: the status is only likely and does not say that data are gone), else hard.
 */
export function defaultErrorPolicy(error: ErrorWithStatus): ErrorPolicy {
  const empty = isUnreadable(error) || error.code === 'F2';
  return empty || (error.status ?? 500) >= 500 ? 'soft' : 'hard';
}

declare const OPTIMISTIC: unique symbol;

/** Only `optimistic` has this type. */
export interface Optimistic {
  readonly [OPTIMISTIC]: true;
}
