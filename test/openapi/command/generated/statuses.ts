/**
 * Responses by status 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import {
  Collection,
  createResource,
  Entity,
  linkPages,
  RestEndpoint,
  Union,
  withStatus,
} from 'signalbox';

const urlPrefix = 'https://statuses.invalid';

export interface Stat {
  week: number;
}

export interface Job {
  url: string;
}

export interface Invalid {
  fields: string[];
}

export interface Problem {
  message: string;
}

export interface IssueInput {
  title: string;
}

export type GetStatsResponse =
  | { status: 200; body: Stat[] }
  | { status: 202; body: { [key: string]: unknown } }
  | { status: 204; body: null };

/** A schema of a response that may have no body. */
const orNull = <S>(schema: S) => schema as S | null;

export class Task extends Entity {
  id = 0;

  static override key = 'Task';
}

export class Issue extends Entity {
  id = 0;
  title = '';

  static override key = 'Issue';
}

/** The bodies of errors, by status. */
export interface IssueError {
  '5XX': string;
  404: Problem;
  422: Invalid;
  default: Problem;
}

const issueResource = createResource({
  urlPrefix,
  path: '/issues/:id',
  schema: Issue,
  body: {} as IssueInput,
}).extend({
  getList: { process: (value: unknown) => value ?? [] },
  update: { schema: orNull(Issue) },
  transfer: {
    path: '/issues/:id/transfer',
    method: 'POST',
    parseResponse: withStatus,
    schema: new Union(
      {
        '200': { status: (value: 200) => value, body: Issue },
        '202': { status: (value: 202) => value, body: (value: Job) => value },
      },
      'status',
    ),
    body: undefined,
  },
});

/** The description has no partialUpdate. */
export const IssueResource = {
  get: issueResource.get,
  getList: issueResource.getList,
  create: issueResource.create,
  update: issueResource.update,
  delete: issueResource.delete,
  transfer: issueResource.transfer,
  extend: issueResource.extend,
};

const taskResource = createResource({ urlPrefix, path: '/tasks/:id', schema: Task }).extend({
  getList: {
    process: (value: unknown) => value ?? { total: 0, rows: [], after: null, by: { name: '' } },
    schema: {
      total: 0,
      rows: new Collection([Task]),
      after: (value: string | null) => value,
      by: (value: { name: string }) => value,
    },
  },
});

/** The description has no get, create, update, partialUpdate, delete. */
export const TaskResource = { getList: taskResource.getList };

export const getStats = new RestEndpoint({
  urlPrefix,
  path: '/stats',
  parseResponse: withStatus,
  process: (value: GetStatsResponse) => value,
});

export const getLevel = new RestEndpoint({
  urlPrefix,
  path: '/level',
  process: (value: { level?: number } | null) => value,
});

export const listLinkedTasks = new RestEndpoint({
  urlPrefix,
  path: '/linked-tasks',
  ...linkPages,
  schema: { rows: new Collection([Task]), next: '' },
  searchParams: {} as { next?: string | null },
  process: (value: { rows: unknown }) => ({ ...value, rows: value.rows ?? [] }),
});

export const listLinkedPages = new RestEndpoint({
  urlPrefix,
  path: '/linked-pages',
  ...linkPages,
  schema: { rows: { rows: new Collection([Task]) }, next: '' },
  searchParams: {} as { next?: string | null },
  process: (value: { rows: unknown }) => ({ ...value, rows: value.rows ?? { rows: [] } }),
});

export const build = new RestEndpoint({
  urlPrefix,
  path: '/builds',
  method: 'POST',
  process: (value: Stat) => value,
  body: undefined,
});
