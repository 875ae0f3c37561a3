/** The older way to describe a resource: an entity class that knows its address and creates its own endpoints. */
import type { EndpointOptions } from '../endpoint/Endpoint.ts';
import { Delete } from '../schema/Delete.ts';
import { Entity } from '../schema/Entity.ts';
import type { EntityInstance, Mixed } from '../schema/Entity.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { KIND } from '../schema/schema.ts';
import type { EntityClass } from '../schema/schema.ts';
import { answerOrParams } from './answerOrParams.ts';
import type { RestResource as CreatedResource, ResourceGenerics } from './createResource.ts';
import { collectionIn } from './collectionIn.ts';
import { fillPath } from './path.ts';
import { addSearch, bodyInit, searchText, withHeaders } from './request.ts';
import { ENDPOINT_REF, ResourceRequest } from './ResourceEndpoint.ts';
import type { ParamsRecord, ResourceEndpoint, TaggedRequestInit } from './ResourceEndpoint.ts';

/** The members of a Resource instance, without the fields of its class. */
export interface ResourceInstance extends EntityInstance {
  /** The address of this entity. */
  readonly url: string;
}

// any: the server decides on the type of a body
type Change<S> = ResourceEndpoint<[params: ParamsRecord, body?: any], S>;
type Creation<S> = ResourceEndpoint<[body: any] | [params: ParamsRecord, body: any], S>; // any: as above

/**
 * The statics of a Resource class. Its six endpoints have two identical signatures each: with overloads, TypeScript
 * compares an override without the type parameter, so that an override may have another schema.
 */
export interface ResourceClass extends Mixed<ResourceInstance> {
  /** The address of the list. The address of an entity is `urlRoot`, a slash, its primary key. */
  urlRoot: string;
  /** The address of one entity. Throws R1 if the params contain no primary key. */
  url(params: ParamsRecord): string;
  /** The address of the list; search params are sorted. */
  listUrl(params?: ParamsRecord): string;

  /** GET one entity. */
  detail<T extends EntityClass>(this: T): ResourceEndpoint<[params: ParamsRecord], T>;
  detail<T extends EntityClass>(this: T): ResourceEndpoint<[params: ParamsRecord], T>;
  /** GET the list. */
  list<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: ParamsRecord], S>;
  list<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: ParamsRecord], S>;
  /** POST to the list: one argument is the body, two are params and body. */
  create<T extends EntityClass>(this: T): Creation<T>;
  create<T extends EntityClass>(this: T): Creation<T>;
  /** PUT one entity. */
  update<T extends EntityClass>(this: T): Change<T>;
  update<T extends EntityClass>(this: T): Change<T>;
  /** PATCH one entity. */
  partialUpdate<T extends EntityClass>(this: T): Change<T>;
  partialUpdate<T extends EntityClass>(this: T): Change<T>;
  /** DELETE one entity. Resolves with the response if it is an object that is not empty, else with the params. */
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
  /** The parts of a request that depend on its body. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** The last step before fetch: receives and returns everything for fetch except the address. */
  getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit>;
  /** Sends the request and returns the value in the response. All endpoints of the class use it. */
  // any: a response has no type
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<any>;
}

/** The path of one entity, and of the changes that a list sends to one; the path of the list is empty. */
const ONE = '/:pk';
const made = new WeakMap<object, Map<string, unknown>>();

class ResourceBase extends Entity {
  static urlRoot = '';

  static get self(): ResourceClass {
    return this as never;
  }

  static url(params: ParamsRecord): string {
    const pk = (this[KIND] as EntityKind).pkIn(params, [params]);
    const root = this.urlRoot.endsWith('/') ? this.urlRoot.slice(0, -1) : this.urlRoot;
    return root + fillPath(ONE, { pk }, { name: this.key });
  }

  static listUrl(params: ParamsRecord = {}): string {
    return addSearch(this.urlRoot, searchText(params, { name: this.key }));
  }

  static detail(): unknown {
    return member(this.self, 'detail', { schema: this });
  }

  static list(): unknown {
    return member(this.self, 'list', { schema: [this], path: '', itemPath: ONE });
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
    const own = { schema: new Delete(this), method: 'DELETE', process: answerOrParams };
    return member(this.self, 'delete', own);
  }

  static memo<E>(name: string, make: () => E): E {
    const known = made.get(this) ?? new Map<string, unknown>();
    made.set(this, known);
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
    const home = { name: this.key };
    const init = bodyInit(body, home);
    return withHeaders(init, this.getHeaders(init.headers ?? {}), home);
  }

  static getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit> {
    return init;
  }

  static async fetch(input: RequestInfo | URL, init: TaggedRequestInit = {}): Promise<unknown> {
    const {
      [ENDPOINT_REF]: by = member(this.self, 'fetch', {}).extend({ method: init.method ?? 'GET' }),
      ...own
    } = init;
    return by.parseResponse(await by.fetchResponse(input, own));
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

function member(Class: ResourceClass, name: string, own: object): ResourceEndpoint {
  return Class.memo(`#${name}`, () => {
    const extra = Class.getEndpointExtra();
    const options = { ...extra, home: Class, path: ONE, ...own, usual: true };
    const address = options.path === ONE ? 'url' : 'listUrl';
    options.usual = Class[address] === Resource[address];
    return new ResourceRequest({ ...options, name: `${Class.key}.${name}` }) as never;
  });
}
