// Random changes, bursts, cuts, rejections and restarts: in the end a client equals the server.
import { EventSource } from 'eventsource';
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { Controller, createResource, Delete } from 'signalbox';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import type { Stream, StreamSteps } from 'signalbox/streams';
import { WebSocket } from 'undici';
import { expect, test, vi } from 'vitest';
import { EventServer, SocketServer } from '../servers/eventServer.ts';
import { seed } from '../setup/seed.ts';
import { isOpen, SOON, Todo } from './streaming.ts';
import type { Message, Rows } from './streaming.ts';

type Action =
  | { readonly do: 'write' | 'delete'; readonly id: number }
  | { readonly do: 'cut' | 'restart' | 'refuse' | 'ask' | 'turn' };

const action: Arbitrary<Action> = oneof(
  { weight: 6, arbitrary: record({ do: constant('write' as const), id: nat(5) }) },
  { weight: 3, arbitrary: record({ do: constant('delete' as const), id: nat(5) }) },
  {
    weight: 4,
    arbitrary: record({
      do: constantFrom('cut' as const, 'restart' as const, 'refuse' as const, 'ask' as const),
    }),
  },
  { weight: 3, arbitrary: record({ do: constant('turn' as const) }) },
);

/** A server of todos that notifies clients of each change, by the messages of `tell`. */
abstract class Backend {
  readonly rows: Rows = new Map();
  #changes = 0;
  abstract readonly server: EventServer | SocketServer;
  abstract tell(message: Message): void;
  abstract connect(controller: Controller, todos: Todos): Stream;
  abstract set refuses(refuses: boolean);

  readonly answer = (_request: unknown, response: { end(text: string): unknown }): void => {
    // the rows at the time of the request; the response is in flight for a while
    const text = JSON.stringify([...this.rows.values()]);
    setImmediate(() => response.end(text));
  };

  write(id: number): void {
    const type = this.rows.has(id) ? 'changed' : 'created';
    const row = { id, title: `${++this.#changes}`, userId: 1 };
    this.rows.set(id, row);
    this.tell({ ...row, type });
  }

  delete(id: number): void {
    if (this.rows.delete(id)) this.tell({ id, type: 'deleted' });
  }
}

const deletion = new Delete(Todo);

function receiver(todos: Todos) {
  return ({ type, ...todo }: Message, { set }: StreamSteps): void => {
    if (type === 'created') set(todos.getList.push.schema, todo);
    else set(type === 'deleted' ? deletion : Todo, { id: todo.id }, todo);
  };
}

const resource = (urlPrefix: string) =>
  createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
type Todos = ReturnType<typeof resource>;

class Sockets extends Backend {
  readonly server: SocketServer = new SocketServer(this.answer);
  tell(message: Message): void {
    this.server.send(message);
  }
  connect(controller: Controller, todos: Todos): Stream {
    const receive = receiver(todos);
    const { url } = this.server;
    const backoff = SOON;
    return connectWebSocket(controller, url, { receive, catchUp: [todos], backoff, WebSocket });
  }
  set refuses(refuses: boolean) {
    this.server.refuses = refuses;
  }
}

/** The server repeats nothing: the client refetches after a gap. */
class Events extends Backend {
  readonly server: EventServer = new EventServer(this.answer);
  tell(message: Message): void {
    this.server.send(message);
  }
  connect(controller: Controller, todos: Todos): Stream {
    const receive = receiver(todos);
    const { url } = this.server;
    const backoff = SOON;
    return connectEventSource(controller, url, { receive, catchUp: [todos], backoff, EventSource });
  }
  set refuses(refuses: boolean) {
    const refuse = (_: unknown, response: { writeHead(status: number): { end(): unknown } }) =>
      void response.writeHead(503).end();
    this.server.refuse = refuses ? refuse : undefined;
  }
}

/** The server keeps the events, and continues behind `Last-Event-ID`. */
class Replaying extends Events {
  readonly #log: Message[] = [];
  constructor() {
    super();
    this.server.onOpen = ({ url, lastEventId }, send) => {
      const known = lastEventId ?? (/after=(\d+)/.exec(url)?.[1] || '-1');
      for (let id = Number(known) + 1; id < this.#log.length; id++)
        send(`id: ${id}\ndata: ${JSON.stringify(this.#log[id])}\n\n`);
    };
  }
  override tell(message: Message): void {
    const id = this.#log.push(message) - 1;
    this.server.send(message, { id });
  }
  override connect(controller: Controller, todos: Todos): Stream {
    const receive = receiver(todos);
    const url = (id: string) => `${this.server.url}?after=${id}`;
    const backoff = SOON;
    return connectEventSource(controller, url, { receive, catchUp: false, backoff, EventSource });
  }
}

async function act(backend: Backend, actions: readonly Action[], ask: () => void): Promise<void> {
  const { server } = backend;
  for (const step of actions) {
    if (step.do === 'write') backend.write(step.id);
    if (step.do === 'delete') backend.delete(step.id);
    if (step.do === 'cut') server.cut();
    if (step.do === 'refuse') {
      backend.refuses = true;
      server.cut();
    }
    if (step.do === 'restart') {
      await server.stop();
      await server.start();
    }
    if (step.do === 'ask') ask();
    if (step.do === 'turn') await new Promise((resolve) => void setTimeout(resolve, 2));
  }
  backend.refuses = false;
}

const shown = (rows: Iterable<{ id: number; title: string }>): string[] =>
  Array.from(rows, ({ id, title }) => `${id}: ${title}`).sort();

async function run(backend: Backend, actions: readonly Action[]): Promise<void> {
  const { server } = backend;
  await server.start();
  const controller = new Controller({ retry: 0 });
  const todos = resource(server.origin);
  const stream = backend.connect(controller, todos);
  try {
    await isOpen(stream);
    await controller.fetch(todos.getList);
    const list = controller.view(todos.getList);
    const leave = list.retain();
    await act(backend, actions, () => {
      controller.fetch(todos.getList).catch(() => {});
    });
    await vi.waitFor(
      () => {
        expect(stream.status.value).toBe('open');
        const { data = [] } = controller.getResponse(todos.getList);
        expect(shown(data)).toEqual(shown(backend.rows.values()));
      },
      { timeout: 8_000, interval: 2 },
    );
    leave();
  } finally {
    stream.close();
    await server.stop();
  }
}

const numRuns = Number(process.env['STREAM_RUNS'] ?? 25);

test.each([
  ['a socket', Sockets],
  ['an event source', Events],
  ['an event source with missed events repeated by the server', Replaying],
])(
  `[P4] after any faults, %s ends with the data of the server (seed ${seed})`,
  { timeout: 120_000 },
  async (_, Kind) => {
    const actions = array(action, { maxLength: 40 });
    await assert(
      asyncProperty(actions, (program) => run(new Kind(), program)),
      { seed, numRuns, endOnFailure: process.env['STREAM_SHRINK'] === undefined },
    );
  },
);
