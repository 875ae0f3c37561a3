/** The class of Rest Hooks 3 to 6, whose older versions call endpoints shapes. */
import { Resource as OwnResource } from '../rest/Resource.ts';
import type { ResourceClass, ResourceEndpoint } from '../rest/Resource.ts';
import type { ResourceGenerics, RestResource } from '../rest/createResource.ts';
import type { Delete } from '../schema/Delete.ts';
import type { EntityClass } from '../schema/schema.ts';
import type { OpenResource } from './RestEndpoint.ts';

// any begin: the server decides on params and bodies
type Params = Readonly<Record<string, any>>;

/** The statics of the class, with the endpoints by their older names. */
export interface ShapedResourceClass extends ResourceClass {
  detailShape<T extends EntityClass, S = T>(this: T): ResourceEndpoint<[params: Params], S>;
  detailShape<T extends EntityClass, S = T>(this: T): ResourceEndpoint<[params: Params], S>;
  listShape<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: Params], S>;
  listShape<T extends EntityClass, S = T[]>(this: T): ResourceEndpoint<[params?: Params], S>;
  createShape<T extends EntityClass, S = T>(
    this: T,
  ): ResourceEndpoint<[params: Params, body: any], S>;
  createShape<T extends EntityClass, S = T>(
    this: T,
  ): ResourceEndpoint<[params: Params, body: any], S>;
  updateShape<T extends EntityClass, S = T>(
    this: T,
  ): ResourceEndpoint<[params: Params, body?: any], S>;
  updateShape<T extends EntityClass, S = T>(
    this: T,
  ): ResourceEndpoint<[params: Params, body?: any], S>;
  partialUpdateShape<T extends EntityClass, S = T>(
    this: T,
  ): ResourceEndpoint<[params: Params, body?: any], S>;
  partialUpdateShape<T extends EntityClass, S = T>(
    this: T,
  ): ResourceEndpoint<[params: Params, body?: any], S>;
  deleteShape<T extends EntityClass, S = Delete<T>>(this: T): ResourceEndpoint<[params: Params], S>;
  deleteShape<T extends EntityClass, S = Delete<T>>(this: T): ResourceEndpoint<[params: Params], S>;
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
}

/** `class Article extends Resource { static urlRoot = '/articles/'; }` */
export const Resource: ShapedResourceClass = ResourceWithShapes as never;
/** The type of a resource that `createResource` makes. */
// any: a resource of unknown type
export type Resource<O extends ResourceGenerics = { path: string; schema: any }> = OpenResource<
  RestResource<O>
>;
