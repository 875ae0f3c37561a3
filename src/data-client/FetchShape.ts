/** The types of Rest Hooks 3 to 6, whose endpoints were shapes. */
import type { EndpointInterface as OwnEndpoint } from '../endpoint/Endpoint.ts';
import type { EntityClass } from '../schema/schema.ts';
import type { UnknownError } from '../errors.ts';
import type { EndpointInterface } from './EndpointInterface.ts';
import type { SetResponseAction } from './actionTypes.ts';

// any begin: params, bodies and responses are of the application's own types
type Call<P, B> = (params: P, body?: B) => Promise<any>;
type Params = Readonly<Record<string, any>>;

/** An endpoint with its schema, params and body. */
export type FetchShape<S = any, P = Params, B = any> = EndpointInterface<Call<P, B>, S>;
/** An endpoint that reads. */
export type ReadShape<S = any, P = Params> = EndpointInterface<Call<P, any>, S, undefined>;
/** An endpoint that changes data. */
export type MutateShape<S = any, P = Params, B = any> = EndpointInterface<Call<P, B>, S, true>;
/** An endpoint that deletes an entity. */
export type DeleteShape<S = any, P = Params> = EndpointInterface<Call<P, any>, S, true>;
/** An endpoint with other params. */
export type SetShapeParams<E extends OwnEndpoint, P> = FetchShape<E['schema'], P>;
/** The params of an endpoint. */
export type ParamsFromShape<E> = E extends (params: infer P, ...rest: any) => any ? P : never;
/** The body of an endpoint. */
export type BodyFromShape<E> = E extends (params: any, body: infer B) => any ? B : never;
/** The response of an endpoint. */
export type ReturnFromShape<E> = E extends (...args: any) => Promise<infer R> ? R : never;
/** The policies of an endpoint. */
export interface FetchOptions {
  readonly dataExpiryLength?: number;
  readonly errorExpiryLength?: number;
  readonly pollFrequency?: number;
  readonly invalidIfStale?: boolean;
  readonly errorPolicy?: (error: any) => 'soft' | undefined;
  readonly extra?: any;
}
// any end

/** The schema of one entity. */
export type SchemaDetail<T> = EntityClass<T & object>;
/** The schema of a list. */
export type SchemaList<T> = EntityClass<T & object>[];
/** The HTTP methods of a resource. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';
/** `SetResponseAction` by its older name. */
export type ReceiveAction = SetResponseAction;
/** `SetResponseAction` by its older name. */
export type ReceiveTypes = SetResponseAction;
/** `SetResponseAction` by its older name. */
export type SetTypes = SetResponseAction;
/** An error that is no error of HTTP. */
export type SyntheticError = UnknownError;
/** A primary key, as the store has it. */
export type PK = string;
