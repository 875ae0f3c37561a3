/**
 * Calls 2010
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { Collection, createResource, Entity } from 'signalbox';

const urlPrefix = '';

/** What a primary key is made of beside the record: the last are the arguments of the request. */
type Call = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params of the request that names or brings a record. */
const paramsOf = ([, , args]: Call): Readonly<Record<string, string | number | undefined>> =>
  Object(args?.[0]);

export class ApiV2010AccountCall extends Entity {
  sid: string | null = null;
  account_sid: string | null = null;
  status: string | null = null;
  date_created: string | null = null;

  static override key = 'ApiV2010AccountCall';

  override pk(...call: Call) {
    const { Sid } = paramsOf(call);
    return this.sid ?? Sid;
  }
}

const apiV2010AccountCallResource = createResource({
  urlPrefix,
  path: '/2010/Accounts/:AccountSid/Calls/:Sid.json',
  schema: ApiV2010AccountCall,
  searchParams: {} as { PageSize?: number; PageToken?: string },
  body: {} as URLSearchParams,
  paginationField: 'PageToken',
}).extend({
  getList: {
    path: '/2010/Accounts/:AccountSid/Calls.json',
    schema: {
      calls: new Collection([ApiV2010AccountCall], { nonFilterArgumentKeys: ['PageSize', 'PageToken'] }),
      next_page_uri: (value: string | null | undefined) => value,
    },
  },
  create: { path: '/2010/Accounts/:AccountSid/Calls.json' },
  update: { method: 'POST' },
});

/** The description has no partialUpdate. */
export const ApiV2010AccountCallResource = {
  get: apiV2010AccountCallResource.get,
  getList: apiV2010AccountCallResource.getList,
  create: apiV2010AccountCallResource.create,
  update: apiV2010AccountCallResource.update,
  delete: apiV2010AccountCallResource.delete,
  extend: apiV2010AccountCallResource.extend,
};
