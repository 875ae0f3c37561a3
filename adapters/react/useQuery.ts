/** Reads what is stored under a schema, without an endpoint. */
import type { NoEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { dataOf } from '../../src/store/thrownResult.ts';
import { useLent } from './Provider.ts';
import { useResult } from './useResult.ts';

/**
 * The value that the arguments find: an entity, `new All(Todo)`, a collection, `new Query(…)`; undefined while it is not
 * there. Nothing is asked. A schema is known by its object: make it once, outside of the component.
 */
export function useQuery<S extends Schema>(
  schema: S & NoEndpoint,
  ...args: readonly unknown[]
): Denormalized<S> | undefined {
  const controller = useLent('useQuery');
  return dataOf(useResult(controller, controller.query(schema, ...args)).result);
}
