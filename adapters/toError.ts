/** Converts any thrown value to an error. */
import type { UnknownError } from '../src/errors.ts';

/** `thrown`, or an error with the text of `thrown` and with `thrown` as the cause. */
export function toError(thrown: unknown): UnknownError {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
