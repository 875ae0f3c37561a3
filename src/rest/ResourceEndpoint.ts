/** The endpoints of the older class Resource: a function of the class computes their address, not a path. */
import type { EndpointInterface, ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';
import { splitCall } from './splitCall.ts';
import { returned, withHeaders } from './request.ts';
import { refuseUnreadable, RestBase } from './RestBase.ts';
import type { CallbackArgs } from './RestEndpointOptions.ts';

/** The type of params: any record. */
// any: data of any interface must fit, also without an index signature
export type ParamsRecord = Readonly<Record<string, any>>;

/** One kind of request of a Resource. A is the argument list of a call; `extend` infers it from `fetch` or `url`. */
// any begin: a response has no type, and an extension declares its own arguments
export interface ResourceEndpoint<A extends any[] = any[], S = unknown> extends EndpointInterface<
  (...args: A) => Promise<any>,
  S
> {
  readonly schema: S;
  readonly method: string;
  readonly title: string;
  readonly sideEffect: boolean | undefined;
  readonly extra?: unknown;
  fetch(...args: A): Promise<any>;
  /** The address: computed by the class, unless an extension overrides it. */
  url(...args: A): string;
  testKey(key: string): boolean;
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<any>;
  process(value: any, ...args: any): any;
  errorPolicy(error: any): ErrorPolicy;
  extend<B extends any[] = A, T = S>(
    options: ResourceEndpointOptions<B, T> & ThisType<ResourceEndpoint<B, T>>,
  ): ResourceEndpoint<B, T>;
}

/** The arguments of a callback, for an A that is known already: an indexed access stops the inference. */
type Known<A extends any[]> = [CallbackArgs<A>][A extends any[] ? 0 : never];

/** The options of `extend`. */
export interface ResourceEndpointOptions<A extends any[], S> extends Policies {
  readonly schema?: S;
  readonly method?: string;
  readonly name?: string;
  /** Default: by method. */
  readonly sideEffect?: boolean | undefined;
  /** `undefined`: a mutation without a body. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly extra?: unknown;
  fetch?(...args: A): Promise<any>;
  url?(...args: A): string;
  key?(...args: A): string;
  /** Required together with a `url` that does not begin with the class's `urlRoot`. */
  testKey?(key: string): boolean;
  getHeaders?(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse?(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<any>;
  process?(value: any, ...args: Known<A>): any;
  getOptimisticResponse?: ((snapshot: any, ...args: Known<A>) => unknown) | undefined;
}
// any end

/** The members of the class that an endpoint uses. */
export interface ResourceClassPort {
  readonly urlRoot: string;
  url(params: ParamsRecord): string;
  listUrl(params?: ParamsRecord): string;
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit>;
  fetch(input: string, init: TaggedRequestInit): Promise<unknown>;
}

/** Identifies the endpoint in the init it sends: a custom `fetch` may pass on a copy. */
export const ENDPOINT_REF: unique symbol = Symbol('signalbox.by');
export interface TaggedRequestInit extends RequestInit {
  readonly [ENDPOINT_REF]?: RestBase;
}

/*
 *               path     address           one argument    two arguments
 *   detail …    /:pk     home.url          params          params, body
 *   list        ''       home.listUrl      params          params
 *   create      ''       home.listUrl      body            params, body
 */

/** The implementation; the interface above is its public type. */
export class ResourceRequest extends RestBase {
  declare readonly home: ResourceClassPort;
  /** True if the address comes from the class's `url` or `listUrl`, and neither is overridden. */
  declare readonly usual: boolean;

  override get title(): string {
    return `${this.method} ${this.name}`;
  }

  override get listAddress(): string | object | undefined {
    // oxlint-disable-next-line typescript/unbound-method -- an identity, not called
    return Object.hasOwn(this, 'url') ? this.url : this.home.urlRoot + this.path;
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    const url = this.url(...args);
    const init = await this.getRequestInit(splitCall(this, args).body);
    return this.process(await this.home.fetch(url, { ...init, [ENDPOINT_REF]: this }), ...args);
  }

  override url(...args: readonly unknown[]): string {
    const { params } = splitCall(this, args);
    refuseUnreadable(this, params);
    return this.path === '' ? this.home.listUrl(params) : this.home.url(params);
  }

  override testKey(key: string): boolean {
    const start = `${this.method} ${this.home.urlRoot}`;
    if (this.usual && !Object.hasOwn(this, 'url')) {
      const rest = key.slice(start.length);
      return key.startsWith(start) && (this.path === '' ? /^(?:\?|$)/ : /^\/?[^/?]+$/).test(rest);
    }
    return key.startsWith(start) || key === this.#keyOfNothing();
  }

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    const { method, signal, home } = this;
    const told = returned('getRequestInit', await home.getRequestInit(body), this);
    const given = this.getHeaders(told.headers ?? {});
    const init = await withHeaders({ method, ...(signal && { signal }), ...told }, given, this);
    return home.getFetchInit(init);
  }

  /** The only key of an endpoint without arguments. */
  #keyOfNothing(): string | undefined {
    try {
      return this.key();
    } catch {
      return undefined;
    }
  }
}
