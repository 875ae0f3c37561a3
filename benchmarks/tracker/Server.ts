/** The server of the issue tracker: answers after some milliseconds, and counts its requests. */
import { STATES } from './Tracker.tsx';
import type { Comment, Issue, User } from './Tracker.tsx';

const ISSUES = 60;
const PAGE_SIZE = 10;
const LATENCY_MS = 4;
const COMMENTS_PER_ISSUE = 4;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const userOf = (id: number): User => ({ id: id % 7, name: `user ${id % 7}` });

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Server {
  requests = 0;
  inFlight = 0;
  #issues: Mutable<Issue>[] = Array.from({ length: ISSUES }, (_, at) => ({
    id: at + 1,
    title: `issue ${at + 1}`,
    state: STATES[at % STATES.length] as Issue['state'],
    assignee: userOf(at),
    comments: COMMENTS_PER_ISSUE,
  }));
  #comments: Comment[] = this.#issues.flatMap(({ id }) =>
    Array.from({ length: COMMENTS_PER_ISSUE }, (_, at) => ({
      id: id * 100 + at,
      issue: id,
      text: `comment ${at}`,
      author: userOf(id + at),
    })),
  );

  /** The response, as parsed JSON. */
  async fetch(method: string, path: string, body?: unknown): Promise<unknown> {
    this.requests++;
    this.inFlight++;
    await sleep(LATENCY_MS);
    this.inFlight--;
    const { pathname, searchParams } = new URL(path, 'http://tracker');
    const response = this.#respond(method, pathname.slice(1).split('/'), searchParams, body);
    return response === undefined ? undefined : JSON.parse(JSON.stringify(response));
  }

  #respond(method: string, [kind, id]: string[], query: URLSearchParams, body: unknown): unknown {
    if (kind === 'comments') return this.#respondComment(method, Number(id), query, body);
    if (id === undefined) return this.#list(query);
    const issue = this.#issues.find((one) => one.id === Number(id));
    return method === 'PATCH' ? Object.assign(issue as object, body) : issue;
  }

  #list(query: URLSearchParams): readonly Issue[] {
    const state = query.get('state');
    const found = this.#issues.filter((issue) => state === null || issue.state === state);
    const page = Number(query.get('page') ?? 1);
    return found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  }

  #respondComment(method: string, id: number, query: URLSearchParams, body: unknown): unknown {
    if (method === 'GET')
      return this.#comments.filter(({ issue }) => issue === Number(query.get('issue')));
    if (method === 'POST') {
      const comment = {
        ...(body as Comment),
        id: 100_000 + this.#comments.length,
        author: userOf(1),
      };
      this.#comments.push(comment);
      this.#count(comment.issue, 1);
      return comment;
    }
    const comment = this.#comments.find((one) => one.id === id) as Comment;
    this.#comments = this.#comments.filter((one) => one !== comment);
    this.#count(comment.issue, -1);
    return { id };
  }

  #count(id: number, by: number): void {
    const issue = this.#issues.find((one) => one.id === id);
    if (issue !== undefined) issue.comments += by;
  }
}
