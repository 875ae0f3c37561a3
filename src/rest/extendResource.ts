/** Changes and adds members of a resource, in three forms. */
import { fieldOf } from '../schema/fieldOf.ts';
import type { CallArgs, OptionOr, MethodOf, Unset } from './splitCall.ts';
import type { RestEndpoint } from './RestEndpoint.ts';
import type {
  EndpointGenerics,
  FieldOf,
  GivenSideEffect,
  InferredOptions,
  Kept,
  KeptMethod,
  KeptSideEffect,
  ProcessedBy,
  RestOptions,
  SideEffectAfter,
} from './RestEndpointOptions.ts';

/** The members that extending a resource requires: new members are based on its `get`. */
export interface Members {
  readonly get: RestEndpoint;
}

type GenericsOf<E> = E extends RestEndpoint<infer O> ? O : never;
/** The type parameters of the member that the member `name` is based on. */
type Base<R extends Members, N> = GenericsOf<N extends keyof R ? R[N] : R['get']>;
type With<R, M> = {
  readonly [K in keyof R | keyof M]: K extends keyof M ? M[K] : K extends keyof R ? R[K] : never;
};

/** Any text, with its literal type: `const` would make the types of `body` and `searchParams` literal, too. */
type Text = '' | (string & NonNullable<unknown>);

// any: the members differ in their arguments
type LooseOptions = RestOptions<any[]> & {
  readonly path?: Text;
  readonly schema?: unknown;
  readonly method?: Text;
  readonly body?: unknown;
  readonly searchParams?: unknown;
  readonly sideEffect?: boolean | undefined;
  readonly paginationField?: Text;
  // any: as above
  process?(value: any, ...args: any): any;
};

type Over<O, X> = {
  readonly path: X extends { readonly path: infer P extends string }
    ? P
    : O extends { readonly path: infer P extends string }
      ? P
      : string;
  readonly schema: OptionOr<X, 'schema', OptionOr<O, 'schema', Unset>>;
  readonly method: OptionOr<X, 'method', KeptMethod<O, OptionOr<X, 'sideEffect', Unset>>> & string;
  readonly body: OptionOr<X, 'body', OptionOr<O, 'body', Unset>>;
  readonly searchParams: OptionOr<X, 'searchParams', OptionOr<O, 'searchParams', Unset>>;
  readonly sideEffect: X extends { readonly sideEffect: infer N }
    ? GivenSideEffect<N, X>
    : KeptSideEffect<O, OptionOr<X, 'method', MethodOf<O>>>;
  readonly paginationField: OptionOr<X, 'paginationField', OptionOr<O, 'paginationField', Unset>>;
  readonly itemPath: OptionOr<O, 'itemPath', Unset>;
  readonly process: OptionOr<X, 'process', OptionOr<O, 'process', Unset>>;
};

/**
 * `extend(name, options)` changes one member, or adds a member based on `get`;
 * `extend({name: options, …})` changes or adds several; `extend(base => ({…}))` adds finished members.
 * Each form returns a new resource and leaves the old one unchanged.
 */
export interface ExtendResource {
  <
    R extends Members,
    K extends string,
    P extends string = Base<R, K>['path'],
    S = OptionOr<Base<R, K>, 'schema', Unset>,
    N extends boolean | undefined | Unset | Kept = Kept,
    M extends string = KeptMethod<Base<R, K>, N>,
    B = OptionOr<Base<R, K>, 'body', Unset>,
    Q = OptionOr<Base<R, K>, 'searchParams', Unset>,
    T = ProcessedBy<Base<R, K>>,
    F extends string | Unset = FieldOf<Base<R, K>>,
  >(
    this: R,
    name: K,
    options: { readonly path?: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      B,
      Q,
      N,
      T,
      CallArgs<EndpointGenerics<P, S, M, NoInfer<B>, Q, SideEffectAfter<Base<R, K>, M, N>, Unset>>
    >,
  ): With<
    R,
    {
      readonly [Name in K]: RestEndpoint<
        EndpointGenerics<
          P,
          S,
          M,
          B,
          Q,
          SideEffectAfter<Base<R, K>, M, N>,
          T,
          F,
          OptionOr<Base<R, K>, 'itemPath', Unset>
        >
      >;
    }
  >;
  <R extends Members, X extends object>(this: R, make: (base: R) => X): With<R, X>;
  <R extends Members, X extends Readonly<Record<string, LooseOptions>>>(
    this: R,
    members: X,
  ): With<R, { readonly [K in keyof X]: RestEndpoint<Over<Base<R, K>, X[K]>> }>;
}

type Loose = Members & Record<string, RestEndpoint>;

function extend(this: Loose, first: unknown, options?: LooseOptions): Loose {
  if (typeof first === 'function') return { ...this, ...(first as (base: Loose) => Loose)(this) };
  const changes = typeof first === 'string' ? { [first]: options } : (first as object);
  const members = Object.entries(changes).map(([name, own]: [string, LooseOptions]) => {
    const base = fieldOf(this, name) as RestEndpoint | undefined;
    if (base !== undefined) return [name, base.extend(own)];
    const { get } = this;
    return [name, get.extend({ name: get.name.replace(/[^.]*$/, name), ...own })];
  });
  return { ...this, ...(Object.fromEntries(members) as object) };
}

export const extendResource: ExtendResource = extend as never;
