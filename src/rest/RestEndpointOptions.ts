/** The options of a rest endpoint, and the types that follow from them. */
import type { FetchFunction, Policies, Updates } from '../endpoint/Endpoint.ts';
import type { CallArgs, OptionOr, MethodOf, RestGenerics, Unset } from './splitCall.ts';
import type { Content } from './response.ts';

/** The arguments of a callback. If the call has two forms, the callback may declare either, or fewer parameters. */
// any: no single parameter list fits both forms; the function declares its own
export type CallbackArgs<A extends readonly unknown[]> = 1 | 2 extends A['length'] ? any[] : A;

/** Options without an effect on the type. A is the argument list of a call. */
export interface RestOptions<A extends readonly unknown[]> extends Policies {
  /** Prepended to the path unchanged: no slash is added or removed. Default ''. */
  readonly urlPrefix?: string;
  /** How to read the body of a response. Default: JSON, text or a Blob, by its content type. */
  readonly content?: Content | undefined;
  readonly name?: string;
  readonly signal?: AbortSignal | undefined;
  /** User data: the library passes it on and never reads it. */
  readonly extra?: unknown;
  /** Changes other results after the response of a mutation, by the key of each request: see `EndpointOptions`. */
  // any: the response and the stored data are of the user's own types
  update?: ((answer: any, ...args: CallbackArgs<A>) => Updates) | undefined;
  /** The path of one member, to which a list sends `move` and `remove`. Default: the path. */
  readonly itemPath?: string;
  key?(...args: A): string;
  testKey?(key: string): boolean;
  url?(...args: A): string;
  fetch?(...args: A): Promise<unknown>;
  getHeaders?(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse?(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<unknown>;
  // any: search params are typed by searchParams
  searchToString?(params: Record<string, any>): string;
  // any: the snapshot is declared in the same layer; the function declares the members it uses
  getOptimisticResponse?: ((snapshot: any, ...args: CallbackArgs<A>) => unknown) | undefined;
}

/**
 * The option `sideEffect` beside the path P. Without `strictNullChecks` the value `undefined` is inferred as any. If P is
 * any, too, nothing is known: the compiler compares classes so.
 */
export type GivenSideEffect<N, P> = 0 extends 1 & N
  ? 0 extends 1 & P
    ? N
    : boolean | undefined
  : N;

/** The type parameters of a rest endpoint in one place; Unset marks an absent option. */
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

/** The options of `new RestEndpoint` and `extend`, each with a type parameter of its own so that each is inferred. */
export interface InferredOptions<S, M, B, Q, N, R, A extends unknown[]> extends RestOptions<A> {
  /** The schema of the response. Default: none, and the response is stored as received. */
  readonly schema?: S;
  /** Default: GET; POST with `sideEffect: true`. */
  readonly method?: M;
  /** Type only, as in `{} as {title: string}`; `undefined`: the mutation has no body. */
  readonly body?: B;
  /** Type only, as in `{} as {page?: number}`. */
  readonly searchParams?: Q;
  /** True for a mutation. Default: by method. */
  readonly sideEffect?: N;
  /** Transforms the parsed response for the schema and the caller. */
  // any: a response has no type
  process?(value: any, ...args: CallbackArgs<A>): R;
}

/** Options for a subclass that is generic over them: `class Mine<O extends RestGenerics> extends RestEndpoint<O>`. */
export type RestEndpointOptions<O extends RestGenerics> = Readonly<O> &
  // a named member keeps its literal type
  { readonly path: O['path']; readonly method?: O['method'] } & RestOptions<CallArgs<O>>;

/**
 * Rejects the names K that are not options. Only the type of an object literal has extra names. If K depends on a type
 * parameter, it does not extend `Uncapitalize<string>`, so that functions which pass options on compile.
 */
export type NoOther<K, Option> = [Exclude<K, Option>] extends [never]
  ? unknown
  : [Exclude<K, Option>] extends [Uncapitalize<string>]
    ? { readonly [Name in Exclude<K, Option> & string]: `${Name} is no option` }
    : unknown;

/** The names of the options of `new RestEndpoint`. */
export type RestOption = keyof RestGenerics | keyof RestOptions<[]>;

// any: only the result matters
export type ProcessedBy<O> =
  OptionOr<O, 'process', Unset> extends (...args: any[]) => infer R ? R : Unset;

/** The result of a call: the return type of `process`, else the raw response. */
export type ResultOf<O> = [ProcessedBy<O>] extends [Unset]
  ? // any: the raw response; its schema gives it a type when it is fetched with a controller
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
