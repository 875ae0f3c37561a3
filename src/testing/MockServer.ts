/** Handles one request, from its address and body to the response, on the rows of one resource. */
import { SignalboxError, warn } from '../errors.ts';
import { path } from '../rest/path.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { Fields, Kind } from '../schema/schema.ts';
import type { RequestAddress, Route } from './routesOf.ts';
import { envelopeOf, listsIn } from './envelopeOf.ts';
import type {
  MockRequestInfo,
  FailureRule,
  HandlerOptions,
  MswRequest,
  State,
} from './createHandlers.ts';
import { parseListParams, pageOf } from './pageOf.ts';
import type { Page } from './pageOf.ts';
import { ServerRows, UnsupportedRequestError } from './ServerRows.ts';
import type { Params } from './ServerRows.ts';

/** A response. */
export interface Reply {
  /** 0: no response. */
  readonly status: number;
  /** Sent as JSON; undefined: no body. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The delay, ms. */
  readonly after: number;
}

type Answer = Omit<Reply, 'after'>;

/** A request for one route. */
interface Visit extends MockRequestInfo {
  readonly route: Route;
  readonly address: RequestAddress;
  /** True if the path names a row, whether the row exists or not. */
  readonly naming: boolean;
}

export class MockServer {
  readonly #rows: ServerRows;
  readonly #kind: Kind;
  readonly #state: State;
  readonly #options: HandlerOptions;
  /** How many requests each failure has rejected. */
  readonly #struck = new WeakMap<FailureRule, number>();

  constructor(kind: Kind, state: State, options: HandlerOptions) {
    this.#kind = kind;
    this.#state = state;
    this.#options = options;
    this.#rows = new ServerRows({ kind, state, filters: options.filters ?? {} });
  }

  /** Throws T4 if an envelope has several lists and the options do not assign rows to them. */
  check(routes: readonly Route[]): void {
    const { lists = {}, actions = {} } = this.#options;
    for (const { member, schema } of routes) {
      const names = listsIn(schema, this.#kind);
      const missing = names.find((name) => !Object.hasOwn(lists, name));
      if (names.length < 2 || missing === undefined || Object.hasOwn(actions, member)) continue;
      const reason = `its response has several lists: define lists.${missing}`;
      throw new SignalboxError('T4', { member, reason });
    }
  }

  async reply(first: Route, request: MswRequest): Promise<Reply> {
    const { delay } = this.#state;
    const body = await bodyOf(request);
    const route = (holdsRows(body) ? first.beside : undefined) ?? first;
    try {
      const visit = this.#visit(route, request, body);
      const after = typeof delay === 'function' ? delay(visit) : delay;
      return { ...(this.#failure(visit) ?? (await this.#answer(visit))), after };
    } catch (error) {
      if (!(error instanceof UnsupportedRequestError)) throw error;
      const parameters = { member: route.member, reason: error.message };
      const { message } = new SignalboxError('T4', parameters);
      warn('T4', message, parameters);
      return { ...refuse(501, message), after: 0 };
    }
  }

  #visit(route: Route, request: MswRequest, body: unknown): Visit {
    const [{ member, method }, { rows }] = [route, this.#state];
    const address = route.read(request.url) as RequestAddress;
    const naming = this.#naming(route, address);
    const row = naming && this.#rows.find(naming);
    const params = { ...paramsOf(address.search), ...address.path };
    const info = { member, method, url: request.url, params, body, row, rows, request };
    return { ...info, route, address, naming: naming !== undefined };
  }

  /** The values in a path that name a row; undefined: the path of a list, or an unknown path. */
  #naming({ role, endpoint }: Route, { path: values }: RequestAddress): Params | undefined {
    const names = Object.keys(values);
    if (role === 'list' || role === 'create' || names.length === 0) return undefined;
    const known = names.filter((name) => this.#rows.explains(name));
    // the last name of a path may be any name for the primary key
    const last = [...path(endpoint.path as string).names].at(-1);
    const strange = names.find((name) => name !== last && !known.includes(name));
    if (role !== undefined) return strange === undefined ? values : unexplained(strange);
    if (known.length === 0) return strange === undefined ? values : undefined;
    return Object.fromEntries(known.map((name) => [name, values[name] as string]));
  }

  #failure(asked: MockRequestInfo): Answer | undefined {
    const { fail } = this.#state;
    const due =
      typeof fail === 'function'
        ? fail(asked)
        : [fail].flat().find((one) => this.#strikes(one, asked));
    if (due === undefined) return undefined;
    const { status = 500, body = { message: 'refused, as told' } } =
      typeof due === 'number' ? { status: due } : due;
    return { status, body };
  }

  #strikes(fail: FailureRule, { method, member }: MockRequestInfo): boolean {
    if ((fail.method ?? method) !== method || (fail.member ?? member) !== member) return false;
    const times = this.#struck.get(fail) ?? 0;
    if (times >= (fail.times ?? Infinity)) return false;
    this.#struck.set(fail, times + 1);
    return true;
  }

  async #answer(visit: Visit): Promise<Answer> {
    const { actions = {} } = this.#options;
    const respond = Object.hasOwn(actions, visit.member) ? actions[visit.member] : undefined;
    if (respond === undefined) return this.#usual(visit);
    if (visit.naming && visit.row === undefined) return this.#missing(visit);
    let usual: Answer | undefined;
    const body: unknown = await respond({
      ...visit,
      usual: () => (usual = this.#usual(visit)).body,
    });
    if (usual !== undefined && usual.status >= 400) return usual;
    return body === undefined ? { status: 204 } : { status: 200, ...usual, body };
  }

  #usual(visit: Visit): Answer {
    const { role, member } = visit.route;
    if (role === 'list') return this.#list(visit);
    if (role === 'create') return this.#create(visit);
    if (role === undefined || !visit.naming) {
      throw new UnsupportedRequestError(`define its response in actions.${member}`);
    }
    const { row } = visit;
    if (row === undefined) return this.#missing(visit);
    if (role === 'one') return { status: 200, body: this.#enveloped(visit, row) };
    return role === 'remove' ? this.#remove(visit, row) : this.#write(visit, row);
  }

  #missing({ address }: Visit): Answer {
    return refuse(404, `there is no ${this.#kind.title} ${JSON.stringify(address.path)}`);
  }

  #create(visit: Visit): Answer {
    const { body, params, route } = visit;
    const keyed = route.keyed && isObject(body);
    const bodies = keyed ? Object.values(body) : [body].flat();
    if (!bodies.every(isObject)) return refuse(400, NO_OBJECT);
    // the params of the list apply to rows created in it
    const known = this.#rows.typed(params);
    const added = this.#rows.add(bodies.map((fields) => ({ ...known, ...fields })));
    if (!Array.isArray(added)) return refuse(added.status, added.reason);
    const several = keyed || Array.isArray(body);
    return { status: 201, body: this.#enveloped(visit, several ? added : (added[0] as Fields)) };
  }

  #write(visit: Visit, row: Fields): Answer {
    const { body, route, address } = visit;
    if (!isObject(body)) return refuse(400, NO_OBJECT);
    const named = Object.keys(address.path).filter((name) => Object.hasOwn(row, name));
    const kept = route.role === 'change' ? row : pick(row, named);
    const written = { ...kept, ...body, ...this.#rows.identityOf(row) };
    return { status: 200, body: this.#enveloped(visit, this.#rows.replace(row, written)) };
  }

  #remove(visit: Visit, row: Fields): Answer {
    this.#rows.remove(row);
    const body = this.#enveloped(visit, row);
    const silent = body === row && this.#options.deletion !== 'row';
    return silent ? { status: 204 } : { status: 200, body };
  }

  #list(visit: Visit): Answer {
    const { params, route } = visit;
    const { pageSize = 10, firstPage = 1, sort, lists = {} } = this.#options;
    const { filters, ordered, pages } = parseListParams(route.endpoint, params, {
      rows: this.#rows,
      sorts: sort !== undefined,
    });
    const several = listsIn(route.schema, this.#kind).length > 1;
    const rows = this.#rows.all.filter(
      (row) =>
        this.#rows.matches(row, filters) &&
        (!several || Object.values(lists).some((holds) => holds(row))),
    );
    if (ordered && sort !== undefined) rows.sort((one, other) => sort(one, other, params));
    const page = pageOf(rows, pages, { size: pageSize, first: firstPage });
    if (page === undefined) return refuse(400, `there is no page ${pages.token ?? ''}`);
    const link = page.link(visit.url);
    const headers = link === '' ? {} : { link };
    return { status: 200, body: this.#enveloped(visit, page.rows, page), headers };
  }

  #enveloped(
    { route }: Visit,
    rows: Fields | readonly Fields[],
    page: Pick<Page<Fields>, 'figure'> = { figure: (_, literal) => literal },
  ): unknown {
    const { lists = {} } = this.#options;
    return envelopeOf(route.schema, {
      kind: this.#kind,
      rows,
      keyOf: (row) => this.#rows.pkOf(row),
      listed: (name, all) => {
        const holds = Object.hasOwn(lists, name) ? lists[name] : undefined;
        return holds === undefined ? all : all.filter((row) => holds(row));
      },
      figure: page.figure,
    });
  }
}

const NO_OBJECT = 'the body must be a JSON object';

function refuse(status: number, message: string): Answer {
  return { status, body: { message } };
}

function unexplained(name: string): never {
  throw new UnsupportedRequestError(`no row has a field ${name}: define filters.${name}`);
}

/** True for a body of rows by key. */
function holdsRows(body: unknown): boolean {
  return isObject(body) && Object.values(body).length > 0 && Object.values(body).every(isObject);
}

function pick(row: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** The body: JSON, the fields of a form, or else text. */
async function bodyOf(request: MswRequest): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  const copy = request.clone();
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
    return Object.fromEntries(await copy.formData());
  }
  const text = await copy.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Search params; repeated names have several values. */
function paramsOf(search: URLSearchParams): Params {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}
