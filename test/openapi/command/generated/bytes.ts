/**
 * Bytes and texts 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://bytes.invalid';

export class Paper extends Entity {
  id = 0;
  title = '';

  static override key = 'Paper';
}

const paperResource = createResource({ urlPrefix, path: '/papers/:id', schema: Paper }).extend({
  getPaper: {
    path: '/papers/:id',
    content: 'text',
    process: (value: string) => value,
    schema: undefined,
  },
  printPaper: {
    path: '/papers/:id/print',
    method: 'POST',
    content: 'stream',
    process: (value: ReadableStream<Uint8Array> | null) => value,
    body: undefined,
    schema: undefined,
  },
});

/**
 * The description has no create, update, partialUpdate.
 * There is no get: GET /papers/{id} does not answer the record of this resource.
 */
export const PaperResource = {
  getList: paperResource.getList,
  delete: paperResource.delete,
  getPaper: paperResource.getPaper,
  printPaper: paperResource.printPaper,
};

export const getScan = new RestEndpoint({
  urlPrefix,
  path: '/scans/:id',
  content: 'blob',
  process: (value: Blob) => value,
});

export const putScan = new RestEndpoint({
  urlPrefix,
  path: '/scans/:id',
  method: 'PUT',
  body: {} as BodyInit,
});

export const getScript = new RestEndpoint({
  urlPrefix,
  path: '/scripts/:name',
  content: 'text',
  process: (value: string) => value,
});

export const getCover = new RestEndpoint({
  urlPrefix,
  path: '/covers',
  content: 'blob',
  process: (value: Blob) => value,
});
