/** The error for invalid data. */
import { SignalboxError } from '../diagnostics.ts';
import type { Code, Parameters } from '../diagnostics.ts';

/** Status 400, as HTTP has for bad requests. `endpoint`: the endpoint that sends or received the data. */
export function badDataError(
  code: Code,
  parameters: Parameters,
  endpoint?: string,
  cause?: unknown,
): SignalboxError {
  return new SignalboxError(code, parameters, { status: 400, endpoint, cause });
}
