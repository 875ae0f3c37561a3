// The server of the documentation's examples: a REST server in memory, behind `fetch`.

type Row = Record<string, unknown>;
type Answer = (request: Asked) => unknown;

/** A request, as a page's routes receive it. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  // any: each page knows the type of its bodies
  readonly body: any;
}

/** Each page begins with these rows. */
function rows(): Record<string, Row[]> {
  const users = [
    { id: 1, name: 'Ada', username: 'ada' },
    { id: 2, name: 'Grace', username: 'grace' },
  ];
  const by = (userId: number) => ({ userId, author: users[userId - 1] });
  const post = (id: number, title: string, votes: number) => ({ id, title, votes, ...by(1) });
  return {
    users,
    todos: [
      { id: 1, title: 'Buy milk', completed: false, ...by(1) },
      { id: 2, title: 'Read the docs', completed: true, ...by(1) },
      { id: 3, title: 'Call Grace', completed: false, ...by(2) },
    ],
    posts: [
      post(1, 'Notes on the engine', 3),
      post(2, 'A sketch', 1),
      post(3, 'Numbers', 2),
      post(4, 'Letters', 0),
    ],
  };
}

/** Lists are filtered by their search params, `q` looks into titles, `cursor` is a page of two. */
export class Server {
  readonly #rows = rows();
  readonly #routes = new Map<string, Answer>();
  /** Method and address of each request. */
  readonly log: string[] = [];
  /** No answer at all: the network is gone. */
  offline = false;
  readonly #lines = new Set<(message: unknown, type: string) => void>();

  /** Sends a message to every EventSource and WebSocket, and waits until the message is received. */
  async push(message: unknown, type = 'message'): Promise<void> {
    await new Promise((resolve) => void setTimeout(resolve, 1));
    for (const tell of this.#lines) tell(message, type);
    await new Promise((resolve) => void setTimeout(resolve, 5));
  }

  /** Adds a listener; returns a function that removes the listener. */
  listen(tell: (message: unknown, type: string) => void): () => void {
    this.#lines.add(tell);
    return () => void this.#lines.delete(tell);
  }

  /** Answers `on('POST /login', …)` with a value, or with a Response. */
  on(route: string, answer: Answer): void {
    this.#routes.set(route, answer);
  }

  readonly fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    const url = new URL(String(input), 'http://localhost');
    this.log.push(`${method} ${String(input).replace('http://localhost', '')}`);
    await this.#wait(init.signal ?? undefined);
    if (this.offline) throw new TypeError('fetch failed');
    const sent = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
    const asked = { method, url, headers: new Headers(headers), body: sent };
    const route =
      this.#routes.get(`${method} ${url.host === 'localhost' ? '' : url.origin}${url.pathname}`) ??
      (() => this.#rest(asked));
    const answer = await route(asked);
    if (answer instanceof Response) return answer;
    if (answer === undefined) return new Response(null, { status: 404, statusText: 'Not Found' });
    if (answer === null) return new Response(null, { status: 204 });
    return new Response(JSON.stringify(answer), {
      headers: { 'content-type': 'application/json' },
    });
  };

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      setTimeout(resolve, 1);
    });
  }

  #rest({ method, url, body }: Asked): unknown {
    const [, table = '', id] = url.pathname.split('/');
    const all = this.#rows[table];
    if (all === undefined) return undefined;
    if (id === undefined || id === '') {
      if (method === 'GET') return listed(all, url.searchParams);
      const id = Math.max(0, ...all.map((row) => Number(row['id']))) + 1;
      const row = { id, ...(body as Row) };
      all.push(row);
      return row;
    }
    const at = all.findIndex((row) => String(row['id']) === id);
    if (at === -1) return undefined;
    if (method === 'PUT' || method === 'PATCH') all[at] = { ...all[at], ...(body as Row) };
    return method === 'DELETE' ? all.splice(at, 1) && {} : all[at];
  }
}

function listed(all: readonly Row[], search: URLSearchParams): Row[] {
  const params = new Map(search);
  const cursor = Number(params.get('cursor') ?? 1);
  const text = params.get('q') ?? '';
  const found = all.filter(
    (row) =>
      String(row['title'] ?? row['name']).includes(text) &&
      [...params].every(([name, value]) => !(name in row) || String(row[name]) === value),
  );
  return 'votes' in (all[0] ?? {}) ? found.slice(cursor * 2 - 2, cursor * 2) : found;
}
