/**
 * Calls 2010
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

export class Call extends Entity {
  sid = '';
  account_sid: string | null = null;
  status: string | null = null;
  date_created: string | null = null;

  static override key = 'Call';

  override pk(...call: PkArgs) {
    const { Sid } = paramsOf(call);
    return this.sid ?? Sid;
  }
}

const callResource = createResource({
  urlPrefix,
  path: '/2010/Accounts/:AccountSid/Calls/:Sid.json',
  schema: Call,
  searchParams: {} as { PageSize?: number; PageToken?: string },
  body: {} as { To?: string } | URLSearchParams,
  getRequestInit: sendAs('application/x-www-form-urlencoded'),
  paginationField: 'PageToken',
}).extend({
  getList: {
    path: '/2010/Accounts/:AccountSid/Calls.json',
    schema: {
      calls: new Collection([Call], { nonFilterArgumentKeys: ['PageSize', 'PageToken'] }),
      next_page_uri: (value: string | null | undefined) => value,
    },
  },
  create: { path: '/2010/Accounts/:AccountSid/Calls.json' },
  update: { method: 'POST', body: {} as { Status?: string } | URLSearchParams },
});

/** The description has no partialUpdate. */
export const CallResource = {
  get: callResource.get,
  getList: callResource.getList,
  create: callResource.create,
  update: callResource.update,
  delete: callResource.delete,
  extend: callResource.extend,
};
