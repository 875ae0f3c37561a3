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
  /** The projects, with their issues, with their comments. */
  readonly rows: readonly unknown[];
  changeComment(id: number, text: string): void;
  moveIssue(id: number, projectId: number): void;
  deleteIssue(id: number): void;
  /** Shows the issues of at least this rank; of any rank before the first call. */
  showFrom(rank: number): void;
}

const ISSUES = 100;
const COMMENTS = 10;
/** Of each change, after as many to warm up. */
const CALLS = Number(process.env['CALLS'] ?? 1000);

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
  const perCall = (change: (at: number) => void, calls = CALLS) => {
    for (let at = 0; at < calls; at++) change(at);
    const before = worked();
    for (let at = calls; at < 2 * calls; at++) change(at);
    return (worked() - before) / calls;
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
      // an issue that comes again moves again
      related.moveIssue(spread(at, issues), ((at + Math.floor(at / issues)) % projects) + 1),
    ),
    // of the fewest issues, half stay
    'an issue is deleted': perCall(
      (at) => related.deleteIssue(spread(at, issues)),
      Math.min(CALLS, issues / 4),
    ),
    // no rank comes twice: what is left of an earlier result helps nobody
    'the argument of a filter changes': perCall((at) => related.showFrom(900 - at * 7), 20),
  };
  related.showFrom(0);
  check(related, projects);
  return times;
}

/** All ways must end with the same tree. */
function check({ rows }: Related, projects: number): void {
  const deleted = 2 * Math.min(CALLS, (projects * ISSUES) / 4);
  const issues = (rows as Tree).flatMap((project) => project.issues);
  const changed = issues
    .flatMap(({ comments }) => comments)
    .filter(({ text }) => text.startsWith('changed'));
  const isSorted = (rows as Tree).every(({ issues: own }) =>
    own.every((issue, at) => at === 0 || (own[at - 1]?.rank ?? 0) <= issue.rank),
  );
  if (rows.length !== projects || issues.length !== projects * ISSUES - deleted || !isSorted)
    throw new Error(`${rows.length} projects, ${issues.length} issues, sorted: ${isSorted}`);
  if (changed.length === 0) throw new Error('no comment has changed');
}

type Tree = readonly {
  readonly issues: readonly {
    readonly rank: number;
    readonly comments: readonly { readonly text: string }[];
  }[];
}[];
