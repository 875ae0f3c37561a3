/**
 * Required parts 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity } from 'signalbox';

const urlPrefix = 'https://requires.invalid';

export interface PlaceFields {
  name?: string;
  note?: string;
  size?: number;
}

export interface Named {
  name: string;
  note?: string;
  size: number;
}

export interface Sized {
  name?: string;
  note?: string;
  size: number;
}

/** Headers of GET /places/{id}, for `getHeaders`. */
export type GetPlaceHeaders = {
  'X-Trace': `${number}`;
  'X-Mode'?: 'fast' | 'slow';
  'X-Since'?: string;
  'X-Tags'?: string;
  'X-Dry'?: 'true' | 'false';
};

/** Headers of PATCH /places/{id}, for `getHeaders`. */
export type PatchPlaceHeaders = {
  'X-Trace': `${number}`;
  'X-Mode'?: 'fast' | 'slow';
  'X-Since'?: string;
  'X-Tags'?: string;
  'X-Dry'?: 'true' | 'false';
};

export class Place extends Entity {
  id = 0;
  /** The fields */
  fields?: { name?: string; note: string; size?: number };
  named?: Named;
  sized?: Sized;
  beside?: { name?: string; note?: string; size: number };
  at: [number, number] = [0, 0];
  range: [number, number?] = [0];
  row: [string, boolean, ...number[]] = ['', false];
  open: [string?, boolean?, ...unknown[]] = [];
  first: [string] = [''];

  static override key = 'Place';
}

const placeResource = createResource({ urlPrefix, path: '/places/:id', schema: Place }).extend({
  partialUpdate: { body: {} as { name: string; note?: string; size?: number } },
});

/** The description has no getList, create, update, delete. */
export const PlaceResource = {
  get: placeResource.get,
  partialUpdate: placeResource.partialUpdate,
  extend: placeResource.extend,
};
