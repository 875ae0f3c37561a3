/** Reads of what is stored or in flight, which never fetch: data, the value of a schema, error, status. */
import type { DataOf } from '../../src/Controller.ts';
import type { NoEndpoint, ReadEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { UnknownError } from '../../src/errors.ts';
import type { KeyTest } from '../../src/request/Events.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import type { Status } from '../../src/view/Status.ts';
import type { CachedOf, NullableArgs } from '../EmptyOf.ts';
import {
  createCachedData,
  createError,
  createFetchingCount,
  createSchemaData,
  createStatus,
} from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { solidRuntime } from './solidRuntime.ts';

/**
 * The live data if there are any; else undefined, or the empty value of a schema that is an object. Arguments are
 * functions, as with `useSuspense`; null as first argument gives the schema's empty value, also that of a list. Errors
 * of requests are not thrown, exceptions of the schema's own functions are.
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<DataOf<E> | CachedOf<E['schema']>> {
  return createCachedData(solidRuntime, endpoint, params) as Accessor<DataOf<E>>;
}

/**
 * The live value of the schema for the arguments: an entity, `new All(Todo)`, a collection, `new Query(…)`; undefined
 * while not stored. No request is sent. Arguments are functions, as with `useSuspense`; null gives the schema's empty
 * value. The accessor throws what a function of the schema throws. Schemas are compared by identity: create each schema
 * once, outside of the component.
 */
export function useQuery<S extends Schema>(
  schema: S & NoEndpoint,
  ...params: Params<NullableSchemaArgs<S>>
): Accessor<Denormalized<S> | undefined> {
  const read = createSchemaData(solidRuntime, schema, params);
  return read as Accessor<Denormalized<S> | undefined>;
}

/**
 * The error that `useSuspense` would throw; undefined without an error: there are data, or nothing was fetched.
 * Arguments are functions, as with `useSuspense`.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Accessor<UnknownError | undefined> {
  return createError(solidRuntime, endpoint, params);
}

/**
 * `{isFetching, isStale, fetchedAt, error}` of the request, as an object with tracked members; must not be
 * destructured. No request is sent. Arguments are functions, as with `useSuspense`; null, a server, and hydration
 * return the status without a request.
 */
export function useStatus<E extends ReadEndpoint>(
  endpoint: E,
  ...params: Params<NullableArgs<E>>
): Status {
  return createStatus(solidRuntime, endpoint, params);
}

/**
 * How many reads are in flight, of `endpoint` or of all endpoints; 0 on a server and while server markup is hydrated.
 */
export function useIsFetching(endpoint?: KeyTest): Accessor<number> {
  return createFetchingCount(solidRuntime, endpoint);
}
