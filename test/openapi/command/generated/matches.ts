/**
 * Unions of records 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint, Union } from 'signalbox';

const urlPrefix = 'https://matches.invalid';

export type Author = UserJson | BotJson;

export interface UserJson {
  id: number;
  name: string;
}

export interface BotJson {
  id: number;
  name: string;
}

export interface UserInput {
  id?: number;
  name: string;
}

export interface BotInput {
  id?: number;
  name: string;
}

export class User extends Entity {
  id = 0;
  name = '';

  static override key = 'User';
}

export class Admin extends Entity {
  id = 0;
  name = '';
  level = 0;

  static override key = 'Admin';
}

export class Root extends Entity {
  id = 0;
  name = '';
  level = 0;
  secret = '';

  static override key = 'Root';
}

export class Bot extends Entity {
  id = 0;
  name = '';

  static override key = 'Bot';
}

export class Photo extends Entity {
  id = 0;
  kind = 'photo' as const;
  url?: string;

  static override key = 'Photo';
}

export class Clip extends Entity {
  id = 0;
  kind = 'clip' as const;
  url?: string;

  static override key = 'Clip';
}

export class Note extends Entity {
  id = 0;
  author?: Author;
  pin: Photo | Clip | null = null;

  static override key = 'Note';
  static override schema = { pin: new Union({ photo: Photo, clip: Clip }, 'kind') };
}

export const People = new Union({ Root, Admin, User }, (value: object) => {
  return 'secret' in value ? 'Root' : 'level' in value ? 'Admin' : 'User';
});
export type People = User | Admin | Root;

const userResource = createResource({ urlPrefix, path: '/users/:id', schema: User });

/** The description has no getList, create, update, partialUpdate, delete. */
export const UserResource = { get: userResource.get, extend: userResource.extend };

const adminResource = createResource({ urlPrefix, path: '/admins/:id', schema: Admin });

/** The description has no getList, create, update, partialUpdate, delete. */
export const AdminResource = { get: adminResource.get, extend: adminResource.extend };

const rootResource = createResource({ urlPrefix, path: '/roots/:id', schema: Root });

/** The description has no getList, create, update, partialUpdate, delete. */
export const RootResource = { get: rootResource.get, extend: rootResource.extend };

const botResource = createResource({ urlPrefix, path: '/bots/:id', schema: Bot });

/** The description has no getList, create, update, partialUpdate, delete. */
export const BotResource = { get: botResource.get, extend: botResource.extend };

const photoResource = createResource({ urlPrefix, path: '/photos/:id', schema: Photo });

/** The description has no getList, create, update, partialUpdate, delete. */
export const PhotoResource = { get: photoResource.get, extend: photoResource.extend };

const clipResource = createResource({ urlPrefix, path: '/clips/:id', schema: Clip });

/** The description has no getList, create, update, partialUpdate, delete. */
export const ClipResource = { get: clipResource.get, extend: clipResource.extend };

const noteResource = createResource({ urlPrefix, path: '/notes/:id', schema: Note });

/** The description has no getList, create, update, partialUpdate, delete. */
export const NoteResource = { get: noteResource.get, extend: noteResource.extend };

const peopleResource = createResource({ urlPrefix, path: '/people/:id', schema: People });

/** The description has no get, create, update, partialUpdate, delete. */
export const PeopleResource = { getList: peopleResource.getList };

export const listMatches = new RestEndpoint({
  urlPrefix,
  path: '/matches',
  process: (value: { rows?: (UserJson | BotJson)[]; best?: { by?: UserJson } | string }) => value,
});

export const sendMatch = new RestEndpoint({
  urlPrefix,
  path: '/matches',
  method: 'POST',
  body: {} as UserInput | BotInput,
});
