/**
 * Payments 2026-01-01
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, sendAs } from 'signalbox';

const urlPrefix = '';

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

export class Customer extends Entity {
  id = '';
  object = 'customer' as const;
  created = 0;
  email: string | null = null;
  deleted?: true;

  static override key = 'Customer';

  override pk(...call: PkArgs) {
    const { customer } = paramsOf(call);
    return this.id ?? customer;
  }
}

const customerResource = createResource({
  urlPrefix,
  path: '/v1/customers/:customer',
  schema: Customer,
  searchParams: {} as { limit?: number; starting_after?: string },
  body: {} as { email?: string } | URLSearchParams,
  getRequestInit: sendAs('application/x-www-form-urlencoded'),
  paginationField: 'starting_after',
}).extend({
  getList: {
    schema: {
      data: new Collection([Customer], { nonFilterArgumentKeys: ['limit', 'starting_after'] }),
      has_more: false,
      object: (value: 'list') => value,
      url: '',
    },
  },
  update: { method: 'POST' },
});

/** The description has no partialUpdate. */
export const CustomerResource = {
  get: customerResource.get,
  getList: customerResource.getList,
  create: customerResource.create,
  update: customerResource.update,
  delete: customerResource.delete,
  extend: customerResource.extend,
};
