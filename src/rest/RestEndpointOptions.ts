/** What a rest endpoint may be told, and how its type follows from it. */
import type { FetchFunction, Policies, Updates } from '../endpoint/Endpoint.ts';
import type { CallArgs, OptionOr, MethodOf, RestGenerics, Unset } from './splitCall.ts';
import type { Content } from './response.ts';

/** What a function is told of the call; where the call has two forms, it may take those of one, or fewer. */
// any: no one parameter list fits both forms; the function states its own
export type CallbackArgs<A extends readonly unknown[]> = 1 | 2 extends A['length'] ? any[] : A;

/** Options from which no type follows. A is what a call takes. */
export interface RestOptions<A extends readonly unknown[]> extends Policies {
  /** Stands before the path, as it is: no slash is added or removed. Default ''. */
  readonly urlPrefix?: string;
  /** How to read the body of an answer. Default: JSON, text or a Blob, by its content type. */
  readonly content?: Content | undefined;
  readonly name?: string;
  readonly signal?: AbortSignal | undefined;
  /** Yours: the library carries it and never looks into it. */
  readonly extra?: unknown;
  /** What the answer of a mutation changes elsewhere, by the key of each request: see `EndpointOptions`. */
  // any: the answer and what is stored are of the user's own types
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
  // any: what is searched for is typed by searchParams
  searchToString?(params: Record<string, any>): string;
  // any: the snapshot is declared on the same floor; the function states what it needs of it
  getOptimisticResponse?: ((snapshot: any, ...args: CallbackArgs<A>) => unknown) | undefined;
}

/** The type parameters of a rest endpoint in one place; Unset stands for what was not given. */
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
  readonly sideEffect: N;
  readonly paginationField: F;
  readonly itemPath: I;
  // any: only the result matters
  readonly process: [R] extends [Unset] ? Unset : (...args: any[]) => R;
}

/** The options of `new RestEndpoint` and `extend`, each with a type parameter of its own so that each is inferred. */
export interface InferredOptions<S, M, B, Q, N, R, A extends unknown[]> extends RestOptions<A> {
  /** What the answer means. Default: nothing, and the answer is kept as it is. */
  readonly schema?: S;
  /** Default: GET; POST with `sideEffect: true`. */
  readonly method?: M;
  /** Type only, as in `{} as {title: string}`; `undefined`: the mutation has no body. */
  readonly body?: B;
  /** Type only, as in `{} as {page?: number}`. */
  readonly searchParams?: Q;
  /** True for a mutation. Default: by method. */
  readonly sideEffect?: N;
  /** What the schema and the caller get of the parsed answer. */
  // any: what the server sends has no type
  process?(value: any, ...args: CallbackArgs<A>): R;
}

/** Options for a subclass that is generic over them: `class Mine<O extends RestGenerics> extends RestEndpoint<O>`. */
export type RestEndpointOptions<O extends RestGenerics> = Readonly<O> &
  // literal types are kept where they are asked for by name
  { readonly path: O['path']; readonly method?: O['method'] } & RestOptions<CallArgs<O>>;

/**
 * Refuses the names K that are no option. Only the type of an object literal has such names: where K depends on a type
 * parameter it is no `Uncapitalize<string>`, so that functions which pass options on compile.
 */
export type NoOther<K, Option> = [Exclude<K, Option>] extends [never]
  ? unknown
  : [Exclude<K, Option>] extends [Uncapitalize<string>]
    ? { readonly [Name in Exclude<K, Option> & string]: `${Name} is no option` }
    : unknown;

/** What `new RestEndpoint` knows. */
export type RestOption = keyof RestGenerics | keyof RestOptions<[]>;

// any: only the result matters
export type ProcessedBy<O> =
  OptionOr<O, 'process', Unset> extends (...args: any[]) => infer R ? R : Unset;

/** What calling the endpoint gives: what `process` returns, else what the server sent. */
export type ResultOf<O> = [ProcessedBy<O>] extends [Unset]
  ? // any: the server's own words; a schema types them for who goes through a controller
    any
  : Awaited<ProcessedBy<O>>;

/** The param that names a page. */
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

/** What was said of sideEffect holds as long as the method does. */
export type KeptSideEffect<O, M> = [M] extends [MethodOf<O>]
  ? OptionOr<O, 'sideEffect', Unset>
  : Unset;

declare const kept: unique symbol;
/** Stands where an extension does not name `sideEffect`. */
export type Kept = typeof kept;
export type SideEffectAfter<O, M, N> = [N] extends [Kept] ? KeptSideEffect<O, M> : N;

/** The method of an extension that names none: a GET that becomes a mutation is a POST. */
export type KeptMethod<O, N> = [N] extends [true]
  ? MethodOf<O> extends 'GET'
    ? 'POST'
    : MethodOf<O> & string
  : MethodOf<O> extends string
    ? MethodOf<O>
    : 'GET';

export type RestFetch<O extends RestGenerics> = (...args: CallArgs<O>) => Promise<ResultOf<O>>;

/** The member K of the Collection in a schema: the schema itself, or inside of plain objects. */
export type InCollection<S, K extends string> = S extends FetchFunction | readonly unknown[]
  ? never
  : S extends { readonly [Key in K]: infer V }
    ? V
    : S extends abstract new (...args: never) => unknown
      ? never
      : S extends object
        ? { [Key in keyof S]: InCollection<S[Key], K> }[keyof S]
        : never;
