/** The REST API and the events of one process. Any number of processes may serve one database. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Pool } from 'pg';
import { ChangeFeed } from './ChangeFeed.ts';

const COLUMNS = 'id, title, completed, version';

interface Row {
  // bigint is text to pg: it may be larger than a number
  readonly id: string;
  readonly title: string;
  readonly completed: boolean;
  readonly version: string;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class Api {
  readonly #pool: Pool;
  readonly #feed: ChangeFeed;

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 8 });
    this.#pool.on('error', console.error);
    this.#feed = new ChangeFeed(this.#pool, url);
  }

  start(): Promise<void> {
    return this.#feed.start();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname === '/events')
        return await this.#feed.add(response, lastEventIdOf(request, url));
      const value = await this.#todos(request, url.pathname);
      if (value === undefined) response.writeHead(204).end();
      else
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    } catch (error) {
      const { status = 500, message } = error as Partial<Refusal>;
      if (status === 500) console.error(error);
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message }));
    }
  }

  async #todos(request: IncomingMessage, path: string): Promise<object | undefined> {
    const [, id] = /^\/todos(?:\/(\d{1,18}))?$/.exec(path) ?? [];
    if (!/^\/todos(?:\/\d{1,18})?$/.test(path)) throw new Refusal(404, `nothing is at ${path}`);
    switch (`${request.method} ${id === undefined ? 'all' : 'one'}`) {
      case 'GET all':
        return this.#rows(`select ${COLUMNS} from todos order by id`, []);
      case 'POST all':
        return this.#create(await bodyOf(request));
      case 'GET one':
        return this.#one(`select ${COLUMNS} from todos where id = $1`, [id]);
      case 'PATCH one':
        return this.#update(id as string, await bodyOf(request));
      case 'DELETE one':
        await this.#pool.query('delete from todos where id = $1', [id]);
        return undefined;
      default:
        throw new Refusal(405, `${request.method} is not possible here`);
    }
  }

  /** A request that is sent again, as its response was lost, finds the row of the first: clients give each a key. */
  async #create({ key, title }: Fields): Promise<object> {
    if (typeof key !== 'string' || typeof title !== 'string')
      throw new Refusal(400, 'key and title are text');
    return this.#one(
      `with made as (insert into todos (key, title) values ($1, $2) on conflict do nothing returning ${COLUMNS})
       select ${COLUMNS} from made union all select ${COLUMNS} from todos where key = $1 limit 1`,
      [key, title],
    );
  }

  async #update(id: string, { title, completed }: Fields): Promise<object> {
    if (title !== undefined && typeof title !== 'string') throw new Refusal(400, 'title is text');
    if (completed !== undefined && typeof completed !== 'boolean')
      throw new Refusal(400, 'completed is true or false');
    return this.#one(
      `update todos set title = coalesce($2, title), completed = coalesce($3, completed) where id = $1 returning ${COLUMNS}`,
      [id, title, completed],
    );
  }

  async #one(sql: string, values: unknown[]): Promise<object> {
    const [row] = await this.#rows(sql, values);
    if (row === undefined) throw new Refusal(404, 'no such todo');
    return row;
  }

  async #rows(sql: string, values: unknown[]): Promise<object[]> {
    const { rows } = await this.#pool.query<Row>(sql, values);
    return rows.map(({ id, version, ...rest }) => ({
      id: Number(id),
      ...rest,
      version: Number(version),
    }));
  }
}

interface Fields {
  readonly key?: unknown;
  readonly title?: unknown;
  readonly completed?: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // as what is no object
  }
  throw new Refusal(400, 'the body is no JSON object');
}

/** The header of a platform that connects again by itself is newer than the address, which it repeats. */
function lastEventIdOf({ headers }: IncomingMessage, { searchParams }: URL): number | undefined {
  const text = headers['last-event-id'] ?? searchParams.get('lastEventId');
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
