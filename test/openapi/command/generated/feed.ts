/**
 * Feed 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint, Union } from 'signalbox';

const urlPrefix = '/v1';

export type AnimalInput = CatInput | DogInput | BaseAnimalInput;

export interface CatInput {
  id?: number;
  type: 'Cat';
  name?: string;
  lives: number;
}

export interface DogInput {
  id?: number;
  type: 'Dog';
  name?: string;
  breed?: string;
}

export interface BaseAnimalInput {
  id?: number;
  type: 'Animal';
  name?: string;
}

export class Post extends Entity {
  id = 0;
  kind = 'post' as const;
  text?: string;
  related: FeedItem | null = null;

  static override key = 'Post';
}

export class Link extends Entity {
  id = 0;
  kind = 'link' as const;
  href = '';

  static override key = 'Link';
}

export const FeedItem = new Union({ post: Post, link: Link }, 'kind');
export type FeedItem = Post | Link;

export class Pin extends Entity {
  id = 0;
  item: FeedItem | null = null;
  history: FeedItem[] = [];

  static override key = 'Pin';
  static override schema = { item: FeedItem, history: [FeedItem] };
}

export class Cat extends Entity {
  id = 0;
  type = 'Cat' as const;
  name?: string;
  lives = 0;

  static override key = 'Cat';
}

export class Dog extends Entity {
  id = 0;
  type = 'Dog' as const;
  name?: string;
  breed?: string;

  static override key = 'Dog';
}

export class BaseAnimal extends Entity {
  id = 0;
  type = 'Animal' as const;
  name?: string;

  static override key = 'BaseAnimal';
}

export const Animal = new Union({ Cat, Dog, Animal: BaseAnimal }, 'type');
export type Animal = Cat | Dog | BaseAnimal;

export const Latest = new Union({ Link, Post }, (value: object) => {
  return 'href' in value ? 'Link' : 'Post';
});
export type Latest = Post | Link;

Post.schema = { related: FeedItem };

const pinResource = createResource({ urlPrefix, path: '/pins/:id', schema: Pin });

/** The description has no getList, create, update, partialUpdate, delete. */
export const PinResource = { get: pinResource.get, extend: pinResource.extend };

const animalResource = createResource({
  urlPrefix,
  path: '/animals/:id',
  schema: Animal,
  body: {} as AnimalInput,
});

/** The description has no update, partialUpdate. */
export const AnimalResource = {
  get: animalResource.get,
  getList: animalResource.getList,
  create: animalResource.create,
  delete: animalResource.delete,
  extend: animalResource.extend,
};

const feedItemResource = createResource({ urlPrefix, path: '/feed/:id', schema: FeedItem });

/** The description has no get, create, update, partialUpdate, delete. */
export const FeedItemResource = { getList: feedItemResource.getList };

export const latest = new RestEndpoint({ urlPrefix, path: '/latest', schema: Latest });
