/** What a request that failed is thrown as. */
import { SignalboxError } from '../diagnostics.ts';
import type { ErrorDetails, Code, Parameters } from '../diagnostics.ts';

/** What is known of a request that failed. */
export interface RequestDetails extends ErrorDetails {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly response?: Response | undefined;
  readonly body?: unknown;
}

/**
 * A request without a usable answer. `code` says why:
 * R5 (status 404) something else came where JSON was expected, R6 (400) the JSON does not parse,
 * R7 (the server's own status) the answer is not ok, R8 (500) no answer came: offline, CORS, a broken connection.
 * `response` is there when there was one, with its body unread after R7; `body` is what it held, parsed.
 */
export class NetworkError extends SignalboxError {
  override name = 'NetworkError';
  declare readonly status: number;
  declare readonly response?: Response;
  declare readonly method?: string;
  declare readonly url?: string;
  declare readonly body?: unknown;

  /** Of an answer that is not ok: R7. */
  constructor(response: Response);
  constructor(code: Code, parameters: Parameters, failure: RequestDetails);
  constructor(...args: [Response] | [Code, Parameters, RequestDetails]) {
    const [code, parameters, failure] = args.length === 1 ? refused(args[0]) : args;
    super(code, parameters, { ...failure, status: failure.status ?? 500 });
  }

  /** For logs: plain data, without the response, its body and the cause, which may be large or confidential. */
  toJSON(): object {
    const { response: _response, body: _body, cause: _cause, ...rest } = this;
    return { ...rest, message: this.message };
  }
}

/** An answer alone tells of its request only the address. */
function refused(response: Response): [Code, Parameters, RequestDetails] {
  const { status, statusText: text } = response;
  const url = response.url || undefined;
  return ['R7', { status, text }, { status, endpoint: url, url, response }];
}
