/** Managers: objects with a middleware that receives each action, and the actions. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Schema } from '../schema/schema.ts';
import type { UnknownError } from '../errors.ts';
import type { actionTypes } from './actionTypes.ts';
import type { DataClientController } from './DataClientController.ts';
import type { State } from './State.ts';

type Types = typeof actionTypes;
// any begin: middleware reads arguments and responses of every endpoint
type AnyArgs = readonly any[];

/** Wall times in milliseconds since 1970. */
export interface ActionMeta {
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
}

/** How a middleware that does not call `next` ends a request. */
export interface FetchMeta {
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
}

/** The response or the error of a request. */
export type SetResponseAction<E extends EndpointInterface = AnyEndpoint> =
  | SetResponseActionSuccess<E>
  | SetResponseActionError<E>;

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
}

/** The end of one subscription. */
export interface UnsubscribeAction<E extends EndpointInterface = AnyEndpoint> {
  readonly type: Types['UNSUBSCRIBE'];
  readonly endpoint: E;
  readonly args: AnyArgs;
  readonly key: string;
}
// any end

/** `controller.invalidate`. */
export interface InvalidateAction {
  readonly type: Types['INVALIDATE'];
  readonly key: string;
}

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
// any: members that an application adds to its endpoints have its own types
export type AnyEndpoint = EndpointInterface & { readonly [member: string]: any };

/** Passes an action on. Resolves when the change of the store is complete. */
export type Dispatch<Actions = ActionTypes> = (action: Actions) => Promise<void>;
/** Dispatches an action of this library. */
export type DataClientDispatch = Dispatch;
// any: actions of the application's own
/** Dispatches any action. */
export type GenericDispatch = (action: any) => Promise<void>;

/** The controller as a middleware receives it. */
export type MiddlewareAPI<D extends GenericDispatch = DataClientDispatch> = DataClientController<D>;

/** `(controller) => (next) => async (action) => { await next(action); }` */
export type Middleware<Actions = ActionTypes> = (
  controller: DataClientController,
) => (next: Dispatch<Actions>) => Dispatch<Actions>;

interface ManagerLife<Actions> {
  /** `middleware` in older versions. */
  getMiddleware?(): Middleware<Actions>;
  /** Called once the provider has mounted. */
  init?(state: State): void;
  /** Called when the provider unmounts. */
  cleanup(): void;
}

/**
 * An object that takes part in the life of the store. Its `middleware` receives each action, in the order of the
 * managers. Classes of older versions declare it as protected, which no interface with this member allows.
 */
export interface Manager<Actions = ActionTypes> extends ManagerLife<Actions> {
  // any: `middleware`, and members of the class
  readonly [member: string]: any;
}

/** A manager in a list of managers, where an object may leave out the types of its middleware. */
export type ManagerInList<Actions = ActionTypes> =
  | (ManagerLife<Actions> & { readonly middleware?: Middleware<Actions> })
  | ManagerLife<Actions>;
