/** An endpoint that is described by a path, a method and a schema: what users see of it. */
import type {
  EndpointInterface,
  ErrorPolicy,
  MutationMark,
  OwnFields,
} from '../endpoint/Endpoint.ts';
import type {
  CallArgs,
  OptionOr,
  ImpliedMethod,
  MethodOf,
  RestGenerics,
  SchemaOf,
  Unset,
} from './splitCall.ts';
import type { Content } from './response.ts';
import type { Paged } from './paginated.ts';
import { RestBase } from './RestBase.ts';
import type {
  EndpointGenerics,
  FieldOf,
  InCollection,
  InferredOptions,
  Kept,
  KeptMethod,
  NoOther,
  ProcessedBy,
  RestEndpointOptions,
  RestFetch,
  RestOption,
  SideEffectAfter,
  SideEffectOf,
} from './RestEndpointOptions.ts';

/**
 * One kind of HTTP request. Call it and it is sent; give it to a controller or a hook and its answer is stored.
 * Each method may be overridden: by a subclass (which has `super`), by an option, by `extend`.
 */
// any: an endpoint of which nothing is known
export interface RestEndpoint<O extends RestGenerics = any>
  extends EndpointInterface<RestFetch<O>, SchemaOf<O>>, MutationMark<SideEffectOf<O>> {
  readonly path: O['path'];
  readonly schema: SchemaOf<O>;
  readonly method: MethodOf<O>;
  readonly urlPrefix: string;
  readonly sideEffect: SideEffectOf<O>;
  readonly title: string;
  readonly content?: Content | undefined;
  readonly extra?: unknown;
  // any: what comes in was declared by the options; the function states what it takes
  readonly getOptimisticResponse?: ((snapshot: any, ...args: any[]) => unknown) | undefined;

  /** Sends the request: url, init, response, value, process, in this order. */
  fetch(...args: CallArgs<O>): ReturnType<RestFetch<O>>;
  /** The address: `urlPrefix`, the filled path, the search params. Throws R1, R2 or R10, status 400. */
  url(...args: CallArgs<O>): string;
  /** `GET https://…`, and the body for reads that have one. */
  key(...args: CallArgs<O>): string;
  /** True when `key` came from this path and method, whatever the params; with a `url` of one's own, as far as the first. */
  testKey(key: string): boolean;
  /** The headers to send, from those that the body needs. Yours win. */
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  /** What goes to fetch beside the address (WHATWG Fetch, RequestInit). Throws R9 for a body that is no JSON. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** Sends and waits. Rejects with NetworkError R7 when the answer is not ok, R8 when there is none. */
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** The value in an answer that is ok. Rejects with NetworkError R5 or R6 when it cannot be read. */
  // any: what the server sends has no type
  parseResponse(response: Response): Promise<any>;
  // any: as above, and subclasses state what they take
  process(value: any, ...args: any): any;
  /** Search params as they stand after the `?`. */
  // any: subclasses state what they take
  searchToString(params: Record<string, any>): string;
  /** `soft` from status 500 up, else `hard`. */
  // any: as in Policies
  errorPolicy(error: any): ErrorPolicy;
  extend: Extend<O>;

  /** One page, which is added to the list. Only where `paginationField` says which param names it. */
  readonly getPage: GetPage<O>;
  /** As getPage, by the name of a param, or by a function that gives the list's arguments from those of a page. */
  paginated<F extends string>(field: F | { readonly paginationField: F }): ListPage<O, F>;
  paginated<A extends readonly unknown[]>(
    listArgs: (...args: A) => readonly unknown[],
  ): ListPage<O, never, A[0]>;

  /** A creation that enters the matching lists at their end. Only where the schema has a Collection. */
  readonly push: ListChange<O, 'push', 'POST'>;
  /** As push, at the front. */
  readonly unshift: ListChange<O, 'unshift', 'POST'>;
  readonly assign: ListChange<O, 'assign', 'POST'>;
  /** A change after which a member leaves this list. */
  readonly remove: MemberChange<O, 'remove'>;
  /** A change after which a member may belong to other lists. */
  readonly move: MemberChange<O, 'move'>;
}

/**
 * The endpoint of a change to a list: a mutation on the list's path whose schema is a part of its Collection. Undefined
 * where the schema has no Collection, or one that does not know this change.
 */
export type ListChange<O extends RestGenerics, K extends string, M extends string> = IfKnown<
  O,
  [InCollection<SchemaOf<O>, K>] extends [undefined]
    ? undefined
    : RestEndpoint<
        EndpointGenerics<
          O['path'],
          InCollection<SchemaOf<O>, K>,
          M,
          OptionOr<O, 'body', Unset>,
          OptionOr<O, 'searchParams', Unset>,
          Unset,
          Unset
        >
      >
>;

/** The endpoint of a change to a member of a list: on the path of one, with a part of its body. */
export type MemberChange<O extends RestGenerics, K extends string> = IfKnown<
  O,
  [InCollection<SchemaOf<O>, K>] extends [undefined]
    ? undefined
    : RestEndpoint<
        EndpointGenerics<
          OptionOr<O, 'itemPath', O['path']> & string,
          InCollection<SchemaOf<O>, K>,
          'PATCH',
          PartialBody<OptionOr<O, 'body', Unset>>,
          [OptionOr<O, 'itemPath', Unset>] extends [Unset]
            ? OptionOr<O, 'searchParams', Unset>
            : Unset,
          Unset,
          Unset
        >
      >
>;

export type PartialBody<B> = [B] extends [Unset] ? Unset : Partial<B>;

/** The endpoint of one page: typed as the list, with the param that names the page. */
export type ListPage<
  O extends RestGenerics,
  F extends string,
  Q = OptionOr<O, 'searchParams', undefined>,
> = RestEndpoint<
  EndpointGenerics<
    O['path'],
    SchemaOf<O>,
    MethodOf<O> & string,
    OptionOr<O, 'body', Unset>,
    Paged<Q, F>,
    OptionOr<O, 'sideEffect', Unset>,
    ProcessedBy<O>
  >
>;

type GetPage<O extends RestGenerics> = IfKnown<
  O,
  FieldOf<O> extends infer F extends string ? ListPage<O, F> : undefined
>;

// any: a subclass of which nothing is known is assignable to `typeof RestEndpoint`
type IfKnown<O, T> = 0 extends 1 & O ? any : T;

/** How `RestEndpoint` is made, and what a subclass extends. */
// R is Unset in ThisType: what `process` returns cannot be known while its body is read
export interface RestEndpointConstructor {
  // the first is never inferred: two parameters without a default keep `RestEndpoint<O>` to the signature below
  new <
    _,
    P extends string,
    S = Unset,
    N extends boolean | undefined | Unset = Unset,
    M extends string = ImpliedMethod<N>,
    B = Unset,
    Q = Unset,
    R = Unset,
    F extends string | Unset = Unset,
  >(
    options: { readonly path: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      B,
      Q,
      N,
      R,
      CallArgs<EndpointGenerics<P, S, M, B, Q, N, Unset>>
    > &
      ThisType<RestEndpoint<EndpointGenerics<P, S, M, B, Q, N, Unset>>>,
  ): RestEndpoint<EndpointGenerics<P, S, M, B, Q, N, R, F>>;
  // any: a subclass that says nothing of its options takes them all. X is inferred where a literal is passed to this
  // class itself, and never in the constructors of subclasses: those may take options of their own
  new <O extends RestGenerics = any, X extends PropertyKey = never>(
    options: RestEndpointOptions<O> & { readonly [K in X]: unknown } & NoOther<X, RestOption>,
  ): RestEndpoint<O>;
  readonly prototype: RestEndpoint;
}

/** `endpoint.extend(options)`: each type parameter is what the options say, else what the endpoint had. */
export interface Extend<O extends RestGenerics> {
  <
    P extends string = O['path'],
    S = OptionOr<O, 'schema', Unset>,
    N extends boolean | undefined | Unset | Kept = Kept,
    M extends string = KeptMethod<O, N>,
    B = OptionOr<O, 'body', Unset>,
    Q = OptionOr<O, 'searchParams', Unset>,
    R = ProcessedBy<O>,
    F extends string | Unset = FieldOf<O>,
    E extends object = RestEndpoint<O>,
  >(
    this: E,
    options: { readonly path?: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      B,
      Q,
      N,
      R,
      CallArgs<EndpointGenerics<P, S, M, B, Q, SideEffectAfter<O, M, N>, Unset>>
    > &
      ThisType<
        RestEndpoint<EndpointGenerics<P, S, M, B, Q, SideEffectAfter<O, M, N>, Unset>> &
          OwnFields<E, RestEndpoint>
      > &
      Partial<OwnFields<E, RestEndpoint>>,
  ): RestEndpoint<EndpointGenerics<P, S, M, B, Q, SideEffectAfter<O, M, N>, R, F>> &
    OwnFields<E, RestEndpoint>;
}

export const RestEndpoint: RestEndpointConstructor = RestBase as never;
