/** The forms in which an endpoint is called: which argument is the params, which the body. */
import { path } from './path.ts';
import type { PathArgs } from './path.ts';

/** What an endpoint's type knows of it; members that are absent or `Unset` have their defaults. */
export interface RestGenerics {
  readonly path: string;
  readonly schema?: unknown;
  readonly method?: string;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  readonly sideEffect?: unknown;
  readonly paginationField?: unknown;
  /** A function; only what it returns matters. */
  readonly process?: unknown;
}

declare const unset: unique symbol;
/** Stands where an option was not given. */
export type Unset = typeof unset;

/** Member K of O, or a default where it is absent or Unset. */
export type OptionOr<O, K extends string, Default> = K extends keyof O
  ? [O[K]] extends [Unset]
    ? Default
    : O[K]
  : Default;

/** The method where none is given: N is the option `sideEffect`. */
export type ImpliedMethod<N> = [N] extends [true] ? 'POST' : 'GET';
export type MethodOf<O> = OptionOr<O, 'method', ImpliedMethod<OptionOr<O, 'sideEffect', Unset>>>;
export type SchemaOf<O> = OptionOr<O, 'schema', undefined>;
type IsAny<T> = 0 extends 1 & T ? true : false;
type Bodiless = 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS' | 'TRACE' | 'QUERY';

/** The body's type; undefined where there is none, as for all of GET and HEAD. Mutations but DELETE take any record unless told otherwise. */
export type BodyOf<O> =
  MethodOf<O> extends 'GET' | 'HEAD'
    ? undefined
    : OptionOr<
        O,
        'body',
        Uppercase<MethodOf<O> & string> extends Bodiless
          ? undefined
          : string extends MethodOf<O>
            ? undefined
            : // any: data of any interface must fit, also those without an index signature
              Readonly<Record<string, any>>
      >;

type Flat<T> = { [K in keyof T]: T[K] };
type SearchOf<Q> = [Q] extends [undefined]
  ? unknown
  : undefined extends Q
    ? Partial<Exclude<Q, undefined>>
    : Q;
/** The first argument: what the path needs, and the search params. */
export type ParamsOf<O extends RestGenerics> = Flat<
  PathArgs<O['path']> & SearchOf<OptionOr<O, 'searchParams', undefined>>
>;

/*
 *                          no params      all optional               required
 *   no body                ()             (params?)                  (params)
 *   body                   (body)         (body) | (params, body)    (params, body)
 *   body | undefined       (body?)        (body?) | (params, body)   (params, body?)
 */
type Forms<P, B> = [B] extends [undefined]
  ? keyof P extends never
    ? []
    : object extends P
      ? [params?: P]
      : [params: P]
  : undefined extends B
    ? object extends P
      ? [body?: B] | [params: P, body: B]
      : [params: P, body?: B]
    : object extends P
      ? [body: B] | [params: P, body: B]
      : [params: P, body: B];

/** The arguments of a call. */
export type CallArgs<O extends RestGenerics> =
  IsAny<O> extends true
    ? // any: nothing is known of this endpoint
      any[]
    : Forms<ParamsOf<O>, BodyOf<O>>;

/** What `splitCall` asks of an endpoint. */
export interface Callee {
  readonly path: string;
  readonly method: string;
  readonly body?: unknown;
}

export interface CallParts {
  readonly params: object;
  readonly body: unknown;
}

/** Methods whose one argument is the params, unless they are told of a body: reads, and DELETE (RFC 9110, 9.3). */
const BODILESS = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|QUERY)$/i;

/** Sorts the arguments of a call: one argument is the body where a body is due and the path needs no params. */
export function splitCall(endpoint: Callee, args: readonly unknown[]): CallParts {
  const [first, second] = args;
  const { method } = endpoint;
  const told = 'body' in endpoint;
  // reads cannot carry one; a list carries the body's type for its `push`
  const none = method === 'GET' || method === 'HEAD' || (told && endpoint.body === undefined);
  const due = !none && (told || !BODILESS.test(method));
  if (due && args.length === 1 && path(endpoint.path).required.length === 0) {
    return { params: {}, body: first };
  }
  const params = typeof first === 'object' && first !== null ? first : {};
  return { params, body: none ? undefined : second };
}
