/** The definition of one kind of request: a callable with a key, a schema and policies. */
import { checkOptions, SignalboxError } from '../diagnostics.ts';
import type { HttpCache } from './HttpCache.ts';
import { readBy } from '../schema/ListEndpoint.ts';
import type { ListEndpoint } from '../schema/ListEndpoint.ts';
import { serialize } from '../schema/serialize.ts';

/** Sends a request: arguments that can be written as JSON in, a promise of the answer out; rejects where it fails. */
// any: functions of every parameter list must fit; parameters are contravariant
export type FetchFunction = (...args: any[]) => Promise<unknown>;
/** How an error is shown: `soft` keeps the data that are there, `hard` is thrown in their place; undefined leaves it to others. */
export type ErrorPolicy = 'hard' | 'soft' | undefined;
/** How often a failed request is sent again, or a function that decides after each attempt; see `Policies.retry`. */
export type Retry = number | boolean | ((error: unknown, attempt: number) => boolean);

/** Policies that a controller, a resource and an endpoint may set; the narrowest wins. Times are in milliseconds. */
export interface Policies {
  /** How long an answer counts as fresh, from its arrival. Default 60,000. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error is remembered before the key may be asked again. Default 1,000. */
  readonly errorExpiryLength?: number | undefined;
  /** An expired answer suspends its reader, instead of being shown while it is asked again. */
  readonly invalidIfStale?: boolean | undefined;
  /** Data that are not complete (list rows without all fields of their class) are shown while the rest is fetched. */
  readonly returnPartialData?: boolean | undefined;
  /**
   * `soft` keeps showing data that are there; `hard` throws. Default: soft from status 500 up, and for responses that are
   * empty or cannot be read (F2, R5, R6), else hard.
   */
  // any: a NetworkError has a status, what a fetch of one's own throws has what it has; the function knows which it gets
  errorPolicy?(error: any): ErrorPolicy;
  /**
   * Polls every so many milliseconds while somebody subscribes (`subscribe`, `useSubscription`, `useLive`), not while the
   * page is hidden or offline. Several subscribers of a key share the least.
   */
  readonly pollFrequency?: number | undefined;
  /**
   * How often a request that failed is sent again before that counts: `3` is up to four attempts. Default: 3 for reads.
   * Mutations are sent once, unless their own endpoint says otherwise (an option of a resource reaches its mutations,
   * too; one of the controller does not). `true` is 3, `false` 0; a function decides after each attempt, the first is 1.
   * Worth another attempt are only: no answer, 408, 425, 429, 500 up, and for reads R5 and R6. The waits grow from 1 s to 30 s, each cut
   * at random; `Retry-After` is waited for in addition, up to a minute: who asks for more is not asked again.
   */
  readonly retry?: Retry | undefined;
  /** Milliseconds until an attempt without an answer is aborted; it fails with F4 (`TimeoutError`). Default: none. */
  readonly timeout?: number | undefined;
  /** Refetches mounted, expired data when the user comes back to the page. Default true. */
  readonly refetchOnFocus?: boolean | undefined;
  /** The same when the network comes back. Default true. */
  readonly refetchOnReconnect?: boolean | undefined;
  /** How long unread data stay in memory after their last use and expiry. Default 300,000. */
  readonly sweepAfter?: number | undefined;
  /**
   * `httpCache`: the server's `Cache-Control`, `Age` and `Expires` (RFC 9111, 5861) go before `dataExpiryLength`, and stored
   * responses are revalidated by `ETag` or `Last-Modified`. For GET of rest endpoints; `no-store` holds for all methods.
   */
  readonly http?: HttpCache | false | undefined;
  /**
   * A confirmed mutation expires the lists that it may have changed and that cannot be updated with certainty, and refetches
   * mounted ones. `false` keeps the lists of an endpoint, or all lists after a mutation, as they are. Default 'auto'.
   */
  readonly revalidateLists?: 'auto' | false | undefined;
}

/** What `new Endpoint(fn, options)` and `extend(options)` take. Times are in milliseconds. */
export interface EndpointOptions<
  F extends FetchFunction = FetchFunction,
  S = unknown,
> extends Policies {
  readonly schema?: S;
  /** True for a mutation: always sent, never stored under its key. */
  readonly sideEffect?: boolean | undefined;
  readonly name?: string;
  /** Identity of a request: same key, same answer. Default: the name and the arguments. */
  key?(...args: Parameters<F>): string;
  /** True when a key may belong to this endpoint; to be given with a `key` that does not begin with the name. */
  testKey?(key: string): boolean;
  // any: the snapshot is declared two floors above; the function states its own parameters
  getOptimisticResponse?: ((snapshot: any, ...args: Parameters<F>) => unknown) | undefined;
  /**
   * What the answer of a mutation changes elsewhere, by the key of each request; a key that holds nothing is passed
   * over. Both the answer and what is stored come with primary keys in the place of entities, members of a Union as
   * `{id, schema}`.
   */
  // any: the answer and what is stored are of the user's own types
  update?: ((answer: any, ...args: Parameters<F>) => Updates) | undefined;
  /** Of the caller: aborted, its promise rejects, and the request ends where nobody else waits for it. */
  readonly signal?: AbortSignal | undefined;
  /** Yours: the library carries it and never looks into it. */
  readonly extra?: unknown;
}

/** From what is stored under a key to what is to be stored there. */
// any: what is stored is of the user's own types
export type Updates = Readonly<Record<string, (present: any) => unknown>>;

/** What a reader, a controller and an adapter need to know of an endpoint; `Endpoint` and all its kin fit. */
export interface EndpointInterface<
  F extends FetchFunction = FetchFunction,
  S = unknown,
> extends Policies {
  (...args: Parameters<F>): ReturnType<F>;
  readonly name: string;
  /** How messages call it: its name, or `GET /users/:id`. */
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
  /** Where this asks for one page of a list: that list, which each answer makes longer. */
  listOf?(...args: Parameters<F>): EndpointCall | undefined;
}

declare const mutation: unique symbol;

/** Type only: says of an endpoint that it is a mutation. S is its `sideEffect`. */
export interface MutationMark<S> {
  readonly [mutation]?: 0 extends 1 & S ? undefined : [S] extends [true] ? true : undefined;
}

/** What a reader takes: no endpoint whose type says that it is a mutation (others are E7 when they are read). */
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

/** The fields that a class of the user's own adds to `Base`; anything where it adds none. */
export type OwnFields<E, Base> = [Exclude<keyof E, keyof Base>] extends [never]
  ? unknown
  : Pick<E, Exclude<keyof E, keyof Base>>;

/** An endpoint with the arguments of one call. */
export interface EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

export interface Endpoint<F extends FetchFunction = FetchFunction, S = undefined, M = false>
  extends EndpointInterface<F, S>, MutationMark<M> {
  readonly sideEffect: M extends true ? true : boolean | undefined;
  readonly extra?: unknown;
  /** Sends the request; what calling the endpoint does. */
  fetch(...args: Parameters<F>): ReturnType<F>;
}

/**
 * `new Endpoint(fetch, options)` is the function `fetch` with an identity: call it, ask its `key(...args)`,
 * `extend` it. Called as a function it sends the request and nothing is stored; `controller.fetch` stores.
 * No `eval`, no `Function` constructor: it works under a strict Content Security Policy.
 * Throws E1 when the first argument is no function.
 */
export class Endpoint<F extends FetchFunction = FetchFunction, S = undefined, M = false> {
  constructor(fetch: F, options?: EndpointOptions<F, S>) {
    if (typeof fetch !== 'function') throw new SignalboxError('E1', { value: fetch });
    if (options) checkOptions(options, new.target.prototype as object);
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
    return `${this.name} ${serialize(args)}`;
  }

  /** True when `key` may belong to this endpoint: for `controller.invalidateAll` and `expireAll`. */
  testKey(key: string): boolean {
    return key.startsWith(`${this.name} `);
  }

  /**
   * A new endpoint of the same class with these options over its own. What was there before stays reachable:
   * `fetch(...args) { return previous.fetch.call(this, ...args); }`. Fields of a class of your own may be among them.
   */
  extend<G extends FetchFunction = F, T = S, N = M>(
    options: EndpointOptions<G, T> & { readonly fetch?: G; readonly sideEffect?: N } & Partial<
        OwnFields<this, Endpoint>
      >,
  ): Endpoint<G, T, N> & OwnFields<this, Endpoint> {
    const Class = this.constructor as typeof Endpoint;
    const merged = { ...this, ...options } as EndpointOptions & { fetch: FetchFunction };
    return setOptions(new Class(merged.fetch, merged), merged) as never;
  }
}

// endpoints are functions: bind, call and apply work. Not in a static block, which React Native cannot compile
Object.setPrototypeOf(Endpoint.prototype, Function.prototype);

/**
 * Prototypes of classes without private members: a proxy of such an endpoint does for a copy of it, and costs a
 * hundredth. Users' classes are not among them.
 */
export const proxyablePrototypes: WeakSet<object> = new WeakSet<object>([Endpoint.prototype]);

/**
 * Makes options own members of an endpoint. After a constructor has run this is asked again, so that options win over
 * the fields of a subclass. An `undefined` method gives the one of the class back.
 */
export function setOptions<E extends object>(endpoint: E, options: object): E {
  for (const [name, value] of Object.entries(options)) {
    const current: unknown = value === undefined && Reflect.get(endpoint, name);
    if (typeof current === 'function') continue;
    // defined, not assigned: functions are born with a `name` that is read-only
    const property = { value, configurable: true, writable: true, enumerable: true };
    Object.defineProperty(endpoint, name, property);
  }
  const { schema } = endpoint as { schema?: unknown };
  const bound = readBy(schema, endpoint as unknown as ListEndpoint);
  if (bound !== schema) Object.defineProperty(endpoint, 'schema', { value: bound });
  return endpoint;
}

/** What a policy for errors is asked about. */
interface Judged {
  readonly status?: number | undefined;
  readonly code?: unknown;
}

/** True for a response that came and cannot be read: HTML in the place of JSON, JSON cut off. */
export function isUnreadable(error: unknown): boolean {
  const { code } = (error ?? {}) as Judged;
  return code === 'R5' || code === 'R6';
}

/**
 * What rest endpoints answer unless told otherwise: soft from status 500 up and without any, and where a response came
 * without what was asked for (R5, R6, F2: their status says what is likely, not that data are gone), else hard.
 */
export function defaultErrorPolicy(error: Judged): ErrorPolicy {
  const empty = isUnreadable(error) || error.code === 'F2';
  return empty || (error.status ?? 500) >= 500 ? 'soft' : 'hard';
}
