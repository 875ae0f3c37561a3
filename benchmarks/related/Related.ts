/** The benchmark of related rows: projects with 100 issues each, and issues with 10 comments each, read as one tree. */

export interface Data {
  readonly projects: readonly { readonly id: number; readonly name: string }[];
  readonly issues: readonly {
    readonly id: number;
    readonly projectId: number;
    readonly rank: number;
  }[];
  readonly comments: readonly {
    readonly id: number;
    readonly issueId: number;
    readonly text: string;
  }[];
}

/** One way to keep the tree. After each verb the tree is up to date, and whatever has not changed is shared. */
export interface Related {
  /** Builds the tree, with the issues of each project sorted by rank. */
  first(): void;
  /** The number of projects in the tree. */
  readonly count: number;
  changeComment(id: number, text: string): void;
  moveIssue(id: number, projectId: number): void;
  deleteIssue(id: number): void;
}

const ISSUES = 100;
const COMMENTS = 10;
const CALLS = 200;

const numbers = (length: number) => Array.from({ length }, (_, at) => at + 1);

export function makeData(projects: number): Data {
  return {
    projects: numbers(projects).map((id) => ({ id, name: `project ${id}` })),
    issues: numbers(projects * ISSUES).map((id) => ({
      id,
      projectId: Math.ceil(id / ISSUES),
      rank: (id * 7919) % 1009,
    })),
    comments: numbers(projects * ISSUES * COMMENTS).map((id) => ({
      id,
      issueId: Math.ceil(id / COMMENTS),
      text: `comment ${id}`,
    })),
  };
}

/** The time that this process has worked, in ms: on a machine with other work, a clock measures the others. */
const worked = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds of each work; of a change, per call, after as many calls to warm up. */
export function measure(projects: number, make: (data: Data) => Related): Record<string, number> {
  const related = make(makeData(projects));
  const start = worked();
  related.first();
  const first = worked() - start;
  const perCall = (change: (at: number) => void) => {
    for (let at = 0; at < CALLS; at++) change(at);
    const before = worked();
    for (let at = CALLS; at < 2 * CALLS; at++) change(at);
    return (worked() - before) / CALLS;
  };
  // spread over all projects
  const spread = (at: number, of: number) => ((at * 7919) % of) + 1;
  const issues = projects * ISSUES;
  const times = {
    'first result': first,
    'a comment changes': perCall((at) =>
      related.changeComment(spread(at, issues * COMMENTS), `changed ${at}`),
    ),
    'an issue moves to another project': perCall((at) =>
      related.moveIssue(spread(at, issues), (at % projects) + 1),
    ),
    'an issue is deleted': perCall((at) => related.deleteIssue(spread(at, issues))),
  };
  if (related.count !== projects) throw new Error('the tree has lost a project');
  return times;
}
