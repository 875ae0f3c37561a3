/** Converts any thrown value to an error. */
import type { UnknownError } from '../src/diagnostics.ts';
export function errorOf(thrown: unknown): UnknownError {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
