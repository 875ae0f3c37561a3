/**
 * Rows inside of objects 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://embedded.invalid';

export interface PagedUsers {
  _embedded?: { users?: User[] };
  page?: { number?: number; totalPages?: number };
  _links?: { [key: string]: { href?: string } };
}

export interface ApiResponseRecords {
  success?: boolean;
  result?: { records?: Rec[] };
}

export interface UserInput {
  id?: number;
  name?: string;
}

export interface OrderInput {
  id?: string;
  total?: number;
}

export class User extends Entity {
  id = 0;
  name?: string;

  static override key = 'User';
}

export class Order extends Entity {
  id = '';
  total?: number;

  static override key = 'Order';
}

export class Rec extends Entity {
  id = '';
  total?: number;

  static override key = 'Rec';
}

export class Item extends Entity {
  id = 0;
  name = '';

  static override key = 'Item';
}

const userResource = createResource({
  urlPrefix,
  path: '/users/:id',
  schema: User,
  searchParams: {} as { page?: number; size?: number },
  body: {} as UserInput,
  paginationField: 'page',
}).extend({
  getList: {
    schema: {
      _embedded: { users: new Collection([User], { nonFilterArgumentKeys: ['page', 'size'] }) },
      page: (value: { number?: number; totalPages?: number } | undefined) => value,
      _links: (value: { [key: string]: { href?: string } } | undefined) => value,
    },
  },
});

/** The description has no partialUpdate, delete. */
export const UserResource = {
  get: userResource.get,
  getList: userResource.getList,
  create: userResource.create,
  update: userResource.update,
  extend: userResource.extend,
};

const orderResource = createResource({
  urlPrefix,
  path: '/orders/:id',
  schema: Order,
  searchParams: {} as { after?: string; first?: number },
  paginationField: 'after',
}).extend({
  getList: {
    schema: {
      edges: [{ cursor: '', node: Order }],
      pageInfo: (value: { endCursor?: string; hasNextPage?: boolean } | undefined) => value,
    },
  },
  partialUpdate: { body: {} as OrderInput },
});

/** The description has no create, update, delete. */
export const OrderResource = {
  get: orderResource.get,
  getList: orderResource.getList,
  partialUpdate: orderResource.partialUpdate,
  extend: orderResource.extend,
};

const recResource = createResource({ urlPrefix, path: '/records/:id', schema: Rec }).extend({
  get: { schema: { result: { record: Rec } } },
  getList: {
    process: (value: unknown) => value ?? { result: { records: [] } },
    schema: { success: false, result: { records: new Collection([Rec]) } },
  },
});

/** The description has no create, update, partialUpdate, delete. */
export const RecResource = {
  get: recResource.get,
  getList: recResource.getList,
  extend: recResource.extend,
};

const itemResource = createResource({
  urlPrefix,
  path: '/items/:id',
  schema: Item,
  searchParams: {} as { cursor?: string },
  paginationField: 'cursor',
}).extend({ getList: { schema: { data: { items: new Collection([Item]), total: 0 } } } });

/** The description has no get, create, update, partialUpdate, delete. */
export const ItemResource = { getList: itemResource.getList };

export const getReports = new RestEndpoint({
  urlPrefix,
  path: '/reports',
  schema: { weekly: { records: new Collection([Rec]) } },
});
