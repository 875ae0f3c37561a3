/** What every app of the page benchmark can do; what is drawn for each is the same. */

export interface User {
  readonly id: number;
  readonly login: string;
}

export type State = 'open' | 'closed';

export interface Issue {
  readonly id: number;
  readonly milestone: number;
  readonly title: string;
  readonly state: State;
  readonly pinned: boolean;
  readonly comments: number;
  readonly user: User;
}

/** What a list is asked by. */
export type ListParams = {
  readonly milestone: number;
  readonly state?: State;
  readonly pinned?: boolean;
};

/*
 *   kind      what is on the page
 *   ──────────────────────────────────────────────────────────────────────
 *   list      the open issues
 *   sorted    the open issues, by title
 *   three     the open issues, those that are pinned, and one issue alone
 *   two       the open issues, and the closed ones
 */
export interface Page {
  readonly kind: 'list' | 'sorted' | 'three' | 'two';
  readonly milestone: number;
  /** The issue that is shown alone. */
  readonly detail: number;
}

/** One library in one framework. Changes are sent to the server, and resolve when the app knows its answer. */
export interface App {
  readonly name: string;
  /** Draws the page, or nothing of it for null. */
  show(page: Page | null): void;
  retitle(id: number, title: string): Promise<unknown>;
  rename(user: number, login: string): Promise<unknown>;
  unshift(issue: Issue): Promise<unknown>;
  remove(issue: Issue): Promise<unknown>;
  /** To the list of the other state. */
  move(issue: Issue, state: State): Promise<unknown>;
  /** What a socket brought: no request. */
  receive(id: number, comments: number): void;
}

/** Where an app draws. */
export function place(): HTMLElement {
  return document.getElementById('root') as HTMLElement;
}

/** How often each component, and each binding of those that have them, has run. */
export const runs: Record<string, number> = {};

export function ran(what: string): void {
  runs[what] = (runs[what] ?? 0) + 1;
}

/** The id of a row's element. */
export function rowId(list: string, id: number): string {
  return `${list}-${id}`;
}
