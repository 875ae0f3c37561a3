/** What every app of the page benchmark can do; what is drawn for each is the same. */

export interface User {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly bio: string;
  readonly followers: number;
  /** A date, as JSON has it. */
  readonly since: string;
}

export interface Label {
  readonly id: number;
  readonly name: string;
}

export type State = 'open' | 'closed';

export interface Issue {
  readonly id: number;
  readonly milestone: number;
  readonly title: string;
  readonly body: string;
  readonly state: State;
  readonly pinned: boolean;
  readonly comments: number;
  readonly labels: readonly Label[];
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
  /** How many rows of a list are drawn, from its first on; undefined: all. */
  readonly limit: number | undefined;
}

/** The rows of a list that are drawn. */
export function drawnOf<T>(rows: readonly T[], limit: number | undefined): readonly T[] {
  return limit === undefined || rows.length <= limit ? rows : rows.slice(0, limit);
}

/** What a user's card shows: worked out at each run, as such cards do. */
export interface Card {
  readonly colour: string;
  readonly initials: string;
  readonly login: string;
  readonly name: string;
  readonly bio: string;
  readonly followers: string;
  readonly since: string;
}

const WORDS = 8;

export function cardOf({ login, name, bio, followers, since }: User): Card {
  let hue = 0;
  for (const letter of login + bio) hue = (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  const words = bio.split(' ');
  return {
    colour: `hsl(${hue}, 60%, 40%)`,
    initials: name.replace(/(\w)\w*\s*/g, '$1'),
    login,
    name,
    bio: words.length > WORDS ? `${words.slice(0, WORDS).join(' ')} …` : bio,
    followers: followers < 1000 ? `${followers}` : `${(followers / 1000).toFixed(1)}k`,
    since: `${new Date(since).getFullYear()}`,
  };
}

export function labelsOf({ labels }: Pick<Issue, 'labels'>): string {
  return labels.map(({ name }) => name).join(', ');
}

/** All that a row says, in the order in which it stands there. */
export function textOf(issue: Issue): string {
  const { id, title, state, comments, body } = issue;
  const { initials, login, name, bio, followers, since } = cardOf(issue.user);
  const card = [initials, login, name, bio, followers, since].join(' ');
  return [`#${id}`, title, card, state, comments, labelsOf(issue), body].join(' ');
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
