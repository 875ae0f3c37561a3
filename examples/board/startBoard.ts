/** Serves the app with a board of its own behind `/api`, and its changes at `/api/events`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { serveApps, type AppsOptions, type Site } from '../site/serveApps.ts';
import { Board } from './server/Board.ts';
import { respond } from './server/respond.ts';
import { seed } from './server/seed.ts';

/** What is between the server and its clients. Tests pass a bad one. */
export interface Network {
  /** `handle` handles a request and returns the function that sends the response. */
  request(response: ServerResponse, handle: () => () => void): void | Promise<void>;
  /** Sends a change to one client. */
  push(response: ServerResponse, send: () => void): void;
}

export interface BoardOptions extends Omit<AppsOptions, 'api' | 'example'> {
  readonly network?: Network;
}

export interface BoardSite extends Site {
  readonly board: Board;
}

const goodNetwork: Network = {
  request: (_, handle) => handle()(),
  push: (_, send) => send(),
};

export async function startBoard({
  network = goodNetwork,
  ...options
}: BoardOptions): Promise<BoardSite> {
  const board = new Board();
  seed(board);
  const site = await serveApps({
    ...options,
    example: 'board',
    api(incoming, response, url) {
      if (url === '/events') stream(board, response, network);
      else void answer(board, network, incoming, response, url);
    },
  });
  return { ...site, board };
}

async function answer(
  board: Board,
  network: Network,
  incoming: IncomingMessage,
  response: ServerResponse,
  url: string,
): Promise<void> {
  const hasBody = incoming.headers['content-type'] === 'application/json';
  const given = hasBody ? ((await json(incoming)) as Record<string, unknown>) : {};
  await network.request(response, () => {
    const { status, body } = respond(board, { method: incoming.method ?? 'GET', url, body: given });
    const headers = { 'content-type': 'application/json' };
    return () => void response.writeHead(status, headers).end(JSON.stringify(body));
  });
}

function stream(board: Board, response: ServerResponse, network: Network): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 500\n\n');
  const stop = board.listen((change) => {
    const text = `data: ${JSON.stringify(change)}\n\n`;
    network.push(response, () => response.write(text));
  });
  response.on('close', stop);
}
