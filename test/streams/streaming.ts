// A stream in a test: a server on loopback, a controller, and functions that wait for signals.
import { effect, signal } from '@preact/signals-core';
import { EventSource } from 'eventsource';
import { Controller, createResource, Entity, optimistic } from 'signalbox';
import type { Commit, ControllerOptions, SignalboxError } from 'signalbox';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import type { EventSourceOptions, Stream, StreamSteps, WebSocketOptions } from 'signalbox/streams';
import { WebSocket } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { EventServer, SocketServer } from '../servers/eventServer.ts';
import { world } from '../setup/world.ts';

export class Todo extends Entity {
  id = 0;
  title = '';
  userId = 0;
}

export interface Message {
  readonly type?: string;
  readonly id: number;
  readonly title?: unknown;
}

/** Resolves when `look` is true of the signals that `look` reads. */
export function until(look: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (look()) void Promise.resolve().then(() => (stop(), resolve()));
    });
  });
}

export const isOpen = (stream: Stream): Promise<void> =>
  until(() => stream.status.value === 'open');
export const isWaiting = (stream: Stream): Promise<void> =>
  until(() => stream.status.value === 'waiting');
export const isClosed = (stream: Stream): Promise<void> =>
  until(() => stream.status.value === 'closed');

/** Each message is a todo. */
export function receive(todo: Message, { set }: StreamSteps): void {
  set(Todo, { id: todo.id }, todo);
}

/** A real socket, and the number of received messages: with a stopped clock these wait behind the clock. */
export function countingSocket() {
  const arrived = signal(0);
  class CountingSocket extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', () => void arrived.value++);
    }
  }
  return {
    WebSocket: CountingSocket,
    arrived: (count: number) => until(() => arrived.value >= count),
  };
}

/** So that nobody waits for long. */
export const SOON = { first: 2, most: 10 };

export type Rows = Map<number, { id: number; title: string; userId: number }>;

/** REST: the rows at the moment of the request. */
function serveRows(rows: Rows) {
  return (
    request: { url?: string | undefined },
    response: { end(text: string): void; setHeader: Header },
  ) => {
    response.setHeader('content-type', 'application/json');
    const id = Number(/\/todos\/(\d+)/.exec(request.url ?? '')?.[1]);
    const answer = Number.isNaN(id) ? [...rows.values()] : rows.get(id);
    response.end(JSON.stringify(answer ?? null));
  };
}
type Header = (name: string, value: string) => unknown;

export interface Told<S> {
  readonly server: S;
  readonly rows: Rows;
  readonly controller: Controller;
  readonly errors: SignalboxError[];
  readonly todos: ReturnType<typeof resource>;
  /** How often the list was requested. */
  readonly asked: () => number;
}

const resource = (origin: string) =>
  createResource({ urlPrefix: origin, path: '/todos/:id', schema: Todo });

async function tell<S extends EventServer | SocketServer>(
  make: new (answer: ReturnType<typeof serveRows>) => S,
  options: ControllerOptions,
): Promise<Told<S>> {
  const rows: Rows = new Map([[1, { id: 1, title: 'one', userId: 1 }]]);
  const answer = serveRows(rows);
  let asked = 0;
  const server = new make((request, response) => {
    asked++;
    answer(request, response);
  });
  await server.start();
  onTestFinished(() => server.stop());
  const controller = new Controller({ optimistic, retry: 0, sweepAfter: Infinity, ...options });
  return {
    server,
    rows,
    controller,
    errors: [],
    todos: resource(server.origin),
    asked: () => asked,
  };
}

/** A server of events, and a function that connects: the stream ends with the test. */
export async function eventStage(options: ControllerOptions = {}) {
  const told = await tell(EventServer, options);
  const { controller, server, errors } = told;
  const connect = (
    more: Partial<EventSourceOptions<Message>> = {},
    url: Parameters<typeof connectEventSource>[1] = server.url,
  ): Stream => {
    const stream = connectEventSource<Message>(controller, url, {
      receive,
      catchUp: false,
      backoff: SOON,
      EventSource,
      onError: (error) => void errors.push(error),
      ...more,
    });
    onTestFinished(stream.close.bind(stream));
    return stream;
  };
  return { ...told, connect };
}

/** A server of sockets, and a function that connects: the stream ends with the test. */
export async function socketStage(options: ControllerOptions = {}) {
  const told = await tell(SocketServer, options);
  const { controller, server, errors } = told;
  const connect = (
    more: Partial<WebSocketOptions<Message>> = {},
    url: Parameters<typeof connectWebSocket>[1] = server.url,
  ) => {
    const stream = connectWebSocket<Message>(controller, url, {
      receive,
      catchUp: false,
      backoff: SOON,
      WebSocket,
      onError: (error) => void errors.push(error),
      ...more,
    });
    onTestFinished(stream.close.bind(stream));
    return stream;
  };
  return { ...told, connect };
}

/** Resolves when this todo is shown with this title. */
export const shows = (controller: Controller, id: number, title?: string): Promise<void> =>
  until(() => controller.entity(Todo, id).value?.title === title);

/** An open stream with messages that wait for the clock. `receive` may be different for each test. */
export async function gathered(options: Parameters<Stage['connect']>[0] = {}) {
  const w = world();
  const { clock, page } = w;
  const stage = await socketStage({ clock, surroundings: page });
  const { server, controller } = stage;
  const { WebSocket, arrived } = countingSocket();
  const stream = stage.connect({ WebSocket, ...options });
  await isOpen(stream);
  await expect.poll(() => server.clients.size).toBe(1);
  let sent = 0;
  /** Sends, and waits until all messages are queued. */
  const come = (...messages: unknown[]) => {
    for (const message of messages) server.send(message);
    return arrived((sent += messages.length));
  };
  const commits: Commit[] = [];
  controller.on('commit', (commit) => void commits.push(commit));
  const title = (id: number) => controller.get(Todo, { id })?.title;
  return { ...stage, w, clock, page, stream, come, commits, title };
}
type Stage = Awaited<ReturnType<typeof socketStage>>;
