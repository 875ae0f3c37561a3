/** The error of a response that is not ok, or that cannot be read: it always has a response, as in Data Client. */
import { NetworkError as OwnNetworkError } from '../rest/NetworkError.ts';
import type { UnknownError } from '../errors.ts';

/**
 * `error instanceof NetworkError`: the server has responded. A request without a response (offline, CORS) rejects with
 * an error of status 500 that is no instance.
 */
export class NetworkError extends OwnNetworkError {
  declare readonly response: NonNullable<OwnNetworkError['response']>;

  /** Requests reject with the class of `signalbox`: each of its errors with a response is an instance. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOwn = this !== NetworkError || !(value instanceof OwnNetworkError);
    return isOwn ? super[Symbol.hasInstance](value) : value.response !== undefined;
  }
}

/** The errors that readers get: `instanceof NetworkError` tells both apart. */
export type ErrorTypes = NetworkError | UnknownError;
