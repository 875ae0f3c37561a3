/** The actions that middleware receives: types, contents, and functions that create actions. */
import { systemClock } from '../clock.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import type { UnknownError } from '../errors.ts';
import type { Args, Schema } from '../schema/schema.ts';

/** `actionTypes.FETCH`, `actionTypes.SET_RESPONSE`, …; each has a second name of older versions. */
export const actionTypes = {
  FETCH: 'rdc/fetch',
  SET: 'rdc/set',
  SET_RESPONSE: 'rdc/setresponse',
  OPTIMISTIC: 'rdc/optimistic',
  RESET: 'rdc/reset',
  SUBSCRIBE: 'rdc/subscribe',
  UNSUBSCRIBE: 'rdc/unsubscribe',
  INVALIDATE: 'rdc/invalidate',
  INVALIDATEALL: 'rdc/invalidateall',
  EXPIREALL: 'rdc/expireall',
  GC: 'rdc/gc',
  FETCH_TYPE: 'rdc/fetch',
  SET_TYPE: 'rdc/set',
  SET_RESPONSE_TYPE: 'rdc/setresponse',
  OPTIMISTIC_TYPE: 'rdc/optimistic',
  RESET_TYPE: 'rdc/reset',
  SUBSCRIBE_TYPE: 'rdc/subscribe',
  UNSUBSCRIBE_TYPE: 'rdc/unsubscribe',
  INVALIDATE_TYPE: 'rdc/invalidate',
  INVALIDATEALL_TYPE: 'rdc/invalidateall',
  EXPIREALL_TYPE: 'rdc/expireall',
  GC_TYPE: 'rdc/gc',
  RECEIVE_TYPE: 'rdc/setresponse',
} as const;

type Types = typeof actionTypes;
// any begin: middleware reads arguments and responses of every endpoint
type AnyArgs = readonly any[];

/** Members that actions had in older versions: `args` and `key` are those of the action. */
interface OlderMeta {
  readonly args?: any;
  readonly key?: any;
}

/** Wall times in milliseconds since 1970. */
export interface ActionMeta extends OlderMeta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
}

/** How a middleware that does not call `next` ends a request. */
export interface FetchMeta extends OlderMeta {
  readonly fetchedAt: number;
  readonly resolve: (value?: any) => void;
  readonly reject: (reason?: any) => void;
  readonly promise: Promise<any>;
}

/** A request that is about to be sent. Requests that join a request in flight have no action of their own. */
export interface FetchAction<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['FETCH'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
  readonly meta: FetchMeta;
}

/** `controller.set`. */
export interface SetAction<S extends Schema = any> {
  readonly type: Types['SET'];
  readonly schema: S;
  readonly args: AnyArgs;
  readonly meta: ActionMeta;
  readonly value: any;
}

/** The response of a request, or of `controller.setResponse`. */
export interface SetResponseActionSuccess<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['SET_RESPONSE'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
  readonly meta: ActionMeta;
  readonly response: any;
  readonly error?: false;
  /** The older name of `response`. */
  readonly payload?: any;
}

/** The error of a request, or of `controller.setError`. */
export interface SetResponseActionError<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['SET_RESPONSE'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
  readonly meta: ActionMeta;
  readonly response: UnknownError;
  readonly error: true;
  /** The older name of `response`. */
  readonly payload?: any;
}

/** The response or the error of a request. */
export type SetResponseAction<E extends EndpointInterface = AnyEndpoint> =
  | SetResponseActionSuccess<E>
  | SetResponseActionError<E>;

/** The older name of `SetResponseAction`. */
export type ReceiveAction = SetResponseAction;
/** The older name of `SetResponseAction`. */
export type ReceiveTypes = SetResponseAction;
/** The older name of `SetResponseAction`. */
export type SetTypes = SetResponseAction;

/** A mutation whose optimistic response is shown. */
export interface OptimisticAction<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['OPTIMISTIC'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
  readonly meta: ActionMeta;
  readonly error?: false;
}

/** A component, or `controller.subscribe`, begins to need an endpoint's present data. */
export interface SubscribeAction<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['SUBSCRIBE'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
  readonly meta?: any;
}

/** The end of a single subscription. */
export interface UnsubscribeAction<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['UNSUBSCRIBE'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
  readonly meta?: any;
}

/** `controller.invalidate`. */
export interface InvalidateAction {
  readonly type: Types['INVALIDATE'];
  readonly key: string;
  readonly meta?: any;
}
// any end

/** `controller.invalidateAll`. */
export interface InvalidateAllAction {
  readonly type: Types['INVALIDATEALL'];
  readonly testKey: (key: string) => boolean;
}

/** `controller.expireAll`. */
export interface ExpireAllAction {
  readonly type: Types['EXPIREALL'];
  readonly testKey: (key: string) => boolean;
}

/** `controller.resetEntireStore`. */
export interface ResetAction {
  readonly type: Types['RESET'];
  readonly date: number;
}

/** Never dispatched: garbage collection has no actions. */
export interface GCAction {
  readonly type: Types['GC'];
  readonly entities: { key: string; pk: string }[];
  readonly endpoints: string[];
}

/** Every action that a middleware can receive. */
export type ActionTypes =
  | FetchAction
  | OptimisticAction
  | SetAction
  | SetResponseAction
  | SubscribeAction
  | UnsubscribeAction
  | InvalidateAction
  | InvalidateAllAction
  | ExpireAllAction
  | ResetAction
  | GCAction;

/** An endpoint of unknown type, with any members of the application's own. */
// any: members that an application adds to endpoints have types of the application
export type AnyEndpoint = EndpointInterface & { readonly [member: string]: any };

/** Adds the members of older versions, hidden from copies and logs. */
export function addOlderMembers(action: ActionTypes): void {
  if (!('key' in action)) return;
  const { meta = {}, key, args } = action as Partial<FetchAction>;
  const hidden = (value: unknown) => ({ value, configurable: true });
  Reflect.defineProperty(meta, 'args', hidden(args));
  Reflect.defineProperty(meta, 'key', hidden(key));
  if (action.meta === undefined) Reflect.defineProperty(action, 'meta', hidden(meta));
  if (action.type === actionTypes.SET_RESPONSE && action.payload === undefined)
    Reflect.defineProperty(action, 'payload', hidden(action.response));
}

/** The action, with the `payload` that a middleware of older versions has set as its response. */
export function withPayload(action: SetResponseAction): SetResponseAction {
  return Object.keys(action).includes('payload') ? { ...action, response: action.payload } : action;
}

/** Passes an action on. Resolves when the change of the store is complete. */
export type Dispatch<Actions = ActionTypes> = (action: ActionOf<Actions>) => Promise<void>;
/** In Rest Hooks 5 the type parameter of Dispatch is that of a reducer. */
// any: reducers of every action
type ActionOf<Actions> = Actions extends (...args: any) => any ? any : Actions;
/** Dispatches an action of this library. */
export type DataClientDispatch = Dispatch;
// any: actions of the application's own
/** Dispatches any action. */
export type GenericDispatch = (action: any) => Promise<void>;

/** A request that begins when the action is dispatched. `meta.promise` settles with the request. */
export function createFetch<E extends EndpointInterface>(
  endpoint: E,
  { args }: { readonly args: readonly [...Parameters<E>] },
): FetchAction<E> {
  const meta: FetchMeta = { fetchedAt: systemClock.now(), ...withResolvers() };
  return { type: actionTypes.FETCH, endpoint, args, key: keyOf(endpoint, args), meta };
}

// any begin: values and responses have no type
/** The response or the error of a request. */
export interface ResponseOptions<A extends Args = Args> {
  readonly args: A;
  readonly response: any;
  readonly error?: boolean | undefined;
  /** ms since 1970; default: now */
  readonly fetchedAt?: number | undefined;
}

/** A write of the response to a request, or of the error. */
export function createSetResponse<E extends EndpointInterface>(
  endpoint: E,
  { args, response, error, fetchedAt }: ResponseOptions<readonly [...Parameters<E>]>,
): SetResponseAction<E> {
  const meta = metaAt(fetchedAt, error ? endpoint.errorExpiryLength : endpoint.dataExpiryLength);
  const about = { type: actionTypes.SET_RESPONSE, endpoint, args, key: keyOf(endpoint, args) };
  return { ...about, response, error: error === true, meta } as SetResponseAction<E>;
}

/** A write of a value: `createSet(Todo, { args: [{ id: 1 }], value })`. In older versions: of a response. */
export function createSet<E extends EndpointInterface>(
  endpoint: E,
  options: ResponseOptions<readonly [...Parameters<E>]>,
): SetResponseAction<E>;
export function createSet<S extends Schema>(
  schema: S,
  options: { readonly args: Args; readonly value: any; readonly fetchedAt?: number | undefined },
): SetAction<S>;
export function createSet(
  target: EndpointInterface | Schema,
  options: { readonly args: Args; readonly value?: any; readonly fetchedAt?: number | undefined },
): unknown {
  if ('response' in options)
    return createSetResponse(target as EndpointInterface, options as ResponseOptions<any[]>);
  const { args, value, fetchedAt } = options;
  return { type: actionTypes.SET, schema: target, args, value, meta: metaAt(fetchedAt) };
}
// any end

// ms; pushes are fresh as long as responses
const EXPIRY = 60_000;

function metaAt(fetchedAt = systemClock.now(), expiry = EXPIRY): ActionMeta {
  return { fetchedAt, date: fetchedAt, expiresAt: fetchedAt + expiry };
}

/** A promise with the functions `resolve` and `reject`. */
export function withResolvers(): Pick<FetchMeta, 'resolve' | 'reject'> & {
  promise: Promise<unknown>;
} {
  let resolve: FetchMeta['resolve'];
  let reject: FetchMeta['reject'];
  const promise = new Promise<unknown>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve: (value) => resolve(value), reject: (reason) => reject(reason) };
}
