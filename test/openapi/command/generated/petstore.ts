/**
 * Pet store 1.0.0
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint, sendAs } from 'signalbox';

const urlPrefix = 'https://pets.example.com/api';

/** The servers of the description. */
export const servers = {
  main: ({ host = 'pets.example.com' }: { host?: string } = {}) => `https://${host}/api`,
};

export interface NewPet {
  name: string;
  status?: Status;
  born?: Date | string;
}

export type Status = 'available' | 'pending' | 'sold';

export interface Address {
  street: string;
  city: string;
  readonly zip?: string;
}

export interface SettingsInput {
  currency: string;
  openedAt?: Date | string;
}

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

export class Owner extends Entity {
  id = '';
  name = '';
  address?: Address;

  static override key = 'Owner';
}

/** An animal with a name. */
export class Pet extends Entity {
  id = 0;
  /** What it is called. */
  name = '';
  status: Status = 'available';
  tags: string[] = [];
  born = new Date(0);
  adopted: Date | null = null;
  weight?: number;
  vaccinated = false;
  owner: Owner | null = null;
  home?: Address;

  static override key = 'Pet';
  static override schema = { born: Date, adopted: Date, owner: Owner };

  override pk(...call: PkArgs) {
    const { petId } = paramsOf(call);
    return this.id ?? petId;
  }
}

export class Settings extends Entity {
  currency = 'EUR';
  openedAt?: Date;

  static override key = 'Settings';
  static override schema = { openedAt: Date };

  override pk() {
    return 'one';
  }
}

export const PetResource = createResource({
  urlPrefix,
  path: '/pets/:petId',
  schema: Pet,
  searchParams: {} as { status?: Status; tag?: string[]; born?: Date | string },
  body: {} as NewPet,
}).extend({
  /** Finds pets by a part of their name. */
  searchPets: {
    path: '/pets/search',
    schema: new Collection([Pet]),
    searchParams: {} as { q: string },
  },
  adoptPet: { path: '/pets/:petId/adopt', method: 'POST', body: undefined },
  getPhoto: {
    path: '/pets/:petId/photo',
    content: 'blob',
    process: (value: Blob) => value,
    schema: undefined,
  },
  uploadPhoto: {
    path: '/pets/:petId/photo',
    method: 'POST',
    process: (value: { url: string }) => value,
    body: {} as { file?: Blob } | FormData,
    getRequestInit: sendAs('multipart/form-data'),
    schema: undefined,
  },
});

const ownerResource = createResource({ urlPrefix, path: '/owners/:id', schema: Owner });

/** The description has no getList, create, update, partialUpdate, delete. */
export const OwnerResource = { get: ownerResource.get, extend: ownerResource.extend };

export const getInventory = new RestEndpoint({
  urlPrefix,
  path: '/store/inventory',
  process: (value: { [key: string]: number }) => value,
});

export const getSettings = new RestEndpoint({ urlPrefix, path: '/settings', schema: Settings });

export const updateSettings = new RestEndpoint({
  urlPrefix,
  path: '/settings',
  method: 'PUT',
  schema: Settings,
  body: {} as SettingsInput,
});
