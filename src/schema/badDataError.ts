/** The error for invalid data. */
import { SignalboxError } from '../diagnostics.ts';
import type { Code, MessageParameters } from '../diagnostics.ts';

/** Status 400, as HTTP has for bad requests. `endpoint`: the endpoint that sends or received the data. */
export function badDataError(
  code: Code,
  parameters: MessageParameters,
  endpoint?: string,
  cause?: unknown,
): SignalboxError {
  return new SignalboxError(code, parameters, { status: 400, endpoint, cause });
}
