/**
 * Several servers 1
 *
 * Written by `signalbox openapi`: what is changed here is lost when it is written anew.
 */
import { createResource, Entity, sendAs } from 'signalbox';

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
  urlPrefix,
  path: '/releases/:id',
  schema: Release,
}).extend({
  partialUpdate: { urlPrefix: euPrefix, body: {} as ReleaseInput },
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
