// Data that outgrow a single server: two API processes on PostgreSQL, 200 clients, and every fault that may happen in between.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { EventSource } from 'eventsource';
import { Client } from 'pg';
import { Controller } from 'signalbox';
import type { Stream } from 'signalbox/streams';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectLive, todosAt } from '../../examples/live/client.ts';
import type { Todo } from '../../examples/live/client.ts';
import { startLive } from '../../examples/live/startLive.ts';
import type { Live } from '../../examples/live/startLive.ts';
import { findPostgres } from '../../examples/live/startPostgres.ts';
import { seed } from '../setup/seed.ts';
import { Page } from '../setup/world.ts';

const CLIENTS = 200;
const WRITES = 1_000;
const AT_ONCE = 16;

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = findPostgres();
const missing =
  'PostgreSQL is skipped: install postgresql, or set POSTGRES_BIN to the folder of its initdb.';
if (bin === undefined && process.env['CI']) throw new Error(missing);
if (bin === undefined) console.warn(missing);

let live: Live;
let database: Client;
beforeAll(async () => {
  if (bin === undefined) return;
  live = await startLive(root, bin);
  database = new Client(live.database);
  await database.connect();
}, 60_000);
afterAll(async () => {
  await database?.end();
  await live?.close();
});

/** A cable that can be cut: forwards to the API. */
async function cable(target: string) {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  const join = (socket: Socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    for (const end of [socket, onward]) {
      sockets.add(end);
      end
        .on('error', () => {})
        .on('close', () => void [socket, onward].map((each) => each.destroy()));
    }
    socket.pipe(onward).pipe(socket);
  };
  let server: Server;
  const plug = async (at = 0) => {
    server = createServer(join).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await plug();
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return { url: `http://127.0.0.1:${own}`, cut, plug: () => plug(own) };
}

/** The number of requests. */
const asked = { lists: 0, writes: 0, streams: 0 };

interface Seat {
  readonly controller: Controller;
  readonly todos: ReturnType<typeof todosAt>;
  readonly stream: Stream;
  /** The numbers of the received changes. */
  readonly told: number[];
  readonly page: Page;
}

async function sit(url: string): Promise<Seat> {
  const told: number[] = [];
  class CountingSource extends EventSource {
    constructor(address: string, init: { withCredentials: boolean }) {
      const count: typeof fetch = (input, how) => (asked.streams++, fetch(input, how));
      super(address, { ...init, fetch: count });
      this.addEventListener('message', ({ lastEventId }) => void told.push(Number(lastEventId)));
    }
  }
  const page = new Page();
  const controller = new Controller({ surroundings: page, sweepAfter: Infinity });
  const todos = todosAt(url);
  const stream = connectLive(controller, todos, { EventSource: CountingSource });
  await vi.waitFor(() => expect(stream.status.value).toBe('open'), 20_000);
  controller.view(todos.getList).retain();
  await controller.fetch(todos.getList);
  return { controller, todos, stream, told, page };
}

/** Numbers in [0, below), the same for equal seeds. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const rowsOf = ({ controller, todos }: Seat): readonly Todo[] =>
  controller.getResponse(todos.getList).data ?? [];

/** A write of a client, of a shown row. A row that another client has deleted meanwhile is rejected. */
async function write(seat: Seat, number: number, random: (below: number) => number): Promise<void> {
  const { controller, todos } = seat;
  const rows = rowsOf(seat);
  const row = rows[random(rows.length)];
  const kind = random(10);
  try {
    if (row === undefined || kind < 5)
      await controller.fetch(todos.getList.push, { key: `key ${number}`, title: `made ${number}` });
    else if (kind < 9)
      await controller.fetch(
        todos.partialUpdate,
        { id: row.id },
        kind < 7 ? { title: `changed ${number}` } : { completed: !row.completed },
      );
    else await controller.fetch(todos.delete, { id: row.id });
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error;
  }
}

const plain = ({ id, title, completed, version }: Todo) => ({ id, title, completed, version });
const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;

async function stored(): Promise<object[]> {
  const { rows } = await database.query<Record<string, string>>(
    'select id, title, completed, version from todos order by id',
  );
  return rows.map(({ id, version, ...rest }) => ({
    id: Number(id),
    ...rest,
    version: Number(version),
  }));
}

function countRequests(): void {
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
    const { method = 'GET' } = init;
    const { pathname } = new URL(String(input));
    if (method !== 'GET') asked.writes++;
    else if (pathname === '/todos') asked.lists++;
    return send(input, init);
  });
}

test.skipIf(bin === undefined)(
  '[P4] a creation sent twice with the same key is one row and one change',
  async () => {
    const { getList } = todosAt(live.url);
    const create = () => new Controller().fetch(getList.push, { key: 'twice', title: 'once' });
    const [first, second] = [await create(), await create()];
    expect(second).toEqual(first);
    const { rows } = await database.query('select id from changes');
    expect(rows).toEqual([{ id: String(first.version) }]);
    await new Controller().fetch(todosAt(live.url).delete, { id: first.id });
  },
);

test.skipIf(bin === undefined)(
  '[P4] the event stream sends `missed` for a deleted or unknown last event id, and `hello` without one',
  async () => {
    await database.query("delete from changes where kind = 'INSERT'");
    const answers = ['0', '999999', ''].map(async (last) => {
      const abort = new AbortController();
      const { body } = await fetch(`${live.url}/events?lastEventId=${last}`, abort);
      let text = '';
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        if (text.includes('data')) break;
      }
      abort.abort();
      return /event: (\w+)/.exec(text)?.[1];
    });
    expect(await Promise.all(answers)).toEqual(['missed', 'missed', 'hello']);
  },
);

test.skipIf(bin === undefined)(
  `[P4] 200 clients of two processes equal the database, one process killed, one client offline (seed ${seed})`,
  async () => {
    countRequests();
    const { rows: last } = await database.query<{ max: string }>('select max(id) from changes');
    const before = last[0]?.max;
    const random = randomOf(seed);
    const wire = await cable(live.url);
    const away = await sit(wire.url);
    const others = await Promise.all(Array.from({ length: CLIENTS - 1 }, () => sit(live.url)));
    const seats = [away, ...others];
    const [pid] = live.pids;

    const events: Record<number, () => void | Promise<unknown>> = {
      200: () => {
        wire.cut();
        away.page.offline = true;
      },
      400: () => void process.kill(pid as number, 'SIGKILL'),
      700: async () => {
        await wire.plug();
        away.page.comeBack('reconnect');
      },
    };
    let number = 0;
    const writer = async () => {
      while (number < WRITES) {
        const mine = ++number;
        await events[mine]?.();
        await write(others[random(others.length)] as Seat, mine, random);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, writer));

    const rows = await stored();
    const changes = (
      await database.query<{ id: string }>('select id from changes where id > $1 order by id', [
        before,
      ])
    ).rows;
    const numbers = changes.map(({ id }) => Number(id));
    await vi.waitFor(
      () => {
        const missing = seats.flatMap(({ told, stream }, at) => {
          const lost = numbers.filter((each) => !told.includes(each));
          return lost.length === 0 ? [] : [{ at, status: stream.status.value, lost }];
        });
        expect(missing).toEqual([]);
      },
      { timeout: 60_000, interval: 200 },
    );
    for (const seat of seats) {
      // each change arrived once, in order; an earlier change may still have been in flight when the connection began
      expect(seat.told.filter((number) => number > Number(before))).toEqual(numbers);
      expect(rowsOf(seat).map(plain).sort(byId)).toEqual(rows);
    }
    expect(live.pids).toHaveLength(2);
    expect(live.pids).not.toContain(pid);
    console.log(`Live: ${rows.length} rows after ${numbers.length} changes;`, asked);
    // no client read the list a second time; requests in flight to the killed process were sent again
    expect(asked.lists).toBe(CLIENTS);
    expect(asked.writes).toBeGreaterThanOrEqual(WRITES);
    expect(asked.writes).toBeLessThanOrEqual(WRITES + 4 * AT_ONCE);
    expect(asked.streams).toBeGreaterThan(CLIENTS);
    expect(asked.streams).toBeLessThanOrEqual(2 * CLIENTS + 10);
    for (const { stream } of seats) stream.close();
    wire.cut();
  },
  180_000,
);
