/**
 * Pages of several kinds 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, linkPages, Union, withStatus } from 'signalbox';

const urlPrefix = 'https://pages.invalid';

export interface NoteInput {
  id?: number;
}

export interface StarInput {
  id?: number;
}

export class Star extends Entity {
  id = 0;

  static override key = 'Star';
}

export class Toot extends Entity {
  id = 0;

  static override key = 'Toot';
}

export class Change extends Entity {
  id = 0;

  static override key = 'Change';
}

export class Walk extends Entity {
  id = 0;

  static override key = 'Walk';
}

export class Crate extends Entity {
  id = 0;

  static override key = 'Crate';
}

export class Log extends Entity {
  id = 0;

  static override key = 'Log';
}

export class Photo extends Entity {
  id = 0;

  static override key = 'Photo';
}

export class Note extends Entity {
  id = 0;

  static override key = 'Note';
}

export class Task extends Entity {
  id = 0;

  static override key = 'Task';
}

export class File extends Entity {
  id = 0;

  static override key = 'File';
}

export class Event extends Entity {
  id = 0;

  static override key = 'Event';
}

const noteResource = createResource({
  urlPrefix,
  path: '/notes/:id',
  schema: Note,
  searchParams: {} as { done?: boolean },
  body: {} as NoteInput,
}).extend({
  getList: {
    ...linkPages,
    schema: { rows: new Collection([Note]), next: '' },
    searchParams: {} as { done?: boolean } & { next?: string | null },
  },
});

/** The description has no update, partialUpdate, delete. */
export const NoteResource = {
  get: noteResource.get,
  getList: noteResource.getList,
  create: noteResource.create,
  extend: noteResource.extend,
};

const taskResource = createResource({
  urlPrefix,
  path: '/tasks/:id',
  schema: Task,
  searchParams: {} as { begin?: string; amount?: number },
  paginationField: 'begin',
}).extend({
  getList: {
    schema: {
      data: new Collection([Task]),
      next_page: (value: { token?: string } | undefined) => value,
    },
  },
});

/** The description has no get, create, update, partialUpdate, delete. */
export const TaskResource = { getList: taskResource.getList };

const fileResource = createResource({
  urlPrefix,
  path: '/files/:id',
  schema: File,
  searchParams: {} as { since_file?: string },
  paginationField: 'since_file',
}).extend({ getList: { schema: { files: new Collection([File]), more: '' } } });

/** The description has no get, create, update, partialUpdate, delete. */
export const FileResource = { getList: fileResource.getList };

const eventResource = createResource({
  urlPrefix,
  path: '/events/:id',
  schema: Event,
  searchParams: {} as { anchor?: string },
  paginationField: 'anchor',
}).extend({ getList: { schema: { rows: new Collection([Event]), next: '' } } });

/** The description has no get, create, update, partialUpdate, delete. */
export const EventResource = { getList: eventResource.getList };

const logResource = createResource({
  urlPrefix,
  path: '/logs/:id',
  schema: Log,
  searchParams: {} as { amount?: number; peg?: string },
  paginationField: 'peg',
}).extend({ getList: { schema: { rows: new Collection([Log]), next: '' } } });

/** The description has no get, create, update, partialUpdate, delete. */
export const LogResource = { getList: logResource.getList };

const photoResource = createResource({
  urlPrefix,
  path: '/photos/:id',
  schema: Photo,
  searchParams: {} as { album?: number },
}).extend({
  getList: {
    ...linkPages,
    schema: { rows: { total: 0, photos: new Collection([Photo]) }, next: '' },
    searchParams: {} as { album?: number } & { next?: string | null },
  },
});

/** The description has no get, create, update, partialUpdate, delete. */
export const PhotoResource = { getList: photoResource.getList };

const starResource = createResource({
  urlPrefix,
  path: '/stars/:id',
  schema: Star,
  searchParams: {} as { cursor?: string },
  body: {} as StarInput,
  paginationField: 'cursor',
}).extend({
  getList: {
    parseResponse: withStatus,
    schema: new Union(
      {
        '200': {
          status: (value: 200) => value,
          body: { stars: new Collection([Star]), next: (value: string | null) => value },
        },
        '202': { status: (value: 202) => value, body: (value: { wait: number }) => value },
      },
      'status',
    ),
  },
});

/** The description has no get, update, partialUpdate, delete. */
export const StarResource = { getList: starResource.getList, create: starResource.create };

const tootResource = createResource({
  urlPrefix,
  path: '/toots/:id',
  schema: Toot,
  searchParams: {} as { since_id?: string; max_id?: string; limit?: string },
  paginationField: 'max_id',
}).extend({
  getList: {
    schema: {
      toots: new Collection([Toot], { nonFilterArgumentKeys: ['since_id', 'max_id', 'limit'] }),
      total: 0,
    },
  },
});

/** The description has no get, create, update, partialUpdate, delete. */
export const TootResource = { getList: tootResource.getList };

const changeResource = createResource({
  urlPrefix,
  path: '/changes/:id',
  schema: Change,
  searchParams: {} as { stream_position?: string },
  paginationField: 'stream_position',
}).extend({ getList: { schema: { entries: new Collection([Change]), next_stream_position: '' } } });

/** The description has no get, create, update, partialUpdate, delete. */
export const ChangeResource = { getList: changeResource.getList };

const walkResource = createResource({
  urlPrefix,
  path: '/walks/:id',
  schema: Walk,
  searchParams: {} as { place?: string },
  paginationField: 'place',
}).extend({
  getList: {
    schema: {
      walks: new Collection([Walk]),
      paging: (value: { next?: { place?: string } } | undefined) => value,
    },
  },
});

/** The description has no get, create, update, partialUpdate, delete. */
export const WalkResource = { getList: walkResource.getList };

const crateResource = createResource({
  urlPrefix,
  path: '/crates/:id',
  schema: Crate,
  searchParams: {} as { port?: string },
}).extend({ getList: { schema: { crates: new Collection([Crate]), has_more: false } } });

/** The description has no get, create, update, partialUpdate, delete. */
export const CrateResource = { getList: crateResource.getList };
