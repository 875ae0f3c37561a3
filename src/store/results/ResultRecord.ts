/** The record of one request key: the node of its response, its failure and its invalidation. */
import { replaceEqualDeep } from '../../schema/equal.ts';
import type { NormalizedNode, Source } from '../../schema/schema.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { appendPage, replaceFirstPage } from './appendPage.ts';
import { relinkParts } from '../records/eachRecord.ts';
import { scheduleShapeNotification } from '../records/markDirty.ts';
import type { Failure } from './Result.ts';
import { ResultValue } from './ResultValue.ts';

/** The time of the newest page of a list, and the pages that arrived before the first response. */
interface AddedPages {
  time: number;
  early: NormalizedNode;
}

export class ResultRecord extends ResultValue {
  /** Logical time at which all data of this result were declared expired. */
  expiredAt = 0;
  /** Logical time at which a function of the present value was last applied (`update` of a mutation). */
  updateAppliedAt = 0;
  /** For one page: the result of the list to which the page is added. */
  listResult: ResultRecord | undefined;
  /** HTTP cache info of the last response, valid only while readers still get `data`: compare first. */
  httpCacheEntry: { readonly info: unknown; readonly data: unknown } | undefined;
  /** Undefined if no page was added to this list. */
  #pages: AddedPages | undefined;

  override gcEdges(): NormalizedNode {
    return [this.node, this.listResult, this.#pages?.early];
  }

  override get latestTime(): number {
    const { stamp, failure, expiredAt, invalidatedAt = 0, updateAppliedAt } = this;
    const written = Math.max(stamp.time, failure?.time ?? 0, this.#pages?.time ?? 0);
    return Math.max(written, expiredAt, invalidatedAt, updateAppliedAt);
  }

  /** Stores a response. Clears an invalidation if issued after it. A response older than the stored one is dropped. */
  setResponse(node: NormalizedNode, stamp: Stamp): void {
    const { time } = stamp;
    if (!isAtLeastAsNew(time, this.stamp.time)) return;
    const { failure, invalidatedAt } = this;
    if (failure !== undefined && isAtLeastAsNew(time, failure.time)) this.failure = undefined;
    const page = this.listResult?.addPage(node, time) ?? node;
    const keeps = time < this.updateAppliedAt && this.#keepsUpdate();
    const whole = keeps ? this.node : this.#pages ? this.#withAddedPages(page, this.#pages) : page;
    const clears = invalidatedAt !== undefined && time > invalidatedAt;
    // a response to this very request may make the data complete
    if (clears || this.wasIncomplete) this.markDataDirty();
    if (clears) this.invalidatedAt = undefined;
    this.stamp = stamp;
    this.store.layers.noteChange(this);
    this.#replaceNode(whole);
    if (this.failure !== failure && this.lastResult.status === 'error') this.notifyResult();
  }

  /**
   * Stores the node that a function of the present value has returned. This is no response: expiry, failure and
   * invalidation stay. For a key without a response, the node counts as the first response.
   */
  applyUpdate(node: NormalizedNode, stamp: Stamp): void {
    const { time } = stamp;
    // in another tab: the response to a later request is already stored
    if (time < Math.max(this.stamp.time, this.updateAppliedAt)) return;
    this.updateAppliedAt = time;
    if (!this.hasResponse) return this.setResponse(node, stamp);
    this.store.layers.noteChange(this);
    this.#replaceNode(node);
  }

  /**
   * True for a response that was requested before an `update` was applied to the node: the server may not have counted
   * the change yet. The shown data stay, and must be fetched again; an invalidated key shows the response meanwhile.
   */
  #keepsUpdate(): boolean {
    this.expire(this.updateAppliedAt);
    return this.invalidatedAt === undefined && this.hasResponse;
  }

  /** Adds one page. Returns the node of all pages so far. */
  addPage(page: NormalizedNode, time: number): NormalizedNode {
    const pages = (this.#pages ??= { time: 0, early: undefined });
    const newer = isAtLeastAsNew(time, Math.max(this.stamp.time, pages.time));
    pages.time = Math.max(time, pages.time);
    if (!this.hasResponse) return (pages.early = appendPage(pages.early, page, newer));
    this.store.layers.noteChange(this);
    this.#replaceNode(appendPage(this.node, page, newer));
    return this.node;
  }

  /** A response to the list's own request brings its first page. */
  #withAddedPages(first: NormalizedNode, pages: AddedPages): NormalizedNode {
    const { early } = pages;
    pages.early = undefined;
    return early === undefined
      ? replaceFirstPage(this.node, first)
      : appendPage(first, early, true);
  }

  override replaceParts(swap: (node: NormalizedNode) => NormalizedNode, source: Source): void {
    const node = this.hasResponse ? swap(this.node) : this.kind.queryKey?.(this.args, source);
    this.#replaceNode(node);
  }

  #replaceNode(node: NormalizedNode): void {
    const next = replaceEqualDeep(this.node, node);
    if (next === this.node) return;
    this.markDataDirty();
    scheduleShapeNotification(this);
    this.setNode(next);
  }

  /** Sets the node and links its parts. */
  setNode(node: NormalizedNode): void {
    relinkParts(this, this.node, node);
    this.node = node;
  }

  setFailure(failure: Failure): void {
    const { time } = failure;
    if (!isAtLeastAsNew(time, this.stamp.time) || time <= (this.invalidatedAt ?? 0)) return;
    // brings `lastResult` up to date: the commit may have changed the data before
    this.result();
    this.failure = failure;
    this.store.layers.noteChange(this);
    this.notifyIfResultChanged();
  }

  /** Readers must refetch; the failure is forgotten. Without a time, readers do not refetch. */
  invalidate(time: number | undefined): void {
    const { wasReadable } = this;
    this.markDataDirty();
    this.invalidatedAt = time;
    this.store.hasInvalidations = true;
    this.failure = undefined;
    this.store.layers.noteChange(this);
    if (!wasReadable && this.lastResult.status !== 'pending') this.notifyResult();
  }

  /** The data were received again at this logical time, although not in a response to this request. */
  endInvalidation(time: number): void {
    const { invalidatedAt, hasResponse } = this;
    // without a response nobody knows which fields the request brings
    if (invalidatedAt === undefined || time <= invalidatedAt || !hasResponse) return;
    this.markDataDirty();
    this.invalidatedAt = undefined;
    this.store.layers.noteChange(this);
  }

  /** Resets the node to the one inferred from the arguments; without a source, to none. */
  reset(source: Source | undefined): void {
    this.invalidate(undefined);
    this.setNode(source && this.kind.queryKey?.(this.args, source));
    this.stamp = UNWRITTEN_STAMP;
    this.forgetValue();
    this.httpCacheEntry = undefined;
    this.updateAppliedAt = 0;
    this.#pages = undefined;
  }

  /** Data known at this logical time count as expired. */
  expire(time: number): void {
    this.expiredAt = Math.max(time, this.expiredAt);
  }
}
