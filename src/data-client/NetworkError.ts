/** The error of a response that is not ok, or that cannot be read; always with a response, as in Data Client. */
import { NetworkError as OwnNetworkError } from '../rest/NetworkError.ts';
import type { UnknownError } from '../errors.ts';

/**
 * `error instanceof NetworkError`: the server has responded. A request without a response (offline, CORS) rejects with
 * an error of status 500 that is no instance.
 */
export class NetworkError extends OwnNetworkError {
  declare readonly response: NonNullable<OwnNetworkError['response']>;

  constructor(response: NonNullable<OwnNetworkError['response']>) {
    super(response);
    this.message = messageOf(this);
  }

  /** Requests reject with the class of `signalbox`: errors of that class with a response are instances. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOwn = this !== NetworkError || !(value instanceof OwnNetworkError);
    return isOwn ? super[Symbol.hasInstance](value) : value.response !== undefined;
  }
}

/**
 * Sends a request. The message of the error is the text of the status, or that of the error of `fetch`. An error of the
 * application, which has replaced `fetch`, is passed on unchanged.
 */
export async function sendPlainly<T>(sending: Promise<T>): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    if (!(error instanceof OwnNetworkError)) throw error;
    const { code, cause } = error;
    // browsers reject with a TypeError
    if (code === 'R8' && cause instanceof Error && !(cause instanceof TypeError)) throw cause;
    if (code === 'R7' || code === 'R8') error.message = messageOf(error);
    throw error;
  }
}

function messageOf({ response, cause, message }: OwnNetworkError): string {
  if (response === undefined) return cause instanceof Error ? cause.message : message;
  return response.statusText || `Network response not 'ok': ${response.status}`;
}

/** The errors that readers get: `instanceof NetworkError` tells both apart. */
export type ErrorTypes = NetworkError | UnknownError;
