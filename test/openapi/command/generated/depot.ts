/**
 * Depot 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity } from 'signalbox';

const urlPrefix = 'https://depot.example.com';

export interface Parcels {
  items: Parcel[];
}

export interface ParcelInput {
  label: string;
  sealed?: boolean;
}

export class Parcel extends Entity {
  id = 0;
  label = '';
  sealed?: boolean;

  static override key = 'Parcel';
}

const parcelResource = createResource({
  urlPrefix,
  path: '/parcels/:id',
  schema: Parcel,
  searchParams: {} as {
    _page?: number;
    _limit?: number;
    _sort?: string;
    direction?: string;
    $orderby?: string;
    select?: string;
    'fields[parcels]'?: string;
    order_id?: number;
  },
  body: {} as ParcelInput,
  paginationField: '_page',
}).extend({
  getList: {
    schema: {
      items: new Collection([Parcel], {
        nonFilterArgumentKeys: [
          '_page',
          '_limit',
          '_sort',
          'direction',
          '$orderby',
          'select',
          'fields[parcels]',
        ],
      }),
    },
  },
});

/** The description has no update, partialUpdate, delete. */
export const ParcelResource = {
  get: parcelResource.get,
  getList: parcelResource.getList,
  create: parcelResource.create,
  extend: parcelResource.extend,
};
