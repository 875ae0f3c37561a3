/** From an HTTP answer to a value, or to the error that says what came instead. */
import { NetworkError } from './NetworkError.ts';
import type { Failure } from './NetworkError.ts';

/** How to read a body, whatever its content type says. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface Reading {
  readonly content?: Content | undefined;
  /** True when text would be of no use: a schema expects JSON. */
  readonly expectsJson: boolean;
  /** How errors name the request. */
  readonly about: Failure;
}

/*
 *   status, type                 without `content`
 *   204, 205, or an empty body   null
 *   application/json, …+json     parsed, or R6 with status 400
 *   no type, but it parses       parsed
 *   any other, a schema waits    R5 with status 404
 *   any other                    text
 */

/** The value in an answer that is ok. Rejects with NetworkError; an abort passes as it is. */
export async function readValue(response: Response, reading: Reading): Promise<unknown> {
  const { status } = response;
  if (status === 204 || status === 205) return null;
  const { content } = reading;
  if (content === 'stream') return response.body;
  if (content !== undefined && content !== 'json') return read(response, content, reading.about);
  const text = (await read(response, 'text', reading.about)) as string;
  if (text === '') return null;
  const type = response.headers.get('content-type');
  const isSaid = content === 'json' || isJson(type);
  try {
    if (isSaid || type === null) return JSON.parse(text);
  } catch (cause) {
    const failure = { ...reading.about, status: 400, response, body: text, cause };
    if (isSaid) throw new NetworkError('R6', { reason: cause, body: text }, failure);
  }
  if (!reading.expectsJson) return text;
  const failure = { ...reading.about, status: 404, response, body: text };
  throw new NetworkError('R5', { type: type ?? 'without a type', body: text }, failure);
}

/** The error for an answer that is not ok. Its body is read from a copy, so that `error.response` can be read again. */
export async function refusal(response: Response, about: Failure): Promise<NetworkError> {
  const { status, statusText } = response;
  const body = await bodyOf(response);
  return new NetworkError('R7', { status, text: statusText }, { ...about, status, response, body });
}

async function bodyOf(response: Response): Promise<unknown> {
  let text: string | undefined;
  try {
    text = await response.clone().text();
    if (text === '') return null;
    return isJson(response.headers.get('content-type')) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

async function read(
  response: Response,
  how: Exclude<Content, 'json' | 'stream'>,
  about: Failure,
): Promise<unknown> {
  try {
    return await response[how]();
  } catch (cause) {
    throw isAbort(cause) ? cause : noAnswer(cause, { ...about, response });
  }
}

/** A JSON MIME type of the WHATWG: `application/json`, `text/json`, or a subtype that ends in `+json`. */
export function isJson(type: string | null): boolean {
  return type !== null && /^[^;]*[/+]json\s*(?:;|$)/i.test(type);
}

/** The error for a request that nobody answered, or whose answer broke off. */
export function noAnswer(cause: unknown, about: Failure): NetworkError {
  return new NetworkError('R8', { reason: cause }, { ...about, status: 500, cause });
}

/** True for what `fetch` rejects with when its signal was aborted without a reason of its own. */
export function isAbort(error: unknown): boolean {
  return (error as { name?: unknown } | null | undefined)?.name === 'AbortError';
}
