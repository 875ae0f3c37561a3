/** The implementation of rest endpoints: a request, from the arguments to the value. */
import {
  Endpoint,
  networks,
  overrideFields,
  proxyablePrototypes,
  defaultErrorPolicy,
} from '../endpoint/Endpoint.ts';
import type { EndpointOptions, FetchFunction } from '../endpoint/Endpoint.ts';
import { checkObject, DEV, SignalboxError } from '../errors.ts';
import { changeIn, collectionIn } from '../schema/Collection.ts';
import { badDataError } from '../schema/badDataError.ts';
import {
  defineOwn,
  isPlainObject,
  makeGettersAssignable,
  memberOf,
  setOwn,
} from '../schema/fieldOf.ts';
import type { Fields } from '../schema/schema.ts';
import { serialize, stringTagOf } from '../schema/serialize.ts';
import type { RequestDetails } from './NetworkError.ts';
import { paginated } from './paginated.ts';
import type { PageBy } from './paginated.ts';
import { fillPath, listPathOf, matchesPath, path } from './path.ts';
import type { Param } from './path.ts';
import {
  addSearch,
  fitHeaders,
  requireObject,
  searchText,
  toRequestInit,
  withHeaders,
} from './request.ts';
import { readValue, toHttpError, toNetworkError } from './response.ts';
import type { Content } from './response.ts';
import { responseChecks } from './responseChecks.ts';
import { splitCall } from './splitCall.ts';

declare const process: { env: { NODE_ENV?: string } };

/** Methods that are safe by RFC 9110, 9.2.1 (and QUERY): requests that change nothing. */
const SAFE_METHODS = /^(?:GET|HEAD|OPTIONS|TRACE|QUERY)$/i;

interface Options {
  readonly path?: string;
  readonly name?: string | undefined;
  readonly fetch?: FetchFunction;
}

/** The implementation; the public type is the interface in RestEndpoint.ts. */
export class RestBase extends Endpoint<FetchFunction, unknown, boolean> {
  declare readonly path: string;
  declare readonly body?: unknown;
  declare readonly content?: Content;
  declare readonly itemPath?: string;
  /** Optimistic responses of the list changes, by method, for changes without an own getOptimisticResponse. */
  declare readonly optimisticResponses?: Readonly<Record<'POST' | 'PATCH', unknown>>;
  declare readonly paginationField?: string;

  constructor(options: Options) {
    if (DEV) checkObject('new RestEndpoint', options, 'an object with a path');
    const { prototype } = RestBase;
    // as in Endpoint.ts: when the first endpoint of the class is made
    if (!proxyablePrototypes.has(prototype)) {
      proxyablePrototypes.add(prototype);
      // the function itself, so that a controller can distinguish this default from a user's policy
      prototype.errorPolicy = defaultErrorPolicy;
      makeGettersAssignable(prototype);
    }
    const { fetch } = new.target.prototype as { readonly fetch: FetchFunction };
    super(options.fetch ?? fetch, options as EndpointOptions);
    // an invalid template throws here, where the endpoint is created, and not at the first request
    path(this.path);
    // a default name is not copied by `extend`, and so follows the path
    if (options.name !== undefined) return;
    cacheMember(this, 'name', this.urlPrefix + this.path);
  }

  get method(): string {
    // an own member only: the getter `sideEffect` below reads the method
    return Object.hasOwn(this, 'sideEffect') && this.sideEffect === true ? 'POST' : 'GET';
  }

  get urlPrefix(): string {
    return '';
  }

  override get title(): string {
    return `${this.method} ${this.path || this.urlPrefix || '/'}`;
  }

  /** See `ListEndpoint`. */
  get listAddress(): string | object | undefined {
    // an address from a custom function is identified by the function
    // oxlint-disable-next-line typescript/unbound-method -- an identity, not called
    return Object.hasOwn(this, 'url') ? this.url : this.urlPrefix + this.listPath;
  }

  /** The path without a literal query. */
  get listPath(): string {
    const { query } = path(this.path);
    return this.path.slice(0, this.path.length - query.length);
  }

  /** The literal query of the path: arguments of all lists of the path. */
  get fixedParams(): Readonly<Record<string, string>> | undefined {
    const { query } = path(this.path);
    return query === '' ? undefined : Object.fromEntries(new URLSearchParams(query));
  }

  /** True for the list of a resource, at the list path that belongs to the item path. */
  get ownsList(): boolean {
    return this.itemPath !== undefined && listPathOf(this.itemPath) === this.listPath;
  }

  get pathParams(): ReadonlySet<string> {
    return path(this.path).names;
  }

  override get sideEffect(): true | undefined {
    return SAFE_METHODS.test(this.method) ? undefined : true;
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    if (DEV) responseChecks?.refuseContent(this, RestBase.prototype);
    const url = this.url(...args);
    const ownInit = await this.getRequestInit(splitCall(this, args).body);
    const init = requireObject('getRequestInit', ownInit, this, this.method);
    const response = await this.fetchResponse(url, init);
    const value = await this.process(await this.parseResponse(response), ...args);
    if (DEV) responseChecks?.warnOfMismatch(this, args, value);
    return value;
  }

  url(...args: readonly unknown[]): string {
    const { params } = splitCall(this, args);
    const { names } = path(this.path);
    const search = {};
    for (const [name, value] of Object.entries(params)) {
      if (!names.has(name)) setOwn(search, name, value);
    }
    const template = pathOf(this);
    if (DEV && template !== this.path) refuseHostParam(this);
    const { urlPrefix } = this;
    const url = urlPrefix + fillPath(template, params, this);
    if (AUTHORITY.test(url) && !AUTHORITY.test(urlPrefix || template))
      throw badDataError('R12', { path: url }, this);
    const [first] = args;
    refuseUnreadable(this, typeof first === 'function' ? first : params);
    return Object.keys(search).length === 0 ? url : addSearch(url, this.searchToString(search));
  }

  override key(...args: readonly unknown[]): string {
    const key = `${this.method} ${this.url(...args)}`;
    const { body } = splitCall(this, args);
    return body === undefined || this.sideEffect === true ? key : `${key} ${serialize(body, this)}`;
  }

  /** True for a POST without the primary key in the params: a creation of the entity. */
  createsEntity(pk: string, args: readonly unknown[]): boolean {
    const { params } = splitCall(this, args);
    return this.method === 'POST' && !Object.values(params).map(String).includes(pk);
  }

  override testKey(key: string): boolean {
    const start = `${this.method} ${this.urlPrefix}`;
    const { parts } = path(pathOf(this));
    // a custom url may use the params in any way, so only the text before the first param is compared
    if (this.url !== RestBase.prototype.url) {
      return key.startsWith(start + (typeof parts[0] === 'string' ? parts[0] : ''));
    }
    return key.startsWith(start) && matchesPath(parts, key.slice(start.length));
  }

  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /** A promise only if getHeaders returns a promise: `{...super.getRequestInit(body)}` works otherwise. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { method, signal } = this;
    const init = { method, ...toRequestInit(body, this), ...(signal && { signal }) };
    return withHeaders(init, this.getHeaders(init.headers ?? {}), this);
  }

  async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const send = this.signal && networks.get(this.signal);
    let response: Response;
    try {
      const headers = fitHeaders(init.headers ?? {}, init.body, this);
      response = await (send ?? fetch)(input, { ...init, headers });
    } catch (cause) {
      throw init.signal?.aborted === true ? cause : toNetworkError(cause, detailsOf(this, input));
    }
    if (response.ok) return response;
    throw await toHttpError(response, detailsOf(this, input, response));
  }

  parseResponse(response: Response): Promise<unknown> {
    // a custom process may expect text
    const plain = this.process === RestBase.prototype.process;
    const { content, schema } = this;
    const expectsJson = plain && typeof (schema ?? '') !== 'string';
    return readValue(response, {
      content,
      expectsJson,
      request: () => detailsOf(this, response.url, response),
    });
  }

  process(value: unknown, ..._args: readonly unknown[]): unknown {
    return value;
  }

  searchToString(params: object): string {
    return searchText(params, this);
  }

  override extend(options: object): never {
    if (DEV) checkObject('endpoint.extend', options, 'an object of options');
    const Class = this.constructor as typeof RestBase;
    const current: Partial<Record<'method' | 'sideEffect', unknown>> = { ...this };
    // `sideEffect` of another method is no longer valid, and a mutation never has the method GET
    if ('method' in options) delete current.sideEffect;
    if ('sideEffect' in options && options.sideEffect === true && current.method === 'GET')
      delete current.method;
    const merged: object = { ...current, ...options };
    return overrideFields(new Class(merged), merged) as never;
  }

  /** Created once, at the first access. */
  get getPage(): unknown {
    const { paginationField } = this;
    if (paginationField === undefined) return absentMember(this, 'getPage');
    return cacheMember(this, 'getPage', paginated(this, paginationField));
  }

  paginated(by: PageBy): unknown {
    return paginated(this, by);
  }

  get push(): unknown {
    return listChange(this, 'push', 'POST');
  }

  get unshift(): unknown {
    return listChange(this, 'unshift', 'POST');
  }

  get assign(): unknown {
    return listChange(this, 'assign', 'POST');
  }

  get remove(): unknown {
    return listChange(this, 'remove', 'PATCH');
  }

  get move(): unknown {
    return listChange(this, 'move', 'PATCH');
  }
}

/**
 * The path to append to `urlPrefix`: empty for a list at the prefix, `/` if path and prefix are empty. A value in the
 * place of the host's end becomes a segment.
 */
export function pathOf(endpoint: Pick<RestBase, 'path' | 'urlPrefix'>): string {
  const { path, urlPrefix } = endpoint;
  // fast path: most paths begin with a slash
  if (path.startsWith('/')) return path;
  return urlPrefix + path === '' || paramInHost(endpoint) !== undefined ? `/${path}` : path;
}

/** In a url, the text after `//` is the name of a host: only literal text may begin so. */
const AUTHORITY = /^[/\\]{2}/;

/** A prefix that ends in the name of the host, or in the port. */
const HOST_ONLY = /^(?:[a-z][\w+.-]*:)?\/\/[^/?#\\]+$/i;

/** The parameter that would continue the host of `urlPrefix`, as in `https://api.example.com` and `:id`. */
function paramInHost(endpoint: Pick<RestBase, 'path' | 'urlPrefix'>): string | undefined {
  if (!HOST_ONLY.test(endpoint.urlPrefix)) return undefined;
  for (const part of path(endpoint.path).parts.flat() as (string | Param)[]) {
    if (typeof part !== 'string') return part.name;
    if (/[/?#\\]/.test(part)) return undefined;
  }
  return undefined;
}

/** Throws R18 for a value that would continue the host. Production sends the value as a segment. */
function refuseHostParam(endpoint: RestBase): void {
  const param = paramInHost(endpoint);
  if (param !== undefined) throw badDataError('R18', { param, host: endpoint.urlPrefix }, endpoint);
}

/** Throws E16 for params of a read that reach no part of the url: FormData, URLSearchParams, a Map, a function. */
export function refuseUnreadable(endpoint: RestBase, params: object): void {
  // fast path: most params are plain
  if (isPlainObject(params) || endpoint.sideEffect || Object.keys(params).length > 0) return;
  const argument = stringTagOf(params);
  // `/files/:name` reads the name of a File; an instance of a class may have no fields
  const { names } = path(endpoint.path);
  const isRead = [...names].some((name) => memberOf(params, name) !== undefined);
  if (isRead || argument === 'Object' || argument === 'Array') return;
  throw badDataError('E16', { argument, option: 'key' }, endpoint);
}

export function detailsOf(
  { title, method }: RestBase,
  input: RequestInfo | URL,
  response?: Response,
): RequestDetails {
  // in React Native a response may have no url
  const url = (input as Partial<Request> | undefined)?.url ?? String(input);
  return { endpoint: title, method, url, response };
}

/** Created once, at the first access. */
function listChange(list: RestBase, name: string, method: 'POST' | 'PATCH'): unknown {
  const schema = changeIn(list.schema, name);
  if (schema === undefined) return absentMember(list, name);
  // changes of existing members go to the path of the item
  const { getOptimisticResponse = list.optimisticResponses?.[method] } = list;
  const options = {
    method,
    sideEffect: true,
    schema,
    path: method === 'PATCH' ? (list.itemPath ?? list.path) : list.path,
    name: `${list.name}.${name}`,
    getOptimisticResponse,
  };
  return cacheMember(list, name, list.extend(options));
}

/** A list change, or `getPage`, that the endpoint does not have: undefined; development throws R15, with the reason. */
const absentMember: (endpoint: RestBase, member: string) => undefined =
  process.env.NODE_ENV === 'production' ? () => undefined : refuseMember;

function refuseMember({ title, schema }: RestBase, member: string): undefined {
  const list = (collectionIn(schema) as Fields | undefined)?.['title'];
  const missing = list === undefined ? 'its schema has no Collection' : `${String(list)} has none`;
  const reason = member === 'getPage' ? 'it has no paginationField' : missing;
  throw new SignalboxError('R15', { member, reason }, { endpoint: title });
}

/** Caches `value` as a member that is not enumerable, so that copied options do not contain it. */
function cacheMember(endpoint: RestBase, name: string, value: unknown): unknown {
  defineOwn(endpoint, name, value, false);
  return value;
}
