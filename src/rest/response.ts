/** From an HTTP answer to a value, or to the error that says what came instead. */
import { isAbort } from '../endpoint/isAbort.ts';
import { NetworkError } from './NetworkError.ts';
import type { RequestDetails } from './NetworkError.ts';

/** How to read a body, whatever its content type says. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface BodyOptions {
  readonly content?: Content | undefined;
  /** True when text would be of no use: a schema expects JSON. */
  readonly expectsJson: boolean;
  /** How errors name the request. */
  readonly about: RequestDetails;
}

/*
 *   status, type                 without `content`
 *   204, 205, or an empty body   null
 *   application/json, …+json     parsed, or R6 with status 400
 *   no type, but it parses       parsed
 *   isBinary, no schema          a Blob, or null where it is empty
 *   any other, a schema waits    R5 with status 404
 *   any other                    text
 */

/** The value in an answer that is ok. Rejects with NetworkError; an abort passes as it is. */
export async function readValue(response: Response, reading: BodyOptions): Promise<unknown> {
  const { status } = response;
  if (status === 204 || status === 205) return null;
  const { content, expectsJson, about } = reading;
  if (content === 'stream') return response.body;
  const isData = content === undefined || content === 'json';
  const type = response.headers.get('content-type');
  const isBlob = content === undefined && isBinary(type);
  let value: unknown;
  try {
    value = await response[isBlob ? 'blob' : isData ? 'text' : content]();
  } catch (cause) {
    throw networkError(cause, about);
  }
  if (!isData) return value;
  const body = value as string;
  if (body === '' || (isBlob && (value as Blob).size === 0)) return null;
  const isSaid = content === 'json' || isJson(type);
  const failure = { ...about, body };
  try {
    if (isSaid || type === null) return JSON.parse(body);
  } catch (cause) {
    if (isSaid)
      throw new NetworkError('R6', { reason: cause, body }, { ...failure, status: 400, cause });
  }
  if (!expectsJson) return body;
  throw new NetworkError(
    'R5',
    { type: type ?? 'without a type', body: isBlob ? 'bytes' : body },
    { ...failure, status: 404 },
  );
}

/** The error for an answer that is not ok. Its body is read from a copy, so that `error.response` can be read again. */
export async function httpError(response: Response, about: RequestDetails): Promise<NetworkError> {
  const { status, statusText: text } = response;
  let body: unknown;
  try {
    body = (await response.clone().text()) || null;
    if (isJson(response.headers.get('content-type'))) body = JSON.parse(body as string);
  } catch {
    // then the body is what could be read of it
  }
  return new NetworkError('R7', { status, text }, { ...about, status, body });
}

/** A JSON MIME type of the WHATWG: `application/json`, `text/json`, or a subtype that ends in `+json`. */
function isJson(type: string | null): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type ?? '');
}

// the bytes that text would lose: also of documents of office programs, archives and programs
const BINARY =
  /^\s*(?:(?:image|audio|video|font)\/|application\/(?![^;]*\+xml\b)(?:(?:x-)?(?:7z|bzip|cbor|font|gzip|java-archive|msgpack|octet-stream|ogg|protobuf|rar|sqlite|tar|xz|zip|zstd)|msword|pdf|vnd\.(?:android\.package|debian|ms-|oasis\.opendocument\.|openxmlformats-|rar|sqlite)|wasm|[^;]*\+zip))/i;

/** True for what is no text. An SVG is a picture: it is made to be shown, not to be read. */
function isBinary(type: string | null): boolean {
  return BINARY.test(type ?? '') && !isJson(type);
}

/** The error for a request that nobody answered, or whose answer broke off; an abort is its own. */
export function networkError(cause: unknown, about: RequestDetails): unknown {
  return isAbort(cause) ? cause : new NetworkError('R8', { reason: cause }, { ...about, cause });
}
