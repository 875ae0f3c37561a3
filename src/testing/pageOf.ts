/** Classifies the params of a list request, cuts the requested page out of the list, and computes the figures of its envelope. */
import { collectionIn } from '../schema/Collection.ts';
import type { RestEndpoint } from '../rest/RestEndpoint.ts';
import { UnsupportedRequestError } from './ServerRows.ts';
import type { RequestParams, ServerRows } from './ServerRows.ts';

/** How a server counts its pages. */
interface ListPaging {
  /** Rows per page if no param sets the number. */
  readonly size: number;
  /** The number of the first page, if the param is a page number. */
  readonly first: number;
}

/** The params that select a page and its size. */
interface PageParams {
  /** The name and value of the page param. A paginated list has a name, whichever page is requested. */
  readonly name: string | undefined;
  readonly token: string | undefined;
  readonly size: number | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The value of this envelope member; its literal if the name is unknown. */
  figure(name: string, literal: unknown): unknown;
  /** The Link header (RFC 8288) of a response to this address: the previous and the next page. */
  link(url: string): string;
}

/** Names of the page param: `page` counts pages, all others count the rows before. */
const PAGE_PARAM: RegExp = /^_?(?:page|cursor|offset|skip|start|after)$/i;
/** Names of the page size param. */
const SIZE_PARAM: RegExp = /^_?(?:limit|size|per_?page|page_?size|take)$/i;

/** Undefined if the token is not one that this list could have issued. */
export function pageOf<Row>(
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

export interface ListParams {
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
 *   paginationField              which page; without one `page`, `cursor`, `offset` …, unless rows have such a field
 *   limit, size, perPage …       how many rows, unless rows have such a field
 *   the Collection's sort param  orders
 *   a field of the rows          filters
 *   any other                    unknown: T4
 */
export function parseListParams(
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

/** Whether a param only orders: as the list's Collection declares, else by its name. */
function orderingIn(schema: unknown): (name: string) => boolean {
  const collection = collectionIn(schema);
  if (collection === undefined) return (name) => ORDERING.test(name);
  return (name) => !Object.hasOwn(collection.filterArgs(JSON.stringify({ [name]: '' })), name);
}
