/** The error for invalid data. */
import { SignalboxError } from '../errors.ts';
import type { Code, MessageParameters } from '../errors.ts';

/** The members of an endpoint that messages and the normalization of responses use. */
export interface NamedEndpoint {
  readonly title?: string;
  readonly name?: string;
  readonly sideEffect?: unknown;
}

/** Status 400, as HTTP has for bad requests. `endpoint`: the endpoint that sends or received the data. */
export function badDataError(
  code: Code,
  parameters: MessageParameters,
  endpoint?: NamedEndpoint,
  cause?: unknown,
): SignalboxError {
  return new SignalboxError(code, parameters, {
    status: 400,
    endpoint: endpoint?.title ?? endpoint?.name,
    cause,
  });
}
