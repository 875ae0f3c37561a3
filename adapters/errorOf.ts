/** Converts any thrown value to an error. */
import type { UnknownError } from '../src/store/Result.ts';
export function errorOf(thrown: unknown): UnknownError {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
