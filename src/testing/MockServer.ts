/** Handles one request, from its address and body to the response, on the rows of one resource. */
import { SignalboxError, warn } from '../errors.ts';
import { path } from '../rest/path.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { Fields, Kind } from '../schema/schema.ts';
import { ServerRows, UnsupportedRequestError } from './ServerRows.ts';
import type { RequestParams } from './ServerRows.ts';
import type {
  FailureRule,
  HandlerOptions,
  MockRequestInfo,
  MswRequest,
  State,
} from './createHandlers.ts';
import { envelopeOf, listsIn } from './envelopeOf.ts';
import { pageOf, parseListParams } from './pageOf.ts';
import type { Page } from './pageOf.ts';
import type { RequestAddress, Route } from './routesOf.ts';

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
interface MatchedRequest extends MockRequestInfo {
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
  readonly #failureCounts = new WeakMap<FailureRule, number>();

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
    const route = (containsRows(body) ? first.beside : undefined) ?? first;
    try {
      const matched = this.#match(route, request, body);
      const after = typeof delay === 'function' ? delay(matched) : delay;
      return { ...(this.#failure(matched) ?? (await this.#answer(matched))), after };
    } catch (error) {
      if (!(error instanceof UnsupportedRequestError)) throw error;
      const parameters = { member: route.member, reason: error.message };
      const { message } = new SignalboxError('T4', parameters);
      warn('T4', message, parameters);
      return { ...refuse(501, message), after: 0 };
    }
  }

  #match(route: Route, request: MswRequest, body: unknown): MatchedRequest {
    const [{ member, method }, { rows }] = [route, this.#state];
    const address = route.read(request.url) as RequestAddress;
    const naming = this.#namedParams(route, address);
    const row = naming && this.#rows.find(naming);
    const params = { ...paramsOf(address.search), ...address.path };
    const info = { member, method, url: request.url, params, body, row, rows, request };
    return { ...info, route, address, naming: naming !== undefined };
  }

  /** The values in a path that name a row; undefined: the path of a list, or an unknown path. */
  #namedParams(
    { role, endpoint }: Route,
    { path: values }: RequestAddress,
  ): RequestParams | undefined {
    const names = Object.keys(values);
    if (role === 'list' || role === 'create' || names.length === 0) return undefined;
    const known = names.filter((name) => this.#rows.explains(name));
    // the last name of a path may be any name for the primary key
    const last = [...path(endpoint.path as string).names].at(-1);
    const strange = names.find((name) => name !== last && !known.includes(name));
    if (role !== undefined) return strange === undefined ? values : unknownParamError(strange);
    if (known.length === 0) return strange === undefined ? values : undefined;
    return Object.fromEntries(known.map((name) => [name, values[name] as string]));
  }

  #failure(requestInfo: MockRequestInfo): Answer | undefined {
    const { fail } = this.#state;
    const due =
      typeof fail === 'function'
        ? fail(requestInfo)
        : [fail].flat().find((one) => this.#shouldFail(one, requestInfo));
    if (due === undefined) return undefined;
    const { status = 500, body = { message: 'refused, as told' } } =
      typeof due === 'number' ? { status: due } : due;
    return { status, body };
  }

  #shouldFail(fail: FailureRule, { method, member }: MockRequestInfo): boolean {
    if ((fail.method ?? method) !== method || (fail.member ?? member) !== member) return false;
    const times = this.#failureCounts.get(fail) ?? 0;
    if (times >= (fail.times ?? Infinity)) return false;
    this.#failureCounts.set(fail, times + 1);
    return true;
  }

  async #answer(matched: MatchedRequest): Promise<Answer> {
    const { actions = {} } = this.#options;
    const respond = Object.hasOwn(actions, matched.member) ? actions[matched.member] : undefined;
    if (respond === undefined) return this.#respond(matched);
    if (matched.naming && matched.row === undefined) return this.#missing(matched);
    let usual: Answer | undefined;
    const body: unknown = await respond({
      ...matched,
      usual: () => (usual = this.#respond(matched)).body,
    });
    if (usual !== undefined && usual.status >= 400) return usual;
    return body === undefined ? { status: 204 } : { status: 200, ...usual, body };
  }

  #respond(matched: MatchedRequest): Answer {
    const { role, member } = matched.route;
    if (role === 'list') return this.#list(matched);
    if (role === 'create') return this.#create(matched);
    if (role === undefined || !matched.naming) {
      throw new UnsupportedRequestError(`define its response in actions.${member}`);
    }
    const { row } = matched;
    if (row === undefined) return this.#missing(matched);
    if (role === 'one') return { status: 200, body: this.#enveloped(matched, row) };
    return role === 'remove' ? this.#remove(matched, row) : this.#write(matched, row);
  }

  #missing({ address }: MatchedRequest): Answer {
    return refuse(404, `there is no ${this.#kind.title} ${JSON.stringify(address.path)}`);
  }

  #create(matched: MatchedRequest): Answer {
    const { body, params, route } = matched;
    const keyed = route.keyed && isObject(body);
    const bodies = keyed ? Object.values(body) : [body].flat();
    if (!bodies.every(isObject)) return refuse(400, NO_OBJECT);
    // the params of the list apply to rows created in it
    const known = this.#rows.typed(params);
    const added = this.#rows.add(bodies.map((fields) => ({ ...known, ...fields })));
    if (!Array.isArray(added)) return refuse(added.status, added.reason);
    const several = keyed || Array.isArray(body);
    return { status: 201, body: this.#enveloped(matched, several ? added : (added[0] as Fields)) };
  }

  #write(matched: MatchedRequest, row: Fields): Answer {
    const { body, route, address } = matched;
    if (!isObject(body)) return refuse(400, NO_OBJECT);
    const named = Object.keys(address.path).filter((name) => Object.hasOwn(row, name));
    const kept = route.role === 'change' ? row : pick(row, named);
    const written = { ...kept, ...body, ...this.#rows.identityOf(row) };
    return { status: 200, body: this.#enveloped(matched, this.#rows.replace(row, written)) };
  }

  #remove(matched: MatchedRequest, row: Fields): Answer {
    this.#rows.remove(row);
    const body = this.#enveloped(matched, row);
    const silent = body === row && this.#options.deletion !== 'row';
    return silent ? { status: 204 } : { status: 200, body };
  }

  #list(matched: MatchedRequest): Answer {
    const { params, route } = matched;
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
    const link = page.link(matched.url);
    const headers = link === '' ? {} : { link };
    return { status: 200, body: this.#enveloped(matched, page.rows, page), headers };
  }

  #enveloped(
    { route }: MatchedRequest,
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

function unknownParamError(name: string): never {
  throw new UnsupportedRequestError(`no row has a field ${name}: define filters.${name}`);
}

/** True for a body of rows by key. */
function containsRows(body: unknown): boolean {
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
function paramsOf(search: URLSearchParams): RequestParams {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}
