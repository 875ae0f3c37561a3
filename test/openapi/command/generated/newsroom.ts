/**
 * Newsroom 1
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { Collection, createResource, Entity, RestEndpoint, Union } from 'signalbox';

const urlPrefix = '';

export interface StoryInput {
  kind: 'story' | 'column';
  title: string;
}

/** Headers of POST /stories, for `getHeaders`. */
export type StoriesCreateHeaders = {
  /** Whose desk it is. */
  'X-Desk': 'day' | 'night';
};

/** Cookies of POST /stories, for `getHeaders`. */
export type StoriesCreateCookies = {
  session?: string;
};

/** What a caller says to be known. */
export interface Credentials {
  /** A bearer token. */
  bearer?: string;
  /** A user and a password. */
  password?: { username: string; password: string };
  /**
   * The header X-Newsroom-Key.
   * From the settings.
   */
  'X-Key'?: string;
}

/** A request with what its caller says; for `getRequestInit` of a class of endpoints. */
export function authorize(init: RequestInit, credentials: Credentials): RequestInit {
  const headers = new Headers(init.headers);
  if (credentials.bearer !== undefined)
    headers.set('Authorization', `Bearer ${credentials.bearer}`);
  if (credentials.password !== undefined) {
    const { username, password } = credentials.password;
    headers.set('Authorization', `Basic ${btoa(`${username}:${password}`)}`);
  }
  if (credentials['X-Key'] !== undefined) headers.set('X-Newsroom-Key', credentials['X-Key']);
  return { ...init, headers };
}

export class Story extends Entity {
  id = 0;
  kind: 'story' | 'column' = 'story';
  title = '';

  static override key = 'Story';
}

export class Hint extends Entity {
  id = 0;
  kind = 'hint' as const;
  url?: string;

  static override key = 'Hint';
}

export const Item = new Union({ story: Story, column: Story, hint: Hint }, 'kind');
export type Item = Story | Hint;

const itemResource = createResource({
  urlPrefix,
  path: '/items/:id',
  schema: Item,
  searchParams: {} as { marker?: string; limit?: number },
  paginationField: 'marker',
}).extend({
  getList: { schema: new Collection([Item], { nonFilterArgumentKeys: ['marker', 'limit'] }) },
  search: { path: '/items', method: 'QUERY', schema: [Story], body: {} as { text?: string } },
  copy: { path: '/items/:id', method: 'COPY', body: undefined, schema: undefined },
});

/** The description has no create, update, partialUpdate, delete. */
export const ItemResource = {
  get: itemResource.get,
  getList: itemResource.getList,
  search: itemResource.search,
  copy: itemResource.copy,
  extend: itemResource.extend,
};

const storyResource = createResource({
  urlPrefix,
  path: '/stories/:id',
  schema: Story,
  body: {} as StoryInput,
});

/** The description has no getList, update, partialUpdate, delete. */
export const StoryResource = {
  get: storyResource.get,
  create: storyResource.create,
  extend: storyResource.extend,
};

export const events = new RestEndpoint({
  urlPrefix,
  path: '/events',
  content: 'stream',
  process: (value: ReadableStream<Uint8Array> | null) => value,
});
