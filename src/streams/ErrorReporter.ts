/** Reports the errors of a stream as diagnostics with its name. */
import { reportException, SignalboxError } from '../errors.ts';
import type { Code, MessageParameters } from '../errors.ts';

export type ErrorReporter = (code: Code, parameters: MessageParameters, cause: unknown) => void;

/** Calls `listener`; without a listener, or if it throws, errors are reported like uncaught errors. */
export function createErrorReporter(
  stream: string,
  listener: (error: SignalboxError) => void,
): ErrorReporter {
  return (code, parameters, cause) => {
    try {
      listener(new SignalboxError(code, { stream, ...parameters }, { cause }));
    } catch (error) {
      reportException(error);
    }
  };
}
