/** Reads the stored value of a schema, without an endpoint. */
import type { NoEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import { createSchemaData } from '../solid-shared/SolidRuntime.ts';
import type { Accessor, Params } from '../solid-shared/SolidRuntime.ts';
import { solid2Runtime } from './solid2Runtime.ts';

/**
 * The live value of the schema for the arguments: an entity, `new All(Todo)`, a collection, `new Query(…)`; undefined
 * while it is not stored. No request is sent. Arguments are functions, as with `useSuspense`; null gives the schema's
 * empty value. The accessor throws what a function of the schema throws. A schema is identified by its object: create it
 * once, outside of the component.
 */
export function useQuery<S extends Schema>(
  schema: S & NoEndpoint,
  ...params: Params<NullableSchemaArgs<S>>
): Accessor<Denormalized<S> | undefined> {
  const read = createSchemaData(solid2Runtime, schema, params);
  return read as Accessor<Denormalized<S> | undefined>;
}
