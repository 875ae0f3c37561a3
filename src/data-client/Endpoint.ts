/** Endpoints that take options of the application, with the policies and the empty members of Data Client. */
import { Endpoint as OwnEndpoint } from '../endpoint/Endpoint.ts';
import type {
  EndpointOptions,
  ErrorPolicy,
  FetchFunction,
  OwnFields,
  ErrorWithStatus,
} from '../endpoint/Endpoint.ts';
import { ObjectKind } from '../schema/containers.ts';
import { hasField, isPlainObject } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import { KIND } from '../schema/schema.ts';
import type { Fields, NormalizedNode, Source } from '../schema/schema.ts';

/** The options that the application has added. */
type Added<X> = Omit<X, keyof EndpointOptions | keyof OwnEndpoint>;

/** The options of a call with the types of the schema and of `sideEffect`. */
// any: `this` of the functions has the members that the application adds
type Options<F extends FetchFunction, S, M> = EndpointOptions<F, S> & {
  readonly sideEffect?: M;
} & ThisType<any>;

/** A class whose endpoints have the passed options as members. */
export interface OpenEndpointConstructor {
  // more type parameters than `extends Endpoint<F, S, M>` can pass, which so uses the signature below; with a parameter
  // for the function, TypeScript would infer a promise of unknown from a chain of `then`
  // any: functions of every parameter list, with members that the application adds
  new <_F, _S, _M, A extends any[], R, S = undefined, M = false, X extends object = object>(
    fetch: (this: any, ...args: A) => Promise<R>, // any: as above
    options?: Options<(...args: NoInfer<A>) => Promise<R>, S, M> & X,
  ): Endpoint<(...args: A) => Promise<R>, S, M> & Added<X>;
  new <F extends FetchFunction = FetchFunction, S = undefined, M = false>(
    fetch: F,
    options?: Options<F, S, M>,
  ): Endpoint<F, S, M>;
  readonly prototype: OwnEndpoint;
}

/** `extend` with options that no endpoint has, which become members of the new endpoint. */
interface OpenExtend<F extends FetchFunction, S, M> {
  <X extends object, E extends object, G extends FetchFunction = F, T = S, N = M>(
    this: E,
    options: Options<G, T, N> & { readonly fetch?: G } & X,
  ): Endpoint<G, T, N> & Added<X> & OwnFields<E, OwnEndpoint>;
}

/** An endpoint; subclasses may declare the optimistic response as a method. */
interface OverridableEndpoint<F extends FetchFunction, S, M> extends OwnEndpoint<F, S, M> {
  readonly schema: S;
  // any: the snapshot is that of the controller; the method declares the parameters
  getOptimisticResponse?(snapshot: any, ...args: any[]): unknown;
}

/** An endpoint whose `extend` takes options of the application. */
export type Endpoint<
  F extends FetchFunction = FetchFunction,
  S = undefined,
  M = false,
> = OverridableEndpoint<F, S, M> & { readonly extend: OpenExtend<F, S, M> };

class PeerEndpoint extends OwnEndpoint<FetchFunction, unknown, boolean> {
  constructor(fetch: FetchFunction, options?: EndpointOptions) {
    super(fetch, options);
    readAbsentAsUndefined(this.schema);
  }

  override errorPolicy(error: ErrorWithStatus): ErrorPolicy {
    return everyError(error);
  }
}

/** A kind of request: a function with a key, a schema and policies. */
export const Endpoint: OpenEndpointConstructor = PeerEndpoint as never;

/** The policy of plain endpoints: each error, except for a response without the requested data. */
export const everyError = ({ code }: ErrorWithStatus): ErrorPolicy =>
  code === 'F2' ? undefined : 'hard';

/** The policy of rest endpoints: as above, unless the server is down. */
export const errorsBelow500 = (error: ErrorWithStatus): ErrorPolicy =>
  (error.status ?? 0) >= 500 ? undefined : everyError(error);

/** Objects whose absent members read as undefined, not as the default in the schema. */
class SparseObjectKind extends ObjectKind {
  override denormalize(node: NormalizedNode, source: Source): unknown {
    const value = super.denormalize(node, source);
    const { inner } = (node ?? {}) as { readonly inner?: Fields };
    if (!isPlainObject(value) || inner === undefined) return value;
    const absent = this.members.filter(([name]) => !hasField(inner, name));
    if (absent.length === 0) return value;
    const present = { ...value };
    for (const [name] of absent) delete present[name];
    return Object.freeze(present);
  }
}

/** Marks the objects in a schema; lists and classes stay unchanged. */
export function readAbsentAsUndefined(schema: unknown): void {
  if (!isPlainObject(schema) || KIND in schema || !Object.isExtensible(schema)) return;
  const members = Object.entries(schema);
  // the inner objects first: the kind of an outer object refers to the inner kinds
  for (const [, inner] of members) readAbsentAsUndefined(inner);
  // a missing member is reported when the schema is first used
  if (members.some(([, inner]) => inner === undefined)) return;
  const kind = () =>
    new SparseObjectKind(members.map(([name, inner]) => [name, kindOf(inner, 'schema', name)]));
  let known: SparseObjectKind | undefined;
  Object.defineProperty(schema, KIND, { get: () => (known ??= kind()), configurable: true });
}
