/**
 * Parts that are left out 1
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { createResource, Entity } from 'signalbox';

const urlPrefix = 'https://left.invalid';

export interface ItemInput {
  id?: number;
  pk?: string;
  count?: number;
  open?: { a?: string; [key: string]: unknown };
}

export class Item extends Entity {
  id = 0;
  count?: number;
  open?: { a?: string; [key: string]: unknown };

  static override key = 'Item';
}

const itemResource = createResource({
  urlPrefix,
  path: '/items/:id',
  schema: Item,
  body: {} as ItemInput,
});

/** The description has no create, partialUpdate, delete. */
export const ItemResource = {
  get: itemResource.get,
  getList: itemResource.getList,
  update: itemResource.update,
  extend: itemResource.extend,
};
