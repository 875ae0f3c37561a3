/** Endpoints of a GraphQL server: one address, and an operation for each kind of request. */
import type { EndpointInterface, ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';
import { serialize } from '../schema/serialize.ts';
import { NetworkError } from './NetworkError.ts';
import { readValue } from './response.ts';
import { RestBase } from './RestBase.ts';

/** The text of an operation, or a function that makes it of the variables. */
export type Operation<A extends readonly unknown[]> = string | ((...variables: A) => string);

// any: variables of any interface must fit, also those without an index signature
type AnyVariables = [variables?: Readonly<Record<string, any>>];

/** Options from which no type follows. A is what a call takes. */
// any begin: what the server sends has no type
export interface GQLOptions<A extends readonly unknown[] = any[]> extends Policies {
  /** Default: the name of the operation, as in `query UserDetail(…)`. */
  readonly name?: string;
  readonly signal?: AbortSignal | undefined;
  /** Yours: the library carries it and never looks into it. */
  readonly extra?: unknown;
  key?(...args: A): string;
  testKey?(key: string): boolean;
  fetch?(...args: A): Promise<any>;
  getHeaders?(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse?(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<any>;
  /** What the schema and the caller get of the answer's `data`. */
  process?(data: any, ...args: A): any;
  getOptimisticResponse?: ((snapshot: any, ...args: A) => unknown) | undefined;
}

/** One operation: call it with its variables. Its value is the answer's `data`. */
export interface GQLEndpoint<
  A extends readonly unknown[] = AnyVariables,
  S = undefined,
> extends EndpointInterface<(...args: A & any[]) => Promise<any>, S> {
  readonly schema: S;
  readonly title: string;
  readonly sideEffect: true | undefined;
  readonly extra?: unknown;
  fetch(...args: A): Promise<any>;
  /** The address of the server. */
  url(...args: A): string;
  /** Address, name, operation and variables. */
  key(...args: A): string;
  testKey(key: string): boolean;
  getQuery(...args: A): string;
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** The answer's `data`. Rejects with NetworkError R11 when it has `errors`, which `error.body` carries. */
  parseResponse(response: Response): Promise<any>;
  process(data: any, ...args: any): any;
  errorPolicy(error: any): ErrorPolicy;
  extend<T = S>(
    options: GQLOptions<A> & { readonly schema?: T } & ThisType<GQLEndpoint<A, T>>,
  ): GQLEndpoint<A, T>;

  /** An operation that reads: sent by POST, and a read all the same. */
  query<B extends readonly unknown[] = AnyVariables, T = undefined>(
    operation: Operation<B>,
    schema?: T,
  ): GQLEndpoint<B, T>;
  /** An operation that changes: always sent, never stored under its key. */
  mutation<B extends readonly unknown[] = AnyVariables, T = undefined>(
    operation: Operation<B>,
    schema?: T,
  ): GQLEndpoint<B, T>;
}
// any end

/** How a server is named, and what a subclass extends. */
export interface GQLEndpointConstructor {
  new (url: string, options?: GQLOptions): GQLEndpoint;
  readonly prototype: GQLEndpoint;
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message?: unknown }[];
}

/** The class as it runs; what users see of it is the interface above. */
class GQLBase extends RestBase {
  declare readonly operation: Operation<readonly unknown[]>;

  /** Called with the options of an earlier one by `extend`. */
  constructor(first: string | { readonly path: string }, options: object = {}) {
    const server = { ...operated(''), ...options, urlPrefix: first };
    super(typeof first === 'string' ? server : first);
  }

  override get method(): string {
    return 'POST';
  }

  override get sideEffect(): true | undefined {
    return undefined;
  }

  override get listAddress(): undefined {
    return undefined;
  }

  override get title(): string {
    return `${this.sideEffect === true ? 'mutation' : 'query'} ${this.name}`;
  }

  override url(..._args: readonly unknown[]): string {
    return this.urlPrefix;
  }

  getQuery(...args: readonly unknown[]): string {
    const { operation } = this;
    return typeof operation === 'string' ? operation : operation(...args);
  }

  override key(...args: readonly unknown[]): string {
    return `${this.#stem()}${JSON.stringify(this.getQuery(...args))} ${serialize(args[0])}`;
  }

  override testKey(key: string): boolean {
    const { operation } = this;
    const known = typeof operation === 'string' ? `${JSON.stringify(operation)} ` : '';
    return key.startsWith(this.#stem() + known);
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    const [variables] = args;
    const init = await this.getRequestInit({ query: this.getQuery(...args), variables });
    const response = await this.fetchResponse(this.url(), init);
    return this.process(await this.parseResponse(response), ...args);
  }

  override async parseResponse(response: Response): Promise<unknown> {
    const about = { endpoint: this.title, method: this.method, url: response.url, response };
    const answer = (await readValue(response, { expectsJson: true, about })) as Answer | null;
    const { data, errors } = answer ?? {};
    if (errors === undefined || errors === null || errors.length === 0) return data;
    const reason = errors.map(({ message }) => String(message)).join('; ');
    throw new NetworkError('R11', { reason }, { ...about, status: 400, body: answer });
  }

  query(operation: Operation<readonly unknown[]>, schema?: unknown): never {
    return this.extend({ ...operated(operation), schema, sideEffect: undefined });
  }

  mutation(operation: Operation<readonly unknown[]>, schema?: unknown): never {
    return this.extend({ ...operated(operation), schema, sideEffect: true });
  }

  #stem(): string {
    return `${this.urlPrefix} ${this.name} `;
  }
}

/** What an operation makes of an endpoint: its text, and the name that stands in it. */
function operated(operation: Operation<readonly unknown[]>): {
  readonly path: string;
  readonly name: string;
  readonly operation: Operation<readonly unknown[]>;
} {
  const named = /^\s*(?:query|mutation)\s+(\w+)/;
  const text = typeof operation === 'string' ? named.exec(operation)?.[1] : operation.name;
  return { path: '', operation, name: text === undefined || text === '' ? 'anonymous' : text };
}

/**
 * `const gql = new GQLEndpoint('https://host/graphql')` names a server; `gql.query(text, {user: User})` and
 * `gql.mutation(text, schema)` are endpoints on it. Override `getHeaders` or `getRequestInit` in a subclass, or with
 * `gql.extend`, for all of them.
 */
export const GQLEndpoint: GQLEndpointConstructor = GQLBase as never;
