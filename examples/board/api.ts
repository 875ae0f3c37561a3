/** The data of the board: classes with their relations, endpoints, and the changes that others make. */
import {
  belongsTo,
  Controller,
  createResource,
  Delete,
  Entity,
  hasMany,
  optimistic,
  Query,
  withRelated,
} from 'signalbox';
import type { Relations } from 'signalbox';
import { connectEventSource } from 'signalbox/streams';
import { connectTabs, shareConnection, shareRequests } from 'signalbox/tabs';
import type { Status } from './words.ts';

export class Project extends Entity {
  id = 0;
  name = '';

  static override key = 'Project';
}

export class User extends Entity {
  id = 0;
  name = '';

  static override key = 'User';
}

export class Issue extends Entity {
  id = 0;
  projectId = 0;
  title = '';
  status: Status = 'todo';
  /** Cards of a column are in the order of their ranks. */
  rank = 0;
  assigneeId: number | null = null;
  tags: readonly string[] = [];
  declare readonly project?: Project;
  declare readonly assignee?: User;
  declare readonly comments: readonly Comment[];

  static override key = 'Issue';
  static override relations: Relations<Issue> = {
    project: belongsTo(Project, 'projectId'),
    assignee: belongsTo(User, 'assigneeId'),
    comments: hasMany(() => Comment, 'issueId', {
      sort: 'id',
      from: () => CommentResource.getList,
    }),
  };
}

export class Comment extends Entity {
  id = 0;
  issueId = 0;
  authorId = 0;
  text = '';
  declare readonly author?: User;

  static override key = 'Comment';
  static override relations: Relations<Comment> = { author: belongsTo(User, 'authorId') };
}

/** The cards of a column; without a member, it may have any value. */
export interface Filter {
  readonly projectId: number;
  readonly assigneeId?: readonly number[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface IssueSearch extends Partial<Filter> {
  readonly status?: Status;
  readonly sort?: string;
  readonly limit?: number;
}

const common = { urlPrefix: '/api', optimistic: true };

export const ProjectResource = createResource({
  ...common,
  path: '/projects/:id',
  schema: Project,
});
export const UserResource = createResource({ ...common, path: '/users/:id', schema: User });
export const IssueResource = createResource({
  ...common,
  path: '/issues/:id',
  schema: Issue,
  searchParams: undefined as IssueSearch | undefined,
  paginationField: 'page',
});
export const CommentResource = createResource({
  ...common,
  path: '/comments/:id',
  schema: Comment,
  searchParams: {} as { readonly issueId: number },
});

/** An issue with all that its page shows. */
export const getIssue = withRelated(IssueResource.get, { comments: true });

/** The cards of a list, as they are ordered before the server has said so. */
export const byRank = new Query(IssueResource.getList.schema, { sort: ['rank', 'id'] });

/** What the server sends to everybody when something has changed. */
export interface Change {
  readonly kind: 'issue' | 'comment';
  readonly type: 'created' | 'changed' | 'deleted';
  readonly row: { readonly id: number };
}

const pushed = {
  issue: {
    created: IssueResource.getList.push.schema,
    changed: Issue,
    deleted: new Delete(Issue),
  },
  comment: {
    created: CommentResource.getList.push.schema,
    changed: Comment,
    deleted: new Delete(Comment),
  },
};

/** A store that all tabs of the browser keep equal, with one stream of changes for all of them. */
export function createStore(): Controller {
  const controller = new Controller({ optimistic });
  const names = { ProjectResource, UserResource, IssueResource, CommentResource, pushed };
  connectTabs(controller, { names, share: shareRequests });
  connectEventSource<Change>(controller, '/api/events', {
    receive: ({ kind, type, row }, { set }) => set(pushed[kind][type], { id: row.id }, row),
    catchUp: [IssueResource, CommentResource],
    share: shareConnection,
  });
  return controller;
}
