/** Converts an HTTP response to a value, or to an error that describes the response. */
import { isAbort } from '../endpoint/Endpoint.ts';
import { checkObject, DEV } from '../errors.ts';
import { ListMutation } from '../schema/ListMutation.ts';
import { MapAssign } from '../schema/ValuesKind.ts';
import { isObject } from '../schema/fieldOf.ts';
import { NetworkError } from './NetworkError.ts';
import type { RequestDetails } from './NetworkError.ts';
import type { RestBase } from './RestBase.ts';

/** How to read a body, regardless of the content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface BodyOptions {
  readonly content?: Content | undefined;
  /** True if text is no usable value: a schema expects JSON. */
  readonly expectsJson: boolean;
  /** The details of the request, for errors. */
  readonly request: () => RequestDetails;
}

/*
 *   status, type                 without `content`
 *   204, 205, an empty body,
 *   or a body of blanks          null
 *   application/json, …+json     parsed, or R6 with status 400
 *   no type, but valid JSON      parsed
 *   isBinary, no schema          a Blob, or null if empty
 *   any other, with a schema     R5 with status 404
 *   any other                    text
 */

/** The value in a response that is ok. Rejects with NetworkError; an abort error is passed on unchanged. */
export async function readValue(response: Response, options: BodyOptions): Promise<unknown> {
  const { status } = response;
  if (status === 204 || status === 205) return null;
  const { content, expectsJson, request } = options;
  if (content === 'stream') return response.body;
  const isData = content === undefined || content === 'json';
  const type = response.headers.get('content-type');
  const isBlob = content === undefined && isBinary(type);
  let value: unknown;
  try {
    value = await response[isBlob ? 'blob' : isData ? 'text' : content]();
  } catch (cause) {
    throw toNetworkError(cause, request());
  }
  if (!isData) return value;
  const body = value as string;
  if (isBlob ? (value as Blob).size === 0 : !/\S/.test(body)) return null;
  const isDeclaredJson = content === 'json' || isJson(type);
  try {
    if (isDeclaredJson || type === null) return JSON.parse(body);
  } catch (cause) {
    if (isDeclaredJson) {
      const details = { ...request(), body, status: 400, cause };
      throw new NetworkError('R6', { reason: cause, body }, details);
    }
  }
  if (!expectsJson) return body;
  throw new NetworkError(
    'R5',
    { type: type ?? 'without a type', body: isBlob ? 'bytes' : body },
    { ...request(), body, status: 404 },
  );
}

/** For mocks, which may return a response or a parsed body. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response;
}

/** The error for a response that is not ok. The body is read from a copy, so `error.response` can be read again. */
export async function toHttpError(
  response: Response,
  request: RequestDetails,
): Promise<NetworkError> {
  const { status, statusText: text } = response;
  let body: unknown;
  try {
    body = (await response.clone().text()) || null;
    if (isJson(response.headers.get('content-type'))) body = JSON.parse(body as string);
  } catch {
    // the body stays as far as read
  }
  return new NetworkError('R7', { status, text }, { ...request, status, body });
}

/** A JSON MIME type of the WHATWG: `application/json`, `text/json`, or a subtype that ends in `+json`. */
export function isJson(type: string | null): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type ?? '');
}

// types that reading as text would corrupt: also documents of office programs, archives and programs
const BINARY =
  /^\s*(?:(?:image|audio|video|font)\/|application\/(?![^;]*\+xml\b)(?:(?:x-)?(?:7z|bzip|cbor|font|gzip|java-archive|msgpack|octet-stream|ogg|protobuf|rar|sqlite|tar|xz|zip|zstd)|msword|pdf|vnd\.(?:android\.package|debian|ms-|oasis\.opendocument\.|openxmlformats-|rar|sqlite)|wasm|[^;]*\+zip))/i;

/** True for types that are not text. An SVG counts as an image, made to be displayed, not to be read. */
function isBinary(type: string | null): boolean {
  return BINARY.test(type ?? '') && !isJson(type);
}

/** The error for a request without a response, or with a broken response; an abort error is returned unchanged. */
export function toNetworkError(cause: unknown, request: RequestDetails): unknown {
  return isAbort(cause) ? cause : new NetworkError('R8', { reason: cause }, { ...request, cause });
}

/** The response if it is an object that is not empty, else the params. */
export function responseOrParams(response: unknown, params: unknown): unknown {
  return isObject(response) && Object.keys(response).length > 0 ? response : params;
}

/** A value and the status of the response. */
export interface StatusAndBody {
  readonly status: number;
  // any: a response has no type
  readonly body: any;
}

/**
 * A `parseResponse` that gives `{ status, body }`; the method of the class reads the body. Its schema has these
 * members: `{ status: 0, body: Todo }`. The changes of a list, as `push`, have members as their responses, without a
 * status. Rejects as the method of the class.
 */
export const withStatus: (response: Response) => Promise<StatusAndBody> = async function withStatus(
  this: unknown,
  response: Response,
): Promise<StatusAndBody> {
  if (DEV) checkObject('withStatus', response, 'no call: write parseResponse: withStatus');
  const endpoint = this as RestBase;
  const { prototype } = endpoint.constructor as typeof RestBase;
  const body: unknown = await prototype.parseResponse.call(endpoint, response);
  const { schema } = endpoint;
  const isChange = schema instanceof ListMutation || schema instanceof MapAssign;
  return isChange ? (body as StatusAndBody) : { status: response.status, body };
};
