/** The pages of which a list is made: the request, rows and response of each, and how their nodes are joined. */
import type { EndpointCall, EndpointInterface } from '../../endpoint/Endpoint.ts';
import { ObjectKind, ObjectNode } from '../../schema/containers.ts';
import { equal } from '../../schema/equal.ts';
import { fieldOf, isObject, setOwn } from '../../schema/fieldOf.ts';
import { tableKeysIn } from '../../schema/kindOf.ts';
import type { Args, Fields, Kind, ListKind, NormalizedNode } from '../../schema/schema.ts';
import { ListRecord } from '../lists/ListRecord.ts';
import type { PagePlacement } from '../lists/ListRecord.ts';
import { EMPTY } from '../records/SmallSet.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { shallowEqualArrays, replaceFirstPageMembers } from '../records/diffMembers.ts';
import { eachRecord } from '../records/eachRecord.ts';

/** Names of members, from the response inwards; -1: the last row. */
type Path = readonly (string | number)[];

/**
 * How a page is addressed. A number: a page number or an offset; 'list': the request of the list itself. A path: the
 * param with a cursor, and where the response of the page before has the cursor. Undefined: a value of unknown origin.
 */
export type PageAddress = number | 'list' | Path | undefined;

export interface LoadedPage {
  /** The key of the page's request. */
  readonly key: string;
  /** Undefined after a restart: the list's own `getPage` fetches the page. */
  readonly endpoint: EndpointInterface | undefined;
  readonly args: Args;
  readonly address?: PageAddress;
  readonly response: unknown;
  /** The rows that the page brought; undefined if the page came from a disk or another tab. */
  readonly rows: readonly StoreRecord[] | undefined;
  /** Logical time at which the request was issued; `addedAt`: the first such request. */
  readonly issued: number;
  readonly addedAt: number;
  /** Logical time at which the response arrived: the server may have read the rows at any time before. */
  readonly arrivedAt?: number | undefined;
  /** The page stands before the list's own first page. */
  readonly isBefore?: boolean | undefined;
  /** The server forbids to keep the response. */
  readonly isNoStore?: boolean | undefined;
}

/** A page as plain data: on a disk, in another tab, on its way from a server. */
export type PageImage = Pick<LoadedPage, 'key' | 'args' | 'response' | 'isBefore' | 'address'>;

/** The request of a page. */
export type PageCall = Pick<LoadedPage, 'key' | 'args' | 'address'>;

/** The part of a page that a function of the application sees. */
export type PagePart = Pick<LoadedPage, 'args' | 'response' | 'address'>;

/** The arguments of the page that follows `pages`; undefined: there is none. */
export type FollowingArgs = (pages: readonly PagePart[]) => Args | undefined;

export class LoadedPages {
  /** In order. */
  pages: readonly LoadedPage[] = [];
  /** Joined nodes of the pages that arrived before the response of the list. */
  early: NormalizedNode;
  /** Logical time of the newest page. */
  time = 0;
  /** The largest number of pages to keep. */
  maxPages: number = Infinity;
  /** Given by `useInfinite`. */
  next: FollowingArgs | undefined;
  previous: FollowingArgs | undefined;
  /** The key of the page that is fetched to stand first. */
  keyBefore: string | undefined;
  /**
   * A confirmed creation or deletion has shifted the rows of the pages from this index on, which must be requested again
   * before further pages fit. Infinity: none.
   */
  changedFrom: number = Infinity;
  /** Logical time of the last of these changes. */
  changedAt = 0;
  /** Called when pages were added or have other responses. */
  onChange: (() => void) | undefined;

  /** True if pages are addressed by number or offset. */
  get isNumbered(): boolean {
    return this.pages.some(({ address }) => typeof address === 'number');
  }

  /** True if other pages get other rows when a row comes or goes. Of the first page alone this is not known yet. */
  get mayShift(): boolean {
    return this.pages.length === 1 || this.isNumbered;
  }

  /** True for a member of the responses that has the cursor of the next page. */
  hasCursorAt(name: string): boolean {
    return this.pages.some(({ address }) => Array.isArray(address) && address[2] === name);
  }

  /** The index of the first page that may have brought the row; Infinity: no page did. */
  indexOfRow(row: StoreRecord): number {
    const at = this.pages.findIndex(({ rows }) => rows?.includes(row) ?? true);
    return at < 0 ? Infinity : at;
  }

  /** Infinity: the rows of these pages are the same, but those of a page in flight may not be. */
  markChanged(from: number, time: number): void {
    this.changedFrom = Math.min(from, this.changedFrom);
    this.changedAt = time;
  }

  /** Pages from `start` on were received again. */
  replaceFrom(start: number, pages: readonly LoadedPage[]): void {
    const old = this.pages.slice(start);
    this.pages = [...this.pages.slice(0, start), ...pages];
    if (pages.every(({ issued }) => issued > this.changedAt)) this.changedFrom = Infinity;
    if (!equal(old.map(receivedPart), pages.map(receivedPart))) this.onChange?.();
  }

  /** Adds a page in its place, or replaces the page with the same key. Returns the pages beyond `maxPages`. */
  add(page: LoadedPage): readonly LoadedPage[] {
    const known = this.pages.findIndex(({ key }) => key === page.key);
    const added = { ...page, isBefore: this.keyBefore === page.key };
    const { isBefore, addedAt } = this.pages[known] ?? added;
    const own = { ...page, isBefore, addedAt };
    const pages = [...this.pages];
    if (known >= 0) pages[known] = own;
    else pages.splice(isBefore ? 0 : this.#placeOf(page), 0, own);
    if (pages.length === 1 && page.issued > this.changedAt) this.changedFrom = Infinity;
    // a page in flight may have been read before the change, also if requested later
    if (known >= 0 && !shallowEqualArrays(this.pages[known]?.rows ?? EMPTY, page.rows ?? EMPTY))
      this.changedAt = Math.max(this.changedAt, page.arrivedAt ?? page.issued);
    const surplus = Math.max(0, pages.length - this.maxPages);
    const dropped = pages.splice(isBefore ? pages.length - surplus : 0, surplus);
    this.pages = pages;
    this.onChange?.();
    return dropped;
  }

  /** Pages with numbers are ordered by these, all others by the time of their first requests. */
  #placeOf({ address, addedAt }: LoadedPage): number {
    const at = this.pages.findIndex((other) => {
      if (other.isBefore || other.address === 'list') return false;
      return typeof address === 'number' && typeof other.address === 'number'
        ? address < other.address
        : address === 'list' || addedAt < other.addedAt;
    });
    return at < 0 ? this.pages.length : at;
  }

  /** The number of pages before the list's own first page. */
  get countBefore(): number {
    return this.pages.filter(({ isBefore }) => isBefore).length;
  }

  /** The page to fetch behind `pages`, which begin at the loaded page `start`; undefined: none is loaded there. */
  pageAfter(pages: readonly PagePart[], start: number): LoadedPage | undefined {
    const there = this.pages[start + pages.length];
    if (there === undefined) return undefined;
    const args = this.next
      ? this.next([...this.pages.slice(0, start), ...pages])
      : followingArgs(there, pages.at(-1)?.response);
    return args && { ...there, args };
  }

  /** True if the last of all pages says that another page follows. Calls a function of the application. */
  hasMoreAfter(pages: readonly PagePart[]): boolean {
    return this.next ? this.next(pages) !== undefined : this.#cursorAfter(pages) === true;
  }

  /** True if the last loaded page leaves the cursor out that the pages before have. */
  get isEnd(): boolean {
    return this.#cursorAfter(this.pages) === false;
  }

  /** Whether the last response has a cursor; undefined for pages without cursors. */
  #cursorAfter(pages: readonly PagePart[]): boolean | undefined {
    const path = pages.map(({ address }) => address).find((address) => Array.isArray(address));
    const response = pages.at(-1)?.response;
    return path && !isBlank(valueAt(response, (path as Path).slice(2)));
  }
}

// functions, so that an application without `useInfinite` does not carry them

/** Sets the functions and the limit of the last render of `useInfinite`. */
export function configurePages(
  pages: LoadedPages,
  options: Pick<LoadedPages, 'maxPages' | 'next' | 'previous' | 'onChange'>,
): void {
  Object.assign(pages, options);
}

/** The page with this key will stand first. */
export function expectPageBefore(pages: LoadedPages, key: string): void {
  pages.keyBefore = key;
}

const receivedPart = ({ args, response }: LoadedPage) => [args, response];

/** The arguments of a page after the page before it has `response` now; undefined: there is no cursor any more. */
export function followingArgs(
  { args, address }: Pick<LoadedPage, 'args' | 'address'>,
  response: unknown,
): Args | undefined {
  if (!Array.isArray(address)) return args;
  const [at, name, ...path] = address as [number, string, ...Path];
  const value = valueAt(response, path);
  if (isBlank(value)) return undefined;
  const params = args[at] as Fields;
  return String(params[name]) === String(value)
    ? args
    : Object.assign([...args], { [at]: { ...params, [name]: value } });
}

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

function valueAt(response: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      name === -1
        ? (value as unknown[] | undefined)?.at?.(-1)
        : fieldOf(Object(value) as Fields, String(name)),
    response,
  );
}

/** Params with these names number pages or rows; params with the others compare with a row. */
const NUMBER_NAMES = /^_?(?:page|page_?(?:number|index|no)|offset|skip|start|from)$/i;
const ROW_NAMES = /^_?(?:after|before|since|last)|id$/i;

/*
 *   getPage({ page: 2 }), { offset: 20 }                         number    by the name of the param
 *   { cursor: 'k3x' } after { results: […], next: 'k3x' }        path      a member beside the rows
 *   { after: 40 } after [{ id: 39 }, { id: 40 }]                 path      a field of the last row
 *   { cursor: 40 } after 40 rows; { cursor: 3 }                  number
 *   { cursor: 'x' } from elsewhere                               undefined
 */

/** The address of a page. `before`: the loaded pages before this page. */
export function pageAddressOf(
  args: Args,
  listArgs: Args,
  before: readonly LoadedPage[],
  kind: Kind,
): PageAddress {
  const [param] = addedParams(args, listArgs);
  if (param === undefined) return undefined;
  const { at, name, value } = param;
  const number = value === '' ? NaN : Number(value);
  const response = before.at(-1)?.response;
  const beside = pathTo(response, value, false);
  if (!Number.isNaN(number) && NUMBER_NAMES.test(name)) return number;
  if (beside) return [at, name, ...beside];
  const inRow = pathTo(response, value, true);
  const isOffset = before.flatMap((page) => responseRows(kind, page.response)).length === number;
  if (inRow && (ROW_NAMES.test(name) || !isOffset)) return [at, name, ...inRow];
  return Number.isNaN(number) ? undefined : number;
}

/** The params of a page that its list does not have, numbers first. */
function addedParams(args: Args, listArgs: Args) {
  return args
    .flatMap((params, at) =>
      Object.entries(Object(params) as Fields).map(([name, value]) => ({ at, name, value })),
    )
    .filter(({ at, name, value }) => !equal(fieldOf(Object(listArgs[at]) as Fields, name), value))
    .sort((a, b) => Number(NUMBER_NAMES.test(b.name)) - Number(NUMBER_NAMES.test(a.name)));
}

// a count may equal the cursor: `{ total: 7, next: '7' }`
const CURSOR_NAMES = /next|cursor|after|token|continu|marker/i;

/** Where `response` has the value, most likely: beside the rows, or in the last row. */
function pathTo(response: unknown, value: unknown, inRows: boolean): Path | undefined {
  const likelihood = (path: Path) =>
    2 * Number(CURSOR_NAMES.test(path.join())) + Number(valueAt(response, path) === value);
  const paths = pathsTo(response, value, inRows);
  return paths.sort((a, b) => likelihood(b) - likelihood(a))[0];
}

function pathsTo(response: unknown, value: unknown, inRows: boolean, depth = 0): Path[] {
  const within = (name: Path[number], member: unknown): Path[] =>
    pathsTo(member, value, inRows, depth + 1).map((path) => [name, ...path]);
  if (Array.isArray(response)) return inRows ? within(-1, response.at(-1)) : [];
  if (!isObject(response) || depth > 3) return [];
  return Object.entries(response).flatMap(([name, member]) => {
    if (typeof member === 'object') return within(name, member);
    return String(member) === String(value) ? [[name]] : [];
  });
}

/** The kind of a response, of several: a response of another kind, as of another status, is no page of a list. */
export const kindFor = (of: Kind, response: unknown): Kind => of.chooseKind?.(response) ?? of;

/** A single response for two pages: rows are joined, everything else is as in `page`. */
export function joinResponses(of: Kind, there: unknown, page: unknown): unknown {
  const kind = kindFor(of, there);
  if (kind !== kindFor(of, page)) return there;
  if (kind instanceof ObjectKind && isObject(there) && isObject(page)) {
    const joined: Fields = { ...page };
    for (const [name, inner] of kind.members) {
      const value = joinResponses(inner, fieldOf(there, name), fieldOf(page, name));
      if (value !== undefined) setOwn(joined, name, value);
    }
    return joined;
  }
  if (Array.isArray(there) && isKindOfRows(kind)) return [...there, ...((page ?? []) as unknown[])];
  const isMap = (kind as Partial<ListKind>).isMap === true;
  return isMap ? { ...(there as Fields), ...(page as Fields) } : page;
}

/** The rows in a response as received. `read`: what stands for a row. */
export function responseRows(
  of: Kind,
  response: unknown,
  read: (row: unknown, list: Kind) => unknown = (row) => row,
): unknown[] {
  const kind = kindFor(of, response);
  if (kind instanceof ObjectKind && isObject(response))
    return kind.members.flatMap(([name, inner]) =>
      responseRows(inner, fieldOf(response, name), read),
    );
  if (!Array.isArray(response) || !isKindOfRows(kind)) return [];
  return response.map((row) => read(row, kind));
}

function isKindOfRows(kind: Kind): boolean {
  return tableKeysIn(kind).length > 0;
}

/** The pages as plain data; undefined without further pages, or if a page must not be kept. */
export function imagesOf(
  pages: readonly Omit<LoadedPage, 'rows'>[] = [],
): readonly PageImage[] | undefined {
  if (pages.length < 2 || pages.some(({ isNoStore }) => isNoStore)) return undefined;
  return pages.map(({ key, args, response, isBefore, address }) => ({
    key,
    args,
    response,
    isBefore,
    address,
  }));
}

/** Pages from plain data, true as of a logical time. */
export function pagesFrom(images: readonly PageImage[], issued: number): LoadedPage[] {
  const lost = { endpoint: undefined, rows: undefined };
  return images.map((page) => ({ ...page, ...lost, issued, addedAt: issued }));
}

/** The call of a loaded page. `list`: the endpoint of the list. */
export function callOfPage(
  { endpoint, args, address }: Pick<LoadedPage, 'endpoint' | 'args' | 'address'>,
  list: EndpointInterface,
): EndpointCall {
  if (address === 'list') return { endpoint: list, args };
  const { paginationField, getPage } = list as {
    readonly paginationField?: unknown;
    readonly getPage?: EndpointInterface;
  };
  const own = endpoint ?? (paginationField === undefined ? list : (getPage as EndpointInterface));
  return { endpoint: own, args };
}

/** How the response of a page, or of all pages, changes the list. */
export interface PlacedResponse extends Pick<PagePlacement, 'following' | 'dropped' | 'isStale'> {
  /** The page is the last: its members beside the rows count. */
  readonly isLast?: boolean;
  /** The response has all pages. */
  readonly isWhole?: boolean;
}

type JoinRows = (there: readonly NormalizedNode[], page: NormalizedNode[]) => NormalizedNode[];

/** `there` with a further page. `newer`: data beside the rows of the page replace the previous data. */
export function appendPage(
  there: NormalizedNode,
  page: NormalizedNode,
  newer: boolean,
  join: JoinRows = joinRowsAt({}),
): NormalizedNode {
  if (isRows(there) && isRows(page)) return join(there, page);
  if (!(there instanceof ObjectNode && page instanceof ObjectNode)) {
    return newer && page !== undefined ? page : there;
  }
  const last = newer ? page : there;
  const inner: Fields = {};
  for (const name in { ...there.inner, ...page.inner }) {
    const [one, two] = [there.inner[name], page.inner[name]];
    // a member without rows that the last page leaves out has its default
    const node =
      two === undefined && !holdsRows(one) ? last.inner[name] : appendPage(one, two, newer, join);
    if (node !== undefined) setOwn(inner, name, node);
  }
  return new ObjectNode(last.rest, inner);
}

function holdsRows(node: NormalizedNode): boolean {
  return isRows(node) || node instanceof ListRecord || node instanceof ObjectNode;
}

/** `there` after a refetch of the first page. If lists go on behind it, the other data stay as in the last page. */
export function replaceFirstPage(there: NormalizedNode, first: NormalizedNode): NormalizedNode {
  let goesOn = false;
  eachRecord(first, (record) => {
    goesOn ||= record instanceof ListRecord && record.hasFurtherPages;
  });
  const joined = appendPage(there ?? first, first, false, (rows, page) => {
    const next = replaceFirstPageMembers(rows, page);
    goesOn ||= next.length > page.length;
    return next;
  });
  return goesOn ? joined : first;
}

/** True for an array of records, and for an empty array, which may be one. */
function isRows(node: NormalizedNode): node is NormalizedNode[] {
  if (!Array.isArray(node)) return false;
  let holds = node.length === 0;
  eachRecord(node, () => (holds = true));
  return holds;
}

/** Adds the new rows of a page before the rows that follow, or else at the end. */
export function joinRowsAt({ following, dropped }: PlacedResponse): JoinRows {
  return (there, page) => {
    const known = new Set(there);
    const plain = there.filter((row) => !(row instanceof StoreRecord));
    const fresh = page.filter(
      (row) => !known.has(row) && !plain.some((other) => equal(other, row)),
    );
    const rows = there.filter((row) => !dropped?.has(row as StoreRecord));
    const at = rows.findIndex((row) => following?.has(row as StoreRecord));
    return at < 0 ? [...rows, ...fresh] : [...rows.slice(0, at), ...fresh, ...rows.slice(at)];
  };
}

/** `node` with each row once. */
export function distinctRows(node: NormalizedNode): NormalizedNode {
  if (isRows(node)) return [...new Set(node)];
  if (!(node instanceof ObjectNode)) return node;
  const inner: Fields = {};
  for (const name in node.inner) setOwn(inner, name, distinctRows(node.inner[name]));
  return node.withInner(inner);
}
