/** The value of `useCache`: stored data, else the empty value of the schema. */
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { ObjectKind } from '../src/schema/containers.ts';
import { kindOf } from '../src/schema/kindOf.ts';

/** The data, or the empty value if the schema is an object, or undefined. */
export function cached({ schema }: EndpointInterface, data: unknown): unknown {
  if (data !== undefined || schema === undefined) return data;
  const kind = kindOf(schema, 'schema');
  return kind instanceof ObjectKind ? kind.emptyValue() : undefined;
}
