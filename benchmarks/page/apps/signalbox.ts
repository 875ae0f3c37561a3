/** The definitions and the verbs that the four signalbox apps share: what a user of the library writes. */
import { createResource, Entity, Query } from 'signalbox';
import type { Controller } from 'signalbox';
import type { App, Issue as IssueData, Label, ListParams, State } from '../App.ts';
import { memory } from '../memory.ts';

export class User extends Entity {
  id = 0;
  login = '';
  name = '';
  bio = '';
  followers = 0;
  since = '';
  static override key = 'User';
}

export class Issue extends Entity {
  id = 0;
  milestone = 0;
  title = '';
  body = '';
  state: State = 'open';
  pinned = false;
  comments = 0;
  labels: readonly Label[] = [];
  declare readonly user: User;
  static override key = 'Issue';
  static override schema = { user: User };
}

const body: Partial<IssueData> = {};
const issues = createResource({
  path: '/issues/:id',
  schema: Issue,
  searchParams: {} as ListParams,
  body,
});
const users = createResource({ path: '/users/:id', schema: User, body: {} as { login: string } });

export const getList = issues.getList.extend({ fetch: (params) => memory.list(params) });
export const getIssue = issues.get.extend({ fetch: ({ id }) => memory.issue(Number(id)) });
const patch = issues.partialUpdate.extend({
  fetch: ({ id }, body) => memory.patch(Number(id), body),
});
const rename = users.partialUpdate.extend({
  fetch: ({ id }, { login = '' }) => memory.rename(Number(id), login),
});
const unshift = getList.unshift.extend({
  fetch: (_, issue) => memory.create(issue as IssueData),
});
const remove = issues.delete.extend({ fetch: ({ id }) => memory.remove(Number(id)) });
const move = issues.partialUpdate.extend({
  schema: getList.schema.move,
  fetch: ({ id }, body) => memory.patch(Number(id), body),
});

export const sorted = new Query(getList.schema, { sort: 'title' });

/** What the apps do; they differ in how they show it. */
export function verbs(controller: Controller): Omit<App, 'name' | 'show'> {
  return {
    retitle: (id, title) => controller.fetch(patch, { id }, { title }),
    rename: (id, login) => controller.fetch(rename, { id }, { login }),
    unshift: (issue) => {
      const { milestone, state } = issue;
      return controller.fetch(unshift, { milestone, state }, issue);
    },
    remove: ({ id }) => controller.fetch(remove, { id }),
    move: ({ id }, state) => controller.fetch(move, { id }, { state }),
    receive: (id, comments) => void controller.set(Issue, { id }, { id, comments }),
  };
}
