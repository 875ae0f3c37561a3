/** Endpoints of a GraphQL server: a single address, and an operation for each kind of request. */
import { checkArgument, DEV } from '../errors.ts';
import type { EndpointInterface, ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';
import { serialize } from '../schema/serialize.ts';
import { NetworkError } from './NetworkError.ts';
import { requireObject } from './request.ts';
import { readValue } from './response.ts';
import { RestBase } from './RestBase.ts';

/** The text of an operation, or a function that returns the text for the variables. */
export type Operation<A extends readonly unknown[]> = string | ((...variables: A) => string);

// any: variables of any interface must fit, also without an index signature
type AnyVariables = [variables?: Readonly<Record<string, any>>];

/** Options without an effect on the type. A is the argument list of a call. */
// any begin: a response has no type
export interface GQLOptions<A extends readonly unknown[] = any[]> extends Policies {
  /** Default: the name of the operation, as in `query UserDetail(…)`. */
  readonly name?: string;
  readonly signal?: AbortSignal | undefined;
  /** User data, which the library passes on and never reads. */
  readonly extra?: unknown;
  key?(...args: A): string;
  testKey?(key: string): boolean;
  fetch?(...args: A): Promise<any>;
  getHeaders?(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse?(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<any>;
  /** Transforms the response's `data` for the schema and the caller. */
  process?(data: any, ...args: A): any;
  getOptimisticResponse?: ((snapshot: any, ...args: A) => unknown) | undefined;
}

/** An operation: call it with the variables. The value is the response's `data`. */
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
  /** The response's `data`. Rejects with NetworkError R11 if the response has `errors`, which `error.body` contains. */
  parseResponse(response: Response): Promise<any>;
  process(data: any, ...args: any): any;
  errorPolicy(error: any): ErrorPolicy;
  extend<T = S>(
    options: GQLOptions<A> & { readonly schema?: T } & ThisType<GQLEndpoint<A, T>>,
  ): GQLEndpoint<A, T>;

  /** An operation that reads data. Sent by POST, but not a mutation. */
  query<B extends readonly unknown[] = AnyVariables, T = undefined>(
    operation: Operation<B>,
    schema?: T,
  ): GQLEndpoint<B, T>;
  /** An operation that changes data: always sent, never stored under a key. */
  mutation<B extends readonly unknown[] = AnyVariables, T = undefined>(
    operation: Operation<B>,
    schema?: T,
  ): GQLEndpoint<B, T>;
}
// any end

/** The constructor for a server, and the base of subclasses. */
export interface GQLEndpointConstructor {
  new (url: string, options?: GQLOptions): GQLEndpoint;
  readonly prototype: GQLEndpoint;
}

/** The errors should be a list of objects with messages, but are whatever the server sends. */
export interface GraphQLAnswer {
  readonly data?: unknown;
  readonly errors?: unknown;
}

/** The implementation; the interface above is the public type. */
class GQLBase extends RestBase {
  declare readonly operation: Operation<readonly unknown[]>;

  /** `extend` calls the constructor with the options of an existing endpoint. */
  constructor(first: string | { readonly path: string }, options: object = {}) {
    if (DEV) checkArgument(Boolean(first), 'new GQLEndpoint', first, 'the address of a server');
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
    return `${this.#stem()}${JSON.stringify(this.getQuery(...args))} ${serialize(args[0], this)}`;
  }

  override testKey(key: string): boolean {
    const { operation } = this;
    const known = typeof operation === 'string' ? `${JSON.stringify(operation)} ` : '';
    return key.startsWith(this.#stem() + known);
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    const [variables] = args;
    const given = await this.getRequestInit({ query: this.getQuery(...args), variables });
    const init = requireObject('getRequestInit', given, this, this.method);
    const response = await this.fetchResponse(this.url(), init);
    return this.process(await this.parseResponse(response), ...args);
  }

  override async parseResponse(response: Response): Promise<unknown> {
    const request = { endpoint: this.title, method: this.method, url: response.url, response };
    const answer = (await readValue(response, {
      expectsJson: true,
      request: () => request,
    })) as GraphQLAnswer | null;
    const errors = errorsIn(answer);
    if (errors.length === 0) return answer?.data;
    const reason = messagesIn(errors);
    throw new NetworkError('R11', { reason }, { ...request, status: 400, body: answer });
  }

  /** Servers may send the errors with status 400. With any other, the status is the reason, and is kept. */
  override async fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    try {
      return await super.fetchResponse(input, init);
    } catch (error) {
      const errors = errorsIn((error as NetworkError).body as GraphQLAnswer | null | undefined);
      if (!(error instanceof NetworkError) || errors.length === 0) throw error;
      const { status, response, body, method, url } = error;
      const reason = messagesIn(errors);
      const details = { endpoint: this.title, status, response, body, method, url };
      if (status === 400 && areGraphQLErrors(errors))
        throw new NetworkError('R11', { reason }, details);
      throw new NetworkError('R7', { status, text: response?.statusText || reason }, details);
    }
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

/** Tells the errors of a GraphQL server from those of a gateway, which have no messages. */
function areGraphQLErrors(errors: readonly unknown[]): boolean {
  return errors.every((error) => typeof messageOf(error) === 'string');
}

/** The errors of an answer as a list; `false` and an empty text are none. */
export function errorsIn(answer: GraphQLAnswer | null | undefined): readonly unknown[] {
  return [answer?.errors || []].flat();
}

/** The messages as a single text; an error without a message is told as JSON. */
export function messagesIn(errors: readonly unknown[]): string {
  return errors.map((error) => messageOf(error) ?? JSON.stringify(error)).join('; ');
}

function messageOf(error: unknown): unknown {
  return typeof error === 'string' ? error : (error as { message?: unknown } | null)?.message;
}

/** The options of an operation's endpoint: the text, and the name in the text. */
function operated(operation: Operation<readonly unknown[]>): {
  readonly path: string;
  readonly name: string;
  readonly operation: Operation<readonly unknown[]>;
} {
  if (DEV)
    checkArgument(operation !== undefined, 'a GQLEndpoint', operation, 'the text of an operation');
  const named = /^\s*(?:query|mutation)\s+(\w+)/;
  const text = typeof operation === 'string' ? named.exec(operation)?.[1] : operation.name;
  return { path: '', operation, name: text === undefined || text === '' ? 'anonymous' : text };
}

/**
 * `const gql = new GQLEndpoint('https://host/graphql')` describes a server; `query(text, {user: User})` and
 * `mutation(text, schema)` create endpoints of this server. Override `getHeaders` or `getRequestInit` in a subclass, or
 * with `extend`, for all endpoints of the server.
 */
export const GQLEndpoint: GQLEndpointConstructor = GQLBase as never;
