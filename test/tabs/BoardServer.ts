// The server of a board in memory: a test takes each request further step by step.
import { settled } from '../setup/world.ts';

export type Row = Record<string, unknown>;

export const columns = ['todo', 'doing', 'done'] as const;

/** A request in flight: each step advances the request. The server performs mutations in the order of sending. */
interface Flight {
  readonly method: string;
  readonly url: URL;
  readonly body: Row | undefined;
  readonly resolve: (response: Response) => void;
  response: unknown;
}

export class BoardServer {
  readonly rows: Map<number, Row> = new Map();
  readonly flights: Flight[] = [];
  readonly sent: string[] = [];
  #last = 100;

  constructor() {
    for (const id of [1, 2, 3, 4])
      this.rows.set(id, { id, title: `t${id}`, status: columns[id % 3], boardId: (id % 2) + 1 });
  }

  readonly fetch = (address: string, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = init;
    this.sent.push(`${method} ${address} ${String(body)}`);
    return new Promise((resolve) => {
      const given = typeof body === 'string' ? (JSON.parse(body) as Row) : undefined;
      const url = new URL(address);
      const flight = { method, url, body: given, resolve, response: undefined as unknown };
      if (method !== 'GET') flight.response = this.#act(flight);
      this.flights.push(flight);
    });
  };

  /** A read is performed in a step, and answered in a later step. */
  async step(at: number): Promise<void> {
    const flight = this.flights[at % this.flights.length];
    if (flight === undefined) return;
    if (flight.response === undefined) {
      flight.response = this.#read(flight.url);
      return;
    }
    this.flights.splice(this.flights.indexOf(flight), 1);
    flight.resolve(Response.json(flight.response));
    // the body of a response is read in several turns
    for (let turn = 0; turn < 4; turn++) await settled();
  }

  filtered(conditions: Iterable<readonly [string, unknown]>): Row[] {
    const all = [...conditions];
    return [...this.rows.values()].filter((row) =>
      all.every(([name, value]) => String(row[name]) === String(value)),
    );
  }

  #read({ pathname, searchParams }: URL): unknown {
    const copies = (rows: Row[]) => structuredClone(rows);
    if (pathname === '/cards') return copies(this.filtered(searchParams));
    const id = Number(pathname.split('/')[2]);
    return { id, cards: copies(this.filtered([['boardId', id]])) };
  }

  #act({ method, url, body }: Flight): Row {
    const id = method === 'POST' ? ++this.#last : Number(url.pathname.split('/')[2]);
    const row = { ...this.rows.get(id), ...body, id };
    this.rows.set(id, row);
    return row;
  }
}
