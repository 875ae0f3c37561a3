/**
 * Parcels 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Delete, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://parcels.example.com';

export interface Trucks {
  trucks: Truck[];
}

export interface Parcels {
  items: Parcel[];
}

export interface ParcelInput {
  label: string;
  sealed?: boolean;
}

export interface TruckInput {
  id?: string;
  name: string;
  clean?: boolean;
}

export interface HoursInput {
  open: string;
  close?: string;
}

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** A schema of a response that may have no body. */
const orNull = <S>(schema: S) => schema as S | null;

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

/** Joins the parts of a primary key; undefined if a part is missing. */
const keyOf = (...parts: readonly (string | number | null | undefined)[]) =>
  parts.some((part) => part === undefined || part === null) ? undefined : parts.join('/');

export class Slot extends Entity {
  id = '';
  number = 0;

  static override key = 'Slot';
}

export class Truck extends Entity {
  id = '';
  name = '';
  clean?: boolean;

  static override key = 'Truck';

  override pk(...call: PkArgs) {
    const { truckId } = paramsOf(call);
    return this.id ?? truckId;
  }
}

export class Job extends Entity {
  id = '';
  state = '';

  static override key = 'Job';
}

export class Crate extends Entity {
  id = 0;
  name = '';
  deleted?: true;

  static override key = 'Crate';
}

export class Hours extends Entity {
  open = '';
  close?: string;

  static override key = 'Hours';

  override pk() {
    return 'one';
  }
}

export class Sign extends Entity {
  lang = '';
  slug = '';
  text = '';

  static override key = 'Sign';

  override pk(...call: PkArgs) {
    const { lang } = paramsOf(call);
    return keyOf(this.lang ?? lang, this.slug);
  }
}

export class Parcel extends Entity {
  id = 0;
  label = '';
  sealed?: boolean;

  static override key = 'Parcel';
}

export class Crate2 extends Entity {
  id = '';

  static override key = 'Crate2';
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

const truckResource = createResource({
  urlPrefix,
  path: '/trucks/:truckId',
  schema: Truck,
  body: {} as TruckInput,
}).extend({
  getList: { schema: { trucks: new Collection([Truck]) } },
  create: { process: (value: { count?: number }) => value, schema: undefined },
  delete: { process: (_: unknown, params: object) => params },
  washAll: {
    path: '/trucks',
    method: 'PATCH',
    body: {} as { clean?: boolean },
    schema: orNull([Truck]),
  },
  scrap: {
    path: '/trucks',
    method: 'DELETE',
    searchParams: {} as { ids?: string },
    schema: orNull([new Delete(Truck)]),
  },
  wash: { path: '/trucks/:truckId/wash', method: 'POST', body: undefined, schema: orNull(Truck) },
  note: {
    path: '/trucks/:truckId/notes',
    method: 'POST',
    body: {} as { name?: string },
    schema: undefined,
  },
});

/** The description has no update, partialUpdate. */
export const TruckResource = {
  get: truckResource.get,
  getList: truckResource.getList,
  create: truckResource.create,
  delete: truckResource.delete,
  washAll: truckResource.washAll,
  scrap: truckResource.scrap,
  wash: truckResource.wash,
  note: truckResource.note,
  extend: truckResource.extend,
};

const jobResource = createResource({ urlPrefix, path: '/jobs/:id', schema: Job });

/** The description has no getList, create, update, partialUpdate, delete. */
export const JobResource = { get: jobResource.get, extend: jobResource.extend };

const crateResource = createResource({ urlPrefix, path: '/crates/:id', schema: Crate }).extend({
  delete: { process: (_: unknown, params: object) => params },
  empty: { path: '/crates', method: 'DELETE', schema: [new Delete(Crate)], body: {} as number[] },
});

/** The description has no create, update, partialUpdate. */
export const CrateResource = {
  get: crateResource.get,
  getList: crateResource.getList,
  delete: crateResource.delete,
  empty: crateResource.empty,
  extend: crateResource.extend,
};

const signResource = createResource({ urlPrefix, path: '/signs/:lang/:slug', schema: Sign });

/** The description has no getList, create, update, partialUpdate, delete. */
export const SignResource = { get: signResource.get, extend: signResource.extend };

const slotResource = createResource({
  urlPrefix,
  path: '/bays/:bay/slots/:number',
  schema: Slot,
}).extend({ delete: { process: (value: unknown) => value, schema: orNull([new Delete(Slot)]) } });

/** The description has no create, update, partialUpdate. */
export const SlotResource = {
  get: slotResource.get,
  getList: slotResource.getList,
  delete: slotResource.delete,
  extend: slotResource.extend,
};

const yardSlotResource = createResource({
  urlPrefix,
  path: '/yards/:yard/slots/:number',
  schema: Slot,
}).extend({ delete: { process: (value: unknown) => value, schema: orNull([new Delete(Slot)]) } });

/** The description has no getList, create, update, partialUpdate. */
export const YardSlotResource = {
  get: yardSlotResource.get,
  delete: yardSlotResource.delete,
  extend: yardSlotResource.extend,
};

export const hours = new RestEndpoint({ urlPrefix, path: '/hours', schema: Hours });

export const setHours = new RestEndpoint({
  urlPrefix,
  path: '/hours',
  method: 'PUT',
  schema: orNull(Hours),
  body: {} as HoursInput,
});
