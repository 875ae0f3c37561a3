/** The class of Rest Hooks 3 to 6, whose older versions call endpoints shapes. */
import { Resource as OwnResource } from '../rest/Resource.ts';
import type { ResourceClass, ResourceEndpoint } from '../rest/Resource.ts';
import type { ResourceGenerics, RestResource } from '../rest/createResource.ts';
import type { Delete } from '../schema/Delete.ts';
import type { EntityClass } from '../schema/schema.ts';
import { RestBase } from '../rest/RestBase.ts';
import { defineOwn } from '../schema/fieldOf.ts';
import { mergeHeaders } from './RestEndpoint.ts';
import type { OpenResource } from './RestEndpoint.ts';

// any begin: the server decides on params and bodies
type Params = Readonly<Record<string, any>>;

/** The statics of the class, with the endpoints by their older names: twice each, as in ResourceClass. */
export interface ShapedResourceClass extends ResourceClass {
  detailShape<T extends EntityClass>(this: T): ResourceEndpoint<[params: Params], T>;
  detailShape<T extends EntityClass>(this: T): ResourceEndpoint<[params: Params], T>;
  listShape<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: Params], S>;
  listShape<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: Params], S>;
  createShape<T extends EntityClass>(this: T): Creation<T>;
  createShape<T extends EntityClass>(this: T): Creation<T>;
  updateShape<T extends EntityClass>(this: T): Change<T>;
  updateShape<T extends EntityClass>(this: T): Change<T>;
  partialUpdateShape<T extends EntityClass>(this: T): Change<T>;
  partialUpdateShape<T extends EntityClass>(this: T): Change<T>;
  deleteShape<T extends EntityClass>(this: T): ResourceEndpoint<[params: Params], Delete<T>>;
  deleteShape<T extends EntityClass>(this: T): ResourceEndpoint<[params: Params], Delete<T>>;
  /** Sends the request of an endpoint. Throws NetworkError if the status is not ok. */
  fetchResponse(input: RequestInfo | URL, init: RequestInit): Promise<Response>;
}

type Change<T> = ResourceEndpoint<[params: Params, body?: any], T>;
type Creation<T> = ResourceEndpoint<[params: Params, body: any], T>;

/** The class whose endpoints are hooks: `useDetail()`, with what `useFetchInit` adds to each request. */
export interface HookableResourceClass extends ShapedResourceClass {
  useFetchInit(init: RequestInit): RequestInit;
  useDetail<T extends EntityClass>(this: T): ResourceEndpoint<[params: Params], T>;
  useList<T extends EntityClass>(this: T): ResourceEndpoint<[params?: Params], T[]>;
  useCreate<T extends EntityClass>(this: T): Creation<T>;
  useUpdate<T extends EntityClass>(this: T): Change<T>;
  usePartialUpdate<T extends EntityClass>(this: T): Change<T>;
  useDelete<T extends EntityClass>(this: T): ResourceEndpoint<[params: Params], Delete<T>>;
}
// any end

interface Endpoints {
  detail(): unknown;
  list(): unknown;
  create(): unknown;
  update(): unknown;
  partialUpdate(): unknown;
  delete(): unknown;
}

class ResourceWithShapes extends OwnResource {
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

  static fetchResponse(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    return RestBase.prototype.fetchResponse.call(this.own.detail() as RestBase, input, init);
  }

  static override memo<E>(name: string, make: () => E): E {
    return super.memo(name, () => {
      const made = make();
      if (made instanceof RestBase && this.fetchResponse !== ResourceWithShapes.fetchResponse)
        defineOwn(made, 'fetchResponse', this.fetchResponse.bind(this));
      return made;
    });
  }
}

class ResourceOfHooks extends ResourceWithShapes {
  static useFetchInit(init: RequestInit): RequestInit {
    return init;
  }
  static useDetail(): unknown {
    return withInit(this.own.detail(), this.useFetchInit({}));
  }
  static useList(): unknown {
    return withInit(this.own.list(), this.useFetchInit({}));
  }
  static useCreate(): unknown {
    return withInit(this.own.create(), this.useFetchInit({}));
  }
  static useUpdate(): unknown {
    return withInit(this.own.update(), this.useFetchInit({}));
  }
  static usePartialUpdate(): unknown {
    return withInit(this.own.partialUpdate(), this.useFetchInit({}));
  }
  static useDelete(): unknown {
    return withInit(this.own.delete(), this.useFetchInit({}));
  }
}

/** The endpoint, whose requests have more of `init` than of their own. */
function withInit(endpoint: unknown, init: RequestInit): unknown {
  const before = endpoint as RestBase;
  return before.extend({
    fetchResponse: (input: RequestInfo | URL, own: RequestInit) =>
      before.fetchResponse(input, {
        ...own,
        ...init,
        headers: mergeHeaders(own.headers, init.headers),
      }),
  });
}

/** `class Article extends HookableResource { static useFetchInit = (init) => …; }` */
export const HookableResource: HookableResourceClass = ResourceOfHooks as never;
/** The same as Resource. */
export const BaseResource: ShapedResourceClass = ResourceWithShapes as never;
/** `class Article extends Resource { static urlRoot = '/articles/'; }` */
export const Resource: ShapedResourceClass = ResourceWithShapes as never;
/** The type of a resource that `createResource` makes. */
// any: a resource of unknown type
export type Resource<O extends ResourceGenerics = { path: string; schema: any }> = OpenResource<
  RestResource<O>
>;
