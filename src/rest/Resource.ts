/** Resources as classes, and their endpoints. */
import type {
  EndpointInterface,
  EndpointOptions,
  ErrorPolicy,
  Policies,
} from '../endpoint/Endpoint.ts';
import { collectionIn } from '../schema/Collection.ts';
import { Delete } from '../schema/Delete.ts';
import { Entity } from '../schema/Entity.ts';
import type { EntityInstance, Mixed } from '../schema/Entity.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { KIND } from '../schema/schema.ts';
import type { EntityClass } from '../schema/schema.ts';
import { RestBase, refuseUnreadable } from './RestBase.ts';
import type { CallbackArgs } from './RestEndpoint.ts';
import type { ResourceGenerics, RestResource as CreatedResource } from './createResource.ts';
import { fillPath } from './path.ts';
import { addSearch, requireObject, searchText, toRequestInit, withHeaders } from './request.ts';
import { responseOrParams } from './response.ts';
import { splitCall } from './splitCall.ts';

/** The members of a Resource instance, without the fields of the class. */
export interface ResourceInstance extends EntityInstance {
  /** The address of this entity. */
  readonly url: string;
}

// any: the server decides on the type of a body
type Change<S> = ResourceEndpoint<[params: ParamsRecord, body?: any], S>;
type Creation<S> = ResourceEndpoint<[body: any] | [params: ParamsRecord, body: any], S>; // any: as above

/**
 * The statics of a Resource class. The six endpoints have two identical signatures each: with overloads, TypeScript
 * compares an override without the type parameter, so that an override may have another schema.
 */
export interface ResourceClass extends Mixed<ResourceInstance> {
  /** The address of the list. The address of an entity is `urlRoot`, a slash, the primary key. */
  urlRoot: string;
  /** The address of an entity. Throws R1 if the params contain no primary key. */
  url(params: ParamsRecord): string;
  /** The address of the list; search params are sorted. */
  listUrl(params?: ParamsRecord): string;

  /** GET an entity. */
  detail<T extends EntityClass>(this: T): ResourceEndpoint<[params: ParamsRecord], T>;
  detail<T extends EntityClass>(this: T): ResourceEndpoint<[params: ParamsRecord], T>;
  /** GET the list. */
  list<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: ParamsRecord], S>;
  list<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: ParamsRecord], S>;
  /** POST to the list: a single argument is the body, two are params and body. */
  create<T extends EntityClass>(this: T): Creation<T>;
  create<T extends EntityClass>(this: T): Creation<T>;
  /** PUT an entity. */
  update<T extends EntityClass>(this: T): Change<T>;
  update<T extends EntityClass>(this: T): Change<T>;
  /** PATCH an entity. */
  partialUpdate<T extends EntityClass>(this: T): Change<T>;
  partialUpdate<T extends EntityClass>(this: T): Change<T>;
  /** DELETE an entity. Resolves with the response if it is an object that is not empty, else with the params. */
  delete<T extends EntityClass, S = Delete<T>>(
    this: T,
  ): ResourceEndpoint<[params: ParamsRecord], S>;
  delete<T extends EntityClass, S = Delete<T>>(
    this: T,
  ): ResourceEndpoint<[params: ParamsRecord], S>;

  /** The result of `make`, created once per class and name: for custom endpoints. */
  memo<E>(name: string, make: () => E): E;
  /** Options for every endpoint of the class: policies, `extra`. */
  getEndpointExtra(): EndpointOptions | undefined;
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  /** The parts of a request that depend on the body. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** The last step before fetch: receives and returns everything for fetch except the address. */
  getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit>;
  /** Sends the request and returns the value in the response, for all endpoints of the class. */
  // any: a response has no type
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<any>;
}

/** The path of an entity, and of the changes that a list sends to an entity; the path of the list is empty. */
const ITEM_PATH = '/:pk';
const membersByClass = new WeakMap<object, Map<string, unknown>>();

class ResourceBase extends Entity {
  static urlRoot = '';

  static get self(): ResourceClass {
    return this as never;
  }

  static url(params: ParamsRecord): string {
    const pk = (this[KIND] as EntityKind).pkIn(params, [params]);
    const root = this.urlRoot.endsWith('/') ? this.urlRoot.slice(0, -1) : this.urlRoot;
    return root + fillPath(ITEM_PATH, { pk }, { name: this.key });
  }

  static listUrl(params: ParamsRecord = {}): string {
    return addSearch(this.urlRoot, searchText(params, { name: this.key }));
  }

  static detail(): unknown {
    return member(this.self, 'detail', { schema: this });
  }

  static list(): unknown {
    return member(this.self, 'list', { schema: [this], path: '', itemPath: ITEM_PATH });
  }

  static create(): unknown {
    const schema = this.memo('#creation', () => {
      const list = this.list() as ResourceEndpoint;
      return collectionIn(list.schema)?.push ?? this;
    });
    return member(this.self, 'create', { schema, method: 'POST', path: '' });
  }

  static update(): unknown {
    return member(this.self, 'update', { schema: this, method: 'PUT' });
  }

  static partialUpdate(): unknown {
    return member(this.self, 'partialUpdate', { schema: this, method: 'PATCH' });
  }

  static delete(): unknown {
    const options = { schema: new Delete(this), method: 'DELETE', process: responseOrParams };
    return member(this.self, 'delete', options);
  }

  static memo<E>(name: string, make: () => E): E {
    const known = membersByClass.get(this) ?? new Map<string, unknown>();
    membersByClass.set(this, known);
    if (!known.has(name)) known.set(name, make());
    return known.get(name) as E;
  }

  static getEndpointExtra(): EndpointOptions | undefined {
    return undefined;
  }

  static getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /** A promise only if getHeaders returns a promise: `{...super.getRequestInit(body)}` works otherwise. */
  static getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const place = { name: this.key };
    const init = toRequestInit(body, place);
    return withHeaders(init, this.getHeaders(init.headers ?? {}), place);
  }

  static getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit> {
    return init;
  }

  static async fetch(input: RequestInfo | URL, init: TaggedRequestInit = {}): Promise<unknown> {
    const {
      [ENDPOINT_REF]: endpoint = member(this.self, 'fetch', {}).extend({
        method: init.method ?? 'GET',
      }),
      ...requestInit
    } = init;
    return endpoint.parseResponse(await endpoint.fetchResponse(input, requestInit));
  }

  get url(): string {
    return (this.constructor as unknown as ResourceClass).url(this);
  }
}

/**
 * `class Article extends Resource { static urlRoot = 'https://host/article/'; id = 0; title = ''; }` has its endpoints
 * as statics: `Article.detail()`, `list()`, `create()`, `update()`, `partialUpdate()`, `delete()`, each the same object
 * on every call. Override an endpoint with `static detail() { return super.detail().extend({schema: {data: this}}); }`.
 * New code is shorter with `createResource`.
 */
export const Resource: ResourceClass = ResourceBase as never;
/** As a type, this name is the result of `createResource`; an instance of the class is a ResourceInstance. */
// any: a resource of unknown type
export type Resource<O extends ResourceGenerics = any> = CreatedResource<O>;

function member(Class: ResourceClass, name: string, memberOptions: object): ResourceEndpoint {
  return Class.memo(`#${name}`, () => {
    const extra = Class.getEndpointExtra();
    const options = {
      ...extra,
      resourceClass: Class,
      path: ITEM_PATH,
      ...memberOptions,
      hasDefaultAddress: true,
    };
    const address = options.path === ITEM_PATH ? 'url' : 'listUrl';
    options.hasDefaultAddress = Class[address] === Resource[address];
    return new ResourceRequest({ ...options, name: `${Class.key}.${name}` }) as never;
  });
}

/** The type of params: any record. */
// any: data of any interface must fit, also without an index signature
export type ParamsRecord = Readonly<Record<string, any>>;

/** A kind of request of a Resource. A is the argument list of a call; `extend` infers it from `fetch` or `url`. */
// any begin: a response has no type, and an extension declares its own arguments
export interface ResourceEndpoint<A extends any[] = any[], S = unknown> extends EndpointInterface<
  (...args: A) => Promise<any>,
  S
> {
  readonly schema: S;
  readonly method: string;
  readonly title: string;
  readonly sideEffect: boolean | undefined;
  readonly extra?: unknown;
  fetch(...args: A): Promise<any>;
  /** The address: computed by the class, unless an extension overrides `url`. */
  url(...args: A): string;
  testKey(key: string): boolean;
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<any>;
  process(value: any, ...args: any): any;
  errorPolicy(error: any): ErrorPolicy;
  extend<B extends any[] = A, T = S>(
    options: ResourceEndpointOptions<B, T> & ThisType<ResourceEndpoint<B, T>>,
  ): ResourceEndpoint<B, T>;
}

/** The arguments of a callback, for an A that is known already: an indexed access stops the inference. */
type Known<A extends any[]> = [CallbackArgs<A>][A extends any[] ? 0 : never];

/** The options of `extend`. */
export interface ResourceEndpointOptions<A extends any[], S> extends Policies {
  readonly schema?: S;
  readonly method?: string;
  readonly name?: string;
  /** Default: by method. */
  readonly sideEffect?: boolean | undefined;
  /** `undefined`: a mutation without a body. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly extra?: unknown;
  fetch?(...args: A): Promise<any>;
  url?(...args: A): string;
  key?(...args: A): string;
  /** Required together with a `url` that does not begin with the class's `urlRoot`. */
  testKey?(key: string): boolean;
  getHeaders?(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  getRequestInit?(body?: unknown): RequestInit | Promise<RequestInit>;
  fetchResponse?(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<any>;
  process?(value: any, ...args: Known<A>): any;
  getOptimisticResponse?: ((snapshot: any, ...args: Known<A>) => unknown) | undefined;
}
// any end

/** Identifies the endpoint in the sent init: a custom `fetch` may pass on a copy. */
const ENDPOINT_REF: unique symbol = Symbol('signalbox.by');
export interface TaggedRequestInit extends RequestInit {
  readonly [ENDPOINT_REF]?: RestBase;
}

/*
 *               path     address           one argument    two arguments
 *   detail …    /:pk     Class.url         params          params, body
 *   list        ''       Class.listUrl     params          params
 *   create      ''       Class.listUrl     body            params, body
 */

/** The implementation; the interface above is the public type. */
class ResourceRequest extends RestBase {
  declare readonly resourceClass: ResourceClass;
  /** True if the address comes from the class's `url` or `listUrl`, and neither is overridden. */
  declare readonly hasDefaultAddress: boolean;

  override get title(): string {
    return `${this.method} ${this.name}`;
  }

  override get listAddress(): string | object | undefined {
    // oxlint-disable-next-line typescript/unbound-method -- an identity, not called
    return Object.hasOwn(this, 'url') ? this.url : this.resourceClass.urlRoot + this.path;
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    const url = this.url(...args);
    const init = await this.getRequestInit(splitCall(this, args).body);
    const tagged: TaggedRequestInit = { ...init, [ENDPOINT_REF]: this };
    return this.process(await this.resourceClass.fetch(url, tagged), ...args);
  }

  override url(...args: readonly unknown[]): string {
    const { params } = splitCall(this, args);
    refuseUnreadable(this, params);
    return this.path === '' ? this.resourceClass.listUrl(params) : this.resourceClass.url(params);
  }

  override testKey(key: string): boolean {
    const start = `${this.method} ${this.resourceClass.urlRoot}`;
    if (this.hasDefaultAddress && !Object.hasOwn(this, 'url')) {
      const rest = key.slice(start.length);
      return key.startsWith(start) && (this.path === '' ? /^(?:\?|$)/ : /^\/?[^/?]+$/).test(rest);
    }
    return key.startsWith(start) || key === this.#keyWithoutArgs();
  }

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    const { method, signal, resourceClass } = this;
    const classInit = requireObject(
      'getRequestInit',
      await resourceClass.getRequestInit(body),
      this,
    );
    const headers = this.getHeaders(classInit.headers ?? {});
    const init = await withHeaders(
      { method, ...(signal && { signal }), ...classInit },
      headers,
      this,
    );
    return resourceClass.getFetchInit(init);
  }

  /** The only key of an endpoint without arguments. */
  #keyWithoutArgs(): string | undefined {
    try {
      return this.key();
    } catch {
      return undefined;
    }
  }
}
