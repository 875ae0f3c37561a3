/** The REST server of the examples: rows in memory over real HTTP, and a log of the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Api {
  readonly url: string;
  /** As `GET /todos/1`. */
  readonly requests: string[];
  close(): Promise<void>;
}

type Row = { id: number; [field: string]: unknown };

const rows: Readonly<Record<string, readonly Row[]>> = {
  todos: [1, 2, 3].map((id) => ({ id, userId: 1, title: `Todo ${id}`, notes: `Notes ${id}` })),
  users: ['Ann', 'Ben'].map((name, at) => ({ id: at + 1, name })),
};

// users come later than todos: a page that streams is sent in parts
const SLOW_MS = 200;

export async function startApi(): Promise<Api> {
  const requests: string[] = [];
  const tables = structuredClone(rows) as Record<string, Row[]>;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, table = '', id] = new URL(request.url ?? '', 'http://api').pathname.split('/');
    requests.push(`${request.method} ${request.url}`);
    const all = tables[table] ?? [];
    const row = all.find((each) => String(each.id) === id);
    if (request.method === 'PATCH' && row !== undefined) Object.assign(row, await bodyOf(request));
    if (request.method === 'DELETE') tables[table] = all.filter((each) => each !== row);
    if (table === 'users') await new Promise((later) => setTimeout(later, SLOW_MS));
    // a list has no notes: only the request for a single row completes the row
    const found = id === undefined ? all.map((each) => ({ ...each, notes: undefined })) : row;
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? null));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as object;
}
