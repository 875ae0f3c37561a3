/** Options whose value is an imported function of the library, so that bundles without the option do not contain it. */
import { SignalboxError } from '../errors.ts';

/** The imported function. Throws E12 for any other value. */
export function importedOption<F>(option: string, value: unknown, expected: string): F {
  if (typeof value === 'function') return value as F;
  throw new SignalboxError('E12', { option, value, reason: `it takes ${expected}` });
}
