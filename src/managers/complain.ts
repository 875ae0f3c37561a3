/** What goes wrong with a stream, as diagnostics that name it. */
import { report, SignalboxError } from '../diagnostics.ts';
import type { Code, Parameters } from '../diagnostics.ts';

export type Complain = (code: Code, parameters: Parameters, cause: unknown) => void;

/** Tells `listener`; where there is none, or it throws, errors go where uncaught ones go. */
export function complainOf(stream: string, listener: (error: SignalboxError) => void): Complain {
  return (code, parameters, cause) => {
    try {
      listener(new SignalboxError(code, { stream, ...parameters }, { cause }));
    } catch (error) {
      report(error);
    }
  };
}
