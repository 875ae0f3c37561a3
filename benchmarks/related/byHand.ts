/** The related rows written by hand, for the benchmark: maps by foreign key, and copies of the rows above a change. */
import type { Data, Related } from './Related.ts';

interface Comment {
  readonly id: number;
  readonly issueId: number;
  readonly text: string;
}

interface Issue {
  readonly id: number;
  readonly projectId: number;
  readonly rank: number;
  readonly comments: readonly Comment[];
}

interface Project {
  readonly id: number;
  readonly name: string;
  readonly issues: readonly Issue[];
}

export class ByHand implements Related {
  #result: readonly Project[] = [];
  #rank = 0;
  #filtered = new WeakMap<Project, Project>();
  readonly #places = new Map<number, number>();
  readonly #issues = new Map<number, Issue>();
  readonly #issueOf = new Map<number, number>();
  readonly #data: Data;

  constructor(data: Data) {
    this.#data = data;
  }

  first(): void {
    const commentsOf = groupBy(this.#data.comments, ({ issueId }) => issueId);
    for (const { id, issueId } of this.#data.comments) this.#issueOf.set(id, issueId);
    const issues = this.#data.issues.map((issue) => ({
      ...issue,
      comments: commentsOf.get(issue.id) ?? [],
    }));
    for (const issue of issues) this.#issues.set(issue.id, issue);
    const issuesOf = groupBy(issues, ({ projectId }) => projectId);
    this.#result = this.#data.projects.map((project, at) => {
      this.#places.set(project.id, at);
      const own = issuesOf.get(project.id) ?? [];
      return { ...project, issues: own.sort((a, b) => a.rank - b.rank) };
    });
  }

  get rows(): readonly Project[] {
    return this.#rank === 0 ? this.#result : this.#result.map((project) => this.#filter(project));
  }

  showFrom(rank: number): void {
    this.#rank = rank;
    this.#filtered = new WeakMap();
    void this.rows;
  }

  #filter(project: Project): Project {
    const known = this.#filtered.get(project);
    if (known !== undefined) return known;
    const issues = project.issues.filter(({ rank }) => rank >= this.#rank);
    const filtered = { ...project, issues };
    this.#filtered.set(project, filtered);
    return filtered;
  }

  #setIssues(projectId: number, change: (issues: readonly Issue[]) => readonly Issue[]): void {
    const at = this.#places.get(projectId) ?? -1;
    const project = this.#result[at];
    if (project === undefined) return;
    const next = this.#result.slice();
    next[at] = { ...project, issues: change(project.issues) };
    this.#result = next;
  }

  changeComment(id: number, text: string): void {
    const issue = this.#issues.get(this.#issueOf.get(id) ?? 0);
    if (issue === undefined) return;
    const comments = issue.comments.map((one) => (one.id === id ? { ...one, text } : one));
    const next = { ...issue, comments };
    this.#issues.set(issue.id, next);
    this.#setIssues(issue.projectId, (issues) => issues.map((one) => (one === issue ? next : one)));
  }

  moveIssue(id: number, projectId: number): void {
    const issue = this.#issues.get(id);
    if (issue === undefined) return;
    const next = { ...issue, projectId };
    this.#issues.set(id, next);
    this.#setIssues(issue.projectId, (issues) => issues.filter((one) => one !== issue));
    this.#setIssues(projectId, (issues) => {
      const at = issues.findIndex(({ rank }) => rank > next.rank);
      const end = at < 0 ? issues.length : at;
      return [...issues.slice(0, end), next, ...issues.slice(end)];
    });
  }

  deleteIssue(id: number): void {
    const issue = this.#issues.get(id);
    if (issue === undefined) return;
    this.#issues.delete(id);
    this.#setIssues(issue.projectId, (issues) => issues.filter((one) => one !== issue));
  }
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
