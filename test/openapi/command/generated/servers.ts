/**
 * Several servers 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint, sendAs } from 'signalbox';

const urlPrefix = 'https://eu.api.invalid:443/v1';
const euPrefix = 'https://eu.api.invalid:443/v2';
const uploadsPrefix = 'https://uploads.invalid';
const filesPrefix = 'https://files.invalid/public';
const adminPrefix = 'https://admin.invalid';

/** The servers of the description. */
export const servers = {
  production: ({ region = 'eu', port = '443' }: { region?: 'eu' | 'us'; port?: string } = {}) =>
    `https://${region}.api.invalid:${port}/v1`,
  sandbox: 'https://sandbox.api.invalid/v1',
  theServerOfUploads: 'https://uploads.invalid',
  files: ({ area = 'public' }: { area?: string } = {}) => `https://files.invalid/${area}`,
  admin: 'https://admin.invalid',
};

export interface ReleaseInput {
  id?: number;
  name?: string;
}

export interface PhotoInput {
  name: string;
}

/** An endpoint class with a URL prefix for each method. */
const atServers = (prefix: string, others: Readonly<Record<string, string>>) =>
  class extends RestEndpoint {
    override get urlPrefix() {
      return others[this.method] ?? prefix;
    }
  } as typeof RestEndpoint;

export class Photo extends Entity {
  id = 0;
  name = '';

  static override key = 'Photo';
}

export class Release extends Entity {
  id = 0;
  name?: string;

  static override key = 'Release';
}

export class File extends Entity {
  id = 0;

  static override key = 'File';
}

const releaseResource = createResource({
  path: '/releases/:id',
  schema: Release,
  Endpoint: atServers(urlPrefix, { PATCH: euPrefix }),
}).extend({
  partialUpdate: { body: {} as ReleaseInput },
  uploadAsset: {
    urlPrefix: uploadsPrefix,
    path: '/releases/:id/assets',
    method: 'POST',
    body: {} as BodyInit,
    getRequestInit: sendAs('application/octet-stream'),
    schema: undefined,
  },
});

/** The description has no create, update. */
export const ReleaseResource = {
  get: releaseResource.get,
  getList: releaseResource.getList,
  partialUpdate: releaseResource.partialUpdate,
  delete: releaseResource.delete,
  uploadAsset: releaseResource.uploadAsset,
  extend: releaseResource.extend,
};

const fileResource = createResource({
  urlPrefix: filesPrefix,
  path: '/files/:id',
  schema: File,
}).extend({ delete: { urlPrefix: adminPrefix } });

/** The description has no getList, create, update, partialUpdate. */
export const FileResource = {
  get: fileResource.get,
  delete: fileResource.delete,
  extend: fileResource.extend,
};

export const PhotoResource = createResource({
  path: '/photos/:id',
  schema: Photo,
  Endpoint: atServers(urlPrefix, { POST: uploadsPrefix, PATCH: adminPrefix }),
  body: {} as PhotoInput,
}).extend({
  getList: { schema: { photos: new Collection([Photo]) } },
  update: { method: 'POST', urlPrefix: adminPrefix },
  delete: { urlPrefix: adminPrefix },
  listLatestPhotos: { path: '/photos/latest', schema: new Collection([Photo]) },
  addLatestPhoto: {
    path: '/photos/latest',
    method: 'POST',
    schema: new Collection([Photo]).push,
    body: {} as PhotoInput,
  },
});

export const listAlbumPhotos = new (atServers(urlPrefix, { POST: uploadsPrefix }))({
  path: '/albums/:album/photos',
  schema: new Collection([Photo]),
});

export const addAlbumPhoto = new RestEndpoint({
  urlPrefix: uploadsPrefix,
  path: '/albums/:album/photos',
  method: 'POST',
  schema: new Collection([Photo]).push,
  body: {} as PhotoInput,
});
