/** The identity of a request, checked. */
import { SignalboxError } from '../diagnostics.ts';
import type { Args } from '../schema/schema.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { titleOf } from './titleOf.ts';

/** `endpoint.key(...args)`; throws E3 where that is no text: two requests must not meet by accident. */
export function keyOf(endpoint: EndpointInterface, args: Args): string {
  const key: unknown = endpoint.key(...args);
  if (typeof key === 'string') return key;
  throw new SignalboxError('E3', { value: key }, { status: 400, endpoint: titleOf(endpoint) });
}
