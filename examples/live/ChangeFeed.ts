/** The changes of the database as server-sent events: new ones to all clients, missed ones to each that comes back. */
import type { ServerResponse } from 'node:http';
import { Client, type Pool } from 'pg';
import { KEPT } from './schema.ts';

interface Change {
  readonly id: string;
  readonly kind: string;
  readonly todo: object;
}

interface Listener {
  readonly response: ServerResponse;
  /** The number of the last change that it was sent. */
  last: number;
  /** What comes while missed changes are read for it. */
  waiting: Change[] | undefined;
}

const PAGE = 500;
const BEAT = 15_000;
// a client that reads more slowly than changes come is let go: it comes back, and reads what it missed
const MOST_BEHIND = 1 << 20;

export class ChangeFeed {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #listeners = new Set<Listener>();
  #last = 0;
  #isPulling = false;
  #hasNews = false;

  constructor(pool: Pool, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  /** Resolves when changes are heard. */
  async start(): Promise<void> {
    const { rows } = await this.#pool.query<{ last: string | null }>(
      'select max(id) as last from changes',
    );
    this.#last = Number(rows[0]?.last ?? 0);
    await this.#listen();
    setInterval(() => this.#beat(), BEAT).unref();
  }

  /** A connection of its own: one of a pool may be another each time. */
  async #listen(): Promise<void> {
    const client = new Client(this.#url);
    const again = (): void => void setTimeout(() => void this.#listen().catch(again), 1_000);
    // an error is followed by the end
    client.on('error', () => {});
    client.on('notification', () => this.#wake());
    await client.connect();
    client.once('end', again);
    await client.query('listen changes');
    // what was committed while nobody listened is in the table
    this.#wake();
  }

  #wake(): void {
    this.#hasNews = true;
    if (!this.#isPulling) void this.#pull();
  }

  async #pull(): Promise<void> {
    this.#isPulling = true;
    while (this.#hasNews) {
      this.#hasNews = false;
      try {
        for await (const change of this.#after(this.#last)) {
          this.#last = Number(change.id);
          for (const listener of this.#listeners) this.#tell(listener, change);
        }
      } catch (error) {
        // the next notification, or the next connection, reads on from the same number
        console.error(error);
      }
    }
    this.#isPulling = false;
  }

  async *#after(last: number): AsyncGenerator<Change> {
    for (let from = last; ;) {
      const { rows } = await this.#pool.query<Change>(
        'select id, kind, todo from changes where id > $1 order by id limit $2',
        [from, PAGE],
      );
      yield* rows;
      if (rows.length < PAGE) return;
      from = Number(rows.at(-1)?.id);
    }
  }

  #tell(listener: Listener, change: Change): void {
    if (listener.waiting !== undefined) listener.waiting.push(change);
    else send(listener, change);
  }

  #beat(): void {
    for (const { response } of this.#listeners) response.write(': \n\n');
    void this.#pool
      .query('delete from changes where id <= (select max(id) from changes) - $1', [KEPT])
      .catch(console.error);
  }

  /** `lastEventId`: of a client that was here before. */
  async add(response: ServerResponse, lastEventId: number | undefined): Promise<void> {
    const listener: Listener = { response, last: this.#last, waiting: [] };
    this.#listeners.add(listener);
    response.on('close', () => this.#listeners.delete(listener));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    // when a process ends, its clients do not come back all at once
    response.write(`retry: ${500 + Math.floor(Math.random() * 1_000)}\n\n`);
    if (lastEventId === undefined) greet(listener, 'hello');
    else if (await this.#isGone(lastEventId)) greet(listener, 'missed');
    else {
      listener.last = lastEventId;
      for await (const change of this.#after(lastEventId)) send(listener, change);
    }
    const waiting = listener.waiting ?? [];
    listener.waiting = undefined;
    for (const change of waiting) send(listener, change);
  }

  /** True where changes behind this number are not kept any more, or it is of another database. */
  async #isGone(last: number): Promise<boolean> {
    const { rows } = await this.#pool.query<{ first: string | null; last: string | null }>(
      'select min(id) as first, max(id) as last from changes',
    );
    const { first, last: newest } = rows[0] as (typeof rows)[0];
    return last + 1 < Number(first ?? 0) || last > Number(newest ?? 0);
  }
}

/** From here on it is told. The number lets it come back before the first change. */
function greet({ response, last }: Listener, event: 'hello' | 'missed'): void {
  response.write(`id: ${last}\nevent: ${event}\ndata: {}\n\n`);
}

function send(listener: Listener, { id, kind, todo }: Change): void {
  const { response, last } = listener;
  if (Number(id) <= last) return;
  listener.last = Number(id);
  response.write(`id: ${id}\ndata: ${JSON.stringify({ kind, todo })}\n\n`);
  if (response.writableLength > MOST_BEHIND) response.destroy();
}
