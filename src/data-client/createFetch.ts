/** Creators of actions for `controller.dispatch`, and for tests of middleware. */
import { systemClock } from '../clock.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args, Schema } from '../schema/schema.ts';
import { actionTypes } from './actionTypes.ts';
import { withResolvers } from './ActionPipeline.ts';
import type {
  ActionMeta,
  FetchAction,
  FetchMeta,
  SetAction,
  SetResponseAction,
} from './Manager.ts';

/** A request that begins when the action is dispatched. `meta.promise` settles with it. */
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

/** A write of the response to a request, or of its error. */
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
