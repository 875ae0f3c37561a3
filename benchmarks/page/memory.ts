/** The server of the page benchmark: everything is there already, and each answer is parsed from its text. */
import type { Issue, Label, ListParams, State, User } from './App.ts';

type Body = Partial<Pick<Issue, 'title' | 'state'>>;

export const USERS = 20;

const labels: readonly Label[] = [
  'bug',
  'docs',
  'feature',
  'question',
  'refactoring',
  'good first issue',
  'help wanted',
  'needs a test',
].map((name, id) => ({ id, name }));

function userAt(milestone: number, at: number): User {
  return {
    id: milestone * 1000 + at + 1,
    login: `user-${at}`,
    name: `Given${at} Family${at}`,
    bio: `Writes parsers, reads specifications and mends what number ${at} of them left unsaid`,
    followers: at * 377,
    since: new Date(Date.UTC(2004 + at, 5, 1)).toISOString(),
  };
}

class Memory {
  readonly issues: Map<number, Issue> = new Map();
  readonly #texts = new Map<string, string>();
  readonly #changes: (() => void)[] = [];

  /** A milestone of so many issues by the same few users; `closed` is the share of closed ones. */
  fill(milestone: number, count: number, closed = 0): void {
    for (let at = 0; at < count; at++) {
      const id = milestone * 100_000 + at + 1;
      const state: State = at < count * closed ? 'closed' : 'open';
      this.issues.set(id, {
        id,
        milestone,
        title: `Issue ${String(at).padStart(6, '0')}`,
        body: `What was expected, and what came instead, of case ${at}`,
        state,
        pinned: at % (count / 10) === 5,
        comments: at % 17,
        labels: [labels[at % 5], labels[5 + (at % 3)]] as Label[],
        user: userAt(milestone, at % USERS),
      });
    }
  }

  /** Writes the answer of a list ahead: that is the server's work. */
  prepare(params: ListParams): void {
    this.#texts.set(JSON.stringify(params), JSON.stringify(this.listed(params)));
  }

  /** What a list must show, in the order of the server. */
  listed(params: ListParams): Issue[] {
    const asked = Object.entries(params);
    return [...this.issues.values()].filter((issue) =>
      asked.every(([name, value]) => issue[name as keyof ListParams] === value),
    );
  }

  list(params: ListParams): Promise<Issue[]> {
    const text = this.#texts.get(JSON.stringify(params)) ?? JSON.stringify(this.listed(params));
    return answer(text);
  }

  issue(id: number): Promise<Issue> {
    return answer(JSON.stringify(this.issues.get(id)));
  }

  patch(id: number, body: Body): Promise<Issue> {
    const issue = { ...(this.issues.get(id) as Issue), ...body };
    this.#after(() => {
      // what changes its list stands last in the other one
      if (body.state !== undefined) this.issues.delete(id);
      this.issues.set(id, issue);
    });
    return answer(JSON.stringify(issue));
  }

  rename(id: number, login: string): Promise<User> {
    const milestone = Math.floor(id / 1000);
    const user = { ...userAt(milestone, id - milestone * 1000 - 1), login };
    this.#after(() => {
      for (const issue of this.issues.values()) {
        if (issue.user.id === id) this.issues.set(issue.id, { ...issue, user });
      }
    });
    return answer(JSON.stringify(user));
  }

  /** It stands before all others from then on. */
  create(issue: Issue): Promise<Issue> {
    this.#after(() => {
      const before = [...this.issues];
      this.issues.clear();
      for (const [id, each] of [[issue.id, issue] as const, ...before]) this.issues.set(id, each);
    });
    return answer(JSON.stringify(issue));
  }

  remove(id: number): Promise<{ id: number }> {
    this.#after(() => this.issues.delete(id));
    return answer(JSON.stringify({ id }));
  }

  /** A change that was not asked for. */
  comment(id: number, comments: number): void {
    this.issues.set(id, { ...(this.issues.get(id) as Issue), comments });
  }

  #after(change: () => void): void {
    this.#changes.push(change);
  }

  /** Does what was asked: after the clock has stopped, for it is not the page's work. */
  settle(): void {
    for (const change of this.#changes.splice(0)) change();
    this.#texts.clear();
  }
}

function answer<T>(text: string): Promise<T> {
  return Promise.resolve(JSON.parse(text) as T);
}

export const memory: Memory = new Memory();
