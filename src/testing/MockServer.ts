/** Handles a request, from address and body to the response, on the rows of a resource. */
import { SignalboxError, warn } from '../errors.ts';
import type { RestEndpoint } from '../rest/RestEndpoint.ts';
import { path } from '../rest/path.ts';
import { collectionIn } from '../schema/Collection.ts';
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
import { envelopeOf, listsIn } from './routesOf.ts';
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

/** A request for a route. */
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

  /** Throws T4 if an envelope has several lists and the options do not assign rows to each list. */
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
    const { fail = [] } = this.#state;
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
    // the params of the list apply to rows created there
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

/** How a server counts pages. */
interface ListPaging {
  /** Rows per page if no param sets the number. */
  readonly size: number;
  /** The number of the first page, if the param is a page number. */
  readonly first: number;
}

/** The params that select a page and the page size. */
interface PageParams {
  /** The name and value of the page param. A paginated list has a name, whichever page is requested. */
  readonly name: string | undefined;
  readonly token: string | undefined;
  readonly size: number | undefined;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The value of this envelope member; the literal if the name is unknown. */
  figure(name: string, literal: unknown): unknown;
  /** The Link header (RFC 8288) of a response to this address: the previous and the next page. */
  link(url: string): string;
}

/** Names of the page param: `page` counts pages, all others count the rows before. */
const PAGE_PARAM: RegExp = /^_?(?:page|cursor|offset|skip|start|after)$/i;
/** Names of the page size param. */
const SIZE_PARAM: RegExp = /^_?(?:limit|size|per_?page|page_?size|take)$/i;

/** Undefined for a token that this list could not have issued. */
function pageOf<Row>(
  rows: readonly Row[],
  { name, token, size: asked }: PageParams,
  paging: ListPaging,
): Page<Row> | undefined {
  const paged = name !== undefined;
  const size = asked ?? (paged ? paging.size : Math.max(1, rows.length));
  const byNumber = paged && /page/i.test(name);
  const counted = token === undefined || token === '' ? undefined : Number(token);
  const first = counted === undefined ? 0 : byNumber ? (counted - paging.first) * size : counted;
  if (!Number.isInteger(first) || first < 0 || !Number.isInteger(size) || size < 1)
    return undefined;
  const spell = (from: number) => String(byNumber ? from / size + paging.first : from);
  const before = Math.max(0, first - size);
  const whole: Whole = {
    total: rows.length,
    size,
    first,
    number: Math.floor(first / size) + paging.first,
    next: first + size < rows.length ? spell(first + size) : undefined,
    previous: first > 0 ? spell(before) : undefined,
  };
  return {
    rows: rows.slice(first, first + size),
    figure: (member, literal) => fitted(figureOf(member, whole), literal),
    link: (url) => (name === undefined ? '' : linkOf(url, name, whole)),
  };
}

interface Whole {
  readonly total: number;
  readonly size: number;
  readonly first: number;
  readonly number: number;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** The first match decides the meaning of an envelope member; names without their underscores. */
const figures: readonly (readonly [RegExp, (whole: Whole) => unknown])[] = [
  [/more$|^hasnext/, ({ next }) => next !== undefined],
  [/^hasprev/, ({ previous }) => previous !== undefined],
  [/^next|^(?:end)?cursor$|^after$/, ({ next }) => next],
  [/^prev|^before$/, ({ previous }) => previous],
  [/pages$|^pagecount$/, ({ total, size }) => Math.ceil(total / size)],
  [/^total|total$|^count$/, ({ total }) => total],
  [/^limit$|size$|^perpage$/, ({ size }) => size],
  [/^skip$|^offset$|^start$/, ({ first }) => first],
  [/^page(?:number)?$|^currentpage$/, ({ number }) => number],
];

function figureOf(name: string, whole: Whole): unknown {
  const plain = name.replaceAll('_', '').toLowerCase();
  return figures.find(([names]) => names.test(plain))?.[1](whole);
}

/** In the type of the schema's literal: `nextPage: 0` is a number; the literal itself stands for "none". */
function fitted(value: unknown, literal: unknown): unknown {
  if (value === undefined) return literal;
  if (typeof literal === 'number') return Number(value);
  return typeof literal === 'boolean' ? value !== false : value;
}

/** The same address with another token. */
function linkOf(url: string, name: string, { next, previous }: Whole): string {
  const [place = '', query = ''] = url.split(/[?#]/);
  const links = Object.entries({ next, prev: previous }).flatMap(([rel, token]) => {
    if (token === undefined) return [];
    const search = new URLSearchParams(query);
    search.set(name, token);
    return `<${place}?${search}>; rel="${rel}"`;
  });
  return links.join(', ');
}

interface ListParams {
  readonly filters: RequestParams;
  /** True if the request has an order. */
  readonly ordered: boolean;
  readonly pages: PageParams;
}

interface KnownRows {
  readonly rows: ServerRows;
  /** True if the options have a `sort` function. */
  readonly sorts: boolean;
}

/*
 *   a name in `filters`          filters
 *   paginationField              which page; by default `page`, `cursor`, `offset` …, unless rows have such a field
 *   limit, size, perPage …       how many rows, unless rows have such a field
 *   the Collection's sort param  orders
 *   a field of the rows          filters
 *   any other                    unknown: T4
 */
function parseListParams(
  endpoint: RestEndpoint,
  params: RequestParams,
  { rows, sorts }: KnownRows,
): ListParams {
  const open = Object.keys(params).filter((name) => !rows.hasFilter(name));
  const strange = open.filter((name) => !rows.knows(name));
  const { paginationField } = endpoint as { readonly paginationField?: string };
  const page = paginationField ?? strange.find((name) => PAGE_PARAM.test(name));
  const size = strange.find((name) => SIZE_PARAM.test(name) && name !== page);
  const orders = orderingIn(endpoint.schema);
  const ordering = open.find((name) => name !== page && name !== size && orders(name));
  if (ordering !== undefined && !sorts) {
    throw new UnsupportedRequestError(`${ordering} requests an order: define sort`);
  }
  const filters = Object.keys(params).filter(
    (name) => rows.hasFilter(name) || (name !== page && name !== size && !orders(name)),
  );
  const unexplained = filters.find((name) => !rows.explains(name));
  if (unexplained !== undefined) {
    throw new UnsupportedRequestError(
      `no row has a field ${unexplained}: define filters.${unexplained}`,
    );
  }
  const valueOf = (name: string | undefined) =>
    name === undefined || params[name] === undefined ? undefined : String(params[name]);
  const asked = valueOf(size);
  return {
    filters: Object.fromEntries(filters.map((name) => [name, params[name] ?? ''])),
    ordered: ordering !== undefined,
    pages: {
      name: page,
      token: valueOf(page),
      size: asked === undefined ? undefined : Number(asked),
    },
  };
}

const ORDERING = /^_?(?:order|sort)/i;

/** Whether a param only orders: as the list's Collection declares, else by name. */
function orderingIn(schema: unknown): (name: string) => boolean {
  const collection = collectionIn(schema);
  if (collection === undefined) return (name) => ORDERING.test(name);
  return (name) => !Object.hasOwn(collection.filterArgs(JSON.stringify({ [name]: '' })), name);
}
