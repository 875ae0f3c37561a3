/** The error for data that are not what they must be. */
import { SignalboxError } from '../diagnostics.ts';
import type { Code, Parameters } from '../diagnostics.ts';

/** With status 400, as HTTP has it where there was no answer to take it from. `endpoint`: who sends the data, or got them. */
export function badData(
  code: Code,
  parameters: Parameters,
  endpoint?: string,
  cause?: unknown,
): SignalboxError {
  return new SignalboxError(code, parameters, { status: 400, endpoint, cause });
}
