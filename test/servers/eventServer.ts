// A server of events on loopback, under the control of the test: sends, cuts, rejects, stops and restarts at the same port.
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

/** A port that answers by `listener`, may stop, and restarts at the same port. */
class Port {
  server: Server | undefined;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  readonly #listener: RequestListener;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async start(): Promise<Server> {
    const server = createServer(this.#listener);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => void server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    return (this.server = server);
  }

  /** As a power failure. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined));
    this.server = undefined;
  }
}

/** The parameters of a client for a stream. */
export interface Asked {
  readonly url: string;
  readonly lastEventId: string | undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean | void;

/** Server-sent events. Requests for other paths than `/events` go to `answer`. */
export class EventServer {
  readonly asked: Asked[] = [];
  readonly #open = new Set<ServerResponse>();
  readonly #port: Port;
  /** Answers a request for the stream in place of the stream: a rejection. */
  refuse: Answer | undefined;
  /** The delay of the platform before the next connection, ms; undefined: not sent. */
  retry: number | undefined = 5;
  /** Runs on each stream that opens, before anything else is sent. */
  onOpen: ((asked: Asked, send: (text: string) => void) => void) | undefined;

  constructor(answer?: Answer) {
    this.#port = new Port((request, response) => {
      if (!request.url?.startsWith('/events')) {
        answer?.(request, response);
        return;
      }
      const lastEventId = request.headers['last-event-id'] as string | undefined;
      const asked = { url: request.url, lastEventId };
      this.asked.push(asked);
      if (this.refuse !== undefined) {
        this.refuse(request, response);
        return;
      }
      const headers = {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      };
      response.writeHead(200, headers);
      response.write(this.retry === undefined ? ':\n\n' : `retry: ${this.retry}\n\n`);
      this.#open.add(response);
      response.on('close', () => this.#open.delete(response));
      this.onOpen?.(asked, (text) => response.write(text));
    });
  }

  get origin(): string {
    return `http://${this.#port.address}`;
  }

  get url(): string {
    return `${this.origin}/events`;
  }

  /** How many streams are open. */
  get clients(): number {
    return this.#open.size;
  }

  async start(): Promise<this> {
    await this.#port.start();
    return this;
  }

  send(message: unknown, { event, id }: { event?: string; id?: string | number } = {}): void {
    const named = event === undefined ? '' : `event: ${event}\n`;
    const numbered = id === undefined ? '' : `id: ${id}\n`;
    this.write(`${named}${numbered}data: ${JSON.stringify(message)}\n\n`);
  }

  /** All events in a single write: the events arrive together, however busy the machine is. */
  sendTogether(messages: readonly unknown[]): void {
    this.write(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''));
  }

  write(text: string): void {
    for (const response of this.#open) response.write(text);
  }

  cut(): void {
    this.#port.cut();
  }

  stop(): Promise<void> {
    return this.#port.stop();
  }
}

/** WebSockets at `/`. Other requests go to `answer`. */
export class SocketServer {
  readonly #port: Port;
  readonly clients = new Set<WebSocket>();
  readonly #connections = new Map<WebSocket, Duplex>();
  /** The requested protocols of clients, in order. */
  readonly asked: string[] = [];
  /** The messages of clients, in order. */
  readonly heard: string[] = [];
  /** Rejects clients before the connection. */
  refuses = false;
  /** Lets clients wait for the rejection. */
  hangs = false;
  onOpen: ((client: WebSocket) => void) | undefined;
  onMessage: ((client: WebSocket, text: string) => void) | undefined;

  constructor(answer?: Answer) {
    this.#port = new Port((request, response) => void answer?.(request, response));
  }

  get origin(): string {
    return `http://${this.#port.address}`;
  }

  get url(): string {
    return `ws://${this.#port.address}/live`;
  }

  async start(): Promise<this> {
    const server = await this.#port.start();
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      this.asked.push(request.url ?? '');
      if (this.hangs) return;
      if (this.refuses) socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      else sockets.handleUpgrade(request, socket, head, (client) => this.#welcome(client, socket));
    });
    return this;
  }

  #welcome(client: WebSocket, connection: Duplex): void {
    this.clients.add(client);
    this.#connections.set(client, connection);
    client.on('close', () => {
      this.clients.delete(client);
      this.#connections.delete(client);
    });
    client.on('message', (data) => {
      const text = (data as Buffer).toString();
      this.heard.push(text);
      this.onMessage?.(client, text);
    });
    this.onOpen?.(client);
  }

  send(message: unknown): void {
    for (const client of this.clients) client.send(JSON.stringify(message));
  }

  /** As `EventServer.sendTogether`. */
  sendTogether(messages: readonly unknown[]): void {
    for (const connection of this.#connections.values()) connection.cork();
    for (const message of messages) this.send(message);
    for (const connection of this.#connections.values()) connection.uncork();
  }

  /** Ends all connections with a code. */
  end(code: number, reason = ''): void {
    for (const client of this.clients) client.close(code, reason);
  }

  cut(): void {
    this.#port.cut();
  }

  stop(): Promise<void> {
    return this.#port.stop();
  }
}
