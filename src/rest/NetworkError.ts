/** The error class of failed requests. */
import { SignalboxError } from '../errors.ts';
import type { Code, ErrorDetails, MessageParameters, UnknownError } from '../errors.ts';

/** The details of a failed request. */
export interface RequestDetails extends ErrorDetails {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly response?: Response | undefined;
  readonly body?: unknown;
}

/**
 * A request without a usable response. `code` is the reason:
 * R5 (status 404) the response is not JSON, but JSON was expected, R6 (400) the JSON does not parse,
 * R7 (the server's own status) the response is not ok, R8 (500) no response came: offline, CORS, a broken connection.
 * `response` is set if there was a response, with an unread body after R7; `body` is the parsed content.
 */
export class NetworkError extends SignalboxError {
  override name = 'NetworkError';
  declare readonly status: number;
  declare readonly response?: Response;
  declare readonly method?: string;
  declare readonly url?: string;
  declare readonly body?: unknown;

  /** The error for a response that is not ok: R7. */
  constructor(response: Response);
  constructor(code: Code, parameters: MessageParameters, failure: RequestDetails);
  constructor(...args: [Response] | [Code, MessageParameters, RequestDetails]) {
    const [code, parameters, failure] = args.length === 1 ? toR7(args[0]) : args;
    super(code, parameters, { ...failure, status: failure.status ?? 500 });
  }

  /** For logs: plain data, without the response, the body and the cause, which may be large or confidential. */
  toJSON(): object {
    const { response: _response, body: _body, cause: _cause, ...rest } = this;
    return { ...rest, message: this.message };
  }
}

/** The errors that readers get: `instanceof NetworkError` tells both apart. */
export type ErrorTypes = NetworkError | UnknownError;

/** A response alone identifies the request only by the address. */
function toR7(response: Response): [Code, MessageParameters, RequestDetails] {
  const { status, statusText: text } = response;
  const url = response.url || undefined;
  return ['R7', { status, text }, { status, endpoint: url, url, response }];
}
