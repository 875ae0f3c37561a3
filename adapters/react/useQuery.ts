/** Reads the stored value of a schema, without an endpoint. */
import type { NoEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { dataOf } from '../../src/store/StorePort.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { useControllerFor } from './Provider.ts';
import { useResult } from './concurrent/useResult.ts';

/**
 * The value of the schema for the arguments: an entity, `new All(Todo)`, a collection, `new Query(…)`; undefined while
 * it is not stored. No request is sent. Null as first argument returns the schema's empty value. Throws what a
 * function of the schema throws. A schema is identified by its object: create it once, outside of the component.
 */
export function useQuery<S extends Schema>(
  schema: S & NoEndpoint,
  ...args: NullableSchemaArgs<S>
): Denormalized<S> | undefined {
  const controller = useControllerFor('useQuery');
  const reader = controller.query<unknown>(schema, ...args) as Reader<Denormalized<S>>;
  return dataOf(useResult(controller, reader).result);
}
