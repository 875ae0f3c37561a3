/** Cuts the page out of a list that a request asks for, and knows what an envelope says about it. */

/** How a server counts its pages. */
export interface Paging {
  /** Rows of a page where no param says so. */
  readonly size: number;
  /** The number of the first page, where pages are asked for by number. */
  readonly first: number;
}

/** A param that says which page, or how large one is. */
export interface PageParams {
  /** The name and value of what says which page; a list that has pages has a name, whatever page is asked for. */
  readonly name: string | undefined;
  readonly token: string | undefined;
  readonly size: number | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** What stands in an envelope under this name; its literal where this says nothing. */
  figure(name: string, literal: unknown): unknown;
  /** The Link header (RFC 8288) of an answer to this address: the pages beside this one. */
  link(url: string): string;
}

/** Names of the param that says which page: `page` counts pages, all others count the rows before. */
export const PAGE_PARAM: RegExp = /^_?(?:page|cursor|offset|skip|start|after)$/i;
/** Names of the param that says how many rows. */
export const SIZE_PARAM: RegExp = /^_?(?:limit|size|per_?page|page_?size|take)$/i;

/** Undefined where the token is none that this list could have given. */
export function pageOf<Row>(
  rows: readonly Row[],
  { name, token, size: asked }: PageParams,
  paging: Paging,
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

/** The first that fits says what a member of an envelope is; names without their underscores. */
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

/** In the type that the schema writes: `nextPage: 0` is a number; the literal itself stands for "none". */
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
