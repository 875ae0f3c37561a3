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

/** One library, set up anew for each sample. */
export interface Contender {
  readonly name: string;
  /** Stores the list; the first time, and again. */
  ingest(rows: Row[]): void;
  /** The list as readers get it, with every nested value looked at. */
  readAll(): number;
  /** Mounts one view per row and one on the list; gives how often views have run since `mount`. */
  mount(live: boolean): () => number;
  /** Mounts a view on what is not completed, by score and title, and one on their number and total score. */
  mountDerived(): () => number;
  changeRow(id: number, title: string): void;
  changeScore(id: number, score: number): void;
  changeAuthor(id: number, name: string): void;
  push(row: Row): void;
  remove(id: number): void;
  /** Sends a new title, shown at once: `send` gives the answer. What fails is taken back. */
  update?(id: number, title: string, send: () => Promise<object>): Promise<unknown>;
  /** Several of these, confirmed or taken back as one. */
  updateAll?(changes: readonly TitleChange[]): Promise<unknown>;
}

export interface TitleChange {
  readonly id: number;
  readonly title: string;
  readonly send: () => Promise<object>;
}

/** `count` rows with 1 % as many authors and three of twenty tags each. Deterministic. */
export function makeRows(count: number): Row[] {
  const authors = Math.max(1, Math.round(count / 100));
  return Array.from({ length: count }, (_, index) => makeRow(index + 1, authors));
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

/** Looks at everything in a list of rows, so that lazy readers must build it. */
export function touch(rows: readonly Row[]): number {
  let sum = 0;
  for (const row of rows) {
    sum += row.title.length + row.score + row.author.name.length;
    for (const tag of row.tags) sum += tag.name.length;
  }
  return sum;
}
