/**
 * Keys in parentheses 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, searchStyles } from 'signalbox';

const urlPrefix = 'https://odata.invalid/odata';

export interface Error {
  error: { code: string; message: string };
}

export interface UserCreate {
  Name: string | null;
}

export interface UserUpdate {
  Name?: string | null;
}

/** A schema of a response that may have no body. */
const orNull = <S>(schema: S) => schema as S | null;

export class Order extends Entity {
  OrderID = '';
  Total?: number | string;
  User: User | null = null;

  static override key = 'Order';

  override pk() {
    return this.OrderID;
  }
}

export class User extends Entity {
  UserID = 0;
  Name: string | null = null;
  Orders: Order[] = [];
  Modified?: Date;

  static override key = 'User';
  static override schema = { Orders: [Order], Modified: Date };

  override pk() {
    return this.UserID;
  }
}

Order.schema = { User };

/** The bodies of errors, by status. */
export interface UserError {
  default: Error;
}

const userResource = createResource({
  urlPrefix,
  path: '/Users\\(:UserID\\)',
  schema: User,
  searchParams: {} as {
    $top?: number;
    $skip?: number;
    $filter?: string;
    $orderby?: string[];
    $count?: boolean;
    $expand?: ('*' | 'Orders')[];
  },
  searchToString: searchStyles({ $orderby: 'commaDelimited', $expand: 'commaDelimited' }),
  body: {} as UserCreate,
  paginationField: '$skip',
}).extend({
  getList: {
    path: '/Users',
    schema: {
      '@odata.count': 0,
      value: new Collection([User], {
        nonFilterArgumentKeys: ['$top', '$skip', '$orderby', '$count', '$expand'],
      }),
      '@odata.nextLink': '',
    },
  },
  create: { path: '/Users' },
  partialUpdate: { schema: orNull(User), body: {} as UserUpdate },
});

/** The description has no update. */
export const UserResource = {
  get: userResource.get,
  getList: userResource.getList,
  create: userResource.create,
  partialUpdate: userResource.partialUpdate,
  delete: userResource.delete,
  extend: userResource.extend,
};

const orderResource = createResource({
  urlPrefix,
  path: "/Orders\\(':OrderID'\\)",
  schema: Order,
}).extend({
  getList: { path: '/Users\\(:UserID\\)/Orders', schema: { value: new Collection([Order]) } },
});

/** The description has no create, update, partialUpdate, delete. */
export const OrderResource = {
  get: orderResource.get,
  getList: orderResource.getList,
  extend: orderResource.extend,
};
