/** A real HTTP server on the loopback that sends the given responses and records requests. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent as JSON unless the body is a string or bytes. */
  readonly body?: unknown;
}

export interface Server {
  readonly address: string;
  readonly asked: Asked[];
  /** The last request. */
  readonly last: Asked;
}

type Reply = Answer | ((asked: Asked, response: ServerResponse) => Answer | undefined);

/** Serves until the test ends. Without a reply, each request is answered `{}`. */
export async function serve(reply: Reply = { body: {} }): Promise<Server> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, text: Buffer.concat(chunks).toString() };
      asked.push(one);
      const answer = typeof reply === 'function' ? reply(one, response) : reply;
      if (answer !== undefined) send(answer, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    get last() {
      return asked.at(-1) as Asked;
    },
  };
}

function send({ status = 200, headers = {}, body }: Answer, response: ServerResponse): void {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const type = raw ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(raw ? body : JSON.stringify(body));
}
