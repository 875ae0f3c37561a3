/** What every contender of the engine benchmark can do; each work is the same for all. */

export interface Row {
  id: number;
  title: string;
  content: string;
  score: number;
  completed: boolean;
  createdAt: number;
  author: { id: number; name: string; email: string; bio: string; followers: number };
  tags: { id: number; name: string }[];
}

/** `snapshot`: one array of whole rows. `membership`: who is in the list and where, rows apart. */
export type List = 'none' | 'snapshot' | 'membership';

/**
 * One library, set up anew for each scene. A verb that it has no idiom for is left out, with the reason in its file;
 * its works are printed as "–". All verbs but `optimistic` are done, views included, when they return, or
 * when `settled` is.
 */
export interface Contender {
  readonly name: string;
  /** For libraries that tell their views later: resolves when they have. It is waited for after each verb. */
  settled?(): Promise<unknown>;
  /** Stores the list, the first time and again. `json` is the text that it was parsed from. */
  ingest(rows: Row[], json: string): void;
  /** The list as readers get it, with every nested value looked at: a sum that is the same for all. */
  readAll?(): number;
  /**
   * Mounts one view for each of these rows, and one on the list; gives how often views have run since.
   * Undefined where it has no such list.
   */
  mount?(ids: readonly number[], list: List): (() => number) | undefined;
  /**
   * As `mount` without a list, for libraries whose views of single rows stand apart from a list; undefined where views
   * are not theirs. Default: `mount`.
   */
  subscribe?(ids: readonly number[]): (() => number) | undefined;
  /** Mounts a view on what is not completed, by score and title, and one on their number and total score. */
  mountDerived?(): () => number;
  /** Mounts a view on each of 1,000 lists of the rows with one score; `changeScore` moves rows between them. */
  mountByScore?(rows: readonly Row[]): () => number;
  changeRow?(id: number, title: string): void;
  changeScore?(id: number, score: number): void;
  changeAuthor?(id: number, name: string): void;
  push?(row: Row): void;
  /** Takes a row of the list to its front. */
  move?(id: number): void;
  remove?(id: number): void;
  /** Shows the title until the server's answer has come; settles when that is shown, or the title taken back. */
  optimistic?(id: number, title: string, answer: Promise<Row>): Promise<unknown>;
}

/** `count` rows with 1 % as many authors and three of twenty tags each. Deterministic. */
export function makeRows(count: number, authors: number = authorsOf(count)): Row[] {
  return Array.from({ length: count }, (_, index) => makeRow(index + 1, authors));
}

export function authorsOf(count: number): number {
  return Math.max(1, Math.round(count / 100));
}

export function makeRow(id: number, authors: number): Row {
  const author = (id % authors) + 1;
  return {
    id,
    title: `Article ${id}`,
    content: `The content of article ${id}, long enough to look like one.`,
    score: (id * 7919) % 1000,
    completed: id % 3 === 0,
    createdAt: 1_700_000_000_000 + id,
    author: {
      id: author,
      name: `Author ${author}`,
      email: `a${author}@x.org`,
      bio: 'Writes.',
      followers: author,
    },
    tags: [0, 1, 2].map((k) => ({
      id: ((id + k * 7) % 20) + 1,
      name: `Tag ${((id + k * 7) % 20) + 1}`,
    })),
  };
}

/** Looks at everything in a list of rows, so that lazy readers must build it. The sum tells titles and order apart. */
export function touch(rows: readonly Row[]): number {
  let sum = 0;
  let at = 0;
  for (const row of rows) {
    at++;
    sum += (row.title.length + row.title.charCodeAt(0)) * at + row.score + row.author.name.length;
    for (const tag of row.tags) sum += tag.name.length;
  }
  return sum;
}

/** The lists of `mountByScore`: all scores, and the rows that have each. */
export function groupByScore(rows: readonly Row[]): Row[][] {
  const lists: Row[][] = Array.from({ length: 1_000 }, () => []);
  for (const row of rows) lists[row.score]?.push(row);
  return lists;
}

/** One turn of the event loop: what libraries put off is done then. */
export function settled(): Promise<unknown> {
  return new Promise((done) => setImmediate(done));
}

export function byScore(a: Row, b: Row): number {
  return a.score - b.score || (a.title < b.title ? -1 : Number(a.title > b.title));
}
