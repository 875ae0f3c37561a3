/** Rejects endpoints where a schema is expected: E10. */
import { SignalboxError } from '../diagnostics.ts';
import { isEndpoint } from './isEndpoint.ts';
import { titleOf } from './titleOf.ts';

declare const process: { env: { NODE_ENV?: string } };

/** The check of a schema argument; undefined in production builds, which drop this file. */
export const refuseEndpoint: typeof refuse | undefined =
  process.env.NODE_ENV === 'production' ? undefined : refuse;

/** Throws E10 for an endpoint instead of a schema: no arguments would find anything. */
function refuse(schema: unknown): void {
  if (isEndpoint(schema)) throw new SignalboxError('E10', { endpoint: titleOf(schema) });
}
