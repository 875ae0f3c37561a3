/** The forms of an endpoint's call: which argument is the params, which the body. */
import { path } from './path.ts';
import type { PathArgs } from './path.ts';
import type { RestBase } from './RestBase.ts';

/** The type parameters of an endpoint; members that are absent or `Unset` have their defaults. */
export interface RestGenerics {
  readonly path: string;
  readonly schema?: unknown;
  readonly method?: string;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  readonly sideEffect?: unknown;
  readonly paginationField?: unknown;
  /** A function; only the return type matters. */
  readonly process?: unknown;
}

declare const unset: unique symbol;
/** Marks an absent option. */
export type Unset = typeof unset;

/** Member K of O, or a default if absent or Unset. A body may be of every type. */
export type OptionOr<O, K extends string, Default> = K extends keyof O
  ? [O[K]] extends [Unset]
    ? unknown extends O[K]
      ? K extends 'body'
        ? O[K]
        : Default
      : Default
    : O[K]
  : Default;

/** The method of an endpoint without the option `method`: N is the option `sideEffect`. */
export type ImpliedMethod<N> = [N] extends [undefined]
  ? 'GET'
  : [N] extends [true]
    ? 'POST'
    : 'GET';
export type MethodOf<O> = OptionOr<O, 'method', ImpliedMethod<OptionOr<O, 'sideEffect', Unset>>>;
export type SchemaOf<O> = OptionOr<O, 'schema', undefined>;
type IsAny<T> = 0 extends 1 & T ? true : false;
type Bodiless = 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS' | 'TRACE' | 'QUERY';

/** The body's type; undefined for no body, as for GET and HEAD. Mutations except DELETE default to any record. */
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
            : // any: data of any interface must fit, also without an index signature
              Readonly<Record<string, any>>
      >;

type Flat<T> = { [K in keyof T]: T[K] } & {};
type SearchOf<Q> = [Q] extends [undefined]
  ? unknown
  : undefined extends Q
    ? Partial<Exclude<Q, undefined>>
    : Q;
/** The first argument: the params of the path, and the search params. */
export type ParamsOf<O extends RestGenerics> = Flat<
  PathArgs<O['path']> & SearchOf<OptionOr<O, 'searchParams', undefined>>
>;

/*
 *                          no params      all optional               required
 *   no body                ()             (params?)                  (params)
 *   body                   (body)         (body) | (params, body)    (params, body)
 *   body | undefined       (body?)        (body?) | (params, body)   (params, body?)
 */
type Forms<P, B> = undefined extends B
  ? unknown extends B
    ? OptionalBody<P, B>
    : [B] extends [undefined]
      ? NoBody<P>
      : OptionalBody<P, B>
  : object extends P
    ? [body: B] | [params: NoOthers<P>, body: B]
    : [params: P, body: B];
type NoBody<P> = [NameOf<P>] extends [never] ? [] : object extends P ? [params?: P] : [params: P];
type OptionalBody<P, B> = object extends P
  ? [body?: B] | [params: NoOthers<P>, body: B]
  : [params: P, body?: B];
/** The names of all params: `keyof` of a union has only the names that all members have. */
type NameOf<P> = P extends unknown ? keyof P : never;
/** Without params, only `{}` may stand before the body: every body would fit the type `{}`. */
type NoOthers<P> = [NameOf<P>] extends [never] ? Readonly<Record<string, never>> : P;

/** The arguments of a call. */
export type CallArgs<O extends RestGenerics> =
  IsAny<O> extends true
    ? // any: nothing is known of this endpoint
      any[]
    : Forms<ParamsOf<O>, BodyOf<O>>;

export interface CallParts {
  readonly params: object;
  readonly body: unknown;
}

/** Methods with params as a single argument, unless the option `body` is set: reads, and DELETE (RFC 9110, 9.3). */
const BODILESS = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|QUERY)$/i;

/** Splits the arguments of a call: a single argument is the body if a body is due and the path requires no params. */
export function splitCall(endpoint: RestBase, args: readonly unknown[]): CallParts {
  const [first, second] = args;
  const { method } = endpoint;
  const hasBodyOption = 'body' in endpoint;
  // reads cannot have a body; the option `body` of a list is the type for `push`
  const hasNoBody =
    method === 'GET' || method === 'HEAD' || (hasBodyOption && endpoint.body === undefined);
  const expectsBody = !hasNoBody && (hasBodyOption || !BODILESS.test(method));
  if (expectsBody && args.length === 1 && path(endpoint.path).required.length === 0) {
    return { params: {}, body: first };
  }
  const params = typeof first === 'object' && first !== null ? first : {};
  return { params, body: hasNoBody ? undefined : second };
}
