/** A server of an issue tracker: issues in filtered, searched, sorted and nested lists. It answers when it is told to. */
export interface Stored {
  readonly id: number;
  title: string;
  status: string;
  assignee: number | null;
  tags: string[];
  projectId: number;
}

interface Waiting {
  readonly method: string;
  readonly url: URL;
  readonly body: Partial<Stored>;
  answer: (() => void) | undefined;
  readonly end: (response: Response) => void;
}

const MAX_TOP = 3;

export class TrackerServer {
  readonly rows: Map<number, Stored> = new Map();
  readonly waiting: Waiting[] = [];
  requests = 0;
  /** The next mutation is refused. */
  refuses = false;
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

  send(method: string, address: string, text: string | undefined): Promise<Response> {
    const url = new URL(address, 'http://h');
    const body = text === undefined ? {} : (JSON.parse(text) as Partial<Stored>);
    this.requests++;
    return new Promise((end) => {
      this.waiting.push({ method, url, body, answer: undefined, end });
    });
  }

  get isCreating(): boolean {
    return this.waiting.some(({ method }) => method === 'POST');
  }

  /** The server handles the request, mutations in their order, or, if it has, the response arrives. */
  advance(at: number): void {
    const chosen = this.waiting[at] as Waiting;
    const isHeldBack = chosen.answer === undefined && chosen.method !== 'GET';
    const one = isHeldBack ? (this.#firstMutation() as Waiting) : chosen;
    if (one.answer === undefined) {
      const response = this.#handle(one);
      one.answer = () => one.end(response);
      return;
    }
    this.waiting.splice(at, 1);
    one.answer();
  }

  #firstMutation(): Waiting | undefined {
    return this.waiting.find(({ method, answer }) => method !== 'GET' && answer === undefined);
  }

  #handle({ method, url, body }: Waiting): Response {
    const [, , id] = url.pathname.split('/');
    if (method === 'GET') return this.#read(url);
    if (this.refuses) {
      this.refuses = false;
      return Response.json({ message: 'refused' }, { status: 422 });
    }
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
