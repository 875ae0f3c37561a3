/** A server with lists in pages by number, offset or cursor; a test calls `advance` to answer. */
import {
  Collection,
  Controller,
  createResource,
  Entity,
  optimistic,
  RestEndpoint,
} from 'signalbox';
import { SlowServer } from './SlowServer.ts';
import type { WaitingRequest } from './SlowServer.ts';

export class Row extends Entity {
  id = 0;
  group = '';
}

export type Paging = 'page' | 'offset' | 'cursor';

interface Stored {
  readonly id: number;
  group: string;
  /** The position of the row: never the same for two rows. */
  rank: number;
}

export const SIZE = 3;

export class PagedServer extends SlowServer<Stored> {
  rows: Stored[] = [];
  log: string[] = [];
  readonly paging: Paging;
  #nextId = 1;
  #first = 0;
  #last = 0;

  constructor(paging: Paging, size: number) {
    super();
    this.paging = paging;
    for (let at = 0; at < size; at++) this.insert('a', 'end');
  }

  insert(group: string, side: 'start' | 'end'): Stored {
    const rank = side === 'start' ? --this.#first : ++this.#last;
    const row = { id: this.#nextId++, group, rank };
    this.rows.push(row);
    return row;
  }

  toEnd(row: Stored, group: string): void {
    row.group = group;
    row.rank = ++this.#last;
  }

  remove(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  /** The rows of a group, in order. */
  list(group: string): Stored[] {
    return this.rows.filter((row) => row.group === group).sort((a, b) => a.rank - b.rank);
  }

  override send(method: string, address: string, text: string | undefined): Promise<Response> {
    const { pathname, search } = new URL(address, 'http://h');
    this.log.push(`${method} ${pathname}${search}`);
    return super.send(method, address, text);
  }

  protected handle(request: WaitingRequest<Stored>): Response {
    return Response.json(this.#respond(request));
  }

  #respond({ method, url, body }: WaitingRequest<Stored>): unknown {
    const id = Number(url.pathname.split('/')[2]);
    const row = this.rows.find((each) => each.id === id);
    if (method === 'DELETE') {
      this.remove(id);
      return { id };
    }
    if (method === 'POST')
      return show(this.insert(body.group ?? 'a', url.searchParams.has('top') ? 'start' : 'end'));
    if (method === 'PATCH') {
      if (row === undefined) return { id, group: body.group };
      this.toEnd(row, body.group ?? row.group);
      return show(row);
    }
    return this.#page(url.searchParams);
  }

  #page(params: URLSearchParams): unknown {
    const all = this.list(params.get('group') ?? 'a');
    if (this.paging !== 'cursor') {
      const from =
        this.paging === 'page'
          ? (Number(params.get('page') ?? 1) - 1) * SIZE
          : Number(params.get('offset') ?? 0);
      return all.slice(from, from + SIZE).map(show);
    }
    const after = Number(params.get('cursor')?.slice(1) ?? -Infinity);
    const rest = all.filter(({ rank }) => rank > after);
    const results = rest.slice(0, SIZE);
    return {
      results: results.map(show),
      ...(rest.length > SIZE && { next: `r${results.at(-1)?.rank}` }),
    };
  }
}

const show = ({ id, group }: Stored) => ({ id, group });

/** The resource of a server. */
export function resourceOf(server: PagedServer, isOptimistic: boolean) {
  class Paged extends RestEndpoint {
    override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
      return server.send(init.method ?? 'GET', String(input), init.body as string | undefined);
    }
  }
  const rows = createResource({
    path: '/rows/:id',
    schema: Row,
    searchParams: {} as { group: string; top?: string },
    Endpoint: Paged,
    paginationField: server.paging,
    nonFilterArgumentKeys: ['top'],
    optimistic: isOptimistic,
  });
  const list = rows.getList.extend({ schema: { results: new Collection([Row]), next: '' } });
  return {
    rows,
    list: server.paging === 'cursor' ? (list as unknown as typeof rows.getList) : rows.getList,
  };
}

export const newController = () => new Controller({ optimistic, retry: 0 });
