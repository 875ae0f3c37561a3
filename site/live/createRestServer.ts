/** A REST server in memory, in the place of `fetch`: each first segment of a path is a list with the same initial rows. */

interface Row {
  readonly id: number;
}

interface RestServerOptions {
  /** The initial rows of a list. */
  readonly rows: () => Row[];
  /** Called with `GET /tasks/1` when a request arrives. */
  readonly onRequest: (line: string) => void;
}

interface Call {
  readonly list: Map<string, Row>;
  readonly id: string | undefined;
  readonly body: object;
}

const DELAY_MS = 300;

const handlers: Readonly<Record<string, (call: Call) => unknown>> = {
  GET: ({ list, id }) => (id === undefined ? [...list.values()] : list.get(id)),
  POST({ list, body }) {
    const row = { id: Math.max(0, ...[...list.keys()].map(Number)) + 1, ...body };
    list.set(String(row.id), row);
    return row;
  },
  PATCH({ list, id = '', body }) {
    const row = list.get(id);
    if (row !== undefined) list.set(id, { ...row, ...body });
    return list.get(id);
  },
  PUT: (call) => handlers['PATCH']?.(call),
  DELETE({ list, id = '' }) {
    const row = list.get(id);
    list.delete(id);
    return row;
  },
};

export function createRestServer({ rows, onRequest }: RestServerOptions): typeof fetch {
  const lists = new Map<string, Map<string, Row>>();
  return async (input, { method = 'GET', body } = {}) => {
    const { pathname, search } = new URL(String(input), location.href);
    const [, name = '', id] = pathname.split('/');
    onRequest(`${method} ${pathname}${search}`);
    await new Promise((done) => setTimeout(done, DELAY_MS));
    const list = lists.get(name) ?? new Map(rows().map((row) => [String(row.id), row]));
    lists.set(name, list);
    const sent = typeof body === 'string' ? (JSON.parse(body) as object) : {};
    const value = handlers[method]?.({ list, id, body: sent });
    return value === undefined
      ? Response.json({ message: 'Not found' }, { status: 404 })
      : Response.json(value);
  };
}
