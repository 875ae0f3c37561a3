/**
 * Parts that are left out 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint, searchStyles, sendAs } from 'signalbox';

const urlPrefix = 'https://left.invalid';

export interface ItemInput {
  id?: number;
  pk?: string;
  parts?: [unknown, ...unknown[]];
  count?: number;
  open?: { a?: string; [key: string]: unknown };
}

export class Item extends Entity {
  id = 0;
  parts?: [unknown, ...unknown[]];
  count?: number;
  open?: { a?: string; [key: string]: unknown };

  static override key = 'Item';
}

const itemResource = createResource({
  urlPrefix,
  path: '/items/;id=:id',
  schema: Item,
  body: {} as ItemInput,
});

/** The description has no create, partialUpdate. */
export const ItemResource = {
  get: itemResource.get,
  getList: itemResource.getList,
  update: itemResource.update,
  delete: itemResource.delete,
  extend: itemResource.extend,
};

export const sumItems = new RestEndpoint({ urlPrefix, path: '/sums/;ids=:ids' });

export const importItems = new RestEndpoint({
  urlPrefix,
  path: '/imports',
  method: 'POST',
  process: (value: { [key: string]: { [key: string]: unknown } }) => value,
  searchParams: {} as { mode?: { [key: string]: unknown } },
  searchToString: searchStyles({ mode: 'exploded' }),
  body: {} as { sheet?: Blob; rule?: string } | FormData,
  getRequestInit: sendAs('multipart/form-data'),
});
