/** A session in an issue tracker: pages that a user opens and changes that a user makes, on a server that counts. */

export type State = 'open' | 'closed';

/** What a page shows: lists, one issue, its comments, one user. */
export type Shown =
  | readonly ['issues', State]
  | readonly ['issue', number]
  | readonly ['comments', number]
  | readonly ['user', number];

/** An application written with one library. */
export interface App {
  /** Mounts a view; returns the function to unmount it. */
  show(what: Shown): () => void;
  /** The data that a mounted view has. */
  dataOf(what: Shown): unknown;
  rename(id: number, title: string): Promise<unknown>;
  setState(id: number, state: State): Promise<unknown>;
  create(title: string): Promise<unknown>;
  remove(id: number): Promise<unknown>;
  comment(issue: number, text: string): Promise<unknown>;
  renameUser(id: number, login: string): Promise<unknown>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Row = Record<string, unknown> & { id: number };

/** A REST server in memory, behind `fetch`. */
export class Server {
  requests = 0;
  #pending = 0;
  readonly #tables: Record<string, Row[]> = {
    users: [1, 2, 3].map((id) => ({ id, login: `user-${id}` })),
    comments: [1, 2, 3, 4].map((id) => ({ id, issueId: 1 + (id % 2), text: `Comment ${id}` })),
    issues: Array.from({ length: 12 }, (_, at) => ({
      id: at + 1,
      title: `Issue ${at + 1}`,
      state: at < 8 ? 'open' : 'closed',
      userId: 1 + (at % 3),
    })),
  };

  /** What a view has to show now. */
  expected([what, value]: Shown): unknown {
    const call = (text: string) => ({ id: undefined, search: new URLSearchParams(text), body: {} });
    if (what === 'issues') return this.#handle('GET', what, call(`state=${value}`));
    if (what === 'comments') return this.#handle('GET', what, call(`issueId=${value}`));
    return this.#handle('GET', `${what}s`, { ...call(''), id: String(value) });
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    this.requests++;
    const { pathname, searchParams } = new URL(String(input), 'http://server');
    const [, table = '', id] = pathname.split('/');
    const body: unknown = init.body ? JSON.parse(String(init.body)) : undefined;
    const found = this.#handle(init.method ?? 'GET', table, { id, search: searchParams, body });
    this.#pending++;
    await pause(1);
    this.#pending--;
    return Response.json(found);
  };

  /** Resolves when the responses have arrived, and those of the refetches that they cause. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 6; quiet = this.#pending === 0 ? quiet + 1 : 0) await pause(10);
  }

  #handle(method: string, table: string, request: Call): unknown {
    const rows = this.#tables[table] ?? [];
    const row = rows.find(({ id }) => String(id) === request.id);
    const change = request.body as Partial<Row>;
    if (method === 'POST') {
      const created = { state: 'open', userId: 1, ...change, id: rows.length + 100 };
      return this.#nest(rows[rows.push(created) - 1]);
    }
    if (method === 'PATCH') return this.#nest(Object.assign(row as Row, change));
    if (method === 'DELETE') return rows.splice(rows.indexOf(row as Row), 1)[0];
    if (request.id !== undefined) return this.#nest(row);
    const wanted = [...request.search];
    return rows
      .filter((each) => wanted.every(([name, value]) => String(each[name]) === value))
      .map((each) => this.#nest(each));
  }

  /** An issue carries its author. */
  #nest(row: Row | undefined): unknown {
    const author = this.#tables['users']?.find(({ id }) => id === row?.['userId']);
    return row && 'title' in row ? { ...row, author } : row;
  }
}

interface Call {
  readonly id: string | undefined;
  readonly search: URLSearchParams;
  readonly body: unknown;
}

type Step = readonly Shown[] | ((app: App) => Promise<unknown>);

/** An array is a page that is opened in the place of the one before; a function is a change made on that page. */
const steps: readonly Step[] = [
  [['issues', 'open']],
  [
    ['issue', 1],
    ['comments', 1],
  ],
  (app) => app.comment(1, 'I can reproduce it'),
  (app) => app.rename(1, 'Crash at start'),
  [['issues', 'open']],
  (app) => app.create('Dark mode'),
  (app) => app.setState(2, 'closed'),
  [['issues', 'closed']],
  [
    ['issue', 9],
    ['comments', 9],
  ],
  (app) => app.setState(9, 'open'),
  [['issues', 'open']],
  [['user', 1]],
  (app) => app.renameUser(1, 'ada'),
  [['issues', 'open']],
  (app) => app.remove(3),
  [
    ['issue', 4],
    ['comments', 4],
  ],
  (app) => app.rename(4, 'Slow search'),
  (app) => app.comment(4, 'Fixed on main'),
  (app) => app.setState(4, 'closed'),
  [['issues', 'open']],
  [['issues', 'closed']],
];

/** Members in one order, rows by their id. */
function textOf(data: unknown): string {
  const rows = [data].flat() as Row[];
  const sorted = [...rows].sort((one, other) => one.id - other.id);
  return JSON.stringify(sorted, (_, value: unknown) =>
    Object(value) !== value || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** Plays the session. Resolves with the number of requests; rejects if a view differs from the server after a step. */
export async function playSession(createApp: () => App): Promise<number> {
  const server = new Server();
  globalThis.fetch = server.fetch;
  const app = createApp();
  let stops: (() => void)[] = [];
  let shown: readonly Shown[] = [];
  for (const step of steps) {
    if (typeof step === 'function') await step(app);
    else {
      for (const stop of stops) stop();
      stops = step.map((what) => app.show(what));
      shown = step;
    }
    await server.settled();
    for (const what of shown) {
      const [data, expected] = [app.dataOf(what), server.expected(what)].map(textOf);
      if (data !== expected) throw new Error(`${what.join(' ')}: ${data} is not ${expected}`);
    }
  }
  for (const stop of stops) stop();
  return server.requests;
}
