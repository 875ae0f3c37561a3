/** Files the responses of pages with their list, and decides where their rows stand. */
import type { EndpointInterface } from '../../endpoint/Endpoint.ts';
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import { ListRecord } from '../lists/ListRecord.ts';
import type { PagePlacement } from '../lists/ListRecord.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { eachRecord } from '../records/eachRecord.ts';
import { isAtLeastAsNew, isNoStore } from '../records/versioning.ts';
import {
  LoadedPages,
  followingArgs,
  kindFor,
  pageAddressOf,
  responseRows,
} from '../results/LoadedPages.ts';
import type { LoadedPage, PageAddress, PlacedResponse } from '../results/LoadedPages.ts';
import type { ResultRecord } from '../results/ResultRecord.ts';
import type { StagedWrite } from './Draft.ts';

/** The pages of a list that were fetched again, in order. */
export interface FetchedPages {
  readonly pages: readonly Omit<LoadedPage, 'rows'>[];
  /** The index of the first of `pages` among the loaded pages. */
  readonly start: number;
  readonly hasMore: boolean;
}

/** Must be called before the response is written. Undefined: the response belongs to no list with pages. */
export function placePages(result: ResultRecord, staged: StagedWrite): PlacedResponse | undefined {
  const { endpoint, fetchedPages } = staged.request;
  const { listResult } = result;
  if (listResult !== undefined) return placePage(listResult, result, staged);
  if (fetchedPages !== undefined) return placeAll(result, staged, fetchedPages);
  if (result.pages === undefined && !isPaged(endpoint)) return undefined;
  result.pages ??= new LoadedPages();
  if (isNewest(result, staged)) result.pages.add(loadedPage(result, staged, 'list'));
  return undefined;
}

/** False for a response that is older than the stored one, which the result drops. */
function isNewest(result: ResultRecord, { stamp }: StagedWrite): boolean {
  return isAtLeastAsNew(stamp.time, result.stamp.time);
}

function isPaged(endpoint: object | undefined): boolean {
  const { paginationField, isPaged } = (endpoint ?? {}) as {
    readonly paginationField?: unknown;
    readonly isPaged?: unknown;
  };
  return (paginationField ?? isPaged) !== undefined;
}

function loadedPage(
  { key, args }: ResultRecord,
  staged: StagedWrite,
  address: PageAddress,
): LoadedPage {
  const { value: response, page, arrivedAt } = staged.request;
  const endpoint = staged.request.endpoint as EndpointInterface | undefined;
  const { time: issued } = staged.stamp;
  const rows = rowsOf(staged);
  const noStore = isNoStore(staged.stamp);
  const known = { key, args, endpoint, response, issued, addedAt: issued, rows };
  return { ...known, isNoStore: noStore, ...page, address, arrivedAt };
}

function placePage(list: ResultRecord, result: ResultRecord, staged: StagedWrite): PlacedResponse {
  const pages = loadedPagesOf(list);
  const { page = { address: pageAddressOf(result.args, list.args, pages.pages, list.kind) } } =
    staged.request;
  const added = loadedPage(result, staged, page.address);
  const there = pages.pages.find(({ key }) => key === added.key);
  const last = pages.pages.at(-1);
  // of another kind, or the whole list was fetched again since, and has this page or ends before
  if (
    (last && kindFor(list.kind, last.response) !== kindFor(list.kind, added.response)) ||
    (there ? there.issued > added.issued : last && !followingArgs(added, last.response))
  ) {
    setPlacement(staged, { isStale: true });
    return { isStale: true };
  }
  const gone = pages.add(added);
  const at = pages.pages.findIndex(({ key }) => key === added.key);
  const following = rowSet(pages.pages.slice(at + 1));
  const dropped = gone.length > 0 ? rowSet(gone) : undefined;
  for (const row of rowSet(pages.pages)) dropped?.delete(row);
  const isLast = at === pages.pages.length - 1;
  const completeSince =
    isLast && pages.isEnd ? Math.min(...pages.pages.map(({ issued }) => issued)) : undefined;
  setPlacement(staged, { following, dropped, completeSince });
  return { isLast, following, dropped };
}

/** The loaded pages of a list. */
export function loadedPagesOf(list: ResultRecord): LoadedPages {
  const pages = (list.pages ??= new LoadedPages());
  if (list.hasResponse && pages.pages.length === 0) pages.add(firstPageOf(list));
  return pages;
}

/** The first page of a list whose response was not kept, because further pages were not expected then. */
function firstPageOf(list: ResultRecord): LoadedPage {
  const { key, args, node, stamp } = list;
  const data = list.data();
  const rows: StoreRecord[] = [];
  eachRecord(node, (record) => {
    rows.push(...(record instanceof ListRecord ? (record.base ?? []) : [record]));
  });
  const response = data === INVALID ? undefined : data;
  const { time: issued } = stamp;
  const call = { key, args, endpoint: undefined, address: 'list' } as const;
  return { ...call, response, rows, issued, addedAt: issued };
}

function placeAll(
  result: ResultRecord,
  staged: StagedWrite,
  { pages, start, hasMore }: FetchedPages,
): PlacedResponse {
  const { kind, pages: loaded = new LoadedPages() } = result;
  const rows = rowsOf(staged);
  const counts = pages.map(({ response }) => responseRows(kind, response).length);
  const isKnown = counts.reduce((sum, count) => sum + count, 0) === rows.length;
  const received = pages.map((page, at) => ({
    ...page,
    rows: isKnown ? rows.splice(0, counts[at]) : undefined,
    arrivedAt: staged.request.arrivedAt,
  }));
  if (isNewest(result, staged)) loaded.replaceFrom(start, received);
  setPlacement(staged, { kept: [...rowSet(loaded.pages.slice(0, start))], hasMore }, loaded.pages);
  return { isWhole: true };
}

function rowSet(pages: readonly LoadedPage[]): Set<StoreRecord> {
  return new Set(pages.flatMap(({ rows }) => rows ?? []));
}

/** The rows in a response, in order. */
function rowsOf({ node, draft }: StagedWrite): StoreRecord[] {
  const rows: StoreRecord[] = [];
  eachRecord(node, (record) => {
    const fills = draft.fills.filter(({ list }) => list === record);
    const nodes: readonly NormalizedNode[] =
      record instanceof ListRecord ? fills.flatMap(({ members }) => members) : [record];
    rows.push(...nodes.filter((member) => member instanceof StoreRecord));
  });
  return rows;
}

function setPlacement(
  { node, draft }: StagedWrite,
  placement: PagePlacement,
  all?: readonly LoadedPage[],
): void {
  eachRecord(node, (record) => {
    if (!(record instanceof ListRecord)) return;
    for (const fill of draft.fills)
      // the pages of a list that is read in pages alone are appended separately
      if (fill.list === record) Object.assign(fill, { placement, ...(all && { mode: 'fill' }) });
    if (all !== undefined) record.hasFurtherPages = all.length > 1;
  });
}
