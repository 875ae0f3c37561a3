/** Endpoints where a schema is read: E10. */
import { DEV, SignalboxError } from '../diagnostics.ts';
import { isEndpoint } from './isEndpoint.ts';
import { titleOf } from './titleOf.ts';

/** Throws E10, in development, for an endpoint in the place of a schema: no arguments would find anything. */
export function refuseEndpoint(schema: unknown): void {
  if (DEV && isEndpoint(schema)) throw new SignalboxError('E10', { endpoint: titleOf(schema) });
}
