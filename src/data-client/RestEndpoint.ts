/** Rest endpoints and resources that take options of the application: `channel: 'ticker'`. */
import type { OwnFields, Updates } from '../endpoint/Endpoint.ts';
import { RestBase } from '../rest/RestBase.ts';
import type {
  EndpointGenerics,
  FieldOf,
  InferredOptions,
  Kept,
  KeptMethod,
  NoOther,
  ProcessedBy,
  RestEndpoint as OwnRestEndpoint,
  RestEndpointOptions,
  RestOption,
  RestOptions,
  SideEffectAfter,
} from '../rest/RestEndpoint.ts';
import { createResource as createOwnResource } from '../rest/createResource.ts';
import type {
  MemberOptions,
  ResourceGenerics as OwnGenerics,
  ResourceOptions as OwnOptions,
  RestResource,
  TypedOptions,
  WithOwnFields,
} from '../rest/createResource.ts';
import { fitHeaders, toRequestInit, withHeaders } from '../rest/request.ts';
import type { CallArgs, ImpliedMethod, OptionOr, RestGenerics, Unset } from '../rest/splitCall.ts';
import type { Delete } from '../schema/Delete.ts';
import type { NamedEndpoint } from '../schema/badDataError.ts';
import { defineOwn, isPlainObject, makeGettersAssignable } from '../schema/fieldOf.ts';
import type { EntityClass } from '../schema/schema.ts';
import { Collection } from './Collection.ts';
import { readAbsentAsUndefined } from './Endpoint.ts';
import { isNeededPk, returnInstance } from './Invalidate.ts';
import type { Deleted } from './Invalidate.ts';
import { sendPlainly } from './NetworkError.ts';

/** The arguments that functions in the options declare: without params of the path or search, any. */
// any: as above
type OptionArgs<O extends RestGenerics> = CallArgs<O> extends readonly [] ? any[] : CallArgs<O>;

/** The body of a mutation that has no option `body`: any, or none. */
// any: as above
type ImplicitBody<M> = [M] extends ['POST' | 'PUT' | 'PATCH'] ? any : Unset;

/** The options that the application has added. */
type Added<X> = Omit<X, RestOption | keyof OwnRestEndpoint>;

/** An endpoint whose `extend` takes options of the application. */
export type Open<E> =
  E extends OwnRestEndpoint<infer O> ? RemovedAtList<E, O> & { readonly extend: OpenExtend<O> } : E;

/** `remove` of the list of a resource is sent to the list, not to the item. */
type RemovedAtList<E, O extends RestGenerics> = [OptionOr<O, 'itemPath', Unset>] extends [Unset]
  ? E
  : OwnRestEndpoint<O & { readonly removePath: O['path'] }> & OwnFields<E, OwnRestEndpoint>;

/** `extend` with options that no endpoint has, which become members of the new endpoint. */
export interface OpenExtend<O extends RestGenerics> {
  <
    X extends object,
    P extends string = O['path'],
    S = OptionOr<O, 'schema', Unset>,
    N extends boolean | undefined | Unset | Kept = Kept,
    M extends string = KeptMethod<O, N>,
    W = {},
    B = OptionOr<W, 'body', OptionOr<O, 'body', Unset>>,
    Q = OptionOr<W, 'searchParams', OptionOr<O, 'searchParams', Unset>>,
    R = ProcessedBy<O>,
    F extends string | Unset = FieldOf<O>,
    E extends object = OwnRestEndpoint<O>,
  >(
    this: E,
    options: { readonly path?: P; readonly paginationField?: F } & InferredOptions<
      S,
      M,
      W,
      N,
      R,
      OptionArgs<EndpointGenerics<P, S, M, NoInfer<B>, NoInfer<Q>, SideEffectAfter<O, M, N>, Unset>>
    > &
      X,
  ): Open<
    OwnRestEndpoint<
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
      >
    >
  > &
    Added<X>;
}

/** An endpoint; subclasses may declare the option functions as methods. */
interface OverridableEndpoint<O extends RestGenerics> extends OwnRestEndpoint<O> {
  // any: the snapshot is that of the controller; the methods declare their parameters
  getOptimisticResponse?(snapshot: any, ...args: any[]): unknown;
  // any: as above
  update?(answer: any, ...args: any[]): Updates;
}

/** The constructor: as that of `signalbox`, with a third form for options of the application. */
export interface OpenConstructor {
  // `_` is never inferred: `RestEndpoint<O>` of a subclass uses the second form
  new <
    _,
    P extends string,
    S = Unset,
    N extends boolean | undefined | Unset = Unset,
    M extends string = ImpliedMethod<N>,
    W = {},
    B = OptionOr<W, 'body', ImplicitBody<M>>,
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
      OptionArgs<EndpointGenerics<P, S, M, NoInfer<B>, NoInfer<Q>, N, Unset>>
    > &
      ThisType<OwnRestEndpoint<EndpointGenerics<P, S, M, B, Q, N, Unset>>>,
  ): OwnRestEndpoint<EndpointGenerics<P, S, M, B, Q, N, R, F>>;
  // any: a subclass without declared options accepts all options
  new <O extends RestGenerics = any, X extends PropertyKey = never>(
    options: RestEndpointOptions<O> & { readonly [K in X]: unknown } & NoOther<X, RestOption>,
  ): OverridableEndpoint<O>;
  new <
    _,
    P extends string,
    X extends object,
    S = Unset,
    N extends boolean | undefined | Unset = Unset,
    M extends string = ImpliedMethod<N>,
    W = {},
    B = OptionOr<W, 'body', ImplicitBody<M>>,
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
      OptionArgs<EndpointGenerics<P, S, M, NoInfer<B>, NoInfer<Q>, N, Unset>>
    > &
      X,
  ): Open<OwnRestEndpoint<EndpointGenerics<P, S, M, B, Q, N, R, F>>> & Added<X>;
  readonly prototype: OwnRestEndpoint;
}

// the first endpoint changes the class: a statement here would stay in every bundle
let areGettersAssignable = false;

export type Send = RestBase['fetchResponse'];

/** The requests that Data Client sends where those of `signalbox` differ. */
class PeerRequest extends RestBase {
  constructor(options: ConstructorParameters<typeof RestBase>[0]) {
    if (!areGettersAssignable) {
      areGettersAssignable = true;
      makeGettersAssignable(PeerRequest.prototype);
    }
    super(options);
    readAbsentAsUndefined(this.schema);
    returnInstance(this.schema);
  }

  get requestInit(): RequestInit | undefined {
    return undefined;
  }

  /** Arrays are joined by commas; null and undefined are sent as `null` and `undefined`. */
  override searchToString(params: object): string {
    return super.searchToString(toSentParams(params));
  }

  /** Requests without a body have the content type of JSON, too. `getHeaders` sees the headers of `requestInit`. */
  override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { requestInit, method, signal } = this;
    const { headers, ...content } = toTypedInit(body, this);
    const own = mergeHeaders(headers, requestInit?.headers);
    const request = { ...requestInit, method, ...content, ...(signal && { signal }) };
    return withHeaders(request, this.getHeaders(own), this);
  }

  override fetchResponse(...request: Parameters<Send>): ReturnType<Send> {
    return sendPlainly(super.fetchResponse(...request));
  }

  /** Sent to the list also in a resource, whose `move` is sent to the item. */
  override get remove(): unknown {
    const { path, optimisticResponses } = this;
    const removal = super.remove as RestBase | undefined;
    if (removal === undefined || removal.path === path) return removal;
    // the body, not the params, names the member: the response is expected as that of a creation
    const { getOptimisticResponse = optimisticResponses?.POST } = this;
    const atList: unknown = removal.extend({ path, getOptimisticResponse });
    defineOwn(this, 'remove', atList, false);
    return atList;
  }
}

/** A text or a number as the response of a deletion is the primary key, unless the params contain the key. */
function acceptBareKey(endpoint: RestBase): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the endpoint below
  const { process } = endpoint;
  defineOwn(endpoint, 'process', function (this: RestBase, value: unknown, ...args: unknown[]) {
    const { entity } = this.schema as Partial<Delete<EntityClass>>;
    const isPk = entity !== undefined && isNeededPk(value, entity, args);
    return isPk ? value : process.call(this, value, ...args);
  });
}

/** The RequestInit of a body. Data Client sends the content type of JSON without a body, too. */
export function toTypedInit(body: unknown, endpoint: NamedEndpoint): RequestInit {
  const init = toRequestInit(body, endpoint);
  return body === undefined || body === null
    ? { ...init, headers: { 'Content-Type': 'application/json' } }
    : init;
}

/** Search params with the texts that Data Client sends where `signalbox` sends another form of the value. */
export function toSentParams(params: object): object {
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => {
    const isText =
      value === null || value === undefined || Array.isArray(value) || value instanceof Date;
    return [name, isText ? String(value) : value];
  });
  return Object.fromEntries(entries) as object;
}

/** The later header wins, also in another spelling. */
export function mergeHeaders(first: HeadersInit = {}, last: HeadersInit = {}): HeadersInit {
  return fitHeaders({ ...toPlainHeaders(first), ...toPlainHeaders(last) });
}

const toPlainHeaders = (headers: HeadersInit): Record<string, string> =>
  isPlainObject(headers) ? { ...headers } : Object.fromEntries(new Headers(headers));

/** A kind of HTTP request; takes options of the application, too. */
export const RestEndpoint: OpenConstructor = PeerRequest as never;
// any begin: calls, options and reads of an endpoint of unknown type compile
/** The members of an endpoint; without type parameters, of any type. */
type MembersOf<O extends RestGenerics> = {
  [K in keyof OwnRestEndpoint<O>]: 0 extends 1 & O ? any : OwnRestEndpoint<O>[K];
};
/**
 * A kind of HTTP request; takes options of the application, too. Without type parameters: any endpoint. An interface:
 * the application may declare interfaces that extend this type.
 */
export interface RestEndpoint<O extends RestGenerics = any> extends MembersOf<O> {
  (...args: CallArgs<O>): 0 extends 1 & O ? Promise<any> : ReturnType<OwnRestEndpoint<O>>;
}
/** An endpoint of which nothing is known. */
export type AnyRestEndpoint = RestEndpoint;
// any end

/** The type parameters of a resource. */
export type ResourceGenerics = OwnGenerics;

/** The options of a resource beside the type parameters. */
export interface ResourceOptions extends Omit<OwnOptions, 'Collection'> {
  // any: subclasses declare their members and options
  readonly Collection?: ListClass;
}

type ListClass = new (schema: any, options?: any) => any; // any: as above

// any begin: members that are extended have other arguments
/** The options of a member in `resource.extend`. */
type OpenMemberOptions = RestOptions<any[]> & Readonly<Record<string, any>>;

/** A resource whose members take options of the application. */
export type OpenResource<R> = {
  readonly [K in keyof R]: K extends 'extend'
    ? R[K] & OpenResourceExtend
    : Open<K extends 'delete' ? Deleting<R[K]> : R[K]>;
};

/** The endpoint of a deletion: the response is an instance. */
type Deleting<E> =
  E extends OwnRestEndpoint<infer O>
    ? OptionOr<O, 'schema', Unset> extends Delete<infer T>
      ? OwnRestEndpoint<O & { readonly schema: Deleted<T> }> & OwnFields<E, OwnRestEndpoint>
      : E
    : E;

interface OpenResourceExtend {
  <R extends object, X extends Readonly<Record<string, OpenMemberOptions>>>(
    this: R,
    members: X,
  ): R & { readonly [K in Exclude<keyof X, keyof R>]: OwnRestEndpoint };
  <R extends object, K extends string>(
    this: R,
    name: K,
    options: OpenMemberOptions,
  ): R & { readonly [Name in Exclude<K, keyof R>]: OwnRestEndpoint };
}

// any end

/** `resource({ path: '/todos/:id', schema: Todo })`, whose lists are collections of this entry. */
export interface CreateResource {
  <
    P extends string,
    S,
    W = {},
    B = OptionOr<W, 'body', Unset>,
    Q = OptionOr<W, 'searchParams', Unset>,
    F extends string | Unset = Unset,
  >(
    options: TypedOptions<P, S, W, F> & ResourceOptions,
  ): OpenResource<
    RestResource<{ path: P; schema: S; body: B; searchParams: Q; paginationField: F }>
  >;
  <
    P extends string,
    S,
    W = {},
    B = OptionOr<W, 'body', Unset>,
    Q = OptionOr<W, 'searchParams', Unset>,
    F extends string | Unset = Unset,
    E extends OwnRestEndpoint = any, // any: a generic class is not known yet when the options are checked
  >(
    options: TypedOptions<P, S, W, F> &
      Omit<MemberOptions, 'Collection'> &
      // any: subclasses declare their options
      { readonly Endpoint: new (options: any) => E; readonly Collection?: ListClass } & Partial<
        OwnFields<NoInfer<E>, OwnRestEndpoint>
      >,
  ): OpenResource<
    WithOwnFields<
      RestResource<{ path: P; schema: S; body: B; searchParams: Q; paginationField: F }>,
      OwnFields<E, OwnRestEndpoint>
    >
  >;
  <O extends ResourceGenerics>(
    options: Readonly<O> & Omit<ResourceOptions, 'paginationField'>,
  ): OpenResource<RestResource<O>>;
}

/** `createResource({ path: '/todos/:id', schema: Todo })`: get, getList, create, update, partialUpdate, delete. */
export const createResource: CreateResource = ((options: object) => {
  const own: object = { Collection, Endpoint: RestEndpoint, ...options };
  const made: { readonly delete: unknown } = createOwnResource(own as never);
  acceptBareKey(made.delete as RestBase);
  return made;
}) as never;
