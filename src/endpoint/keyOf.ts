/** The validated key of a request. */
import { DEV, SignalboxError } from '../errors.ts';
import type { Args } from '../schema/schema.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { argumentChecks } from './argumentChecks.ts';
import { titleOf } from './titleOf.ts';

/** `endpoint.key(...args)`; throws E3 if the key is not a string: two requests could share such a key by accident. */
export function keyOf(endpoint: EndpointInterface, args: Args): string {
  if (DEV) argumentChecks?.endpoint(endpoint);
  const key: unknown = endpoint.key(...args);
  if (typeof key === 'string') return key;
  throw new SignalboxError('E3', { value: key }, { status: 400, endpoint: titleOf(endpoint) });
}
