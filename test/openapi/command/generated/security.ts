/**
 * Ways to authenticate 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://security.invalid';

/** The credentials of each security scheme. */
export interface Credentials {
  /** A bearer token. */
  bearer?: string;
  /** A user and a password. */
  login?: { username: string; password: string };
  /** The header X-Key. */
  key?: string;
  /** The header X-App. */
  app?: string;
  /** The search param api_key. */
  search?: string;
}

/** The default alternatives: the credentials of each. */
const alternatives: readonly (readonly (keyof Credentials)[])[] = [
  ['bearer'],
  ['login'],
  ['key', 'app'],
];

/** The alternatives of operations with other security. */
const exceptions: Readonly<Record<string, readonly (readonly (keyof Credentials)[])[]>> = {
  'DELETE /notes/:id': [['login']],
  'GET /ping': [],
  'GET /status': [['search']],
};

/** The credentials of the first complete alternative; all credentials without an endpoint. */
function chosen(
  given: Credentials,
  endpoint?: { readonly method: unknown; readonly path: unknown },
): Credentials {
  if (endpoint === undefined) return given;
  const groups = exceptions[`${String(endpoint.method)} ${String(endpoint.path)}`] ?? alternatives;
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
  if (credentials.login !== undefined) {
    const { username, password } = credentials.login;
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    headers.set('Authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
  }
  if (credentials.key !== undefined) headers.set('X-Key', credentials.key);
  if (credentials.app !== undefined) headers.set('X-App', credentials.app);
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
  if (credentials.search !== undefined) search.set('api_key', credentials.search);
  const sign = url.includes('?') ? '&' : '?';
  return search.toString() === '' ? url : `${url}${sign}${search.toString()}`;
}

export class Note extends Entity {
  id = 0;

  static override key = 'Note';
}

const noteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });

/** The description has no getList, create, update, partialUpdate. */
export const NoteResource = {
  get: noteResource.get,
  delete: noteResource.delete,
  extend: noteResource.extend,
};

export const ping = new RestEndpoint({ urlPrefix, path: '/ping' });

export const getStatus = new RestEndpoint({ urlPrefix, path: '/status' });
