/** A server of an issue tracker with filtered, searched, sorted and nested lists; a test calls `advance` to answer. */
import { OrderedServer } from './SlowServer.ts';
import type { WaitingRequest } from './SlowServer.ts';

export interface Stored {
  readonly id: number;
  title: string;
  status: string;
  assignee: number | null;
  tags: string[];
  projectId: number;
}

const MAX_TOP = 3;

export class TrackerServer extends OrderedServer<Stored> {
  readonly rows: Map<number, Stored> = new Map();
  requests = 0;
  #nextId = 1;

  insert(fields: Partial<Stored>): Stored {
    const id = this.#nextId++;
    const row = {
      title: 'a',
      status: 'new',
      assignee: null,
      tags: [],
      projectId: 1,
      ...fields,
      id,
    };
    this.rows.set(id, row);
    return row;
  }

  override send(method: string, address: string, text: string | undefined): Promise<Response> {
    this.requests++;
    return super.send(method, address, text);
  }

  protected respondTo({ method, url, body }: WaitingRequest<Stored>): Response {
    const [, , id] = url.pathname.split('/');
    if (method === 'GET') return this.#read(url);
    if (method === 'POST') return Response.json(this.insert(body), { status: 201 });
    const row = this.rows.get(Number(url.pathname.includes('projects') ? NaN : id));
    if (row === undefined) return Response.json({ message: 'not found' }, { status: 404 });
    if (method === 'DELETE') {
      this.rows.delete(row.id);
      return new Response(null, { status: 204 });
    }
    return Response.json(Object.assign(row, body, { id: row.id }));
  }

  #read({ pathname, searchParams }: URL): Response {
    const [, first, id] = pathname.split('/');
    if (first === 'issues' && id !== undefined) {
      const row = this.rows.get(Number(id));
      return row ? Response.json(row) : Response.json({ message: 'not found' }, { status: 404 });
    }
    const project = first === 'projects' ? id : undefined;
    return Response.json(this.list(searchParams, project));
  }

  /** The rows of a list. */
  list(params: URLSearchParams, project?: string): Stored[] {
    const has = (name: string, value: unknown) =>
      !params.has(name) || params.getAll(name).includes(String(value));
    const found = [...this.rows.values()].filter(
      ({ title, status, assignee, tags, projectId }) =>
        (project === undefined || String(projectId) === project) &&
        has('status', status) &&
        has('assignee', assignee) &&
        has('projectId', projectId) &&
        (!params.has('tags') || tags.some((tag) => params.getAll('tags').includes(tag))) &&
        title.includes(params.get('q') ?? ''),
    );
    if (params.get('sort') === '-title')
      found.sort((a, b) => b.title.localeCompare(a.title) || a.id - b.id);
    return params.has('top') ? found.slice(0, MAX_TOP) : found;
  }
}
