/** The class of Rest Hooks 3 to 6, and the types of endpoints by the name of older versions: shapes. */
import type { EndpointInterface as OwnEndpoint, Updates } from '../endpoint/Endpoint.ts';
import { Resource as OwnResource } from '../rest/Resource.ts';
import type { ResourceClass, ResourceEndpoint, ResourceEndpointOptions } from '../rest/Resource.ts';
import { RestBase } from '../rest/RestBase.ts';
import type { ResourceGenerics, RestResource } from '../rest/createResource.ts';
import { withHeaders } from '../rest/request.ts';
import { Delete } from '../schema/Delete.ts';
import { defineOwn } from '../schema/fieldOf.ts';
import { KIND } from '../schema/schema.ts';
import type { EntityClass, StoredKind } from '../schema/schema.ts';
import { readAbsentAsUndefined } from './Endpoint.ts';
import type { EndpointInterface } from './EndpointInterface.ts';
import { SOURCE } from './endpointOf.ts';
import { lenientKindOf } from './lenientKindOf.ts';
import { sendPlainly } from './NetworkError.ts';
import { mergeHeaders, toSentParams, toTypedInit } from './RestEndpoint.ts';
import type { OpenResource, Send } from './RestEndpoint.ts';

// any begin: the server decides on params and bodies
type Params = Readonly<Record<string, any>>;

/** An entity class, which may be abstract: the base class of an application's resources. */
type AnyClass = (abstract new (...args: any[]) => object) &
  Pick<EntityClass, 'key' | 'schema' | typeof KIND>;

/** An endpoint of the class, with the members of versions 3 and 4, whose `extend` takes the option of versions 4 and 5. */
interface ShapedEndpoint<A extends any[] = any[], S = unknown> extends ResourceEndpoint<A, S> {
  readonly type: 'read' | 'mutate' | 'delete';
  /** The same as `key`. */
  getFetchKey(...args: A): string;
  extend<B extends any[] = A, T = S>(
    options: ResourceEndpointOptions<B, T> & {
      /** The optimistic response by the arguments of the call alone. */
      readonly optimisticUpdate?: (...args: any) => unknown;
      /** Changes other results after the response, by the key of each request. */
      readonly update?: (response: any, ...args: any) => Updates;
    } & ThisType<ResourceEndpoint<B, T>>,
  ): ShapedEndpoint<B, T>;
}

/** The statics of the class, with the endpoints by their older names: twice each, as in ResourceClass. */
export interface ShapedResourceClass extends ResourceClass {
  detail<T extends AnyClass>(this: T): ShapedEndpoint<[params: Params], T>;
  detail<T extends AnyClass>(this: T): ShapedEndpoint<[params: Params], T>;
  list<T extends AnyClass, S = T[]>(this: T): ShapedEndpoint<[params?: Params], S>;
  list<T extends AnyClass, S = T[]>(this: T): ShapedEndpoint<[params?: Params], S>;
  create<T extends AnyClass>(this: T): Creation<T>;
  create<T extends AnyClass>(this: T): Creation<T>;
  update<T extends AnyClass>(this: T): Change<T>;
  update<T extends AnyClass>(this: T): Change<T>;
  partialUpdate<T extends AnyClass>(this: T): Change<T>;
  partialUpdate<T extends AnyClass>(this: T): Change<T>;
  delete<T extends AnyClass, S = Deletion<T>>(this: T): ShapedEndpoint<[params: Params], S>;
  delete<T extends AnyClass, S = Deletion<T>>(this: T): ShapedEndpoint<[params: Params], S>;
  detailShape<T extends EntityClass>(this: T): ShapedEndpoint<[params: Params], T>;
  detailShape<T extends EntityClass>(this: T): ShapedEndpoint<[params: Params], T>;
  listShape<T extends EntityClass, S = T[]>(this: T): ShapedEndpoint<[params?: Params], S>;
  listShape<T extends EntityClass, S = T[]>(this: T): ShapedEndpoint<[params?: Params], S>;
  createShape<T extends EntityClass>(this: T): Creation<T>;
  createShape<T extends EntityClass>(this: T): Creation<T>;
  updateShape<T extends EntityClass>(this: T): Change<T>;
  updateShape<T extends EntityClass>(this: T): Change<T>;
  partialUpdateShape<T extends EntityClass>(this: T): Change<T>;
  partialUpdateShape<T extends EntityClass>(this: T): Change<T>;
  deleteShape<T extends EntityClass>(this: T): ShapedEndpoint<[params: Params], Delete<T>>;
  deleteShape<T extends EntityClass>(this: T): ShapedEndpoint<[params: Params], Delete<T>>;
  /** A read without a schema at the address of an entity: `this.endpoint().extend({ schema: [this] })`. */
  endpoint(): ShapedEndpoint<[params?: Params], any>;
  /** As `endpoint`, for mutations: by default POST. */
  endpointMutate(): ShapedEndpoint<[params?: Params, body?: any], any>;
  getFetchInit(init: RequestInit): RequestInit;
  /** Sends the request of an endpoint. Throws NetworkError if the status is not ok. */
  fetchResponse(...request: Parameters<Send>): ReturnType<Send>;
}

type Change<T> = ShapedEndpoint<[params: Params, body?: any], T>;
type Creation<T> = ShapedEndpoint<[body: any] | [params: Params, body: any], T>;
type Deletion<T> = T extends EntityClass ? Delete<T> : any;

/** The class whose endpoints are hooks: `useDetail()`, `useFetchInit` adds to each request. */
export interface HookableResourceClass extends ShapedResourceClass {
  useFetchInit(init: RequestInit): RequestInit;
  useDetail<T extends EntityClass>(this: T): ShapedEndpoint<[params: Params], T>;
  useList<T extends EntityClass>(this: T): ShapedEndpoint<[params?: Params], T[]>;
  useCreate<T extends EntityClass>(this: T): Creation<T>;
  useUpdate<T extends EntityClass>(this: T): Change<T>;
  usePartialUpdate<T extends EntityClass>(this: T): Change<T>;
  useDelete<T extends EntityClass>(this: T): ShapedEndpoint<[params: Params], Delete<T>>;
}

type Call<P, B> = (params: P, body?: B) => Promise<any>;
/** An endpoint with schema, params and body. */
export type FetchShape<S = any, P = Params, B = any> = EndpointInterface<Call<P, B>, S>;
/** An endpoint that reads. */
export type ReadShape<S = any, P = Params> = EndpointInterface<Call<P, any>, S, undefined>;
/** An endpoint that changes data. */
export type MutateShape<S = any, P = Params, B = any> = EndpointInterface<Call<P, B>, S, true>;
/** An endpoint that deletes an entity. */
export type DeleteShape<S = any, P = Params> = EndpointInterface<Call<P, any>, S, true>;
/** An endpoint with other params. */
export type SetShapeParams<E extends OwnEndpoint, P> = FetchShape<E['schema'], P>;
/** The params of an endpoint. */
export type ParamsFromShape<E> = E extends (params: infer P, ...rest: any) => any ? P : never;
/** The body of an endpoint. */
export type BodyFromShape<E> = E extends (params: any, body: infer B) => any ? B : never;
/** The response of an endpoint. */
export type ReturnFromShape<E> = E extends (...args: any) => Promise<infer R> ? R : never;
/** The policies of an endpoint. */
export interface FetchOptions {
  readonly dataExpiryLength?: number;
  readonly errorExpiryLength?: number;
  readonly pollFrequency?: number;
  readonly invalidIfStale?: boolean;
  readonly errorPolicy?: (error: any) => 'soft' | undefined;
  readonly extra?: any;
}
// any end

/** The schema of a single entity. */
export type SchemaDetail<T> = EntityClass<T & object>;
/** The schema of a list. */
export type SchemaList<T> = EntityClass<T & object>[];
/** The HTTP methods of a resource. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';

interface Endpoints {
  detail(): unknown;
  list(): unknown;
  create(): unknown;
  update(): unknown;
  partialUpdate(): unknown;
  delete(): unknown;
}

function sendRequest(this: RestBase, ...request: Parameters<Send>): ReturnType<Send> {
  return sendPlainly(RestBase.prototype.fetchResponse.apply(this, request));
}

const LenientResource = createLenientResource();

// in a function, so that bundlers may drop the class
function createLenientResource(): typeof OwnResource {
  return class extends OwnResource {
    static override get [KIND](): StoredKind {
      return lenientKindOf(this);
    }
  };
}

class ResourceWithShapes extends LenientResource {
  static get own(): Endpoints {
    return this;
  }
  static detailShape(): unknown {
    return this.own.detail();
  }
  static listShape(): unknown {
    return this.own.list();
  }
  static createShape(): unknown {
    return this.own.create();
  }
  static updateShape(): unknown {
    return this.own.update();
  }
  static partialUpdateShape(): unknown {
    return this.own.partialUpdate();
  }
  static deleteShape(): unknown {
    return this.own.delete();
  }

  static endpoint(): unknown {
    return this.memo('#endpoint', () => super.detail().extend({ schema: undefined }));
  }

  static endpointMutate(): unknown {
    return this.memo('#endpointMutate', () =>
      super.partialUpdate().extend({ schema: undefined, method: 'POST' }),
    );
  }

  static override listUrl(params: Params = {}): string {
    return super.listUrl(toSentParams(params));
  }

  static override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const named = { name: this.key };
    const init = toTypedInit(body, named);
    return withHeaders(init, this.getHeaders(init.headers ?? {}), named);
  }

  static fetchResponse(...request: Parameters<Send>): ReturnType<Send> {
    return sendRequest.apply(this.own.detail() as RestBase, request);
  }

  static override memo<E>(name: string, make: () => E): E {
    return super.memo(name, () => {
      const made = make();
      const isOverridden = this.fetchResponse !== ResourceWithShapes.fetchResponse;
      const send = isOverridden ? this.fetchResponse.bind(this) : sendRequest;
      if (made instanceof RestBase) {
        defineOwn(made, 'fetchResponse', send);
        defineOwn(made, 'extend', extendSparsely);
        addShape(made);
      }
      return made;
    });
  }
}

/** Extensions inherit this member, as each own member. */
function extendSparsely(this: RestBase, options: { readonly schema?: unknown }): unknown {
  readAbsentAsUndefined(options.schema);
  const extended: RestBase = RestBase.prototype.extend.call(this, options);
  addShape(extended);
  return extended;
}

function getFetchKey(this: RestBase, ...args: readonly unknown[]): string {
  return this.key(...args);
}

/** The members of a shape that extensions must not inherit. */
function addShape(endpoint: RestBase): void {
  const { schema, sideEffect } = endpoint;
  const change = schema instanceof Delete ? 'delete' : 'mutate';
  defineOwn(endpoint, 'type', sideEffect ? change : 'read', false);
  defineOwn(endpoint, 'getFetchKey', getFetchKey, false);
  // enumerable: a spread copies this member
  defineOwn(endpoint, SOURCE, endpoint);
}

const HOOKS = {
  useDetail: 'detail',
  useList: 'list',
  useCreate: 'create',
  useUpdate: 'update',
  usePartialUpdate: 'partialUpdate',
  useDelete: 'delete',
} as const;

// in a function, so that bundlers may drop the class
function createResourceOfHooks(): HookableResourceClass {
  class ResourceOfHooks extends ResourceWithShapes {
    static useFetchInit(init: RequestInit): RequestInit {
      return init;
    }
  }
  for (const [hook, name] of Object.entries(HOOKS)) {
    const useEndpoint = function (this: typeof ResourceOfHooks): unknown {
      return withInit(this.own[name]() as RestBase, this.useFetchInit({}));
    };
    defineOwn(ResourceOfHooks, hook, useEndpoint);
  }
  return ResourceOfHooks as never;
}

/** The endpoint, whose requests have more of `useFetchInit` than of their own. */
function withInit(endpoint: RestBase, init: RequestInit): unknown {
  const fetchResponse: Send = (input, own) =>
    endpoint.fetchResponse(input, {
      ...own,
      ...init,
      headers: mergeHeaders(own?.headers, init.headers),
    });
  return endpoint.extend({ fetchResponse });
}

/** `class Article extends HookableResource { static useFetchInit = (init) => …; }` */
export const HookableResource: HookableResourceClass = createResourceOfHooks();
/** The same as Resource. */
export const BaseResource: ShapedResourceClass = ResourceWithShapes as never;
/** `class Article extends Resource { static urlRoot = '/articles/'; }` */
export const Resource: ShapedResourceClass = ResourceWithShapes as never;
/** The type of a resource that `createResource` makes. In Rest Hooks 6 the type parameters are the path and the schema. */
// any begin: a resource of unknown type
export type Resource<
  O extends ResourceGenerics | string = { path: string; schema: any },
  S = any,
> = OpenResource<RestResource<O extends string ? { path: O; schema: S } : O & ResourceGenerics>>;
// any end
