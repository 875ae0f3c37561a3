/** Requests all loaded pages of a list again, and fits a further page to the pages before it. */
import type { EndpointCall } from '../endpoint/Endpoint.ts';
import type { Clock } from '../clock.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import { isNotFound } from '../endpoint/defaultErrorPolicy.ts';
import { equal } from '../schema/equal.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Args, Fields } from '../schema/schema.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import {
  pageAddressOf,
  callOfPage,
  followingArgs,
  joinResponses,
  rowsIn,
} from '../store/results/LoadedPages.ts';
import type { LoadedPage, LoadedPages } from '../store/results/LoadedPages.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { InFlightRequest, ResponseHolder } from './InFlightRequest.ts';
import { noop } from './promiseTry.ts';
import { listResultOfPage } from './queryStore.ts';

/** A page without its rows, which are known once its response is stored. */
type FetchedPage = Omit<LoadedPage, 'rows'>;

/** A request with what its pages need. */
interface PageRequest {
  readonly request: InFlightRequest;
  /** The result of the list. */
  readonly list: ResultRecord;
  readonly loaded: LoadedPages;
}

/** How often pages are requested again because a change has shifted them meanwhile. */
const MAX_ATTEMPTS = 4;

/**
 * Called when a read is issued: a list that has several pages requests all of them, one page is fitted to the others.
 * `isBackground`: pages before a changed one may stay.
 */
export function planPages(request: InFlightRequest, isBackground: boolean | undefined): void {
  const { store, clock } = request.context;
  const own = store.findResult(request.key);
  const list = own?.pages ? own : listResultOfPage(store, request);
  const loaded = list?.pages;
  if (list === undefined || loaded === undefined) return;
  const pageRequest = { request, list, loaded };
  if (list !== own) {
    if (loaded.pages.every(({ key }) => key !== request.key)) {
      const { args } = request;
      const before = loaded.pages.filter(({ isBefore }) => isBefore !== true);
      const address = pageAddressOf(args, list.args, before, list.kind);
      request.page = { key: request.key, args, address };
    }
    request.complete = (response) => fitPage(pageRequest, response);
    return;
  }
  if (loaded.pages.length < 2) return;
  // a 304 for one page says nothing of the others
  list.forgetHttpCache();
  const keepsPages = isBackground === true && canKeepPages(clock, list, loaded);
  const start = keepsPages ? loaded.changedFrom : loaded.countBefore;
  const first = loaded.pages[start] as LoadedPage;
  const isListCall = first.address === -Infinity;
  request.firstCall = isListCall ? undefined : callOfPage(first, request.endpoint);
  request.fetchAllPages = keepsPages ? () => planPages(request, false) : undefined;
  request.complete = (response) => fetchAll(pageRequest, start, response);
}

/** True if only the pages from the changed one on are out of date. */
function canKeepPages(
  clock: Clock,
  { node, stamp, expiredAt, invalidatedAt }: ResultRecord,
  { pages, changedFrom, changedAt }: LoadedPages,
): boolean {
  const parts = [...recordsIn(node)];
  return (
    changedFrom > 0 &&
    changedFrom < pages.length &&
    invalidatedAt === undefined &&
    expiredAt <= changedAt &&
    clock.now() <= stamp.expiresAt &&
    parts.length === 1 &&
    parts[0] instanceof ListRecord &&
    pages.every(({ rows, isBefore }) => rows !== undefined && isBefore !== true)
  );
}

/** Fetches the pages behind the first one, and again if a change has shifted them meanwhile. Returns all as one response. */
async function fetchAll(
  pageRequest: PageRequest,
  from: number,
  response: unknown,
): Promise<unknown> {
  const { request, list, loaded } = pageRequest;
  let start = from;
  let first: FetchedPage = {
    ...(loaded.pages[start] as LoadedPage),
    response,
    issued: request.issued,
  };
  for (let attempt = 1; ; attempt++) {
    const behind = await fetchFollowing(pageRequest, start, first);
    if (attempt === MAX_ATTEMPTS || !loaded.isNumbered || loaded.changedAt < first.issued) {
      const before =
        start === loaded.countBefore ? await fetchBefore(pageRequest, [first, ...behind]) : [];
      const pages = [...before, first, ...behind];
      request.asOf = first.issued;
      start -= before.length;
      const hasMore = loaded.hasMoreAfter([...loaded.pages.slice(0, start), ...pages]);
      request.fetchedPages = { pages, start, hasMore };
      return pages
        .map((page) => page.response)
        .reduce((there, page) => joinResponses(list.kind, there, page));
    }
    start = Math.max(loaded.countBefore, Math.min(start, loaded.changedFrom));
    const again = loaded.pages[start] as LoadedPage;
    first = await fetchPage(pageRequest, { ...again, ...callOfPage(again, request.endpoint) });
  }
}

/** The pages behind `first`, as long as there are some. */
async function fetchFollowing(
  pageRequest: PageRequest,
  start: number,
  first: FetchedPage,
): Promise<FetchedPage[]> {
  const { request, loaded } = pageRequest;
  const pages: FetchedPage[] = [];
  for (;;) {
    const next = loaded.pageAfter([first, ...pages], start);
    const page = next && (await fetchPageIfExists(pageRequest, next));
    if (page === undefined || request.cancelReason !== undefined) return pages;
    pages.push(page);
  }
}

/** The pages before the list's first one, the nearest first. */
async function fetchBefore(
  pageRequest: PageRequest,
  behind: readonly FetchedPage[],
): Promise<FetchedPage[]> {
  const { loaded } = pageRequest;
  let pages: FetchedPage[] = [];
  for (let at = loaded.countBefore - 1; at >= 0; at--) {
    const there = loaded.pages[at] as LoadedPage;
    const args = loaded.previous ? loaded.previous([...pages, ...behind]) : there.args;
    const page = args && (await fetchPageIfExists(pageRequest, { ...there, args }));
    if (page === undefined) break;
    pages = [page, ...pages];
  }
  return pages;
}

/** Undefined: the server has fewer pages now. */
async function fetchPageIfExists(
  pageRequest: PageRequest,
  page: FetchedPage,
): Promise<FetchedPage | undefined> {
  try {
    return await fetchPage(pageRequest, page);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

type ReceivedResponse = Pick<InFlightRequest, 'issued' | 'exchange'> & {
  readonly response: unknown;
};

/** The response is kept back: all pages are stored at once. */
const PAGE_HOLDER: ResponseHolder = {
  defer: ({ issued, exchange }, response): ReceivedResponse => ({ issued, exchange, response }),
};

async function fetchPage({ request }: PageRequest, page: FetchedPage): Promise<FetchedPage> {
  const call = callOfPage(page, request.endpoint);
  const { endpoint, args } = call;
  const key = keyOf(endpoint, args);
  // the response itself is needed, and not the news that it is unchanged
  request.context.store.findResult(key)?.forgetHttpCache();
  const options = { callerSignal: request, holder: PAGE_HOLDER, isBackground: !request.isAwaited };
  const received = (await request.fetchPage(call, options)) as ReceivedResponse;
  const { exchange, issued, response } = received;
  if (exchange !== undefined) request.pageExchanges = [...request.pageExchanges, exchange];
  return { ...page, endpoint, key, issued, response };
}

/** Fetches one page again if it does not continue the pages before it any more, and refetches these if they are outdated. */
async function fitPage(pageRequest: PageRequest, response: unknown): Promise<unknown> {
  const { request, list, loaded } = pageRequest;
  const { endpoint, key, args, issued } = request;
  const { store, inflight } = request.context;
  const call = endpoint.listOf?.(...args) as EndpointCall;
  let page: FetchedPage = {
    endpoint,
    key,
    args,
    issued,
    address: undefined,
    addedAt: issued,
    ...request.page,
    response,
  };
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const known = loaded.pages.findIndex((each) => each.key === page.key);
    const isShifted = known >= 0 && !hasSameRows(list, loaded.pages[known] as LoadedPage, page);
    if (isShifted) loaded.markChanged(known, store.tick());
    const isFetched = inflight.reads.get(list.key)?.complete !== undefined;
    const isOutdated = loaded.isOutdated && (isShifted || typeof page.address === 'number');
    if (isOutdated || isFetched) await request.fetchPage(call, { isBackground: true }).catch(noop);
    const next = known < 0 ? nextArgs(loaded, page) : undefined;
    if (next === undefined) break;
    page = await fetchPage(pageRequest, { ...page, args: next });
  }
  request.asOf = page.issued;
  request.page = page;
  return page.response;
}

/** The arguments with which a page must be fetched again; undefined: it fits. */
function nextArgs(loaded: LoadedPages, page: FetchedPage): Args | undefined {
  const last = loaded.pages.at(-1);
  if (page.key === loaded.keyBefore || last === undefined) return undefined;
  if (typeof page.address === 'number')
    return loaded.changedAt < page.issued ? undefined : page.args;
  const args = followingArgs(page, last.response);
  return args === page.args ? undefined : args;
}

function hasSameRows({ kind }: ResultRecord, one: FetchedPage, other: FetchedPage): boolean {
  // rows without a primary key as they are
  const keysIn = ({ response, args }: FetchedPage) =>
    rowsIn(kind, response, (row, list) => {
      const { member } = list as { readonly member?: Partial<EntityKind> };
      return member?.pkIn?.(row as Fields, args) ?? row;
    });
  return equal(keysIn(one), keysIn(other));
}
