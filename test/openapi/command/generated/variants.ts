/**
 * Records with variants 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity } from 'signalbox';

const urlPrefix = 'https://variants.invalid';

export interface Named {
  id: number;
  name?: string;
}

export interface DogPart {
  kind: 'dog';
  barks?: boolean;
}

export interface PetJson {
  id: number;
  name?: string;
  kind: 'dog' | 'cat';
  barks?: boolean;
  lives?: number;
}

export interface PetInput {
  id?: number;
  name?: string;
  kind: 'dog' | 'cat';
  barks?: boolean;
  lives?: number;
}

export class Pet extends Entity {
  id = 0;
  name?: string;
  kind: 'dog' | 'cat' = 'dog';
  barks?: boolean;
  lives?: number;

  static override key = 'Pet';
}

export class Stay extends Entity {
  id = 0;
  since?: string;
  pet?: number | PetJson;
  others: (PetJson | string)[] = [];
  until?: string;

  static override key = 'Stay';
}

const petResource = createResource({
  urlPrefix,
  path: '/pets/:id',
  schema: Pet,
  body: {} as PetInput,
});

/** The description has no create, partialUpdate, delete. */
export const PetResource = {
  get: petResource.get,
  getList: petResource.getList,
  update: petResource.update,
  extend: petResource.extend,
};

const stayResource = createResource({ urlPrefix, path: '/stays/:id', schema: Stay });

/** The description has no getList, create, update, partialUpdate, delete. */
export const StayResource = { get: stayResource.get, extend: stayResource.extend };
