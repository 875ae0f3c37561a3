/** Requests all loaded pages of a list again, and fits a further page to the preceding pages. */
import type { Clock } from '../clock.ts';
import { isNotFound } from '../endpoint/Endpoint.ts';
import type { EndpointCall } from '../endpoint/Endpoint.ts';
import { keyOf } from '../endpoint/argumentChecks.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { equal } from '../schema/equal.ts';
import type { Args, Fields } from '../schema/schema.ts';
import { ListRecord } from '../store/lists/ListRecord.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import { recordsIn } from '../store/records/eachRecord.ts';
import {
  pageAddressOf,
  callOfPage,
  followingArgs,
  joinResponses,
  responseRows,
} from '../store/results/LoadedPages.ts';
import type { LoadedPage, LoadedPages, PageCall } from '../store/results/LoadedPages.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { FetchedPages } from '../store/writes/placePages.ts';
import type { Exchange, InFlightRequest, ResponseHolder } from './InFlightRequest.ts';
import { revalidate } from './commit.ts';
import { noop } from './promiseTry.ts';
import { listResultOfPage } from './queryStore.ts';

/** A page without rows: these are known once the response is stored. */
type FetchedPage = Omit<LoadedPage, 'rows'>;

/** The pages that a request fetches, besides or instead of the request's own response. */
export interface PagePlan {
  readonly request: InFlightRequest;
  /** The result of the list. */
  readonly list: ResultRecord;
  readonly loaded: LoadedPages;
  /** The first page to fetch again; undefined: the request fetches a single page. */
  readonly start?: number;
  /** The pages before `start` stay. */
  readonly keepsPages?: boolean;
  /** The call that is sent first instead of the request's own call: a list that begins with a later page. */
  readonly firstCall?: EndpointCall | undefined;
  /** The single page. */
  page?: PageCall;
  /** All pages, after their arrival. */
  fetched?: FetchedPages;
  /** The exchanges of further pages: the shortest freshness of all pages counts. */
  exchanges: readonly Exchange[];
}

/** How often pages that a change has shifted meanwhile are requested again. */
const MAX_ATTEMPTS = 4;

/**
 * Called when a read is issued: a list of several pages requests all pages, a single page is fitted to the others.
 * `isBackground`: pages before a changed page may stay.
 */
export function planPages(
  request: InFlightRequest,
  isBackground: boolean | undefined,
): PagePlan | undefined {
  const { context, key, args, endpoint } = request;
  const own = context.store.findResult(key);
  const list = own?.pages ? own : listResultOfPage(context.store, request);
  const loaded = list?.pages;
  if (list === undefined || loaded === undefined) return undefined;
  const { pages, changedFrom, countBefore } = loaded;
  const plan: PagePlan = { request, list, loaded, exchanges: EMPTY };
  if (list !== own) {
    if (pages.some((page) => page.key === key)) return plan;
    const before = pages.filter(({ isBefore }) => isBefore !== true);
    const address = pageAddressOf(args, list.args, before, list.kind);
    return { ...plan, page: { key, args, address } };
  }
  if (pages.length < 2) return undefined;
  // a 304 for a page says nothing of the others
  list.forgetHttpCache();
  const keepsPages = isBackground === true && canKeepPages(context.clock, list, loaded);
  const start = keepsPages ? changedFrom : countBefore;
  const first = pages[start] as LoadedPage;
  const firstCall = first.address === 'list' ? undefined : callOfPage(first, endpoint);
  return { ...plan, start, keepsPages, firstCall };
}

/**
 * Called when the list's own response, the first page, has arrived. Undefined unless a second page came meanwhile that does
 * not continue the response.
 */
export function planContinuation(
  request: InFlightRequest,
  response: unknown,
): PagePlan | undefined {
  const list = request.context.store.findResult(request.key);
  const [first, second] = list?.pages?.pages ?? EMPTY;
  if (list === undefined || first?.address !== 'list' || second === undefined) return undefined;
  const continues =
    typeof second.address === 'number'
      ? hasSameRows(list, first, { ...first, response })
      : followingArgs(second, response) === second.args;
  return continues ? undefined : planPages(request, false);
}

/** Refetches a list for mounted views if the rows may have shifted since the added page was requested. */
export function refetchIfShifted({ context, pages: plan, asOf }: InFlightRequest): void {
  if (plan === undefined || typeof plan.page?.address !== 'number') return;
  const { list } = plan;
  if (list.lastShiftTime < asOf) return;
  list.expire(context.store.tick());
  revalidate(context, new Set([list]));
}

/** Fetches the pages behind the first response, or fits a single page. Returns the response to store. */
export function completePages(plan: PagePlan, response: unknown): Promise<unknown> {
  return plan.start === undefined ? fitPage(plan, response) : fetchAll(plan, plan.start, response);
}

/** True if only the pages from the changed page on are out of date. */
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

/** Fetches the pages behind the first, and again if a change has shifted them meanwhile. Returns one response. */
async function fetchAll(plan: PagePlan, from: number, response: unknown): Promise<unknown> {
  const { request, list, loaded } = plan;
  let start = from;
  const received = { response, issued: request.asOf };
  let first: FetchedPage = { ...(loaded.pages[start] as LoadedPage), ...received };
  for (let attempt = 1; ; attempt++) {
    const behind = await fetchFollowing(plan, start, first);
    if (attempt === MAX_ATTEMPTS || !loaded.isNumbered || loaded.changedAt < first.issued) {
      const isWhole = start === loaded.countBefore;
      const before = isWhole ? await fetchBefore(plan, [first, ...behind]) : [];
      const pages = [...before, first, ...behind];
      request.asOf = first.issued;
      start -= before.length;
      const hasMore = loaded.hasMoreAfter([...loaded.pages.slice(0, start), ...pages]);
      plan.fetched = { pages, start, hasMore };
      return pages
        .map((page) => page.response)
        .reduce((there, page) => joinResponses(list.kind, there, page));
    }
    start = Math.max(loaded.countBefore, Math.min(start, loaded.changedFrom));
    first = await fetchPage(plan, loaded.pages[start] as LoadedPage);
  }
}

/** The pages behind `first`, as long as there are some. */
async function fetchFollowing(
  plan: PagePlan,
  start: number,
  first: FetchedPage,
): Promise<FetchedPage[]> {
  const { request, loaded } = plan;
  const pages: FetchedPage[] = [];
  for (;;) {
    const next = loaded.pageAfter([first, ...pages], start);
    const page = next && (await fetchPageIfExists(plan, next));
    if (page === undefined || request.cancelReason !== undefined) return pages;
    pages.push(page);
  }
}

/** The pages before the list's first page, the nearest first. */
async function fetchBefore(plan: PagePlan, behind: readonly FetchedPage[]): Promise<FetchedPage[]> {
  const { loaded } = plan;
  const pages: FetchedPage[] = [];
  for (let at = loaded.countBefore - 1; at >= 0; at--) {
    const there = loaded.pages[at] as LoadedPage;
    const args = loaded.previous ? loaded.previous([...pages, ...behind]) : there.args;
    const page = args && (await fetchPageIfExists(plan, { ...there, args }));
    if (page === undefined) break;
    pages.unshift(page);
  }
  return pages;
}

/** Undefined: the server has fewer pages now. */
async function fetchPageIfExists(
  plan: PagePlan,
  page: FetchedPage,
): Promise<FetchedPage | undefined> {
  try {
    return await fetchPage(plan, page);
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

async function fetchPage(plan: PagePlan, page: FetchedPage): Promise<FetchedPage> {
  const { request } = plan;
  const call = callOfPage(page, request.endpoint);
  const key = keyOf(call.endpoint, call.args);
  // the response itself is needed, and not the news of an unchanged response
  request.context.store.findResult(key)?.forgetHttpCache();
  const options = { callerSignal: request, holder: PAGE_HOLDER, isBackground: !request.isAwaited };
  const received = (await request.fetchPage(call, options)) as ReceivedResponse;
  const { exchange, issued, response } = received;
  if (exchange !== undefined) plan.exchanges = [...plan.exchanges, exchange];
  return { ...page, ...call, key, issued, response };
}

/** Fetches a page again that no longer continues the preceding pages, and refetches these pages if outdated. */
async function fitPage(plan: PagePlan, response: unknown): Promise<unknown> {
  const { request, list, loaded } = plan;
  const { endpoint, key, args, asOf: issued, context } = request;
  const call = endpoint.listOf?.(...args) as EndpointCall;
  const own = { endpoint, key, args, issued, address: undefined, addedAt: issued };
  let page: FetchedPage = { ...own, ...plan.page, response };
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const known = loaded.pages.findIndex((each) => each.key === page.key);
    const isShifted = known >= 0 && !hasSameRows(list, loaded.pages[known] as LoadedPage, page);
    // a row that has left this page may be on a page before
    if (isShifted) loaded.markChanged(0, context.store.tick());
    const isFetched = context.inflight.reads.get(list.key)?.pages !== undefined;
    const mayHaveShifted = isShifted || typeof page.address === 'number';
    if ((mayHaveShifted && loaded.changedFrom < Infinity) || isFetched)
      await request.fetchPage(call, { isBackground: true }).catch(noop);
    const next = known < 0 ? nextArgs(list, page) : undefined;
    if (next === undefined) break;
    page = await fetchPage(plan, { ...page, args: next });
  }
  request.asOf = page.issued;
  plan.page = page;
  return page.response;
}

/** The arguments with which a page must be fetched again; undefined: the page fits. */
function nextArgs(list: ResultRecord, page: FetchedPage): Args | undefined {
  const { pages: loaded } = list;
  const last = loaded?.pages.at(-1);
  if (last === undefined || page.key === loaded?.keyBefore) return undefined;
  if (typeof page.address === 'number')
    return list.lastShiftTime < page.issued ? undefined : page.args;
  const args = followingArgs(page, last.response);
  return args === page.args ? undefined : args;
}

function hasSameRows({ kind }: ResultRecord, one: FetchedPage, other: FetchedPage): boolean {
  // a row without a primary key stands for itself
  const keysIn = ({ response, args }: FetchedPage) =>
    responseRows(kind, response, (row, list) => {
      const { member } = list as { readonly member?: Partial<EntityKind> };
      return member?.pkIn?.(row as Fields, args) ?? row;
    });
  return equal(keysIn(one), keysIn(other));
}
