/** What `useCache` gives: what is stored, else what the schema alone tells. */
import type { EndpointInterface } from '../src/endpoint/Endpoint.ts';
import { kindOf } from '../src/schema/kindOf.ts';

/** The data, or the empty shape where the schema is an object, or undefined. */
export function cached({ schema }: EndpointInterface, data: unknown): unknown {
  if (data !== undefined || schema === undefined) return data;
  return kindOf(schema, 'schema').blank?.();
}
