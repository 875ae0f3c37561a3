/** The REST API of the board: a response for each request. */
import type { Board, Row, Table } from './Board.ts';

export interface ApiRequest {
  readonly method: string;
  /** Without `/api`. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

const none: ApiResponse = { status: 404, body: { message: 'There is no such thing.' } };

export function respond(board: Board, { method, url, body }: ApiRequest): ApiResponse {
  const { pathname, searchParams } = new URL(url, 'http://board');
  const [, table, id] = /^\/(projects|users|issues|comments)(?:\/(\d+))?$/.exec(pathname) ?? [];
  if (table === undefined) return none;
  if (id === undefined && method === 'GET')
    return { status: 200, body: board.list(table as Table, searchParams) };
  if (id !== undefined && method === 'GET') return found(board.get(table as Table, Number(id)));
  if (table !== 'issues' && table !== 'comments') return none;
  if (method === 'POST') return { status: 201, body: board.create(table, body) };
  if (method === 'PATCH') return found(board.update(table, Number(id), body));
  if (method === 'DELETE') return found(board.delete(table, Number(id)));
  return none;
}

function found(row: Row | undefined): ApiResponse {
  return row === undefined ? none : { status: 200, body: row };
}
