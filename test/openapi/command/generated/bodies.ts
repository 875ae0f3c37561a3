/**
 * Bodies of several types 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint, sendAs } from 'signalbox';

const urlPrefix = 'https://bodies.invalid';

export interface Cover {
  image?: Bytes;
}

export interface ScanOfFile {
  file: Bytes;
  pages?: Bytes[];
}

export type Bytes = string;

export interface NotePatch {
  text?: string | null;
}

export interface Upload {
  file: string;
  more?: string[];
  title?: string;
  about?: { author?: string };
}

export interface NoteInput {
  text: string;
}

export interface AttachFileForm {
  file: Blob;
  more?: Blob[];
  title?: string;
  about?: { author?: string };
}

export interface LogInForm {
  user: string;
  until?: Date | string;
  roles?: string[];
  device?: { name?: string };
  ids?: number[];
}

/** Sends mutations of a list with the media type of each method. */
const sendEach = (by: Readonly<Record<string, ReturnType<typeof sendAs>>>) =>
  function getRequestInit(this: { readonly method: string }, body?: unknown) {
    return (by[this.method] ?? sendAs('application/json')).call(this, body);
  };

export class Note extends Entity {
  id = 0;
  text = '';

  static override key = 'Note';
}

const noteResource = createResource({
  urlPrefix,
  path: '/notes/:id',
  schema: Note,
  body: {} as NoteInput,
  getRequestInit: sendAs('application/vnd.api+json'),
}).extend({
  getList: {
    getRequestInit: sendEach({
      POST: sendAs('application/vnd.api+json'),
      PATCH: sendAs('application/merge-patch+json'),
    }),
  },
  update: { getRequestInit: sendAs('application/json') },
  partialUpdate: { body: {} as NotePatch, getRequestInit: sendAs('application/merge-patch+json') },
  changeNote: {
    path: '/notes/:id/ops',
    method: 'PATCH',
    body: {} as { op: string; path: string; value?: unknown }[],
    getRequestInit: sendAs('application/json-patch+json'),
  },
  attachFile: {
    path: '/notes/:id/files',
    method: 'POST',
    body: {} as AttachFileForm | FormData,
    getRequestInit: sendAs('multipart/form-data', { about: 'application/json' }),
    schema: undefined,
  },
  listNotesOfNote: {
    path: '/notes/:noteId/notes',
    schema: new Collection([Note]),
    getRequestInit: sendAs('application/vnd.note+json'),
  },
  createNoteOfNote: {
    path: '/notes/:noteId/notes',
    method: 'POST',
    schema: new Collection([Note]).push,
    body: {} as NoteInput,
    getRequestInit: sendAs('application/vnd.note+json'),
  },
});

/** The description has no delete. */
export const NoteResource = {
  get: noteResource.get,
  getList: noteResource.getList,
  create: noteResource.create,
  update: noteResource.update,
  partialUpdate: noteResource.partialUpdate,
  changeNote: noteResource.changeNote,
  attachFile: noteResource.attachFile,
  listNotesOfNote: noteResource.listNotesOfNote,
  createNoteOfNote: noteResource.createNoteOfNote,
  extend: noteResource.extend,
};

export const listNotesOfFolder = new RestEndpoint({
  urlPrefix,
  path: '/folders/:folder_id/notes',
  schema: new Collection([Note]),
  getRequestInit: sendAs('application/vnd.folder+json'),
});

export const createNoteOfFolder = new RestEndpoint({
  urlPrefix,
  path: '/folders/:folder_id/notes',
  method: 'POST',
  schema: new Collection([Note]).push,
  body: {} as NoteInput,
  getRequestInit: sendAs('application/vnd.folder+json'),
});

export const logIn = new RestEndpoint({
  urlPrefix,
  path: '/login',
  method: 'POST',
  body: {} as LogInForm | URLSearchParams,
  getRequestInit: sendAs('application/x-www-form-urlencoded', {
    device: 'deepObject',
    ids: 'commaDelimited',
  }),
});

export const putFeed = new RestEndpoint({
  urlPrefix,
  path: '/feed.xml',
  method: 'PUT',
  body: {} as string,
  getRequestInit: sendAs('application/xml'),
});

export const putName = new RestEndpoint({
  urlPrefix,
  path: '/name',
  method: 'PUT',
  body: {} as string,
  getRequestInit: sendAs('application/json'),
});

export const getLogo = new RestEndpoint({
  urlPrefix,
  path: '/logo',
  content: 'blob',
  process: (value: Blob) => value,
});

export const putLogo = new RestEndpoint({
  urlPrefix,
  path: '/logo',
  method: 'PUT',
  body: {} as BodyInit,
  getRequestInit: sendAs('application/octet-stream'),
});

export const getSmallLogo = new RestEndpoint({
  urlPrefix,
  path: '/logo/small',
  content: 'blob',
  process: (value: Blob) => value,
});

export const getRawLogo = new RestEndpoint({
  urlPrefix,
  path: '/logo/raw',
  content: 'blob',
  process: (value: Blob) => value,
});

export const upload = new RestEndpoint({
  urlPrefix,
  path: '/uploads',
  method: 'POST',
  body: {} as { file: Blob; note?: string; thumb?: string } | FormData,
  getRequestInit: sendAs('multipart/form-data'),
});

export const scan = new RestEndpoint({
  urlPrefix,
  path: '/scans',
  method: 'POST',
  body: {} as { file: Blob; pages?: Blob[] } | { url: string } | FormData,
  getRequestInit: sendAs('multipart/form-data'),
});

export const print = new RestEndpoint({
  urlPrefix,
  path: '/prints',
  method: 'POST',
  body: {} as { page?: Blob } | { cover: Cover } | FormData,
  getRequestInit: sendAs('multipart/form-data'),
});
