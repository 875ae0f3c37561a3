/** The older way to describe a resource: an entity class that knows its address and makes its own endpoints. */
import type { EndpointOptions } from '../endpoint/Endpoint.ts';
import { Delete } from '../schema/Delete.ts';
import { Entity } from '../schema/Entity.ts';
import type { EntityInstance, Mixed } from '../schema/EntityMixin.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { KIND } from '../schema/schema.ts';
import type { EntityClass } from '../schema/schema.ts';
import { answerOrParams } from './answerOrParams.ts';
import type { RestResource as CreatedResource, ResourceGenerics } from './createResource.ts';
import { collectionIn } from './collectionIn.ts';
import { fillPath } from './path.ts';
import { addSearch, bodyInit, searchText, withHeaders } from './request.ts';
import { BY, ResourceRequest } from './ResourceEndpoint.ts';
import type { ParamsRecord, ResourceEndpoint, TaggedRequestInit } from './ResourceEndpoint.ts';

/** An instance of a Resource class, before its own fields. */
export interface ResourceInstance extends EntityInstance {
  /** Its address. */
  readonly url: string;
}

// any: a body is whatever the server takes
type Change<S> = ResourceEndpoint<[params: ParamsRecord, body?: any], S>;
type Creation<S> = ResourceEndpoint<[body: any] | [params: ParamsRecord, body: any], S>; // any: as above

/**
 * The statics of a Resource class. Its six endpoints have two signatures each, which are the same: TypeScript then
 * compares an override without the type parameter, and an override may have a schema of its own.
 */
export interface ResourceClass extends Mixed<ResourceInstance> {
  /** Where the list is; one is at `urlRoot`, a slash, its primary key. */
  urlRoot: string;
  /** The address of one. Throws R1 where the params name no primary key. */
  url(params: ParamsRecord): string;
  /** The address of the list; search params are sorted. */
  listUrl(params?: ParamsRecord): string;

  /** GET one. */
  detail<T extends EntityClass>(this: T): ResourceEndpoint<[params: ParamsRecord], T>;
  detail<T extends EntityClass>(this: T): ResourceEndpoint<[params: ParamsRecord], T>;
  /** GET the list. */
  list<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: ParamsRecord], S>;
  list<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: ParamsRecord], S>;
  /** POST to the list: one argument is the body, two are params and body. */
  create<T extends EntityClass>(this: T): Creation<T>;
  create<T extends EntityClass>(this: T): Creation<T>;
  /** PUT one. */
  update<T extends EntityClass>(this: T): Change<T>;
  update<T extends EntityClass>(this: T): Change<T>;
  /** PATCH one. */
  partialUpdate<T extends EntityClass>(this: T): Change<T>;
  partialUpdate<T extends EntityClass>(this: T): Change<T>;
  /** DELETE one. Gives the answer when it is an object that holds something, else the params. */
  delete<T extends EntityClass, S = Delete<T>>(
    this: T,
  ): ResourceEndpoint<[params: ParamsRecord], S>;
  delete<T extends EntityClass, S = Delete<T>>(
    this: T,
  ): ResourceEndpoint<[params: ParamsRecord], S>;

  /** What `make` gives, made once per class and name: for endpoints of one's own. */
  memo<E>(name: string, make: () => E): E;
  /** Options for every endpoint of the class: policies, `extra`. */
  getEndpointExtra(): EndpointOptions | undefined;
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  /** What a body adds to a request. */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit>;
  /** The last word on what goes to fetch beside the address. */
  getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit>;
  /** Sends, and gives the value in the answer. Every endpoint of the class goes through it. */
  // any: what the server sends has no type
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<any>;
}

/** The path of one, and of what a list sends to one; that of the list is empty. */
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
    return root + fillPath(ONE, { pk }, this.key);
  }

  static listUrl(params: ParamsRecord = {}): string {
    return addSearch(this.urlRoot, searchText(params, this.key));
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

  /** A promise only where getHeaders gives one: `{...super.getRequestInit(body)}` works for the others. */
  static getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const init = bodyInit(body, this.key);
    return withHeaders(init, this.getHeaders(init.headers ?? {}));
  }

  static getFetchInit(init: RequestInit): RequestInit | Promise<RequestInit> {
    return init;
  }

  static async fetch(input: RequestInfo | URL, init: TaggedRequestInit = {}): Promise<unknown> {
    const {
      [BY]: by = member(this.self, 'fetch', {}).extend({ method: init.method ?? 'GET' }),
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
 * on every call. Override one with `static detail() { return super.detail().extend({schema: {data: this}}); }`.
 * New code is shorter with `createResource`.
 */
export const Resource: ResourceClass = ResourceBase as never;
/** The type of this name is what `createResource` gives; an instance of the class is a ResourceInstance. */
// any: a resource of which nothing is known
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
