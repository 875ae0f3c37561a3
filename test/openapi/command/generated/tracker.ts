/**
 * Tracker 1
 *
 * Written by `signalbox openapi`: changes made here are lost at the next run.
 */
import { Collection, createResource, Entity, RestEndpoint } from 'signalbox';

const urlPrefix = '';

export interface SimpleUser {
  login: string;
  id: number;
}

/** The other arguments of pk(): the last has the arguments of the request. */
type PkArgs = [parent?: unknown, key?: string, args?: readonly unknown[]];

/** A schema of a response that may have no body. */
const orNull = <S>(schema: S) => schema as S | null;

/** The params in the address of a record, else the params of the request. */
const paramsOf = (
  [, , args]: PkArgs,
  own?: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | undefined>> => own ?? Object(args?.[0]);

/** Joins the parts of a primary key; undefined if a part is missing. */
const keyOf = (...parts: readonly (string | number | null | undefined)[]) =>
  parts.some((part) => part === undefined || part === null) ? undefined : parts.join('/');

export class Repository extends Entity {
  id = 0;
  name = '';
  owner: SimpleUser = { login: '', id: 0 };
  private = false;
  topics: string[] = [];
  parent: Repository | null = null;

  static override key = 'Repository';
  static override schema = { parent: Repository };

  override pk(...call: PkArgs) {
    const { owner, repo } = paramsOf(call);
    return keyOf(this.owner?.login ?? owner, this.name ?? repo) ?? this.id;
  }
}

export class Organization extends Entity {
  login = '';
  id = 0;
  name?: string;

  static override key = 'Organization';

  override pk(...call: PkArgs) {
    const { org } = paramsOf(call);
    return this.login ?? org;
  }
}

export class Milestone extends Entity {
  id = 0;
  number = 0;
  title = '';

  static override key = 'Milestone';

  override pk(...call: PkArgs) {
    const { owner, repo, milestone_number } = paramsOf(call);
    return keyOf(owner, repo, this.number ?? milestone_number) ?? this.id;
  }
}

export class Issue extends Entity {
  id = 0;
  number = 0;
  title = '';
  milestone: Milestone | null = null;
  url?: string;
  suggestions?: string[];

  static override key = 'Issue';
  static override schema = { milestone: Milestone };

  override pk(...call: PkArgs) {
    const own = /\/repos\/(?<owner>[^/]+)\/(?<repo>[^/]+)\/issues\/(?<issue_number>[^/]+)$/.exec(
      this.url ?? '',
    )?.groups;
    const { owner, repo, issue_number } = paramsOf(call, own);
    return keyOf(owner, repo, this.number ?? issue_number) ?? this.id;
  }
}

export class PullRequest extends Entity {
  id = 0;
  number = 0;
  head: {
    ref: string;
    repo: Repository;
    at: Date;
  } = { ref: '', repo: Repository.fromJS(), at: new Date(0) };

  static override key = 'PullRequest';
  static override schema = { head: { repo: Repository, at: Date } };

  override pk(...call: PkArgs) {
    const { owner, repo, pull_number } = paramsOf(call);
    return keyOf(owner, repo, this.number ?? pull_number) ?? this.id;
  }
}

/** Activity */
export class Activity extends Entity {
  id = 0;
  ref?: string;

  static override key = 'Activity';

  override pk(...call: PkArgs) {
    const { activity_id } = paramsOf(call);
    return this.id ?? activity_id;
  }
}

const organizationResource = createResource({
  urlPrefix,
  path: '/orgs/:org',
  schema: Organization,
});

/** The description has no getList, create, update, partialUpdate, delete. */
export const OrganizationResource = {
  get: organizationResource.get,
  extend: organizationResource.extend,
};

const repositoryResource = createResource({
  urlPrefix,
  path: '/repos/:owner/:repo',
  schema: Repository,
}).extend({
  getList: { path: '/orgs/:org/repos' },
  partialUpdate: { body: {} as { private?: boolean } },
});

/** The description has no create, update. */
export const RepositoryResource = {
  get: repositoryResource.get,
  getList: repositoryResource.getList,
  partialUpdate: repositoryResource.partialUpdate,
  delete: repositoryResource.delete,
  extend: repositoryResource.extend,
};

const issueResource = createResource({
  urlPrefix,
  path: '/repos/:owner/:repo/issues/:issue_number',
  schema: Issue,
  searchParams: {} as { state?: string },
  body: {} as { title: string },
}).extend({
  partialUpdate: { body: {} as { title?: string } },
  lock: {
    path: '/repos/:owner/:repo/issues/:issue_number/lock',
    method: 'PUT',
    body: undefined,
    schema: orNull(Issue),
  },
});

/** The description has no update, delete. */
export const IssueResource = {
  get: issueResource.get,
  getList: issueResource.getList,
  create: issueResource.create,
  partialUpdate: issueResource.partialUpdate,
  lock: issueResource.lock,
  extend: issueResource.extend,
};

const milestoneResource = createResource({
  urlPrefix,
  path: '/repos/:owner/:repo/milestones/:milestone_number',
  schema: Milestone,
});

/** The description has no create, update, partialUpdate. */
export const MilestoneResource = {
  get: milestoneResource.get,
  getList: milestoneResource.getList,
  delete: milestoneResource.delete,
  extend: milestoneResource.extend,
};

const pullRequestResource = createResource({
  urlPrefix,
  path: '/repos/:owner/:repo/pulls/:pull_number',
  schema: PullRequest,
});

/** The description has no getList, create, update, partialUpdate, delete. */
export const PullRequestResource = {
  get: pullRequestResource.get,
  extend: pullRequestResource.extend,
};

const activityResource = createResource({
  urlPrefix,
  path: '/repos/:owner/:repo/activity/:activity_id',
  schema: Activity,
}).extend({
  listActivity: {
    path: '/repos/:owner/:repo/activity',
    process: (value: string[]) => value,
    schema: undefined,
  },
  activityOptions: { path: '/repos/:owner/:repo/activity', method: 'OPTIONS', schema: undefined },
});

/**
 * The description has no create, update, partialUpdate, delete.
 * There is no getList: GET /repos/{owner}/{repo}/activity does not answer the rows of this resource.
 */
export const ActivityResource = {
  get: activityResource.get,
  listActivity: activityResource.listActivity,
  activityOptions: activityResource.activityOptions,
  extend: activityResource.extend,
};

export const issuesList = new RestEndpoint({
  urlPrefix,
  path: '/issues',
  schema: new Collection([Issue]),
});
