/** Sends a body as its media type: JSON under another type, forms of typed fields. */
import { isPlainObject } from '../schema/fieldOf.ts';
import { contentTypeOf, isBodyInit, toParamText } from './request.ts';
import { isJson } from './response.ts';
import { pairsOf } from './searchStyles.ts';
import type { SearchStyle } from './searchStyles.ts';
import type { RestBase } from './RestBase.ts';

/** The encoding of fields of a form, by name: a media type, or the style of a search param (OpenAPI 3.1, 4.8.15). */
export type FormEncoding = Readonly<Record<string, SearchStyle | `${string}/${string}`>>;

/*
 *   type                                 object                              text
 *   application/json, …+json             JSON                                JSON
 *   multipart/form-data                  a part for each value               unchanged
 *   application/x-www-form-urlencoded    a pair for each value               unchanged
 *   any other                            JSON                                unchanged
 *
 *   a value in a form                    multipart             urlencoded
 *   text, number, boolean, Date          text                  text
 *   Blob, File                           the file              R2
 *   a list                               a part for each       a pair for each
 *   an object                            JSON                  JSON
 *   null                                 empty text            empty text
 */

/**
 * A `getRequestInit` that sends bodies as the media type `type`, through the method of the class. A `Content-Type` that
 * the class sets wins, unless it is JSON: a default for all requests. Throws R2, status 400, for a field without a text.
 */
export function sendAs(
  type: string,
  encoding: FormEncoding = {},
): (body?: unknown) => Promise<RequestInit> {
  return async function getRequestInit(this: RestBase, body?: unknown): Promise<RequestInit> {
    const { prototype } = this.constructor as typeof RestBase;
    const encoded = encodeBody(body, { type, encoding }, this);
    const init = await prototype.getRequestInit.call(this, encoded);
    if (encoded === undefined || contentTypeOf(encoded) !== undefined) return init;
    const headers = new Headers(init.headers);
    const given = headers.get('Content-Type');
    if (given === null || isJson(given)) headers.set('Content-Type', type);
    return { ...init, headers };
  };
}

interface Encoding {
  readonly type: string;
  readonly encoding: FormEncoding;
}

function encodeBody(body: unknown, { type, encoding }: Encoding, endpoint: RestBase): unknown {
  if (body === undefined || isBinary(body)) return body;
  const isFields = isPlainObject(body);
  if (isFields && type === 'multipart/form-data') return toForm(body, encoding, endpoint);
  if (isFields && type === 'application/x-www-form-urlencoded')
    return toSearchParams(body, encoding, endpoint);
  return isJson(type) || typeof body !== 'string' ? JSON.stringify(body) : body;
}

const isBinary = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && (Symbol.asyncIterator in body || isBodyInit(body));

function toForm(fields: object, encoding: FormEncoding, endpoint: RestBase): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const how = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    if (how !== undefined && !how.includes('/')) {
      appendStyled(form, { name, value, style: how as SearchStyle }, endpoint);
      continue;
    }
    for (const each of partsOf(value, how)) {
      const part = toPart(each, how, name, endpoint);
      if (part !== undefined) form.append(name, part);
    }
  }
  return form;
}

/** A list is a part for each value, unless it is declared as JSON. */
const partsOf = (value: unknown, type: string | undefined): readonly unknown[] =>
  Array.isArray(value) && !isJson(type ?? null) ? value : [value];

function toPart(
  value: unknown,
  type: string | undefined,
  name: string,
  endpoint: RestBase,
): string | Blob | undefined {
  if (value === undefined || value instanceof Blob) return value;
  const isData = Array.isArray(value) || isPlainObject(value);
  const text =
    isData || isJson(type ?? null) ? JSON.stringify(value) : toParamText(value, name, endpoint);
  const partType = type ?? (isData ? 'application/json' : undefined);
  return partType === undefined ? text : new Blob([text], { type: partType });
}

function toSearchParams(
  fields: object,
  encoding: FormEncoding,
  endpoint: RestBase,
): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    const how = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const style = how?.includes('/') === true ? 'json' : (how as SearchStyle | undefined);
    if (style !== undefined) {
      appendStyled(form, { name, value, style }, endpoint);
      continue;
    }
    for (const each of partsOf(value, undefined).filter((one) => one !== undefined)) {
      const isData = Array.isArray(each) || isPlainObject(each);
      form.append(name, isData ? JSON.stringify(each) : toParamText(each, name, endpoint));
    }
  }
  return form;
}

function appendStyled(
  form: FormData | URLSearchParams,
  param: { readonly name: string; readonly value: unknown; readonly style: SearchStyle },
  endpoint: RestBase,
): void {
  for (const { name, values, joint } of pairsOf(param, endpoint))
    form.append(name, values.join(joint));
}
