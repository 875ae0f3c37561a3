/** The public type of rest endpoints: their options, and the resulting types. */
import type {
  EndpointInterface,
  ErrorPolicy,
  FetchFunction,
  MutationMark,
  OwnFields,
  Policies,
  Updates,
} from '../endpoint/Endpoint.ts';
import { RestBase } from './RestBase.ts';
import type { PageBody, PageParams } from './paginated.ts';
import type { Content } from './response.ts';
import type {
  BodyOf,
  CallArgs,
  ImpliedMethod,
  MethodOf,
  OptionOr,
  RestGenerics,
  SchemaOf,
  Unset,
} from './splitCall.ts';

/** The arguments of a callback. If the call has two forms, the callback may declare either, or fewer parameters. */
// any: no single parameter list fits both forms, so the function declares the parameters
export type CallbackArgs<A extends readonly unknown[]> = 1 | 2 extends A['length'] ? any[] : A;

/** Options without an effect on the type. A is the argument list of a call. */
export interface RestOptions<A extends readonly unknown[]> extends Policies {
  /** Prepended to the path unchanged: no slash is added or removed. Default ''. */
  readonly urlPrefix?: string;
  /** How to read the body of a response. Default: JSON, text or a Blob, by content type. */
  readonly content?: Content | undefined;
  readonly name?: string;
  readonly signal?: AbortSignal | undefined;
  /** User data, which the library passes on and never reads. */
  readonly extra?: unknown;
  /** Changes other results after the response of a mutation, by the key of each request: see `EndpointOptions`. */
  // any: the response and the stored data are of the user's own types
  update?: ((answer: any, ...args: CallbackArgs<A>) => Updates) | undefined;
  /** The path of a member, to which a list sends `move` and `remove`. Default: the path. */
  readonly itemPath?: string;
  key?(...args: A): string;
  testKey?(key: string): boolean;
  url?(...args: A): string;
  fetch?(...args: A): Promise<unknown>;
  getHeaders?(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  // any: without strictNullChecks an unknown body cannot be spread after a check
  getRequestInit?(body?: any): RequestInit | Promise<RequestInit>;
  fetchResponse?(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<unknown>;
  // any: search params are typed by searchParams
  searchToString?(params: Record<string, any>): string;
  // any: the snapshot is declared in the same layer; the function declares the members it uses
  getOptimisticResponse?: ((snapshot: any, ...args: CallbackArgs<A>) => unknown) | undefined;
}

/**
 * The option `sideEffect` beside the path P. Without strictNullChecks the value `undefined` is inferred as any. If P is
 * any, too, nothing is known: the compiler compares classes so.
 */
export type GivenSideEffect<N, P> = 0 extends 1 & N
  ? 0 extends 1 & P
    ? N
    : boolean | undefined
  : N;

/** All type parameters of a rest endpoint; Unset marks an absent option. */
export interface EndpointGenerics<
  P extends string,
  S,
  M extends string,
  B,
  Q,
  N,
  R,
  F = Unset,
  I = Unset,
> {
  readonly path: P;
  readonly schema: S;
  readonly method: M;
  readonly body: B;
  readonly searchParams: Q;
  readonly sideEffect: GivenSideEffect<N, P>;
  readonly paginationField: F;
  readonly itemPath: I;
  // any: only the result matters
  readonly process: [R] extends [Unset] ? Unset : (...args: any[]) => R;
}

/**
 * Options that are types, inferred together as W: from an optional member alone, TypeScript infers a type without
 * `undefined`, unless exactOptionalPropertyTypes is on.
 */
export type TypeOnlyOptions<W> = {
  /** Type only, as in `{} as {title: string}`; `undefined`: the mutation has no body. */
  readonly body?: unknown;
  /** Type only, as in `{} as {page?: number}`. */
  readonly searchParams?: unknown;
} & Pick<W, keyof W & ('body' | 'searchParams')>;

/** The options of `new RestEndpoint` and `extend`, each with a separate type parameter, so that each is inferred. */
export type InferredOptions<S, M, W, N, R, A extends unknown[]> = RestOptions<A> &
  TypeOnlyOptions<W> & {
    /** The schema of the response. Default: none, and the response is stored as received. */
    readonly schema?: S;
    /** Default: GET; POST with `sideEffect: true`. */
    readonly method?: M;
    /** True for a mutation. Default: by method. */
    readonly sideEffect?: N;
    /** Transforms the parsed response for the schema and the caller. */
    // any: a response has no type
    process?(value: any, ...args: CallbackArgs<A>): R;
  };

/** Options for a subclass that is generic over them: `class Mine<O extends RestGenerics> extends RestEndpoint<O>`. */
export type RestEndpointOptions<O extends RestGenerics> = Readonly<O> &
  // a named member keeps its literal type
  { readonly path: O['path']; readonly method?: O['method'] } & RestOptions<CallArgs<O>>;

/**
 * Rejects the names K that are not options. Only the type of an object literal has extra names. If K depends on a type
 * parameter, it does not extend `Uncapitalize<string>`, so that functions which pass options on compile.
 */
export type NoOther<K, Known> = [Exclude<K, Known>] extends [never]
  ? unknown
  : [Exclude<K, Known>] extends [Uncapitalize<string>]
    ? { readonly [Name in Exclude<K, Known> & string]: `${Name} is no option` }
    : unknown;

/** The names of the options of `new RestEndpoint`. */
export type RestOption = keyof RestGenerics | keyof RestOptions<[]>;

// any: only the result matters
export type ProcessedBy<O> =
  OptionOr<O, 'process', Unset> extends (...args: any[]) => infer R ? R : Unset;

/** The result of a call: the return type of `process`, else the raw response. */
export type ResultOf<O> = [ProcessedBy<O>] extends [Unset]
  ? // any: the raw response; only responses that a controller fetches get a type from the schema
    any
  : Awaited<ProcessedBy<O>>;

/** The name of the param of a page. */
export type FieldOf<O> =
  OptionOr<O, 'paginationField', Unset> extends infer F extends string ? F : Unset;

type Safe = 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'QUERY';
export type SideEffectOf<O> =
  OptionOr<O, 'sideEffect', Unset> extends infer N extends boolean | undefined
    ? N
    : string extends MethodOf<O>
      ? boolean | undefined
      : MethodOf<O> extends Safe
        ? undefined
        : true;

/** The option sideEffect stays valid as long as the method does not change. */
export type KeptSideEffect<O, M> = [M] extends [MethodOf<O>]
  ? OptionOr<O, 'sideEffect', Unset>
  : Unset;

declare const kept: unique symbol;
/** Marks an extension without `sideEffect`. */
export type Kept = typeof kept;
export type SideEffectAfter<O, M, N> = [GivenSideEffect<N, M>] extends [Kept]
  ? KeptSideEffect<O, M>
  : N;

/** The method of an extension without `method`: a GET that becomes a mutation is a POST. */
export type KeptMethod<O, N> = [GivenSideEffect<N, O>] extends [true]
  ? MethodOf<O> extends 'GET'
    ? 'POST'
    : MethodOf<O> & string
  : MethodOf<O> extends string
    ? MethodOf<O>
    : 'GET';

export type RestFetch<O extends RestGenerics> = (...args: CallArgs<O>) => Promise<ResultOf<O>>;

/** The member K of the Collection in a schema: the schema itself, or nested in plain objects. */
export type InCollection<S, K extends string> = S extends FetchFunction | readonly unknown[]
  ? never
  : S extends { readonly [Key in K]: infer V }
    ? V
    : S extends abstract new (...args: never) => unknown
      ? never
      : S extends object
        ? { [Key in keyof S]: InCollection<S[Key], K> }[keyof S]
        : never;

/**
 * A kind of HTTP request. Call it to send the request; pass it to a controller or a hook to store the response.
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
  /** The value in a response that is ok. Rejects with NetworkError R5 or R6 if unreadable. */
  // any: a response has no type
  parseResponse(response: Response): Promise<any>;
  // any: as above, and subclasses declare their parameters
  process(value: any, ...args: any): any;
  /** The search params as the text after the `?`. */
  // any: subclasses declare their parameters
  searchToString(params: Record<string, any>): string;
  /** `soft` from status 500 up, else `hard`. */
  // any: as in Policies
  errorPolicy(error: any): ErrorPolicy;
  extend: Extend<O>;

  /** A page, which is added to the list. Defined only if `paginationField` names the param of the page. */
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
 * The endpoint of a list change: a mutation on the list's path, with a schema that is part of the Collection. Undefined
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

/** The endpoint of a change to a member of a list: on the path of a member, with a partial body. */
export type MemberChange<O extends RestGenerics, K extends string> = IfKnown<
  O,
  [InCollection<SchemaOf<O>, K>] extends [undefined]
    ? undefined
    : RestEndpoint<
        EndpointGenerics<
          MemberPath<O, K>,
          InCollection<SchemaOf<O>, K>,
          'PATCH',
          PartialBody<OptionOr<O, 'body', Unset>>,
          [MemberPath<O, K>] extends [O['path']] ? OptionOr<O, 'searchParams', Unset> : Unset,
          Unset,
          Unset
        >
      >
>;

/** The path of a member; the type of an endpoint may name another path for `remove`. */
type MemberPath<O extends RestGenerics, K> = OptionOr<
  O,
  K extends 'remove' ? 'removePath' : 'itemPath',
  OptionOr<O, 'itemPath', O['path']>
> &
  string;

export type PartialBody<B> = [B] extends [Unset] ? Unset : Partial<B>;

/** The endpoint of a page: typed as the list, with the param of the page. */
export type ListPage<
  O extends RestGenerics,
  F extends string,
  Q = OptionOr<O, 'searchParams', undefined>,
> = RestEndpoint<
  EndpointGenerics<
    O['path'],
    SchemaOf<O>,
    MethodOf<O> & string,
    PageBody<OptionOr<O, 'body', Unset>, F>,
    PageParams<Q, F, BodyOf<O>>,
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
// R is Unset in ThisType: the return type of `process` is not known while the function body is checked
export interface RestEndpointConstructor {
  // `_` is never inferred: two parameters without a default make `RestEndpoint<O>` use the signature below
  new <
    _,
    P extends string,
    S = Unset,
    N extends boolean | undefined | Unset = Unset,
    M extends string = ImpliedMethod<N>,
    W = {},
    B = OptionOr<W, 'body', Unset>,
    Q = OptionOr<W, 'searchParams', Unset>,
    R = Unset,
    F extends string | Unset = Unset,
  >(
    options: { readonly path: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      W,
      N,
      R,
      CallArgs<EndpointGenerics<P, S, M, NoInfer<B>, NoInfer<Q>, N, Unset>>
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
    W = {},
    B = OptionOr<W, 'body', OptionOr<O, 'body', Unset>>,
    Q = OptionOr<W, 'searchParams', OptionOr<O, 'searchParams', Unset>>,
    R = ProcessedBy<O>,
    F extends string | Unset = FieldOf<O>,
    E extends object = RestEndpoint<O>,
  >(
    this: E,
    options: { readonly path?: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      W,
      N,
      R,
      CallArgs<EndpointGenerics<P, S, M, NoInfer<B>, NoInfer<Q>, SideEffectAfter<O, M, N>, Unset>>
    > &
      ThisType<
        RestEndpoint<EndpointGenerics<P, S, M, B, Q, SideEffectAfter<O, M, N>, Unset>> &
          OwnFields<E, RestEndpoint>
      > &
      Partial<OwnFields<E, RestEndpoint>>,
  ): RestEndpoint<
    EndpointGenerics<
      P,
      S,
      M,
      B,
      Q,
      SideEffectAfter<O, M, N>,
      R,
      F,
      OptionOr<O, 'itemPath', Unset>
    > &
      RemovedAt<O, P>
  > &
    OwnFields<E, RestEndpoint>;
}

/** An endpoint whose `remove` is sent to the list stays so, also at another path. */
export type RemovedAt<O, P> = 'removePath' extends keyof O ? { readonly removePath: P } : unknown;

export const RestEndpoint: RestEndpointConstructor = RestBase as never;
