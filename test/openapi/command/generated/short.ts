/**
 * Short forms 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = 'https://short.invalid';

export interface CustomCompact {
  code?: string;
  kind?: string;
}

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

/** Joins the parts of a primary key; undefined if a part is missing. */
const keyOf = (...parts: readonly (string | number | null | undefined)[]) =>
  parts.some((part) => part === undefined || part === null) ? undefined : parts.join('/');

export class User extends Entity {
  code = '';
  name?: string;
  email?: string;
  photo?: string;

  static override key = 'User';

  override pk(...call: PkArgs) {
    const { user_code } = paramsOf(call);
    return this.code ?? user_code;
  }
}

export class Task extends Entity {
  code = '';
  name?: string;
  notes?: string;
  due_on?: string;
  completed?: boolean;
  assignee: User | null = null;
  followers: User[] = [];
  custom?: CustomCompact;

  static override key = 'Task';
  static override schema = { assignee: User, followers: [User] };

  override pk(...call: PkArgs) {
    const { task_code } = paramsOf(call);
    return this.code ?? task_code;
  }
}

export class Issue extends Entity {
  id?: number;
  number = 0;
  title?: string;

  static override key = 'Issue';

  override pk(...call: PkArgs) {
    const { owner, repo, index } = paramsOf(call);
    return keyOf(owner, repo, this.number ?? index) ?? this.id;
  }
}

const taskResource = createResource({
  urlPrefix,
  path: '/tasks/:task_code',
  schema: Task,
}).extend({
  get: { schema: { data: Task } },
  getList: { schema: { data: new Collection([Task]) } },
});

/** The description has no create, update, partialUpdate, delete. */
export const TaskResource = {
  get: taskResource.get,
  getList: taskResource.getList,
  extend: taskResource.extend,
};

const userResource = createResource({
  urlPrefix,
  path: '/users/:user_code',
  schema: User,
}).extend({ get: { schema: { data: User } } });

/** The description has no getList, create, update, partialUpdate, delete. */
export const UserResource = { get: userResource.get, extend: userResource.extend };

const issueResource = createResource({
  urlPrefix,
  path: '/repos/:owner/:repo/issues/:index',
  schema: Issue,
}).extend({ partialUpdate: { body: {} as { title?: string } } });

/** The description has no create, update, delete. */
export const IssueResource = {
  get: issueResource.get,
  getList: issueResource.getList,
  partialUpdate: issueResource.partialUpdate,
  extend: issueResource.extend,
};

export const getTeamMembers = new RestEndpoint({
  urlPrefix,
  path: '/teams/:team_code/members',
  schema: { data: new Collection([User]) },
});
