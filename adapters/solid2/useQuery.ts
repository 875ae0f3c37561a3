/** Reads the stored value of a schema, without an endpoint. */
import { DEV } from '../../src/errors.ts';
import { argumentChecks } from '../../src/endpoint/argumentChecks.ts';
import type { NoEndpoint } from '../../src/endpoint/Endpoint.ts';
import type { Denormalized, Schema } from '../../src/schema/schema.ts';
import type { NullableSchemaArgs } from '../../src/schema/SchemaArgs.ts';
import { dataOf } from '../../src/store/results/thrownResult.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import type { Params } from './createQueryHandle.ts';
import { readTracked } from './trackInSolid.ts';
import { useControllerContext } from './Provider.ts';
import { createMemo, untrack } from './solid.ts';
import type { Accessor } from './solid.ts';

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
  if (DEV) argumentChecks?.schema(schema);
  const { controller } = useControllerContext('useQuery');
  const reader = createMemo(() => {
    const args = (params as unknown as readonly Accessor<unknown>[]).map((param) => param());
    return untrack(() => controller.query<unknown>(schema, ...args));
  });
  return () => dataOf(readTracked(liveResult(reader() as Reader<Denormalized<S>>)));
}
