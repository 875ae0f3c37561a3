/** Shapes of Rest Hooks 3 and 4: requests as plain objects, which hooks of these versions take. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { Delete } from '../schema/Delete.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import { Endpoint } from './Endpoint.ts';
import { isEntity } from './Entity.ts';
import type { FetchOptions } from './Resource.ts';

// any begin: params, bodies and responses of every type
/** `{ type: 'read', schema, getFetchKey: (params) => '…', fetch: (params, body) => … }` */
export interface PlainShape<S = any, P = any, B = any> {
  readonly type: 'read' | 'mutate' | 'delete';
  readonly schema: S;
  readonly options?: FetchOptions | undefined;
  fetch(params: P, body?: B): Promise<any>;
  getFetchKey(params: P): string;
}

/** The endpoint of a shape: a function, which hooks read. */
export type EndpointOf<E> = E extends EndpointInterface
  ? E
  : E extends PlainShape<infer S, infer P, infer B>
    ? EndpointInterface<(params: P, body?: B) => Promise<any>, S>
    : E & EndpointInterface;
// any end

const endpoints = new WeakMap<object, EndpointInterface>();

/** The endpoint of a shape. Endpoints, and all other values, are returned. */
export function endpointOf<E>(shape: E): EndpointOf<E> {
  if (!isShape(shape)) return shape as EndpointOf<E>;
  const known = endpoints.get(shape) ?? createEndpoint(shape);
  endpoints.set(shape, known);
  return known as EndpointOf<E>;
}

const isShape = (value: unknown): value is PlainShape =>
  isPlainObject(value) && ('getFetchKey' in value || SOURCE in value);

/** The endpoint of a class, as a member of the endpoint: a shape that spreads the endpoint has this member, too. */
export const SOURCE: unique symbol = Symbol('signalbox.shape');

/** An endpoint that a shape may spread: `{ ...super.listShape(), schema: { results: [this] } }`. */
export interface SpreadEndpoint {
  readonly [SOURCE]: { readonly extend: (options: object) => EndpointInterface };
}

function createEndpoint(shape: PlainShape & Partial<SpreadEndpoint>): EndpointInterface {
  const { type, schema, options } = shape;
  const source = shape[SOURCE];
  if (source !== undefined) return source.extend(optionsOf(shape, source));
  const isDeletion = type === 'delete';
  const fetch = async (params: unknown, body?: unknown): Promise<unknown> => {
    const response: unknown = await shape.fetch(params, body);
    // the params name the deleted entity
    return isDeletion ? params : response;
  };
  return new Endpoint(fetch, {
    ...options,
    name: 'shape',
    schema: isDeletion && isEntity(schema) ? new Delete(schema) : (schema as unknown),
    sideEffect: type !== 'read',
    key: (params) => shape.getFetchKey(params),
    testKey: () => false,
  });
}

/** The members of a shape that are other than those of the endpoint that the shape spreads. */
function optionsOf(shape: PlainShape, source: object): object {
  const own = Object.entries(shape).filter(
    ([name, value]) => name !== 'type' && value !== Reflect.get(source, name),
  );
  const { getFetchKey: key, options, ...others } = Object.fromEntries(own) as Partial<PlainShape>;
  const isChange = shape.type === undefined ? undefined : { sideEffect: shape.type !== 'read' };
  return { ...options, ...isChange, ...(key && { key, testKey: () => false }), ...others };
}
