/**
 * Newsroom 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
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

/** The credentials of each security scheme. */
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
  /** The search param key. */
  old?: string;
}

/** The default alternatives: the credentials of each. */
const alternatives: readonly (readonly (keyof Credentials)[])[] = [['bearer']];

/** The credentials of the first complete alternative; all credentials without an endpoint. */
function chosen(
  given: Credentials,
  endpoint?: { readonly method: unknown; readonly path: unknown },
): Credentials {
  if (endpoint === undefined) return given;
  const groups = alternatives;
  const group = groups.find((names) => names.every((name) => given[name] !== undefined)) ?? [];
  return Object.fromEntries(group.map((name) => [name, given[name]]));
}

/** Adds credentials to a request; call in `getRequestInit` of an endpoint class. */
export function authorize(
  init: RequestInit,
  given: Credentials,
  endpoint?: { readonly method: unknown; readonly path: unknown },
): RequestInit {
  const credentials = chosen(given, endpoint);
  const headers = new Headers(init.headers);
  if (credentials.bearer !== undefined)
    headers.set('Authorization', `Bearer ${credentials.bearer}`);
  if (credentials.password !== undefined) {
    const { username, password } = credentials.password;
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    headers.set('Authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
  }
  if (credentials['X-Key'] !== undefined) headers.set('X-Newsroom-Key', credentials['X-Key']);
  return { ...init, headers };
}

/** Adds credentials to a URL; call in `fetchResponse` of an endpoint class. */
export function authorizeUrl(
  url: string,
  given: Credentials,
  endpoint?: { readonly method: unknown; readonly path: unknown },
): string {
  const credentials = chosen(given, endpoint);
  const search = new URLSearchParams();
  if (credentials.old !== undefined) search.set('key', credentials.old);
  const sign = url.includes('?') ? '&' : '?';
  return search.toString() === '' ? url : `${url}${sign}${search.toString()}`;
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
