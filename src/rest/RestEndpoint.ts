/** The public type of an endpoint that is described by a path, a method and a schema. */
import type {
  EndpointInterface,
  ErrorPolicy,
  MutationMark,
  OwnFields,
} from '../endpoint/Endpoint.ts';
import type {
  BodyOf,
  CallArgs,
  OptionOr,
  ImpliedMethod,
  MethodOf,
  RestGenerics,
  SchemaOf,
  Unset,
} from './splitCall.ts';
import type { Content } from './response.ts';
import type { Paged, PagedBody } from './paginated.ts';
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
 * One kind of HTTP request. Call it to send the request; pass it to a controller or a hook to store the response.
 * Each method may be overridden: by a subclass (which has `super`), by an option, by `extend`.
 */
// any: an endpoint of unknown type
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
  // any: the type of the snapshot comes from the options; the function declares its parameters
  readonly getOptimisticResponse?: ((snapshot: any, ...args: any[]) => unknown) | undefined;

  /** Sends the request: url, init, response, value, process, in this order. */
  fetch(...args: CallArgs<O>): ReturnType<RestFetch<O>>;
  /** The address: `urlPrefix`, the filled path, the search params. Throws R1, R2 or R10, status 400. */
  url(...args: CallArgs<O>): string;
  /** `GET https://…`, followed by the body for reads with a body. */
  key(...args: CallArgs<O>): string;
  /** True if `key` has this method and path, with any params; with a custom `url`, up to the first param. */
  testKey(key: string): boolean;
  /** The headers to send, starting from the headers that the body needs. Yours win. */
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  /** The RequestInit for fetch (WHATWG Fetch). Throws R9 for a body that is not JSON. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** Sends the request. Rejects with NetworkError R7 if the response is not ok, R8 if there is none. */
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** The value in a response that is ok. Rejects with NetworkError R5 or R6 if it cannot be read. */
  // any: a response has no type
  parseResponse(response: Response): Promise<any>;
  // any: as above, and subclasses declare their parameters
  process(value: any, ...args: any): any;
  /** The search params as text, as they appear after the `?`. */
  // any: subclasses declare their parameters
  searchToString(params: Record<string, any>): string;
  /** `soft` from status 500 up, else `hard`. */
  // any: as in Policies
  errorPolicy(error: any): ErrorPolicy;
  extend: Extend<O>;

  /** One page, which is added to the list. Defined only if `paginationField` names the param of the page. */
  readonly getPage: GetPage<O>;
  /** As getPage, by the name of a param, or by a function from the arguments of a page to the list's arguments. */
  paginated<F extends string>(field: F | { readonly paginationField: F }): ListPage<O, F>;
  paginated<A extends readonly unknown[]>(
    listArgs: (...args: A) => readonly unknown[],
  ): ListPage<O, never, A[0]>;

  /** A creation that enters the matching lists at their end. Defined only if the schema has a Collection. */
  readonly push: ListChange<O, 'push', 'POST'>;
  /** As push, at the front. */
  readonly unshift: ListChange<O, 'unshift', 'POST'>;
  readonly assign: ListChange<O, 'assign', 'POST'>;
  /** A change that removes a member from this list. */
  readonly remove: MemberChange<O, 'remove'>;
  /** A change after which a member may belong to other lists. */
  readonly move: MemberChange<O, 'move'>;
}

/**
 * The endpoint of a list change: a mutation on the list's path, with a schema that is part of its Collection. Undefined
 * if the schema has no Collection, or a Collection without this change.
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

/** The endpoint of a change to a member of a list: on the path of one member, with a partial body. */
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

/** The endpoint of one page: typed as the list, with the param of the page. */
export type ListPage<
  O extends RestGenerics,
  F extends string,
  Q = OptionOr<O, 'searchParams', undefined>,
> = RestEndpoint<
  EndpointGenerics<
    O['path'],
    SchemaOf<O>,
    MethodOf<O> & string,
    PagedBody<OptionOr<O, 'body', Unset>, F>,
    Paged<Q, F, BodyOf<O>>,
    OptionOr<O, 'sideEffect', Unset>,
    ProcessedBy<O>
  >
>;

type GetPage<O extends RestGenerics> = IfKnown<
  O,
  FieldOf<O> extends infer F extends string ? ListPage<O, F> : undefined
>;

// any: a subclass of unknown type is assignable to `typeof RestEndpoint`
type IfKnown<O, T> = 0 extends 1 & O ? any : T;

/** The constructor of `RestEndpoint`, and the base of subclasses. */
// R is Unset in ThisType: the return type of `process` is not known while its body is checked
export interface RestEndpointConstructor {
  // `_` is never inferred: two parameters without a default make `RestEndpoint<O>` use the signature below
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
      CallArgs<EndpointGenerics<P, S, M, NoInfer<B>, Q, N, Unset>>
    > &
      ThisType<RestEndpoint<EndpointGenerics<P, S, M, B, Q, N, Unset>>>,
  ): RestEndpoint<EndpointGenerics<P, S, M, B, Q, N, R, F>>;
  // any: a subclass without declared options accepts all options. X is inferred if a literal is passed to this class
  // itself, and never in the constructors of subclasses: subclasses may have further options
  new <O extends RestGenerics = any, X extends PropertyKey = never>(
    options: RestEndpointOptions<O> & { readonly [K in X]: unknown } & NoOther<X, RestOption>,
  ): RestEndpoint<O>;
  readonly prototype: RestEndpoint;
}

/** `endpoint.extend(options)`: each type parameter comes from the options, else from the endpoint. */
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
      CallArgs<EndpointGenerics<P, S, M, NoInfer<B>, Q, SideEffectAfter<O, M, N>, Unset>>
    > &
      ThisType<
        RestEndpoint<EndpointGenerics<P, S, M, B, Q, SideEffectAfter<O, M, N>, Unset>> &
          OwnFields<E, RestEndpoint>
      > &
      Partial<OwnFields<E, RestEndpoint>>,
  ): RestEndpoint<
    EndpointGenerics<P, S, M, B, Q, SideEffectAfter<O, M, N>, R, F, OptionOr<O, 'itemPath', Unset>>
  > &
    OwnFields<E, RestEndpoint>;
}

export const RestEndpoint: RestEndpointConstructor = RestBase as never;
