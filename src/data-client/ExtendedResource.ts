/** The types of Data Client for extended endpoints and resources, which annotations of applications name. */
import type { EndpointInterface, FetchFunction } from '../endpoint/Endpoint.ts';
import type { EndpointGenerics, RestEndpoint } from '../rest/RestEndpoint.ts';
import type { OptionOr, RestGenerics, Unset } from '../rest/splitCall.ts';
import type {
  EndpointExtendOptions,
  EndpointInstance,
  ParamFetchNoBody,
  ParamFetchWithBody,
  PartialRestGenerics,
  ResourceInterface,
  ResolveType,
} from './EndpointInterface.ts';
import type { OpenConstructor } from './RestEndpoint.ts';

// any begin: params, bodies and responses of every type
/** O, with the members of D where O has none. */
export type Defaults<O, D> = {
  [K in keyof O | keyof D]: K extends keyof O ? Exclude<O[K], undefined> : D[Extract<K, keyof D>];
};
/** The member K of O, else of E. */
export type FromFallBack<K extends keyof E, O, E> = K extends keyof O ? O[K] : E[K];
/** The side effect that a method implies. */
export type MethodToSide<M> = M extends string ? (M extends 'GET' ? undefined : true) : undefined;

/** The names of the members of an endpoint. */
export type KeyofEndpointInstance = keyof EndpointInstance;
/** The names of the members of a rest endpoint. */
export type KeyofRestEndpoint = keyof RestEndpoint;

/** A rest endpoint without a body, by its params, schema, side effect and response. */
export type RestTypeNoBody<P = any, S = any, M = any, R = any> = EndpointInterface<
  ParamFetchNoBody<P, R>,
  S
> & { readonly sideEffect?: M };
/** A rest endpoint with a body. */
export type RestTypeWithBody<P = any, S = any, M = any, B = any, R = any> = EndpointInterface<
  ParamFetchWithBody<P, B, R>,
  S
> & { readonly sideEffect?: M };

/** The type of the class `RestEndpoint`. */
export type RestEndpointConstructor = OpenConstructor;
/** The options of `extend`. */
export type RestEndpointExtendOptions<
  O extends PartialRestGenerics = any,
  _E = any,
  F extends FetchFunction = FetchFunction,
> = EndpointExtendOptions<F> & Readonly<O>;
/** The endpoint E, extended by the options O. */
export type RestExtendedEndpoint<
  O extends PartialRestGenerics,
  E extends Partial<RestGenerics>,
> = RestEndpoint<
  EndpointGenerics<
    OptionOr<O, 'path', OptionOr<E, 'path', string>> & string,
    EitherOption<'schema', O, E>,
    OptionOr<O, 'method', OptionOr<E, 'method', string>> & string,
    EitherOption<'body', O, E>,
    EitherOption<'searchParams', O, E>,
    EitherOption<'sideEffect', O, E>,
    Unset,
    EitherOption<'paginationField', O, E>
  >
>;
type EitherOption<K extends string, O, E> = OptionOr<O, K, OptionOr<E, K, Unset>>;
/** The function of the endpoint E with the options O. */
export type OptionsToFunction<
  O extends PartialRestGenerics,
  E extends Partial<RestGenerics>,
  F extends FetchFunction = FetchFunction,
> = (...args: Parameters<RestExtendedEndpoint<O, E>>) => Promise<ResolveType<F>>;

/** An endpoint that `hookifyResource` takes. */
export interface HookableEndpointInterface extends EndpointInterface {
  extend(...args: any): any;
}
/** A resource with the endpoints T in the place of its own. */
export type ExtendedResource<
  R extends ResourceInterface,
  T extends Readonly<Record<string, EndpointInterface>>,
> = Omit<R, keyof T> & T;
/** A resource that has the options O in its endpoint K. */
export type ResourceExtension<R, K extends keyof R, O extends PartialRestGenerics> = {
  [M in keyof R]: M extends K ? RestExtendedEndpoint<O, Partial<RestGenerics> & R[M]> : R[M];
};
/** The options of `resource.extend`, by the endpoints of the resource. */
export type ResourceEndpointExtensions<R extends ResourceInterface> = {
  readonly [K in keyof ResourceInterface]?: RestEndpointExtendOptions<any, R[K]>;
};
/** A resource with these options in its endpoints, in this order. */
export type CustomResource<
  R extends ResourceInterface,
  _O = any,
  Get = unknown,
  GetList = unknown,
  Update = unknown,
  PartialUpdate = unknown,
  Delete = unknown,
> = Omit<R, keyof ResourceInterface> & {
  readonly get: Customized<R['get'], Get>;
  readonly getList: Customized<R['getList'], GetList>;
  readonly update: Customized<R['update'], Update>;
  readonly partialUpdate: Customized<R['partialUpdate'], PartialUpdate>;
  readonly delete: Customized<R['delete'], Delete>;
};
type Customized<E, O> = unknown extends O
  ? E
  : PartialRestGenerics extends O
    ? E
    : RestExtendedEndpoint<O & PartialRestGenerics, E & Partial<RestGenerics>>;
// any end
