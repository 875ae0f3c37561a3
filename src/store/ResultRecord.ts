/** The record of one request key: the node of its response, its failure and its invalidation. */
import { scheduleListeners, deref } from '../reactive.ts';
import { replaceEqualDeep } from '../schema/equal.ts';
import { projectForReader } from '../schema/projectForReader.ts';
import { Composite, INVALID } from '../schema/schema.ts';
import type { Args, Kind, Node, Schema, Source } from '../schema/schema.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { appendPage, replaceFirstPage } from './appendPage.ts';
import { relinkParts } from './eachRecord.ts';
import { DIRTY } from './flags.ts';
import { StoreRecord } from './StoreRecord.ts';
import { markDirty, scheduleShapeNotification } from './markDirty.ts';
import { LayerReadView } from './LayerReadView.ts';
import { latestDeletion, deletedResult, nextResult, PENDING } from './Result.ts';
import type { Failure, Result } from './Result.ts';
import type { Builder } from './StoreRecord.ts';
import { thrownResult } from './thrownResult.ts';

/** The store as a result uses it: builds values, and invalidates layers that have read the result. */
interface ResultStore extends Builder {
  readonly layers: { invalidateDependents(result: StoreRecord): void };
}

export class ResultRecord extends StoreRecord {
  readonly key: string;
  override readonly kind: Kind;
  override readonly args: Args;
  /** The schema of the last read. Its structure is that of `kind`. */
  schema: Schema;
  /** Undefined: neither a response nor the arguments determine the node. */
  node: Node;
  /** Of the last response; UNWRITTEN_STAMP while the node is only inferred from the arguments. */
  stamp: Stamp = UNWRITTEN_STAMP;
  failure: Failure | undefined;
  /** Logical time at which all data of this result were declared expired. */
  expiredAt = 0;
  /** Logical time of an invalidation that no response to a later request has cleared. */
  invalidatedAt: number | undefined;
  /** Logical time at which a function of the present value was last applied (`update` of a mutation). */
  updateAppliedAt = 0;
  /** For one page: the result of the list to which the page is added. */
  listResult: ResultRecord | undefined;
  /** Readers get known data before they are complete. */
  returnsPartial = false;
  /** HTTP cache info of the last response, and its data; set only if readers get exactly this response. */
  httpCacheEntry: { readonly info: unknown; readonly data: unknown } | undefined;
  /** Logical time of the last page added to this list; 0 if the list is as in its own response. */
  #lastPageTime = 0;
  /** Pages that arrived before the first response. */
  #earlyPages: Node;
  #value: unknown = INVALID;
  /** The exception of a function of the schema in the last build. */
  #thrown: { readonly error: unknown } | undefined;
  /** The result that readers saw last. */
  lastResult: Result = PENDING;
  /** The value of `isIncomplete` at the last build. */
  #wasIncomplete = false;
  readonly #store: ResultStore;

  constructor(key: string, kind: Kind, args: Args, home: ResultStore) {
    super();
    this.#store = home;
    this.key = key;
    this.kind = kind;
    this.args = args;
    this.flags |= DIRTY;
  }

  get pk(): string {
    return this.key;
  }

  /** True if a response or a push was stored under this key. */
  get hasResponse(): boolean {
    return this.stamp !== UNWRITTEN_STAMP;
  }

  /** True if an entity in the node is incomplete, and this request has had no response since the entity was stored. */
  get isIncomplete(): boolean {
    return this.kind.hasIncomplete?.(this.node, this.hasResponse ? this.stamp.time : -1) === true;
  }

  /** True if the known data are hidden from readers. */
  get isWithheld(): boolean {
    return this.invalidatedAt !== undefined || (!this.returnsPartial && this.isIncomplete);
  }

  protected get cachedValue(): unknown {
    if (!this.wasReadable) return INVALID;
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return this.#value;
  }

  override get lastValue(): unknown {
    return this.wasReadable ? (this.#thrown ?? this.#value) : INVALID;
  }

  override get alwaysChangesWithParts(): boolean {
    const { node } = this;
    return this.wasReadable && !(node instanceof Composite && node.isDerived === true);
  }

  /** True if readers see something: data, or the exception of a function of the schema. */
  canRead(builder: Builder): boolean {
    return this.invalidatedAt === undefined && this.hasData(builder);
  }

  /** True if there are data. An exception of a function of the schema counts, since the function had input. */
  hasData(builder: Builder): boolean {
    try {
      return this.data(builder) !== INVALID;
    } catch {
      return true;
    }
  }

  parts(): Node {
    return this.node;
  }

  override gcEdges(): Node {
    return [this.node, this.listResult, this.#earlyPages];
  }

  override get latestTime(): number {
    const { stamp, failure, expiredAt, invalidatedAt = 0, updateAppliedAt } = this;
    const told = Math.max(expiredAt, invalidatedAt, updateAppliedAt, this.#lastPageTime);
    return Math.max(stamp.time, failure?.time ?? 0, told);
  }

  override derivedCache(): object | undefined {
    return this.node instanceof Composite ? this.node.derivedCache?.() : undefined;
  }

  /** The result that readers see now. A failure is seen if there are no data, or if the failure is hard. */
  result(builder: Builder): Result {
    const { lastResult } = this;
    let data: unknown = INVALID;
    try {
      data = projectForReader(builder.read(this), this);
    } catch (thrown) {
      if (this.failure?.hard !== true) return (this.lastResult = thrownResult(thrown, lastResult));
    }
    const gone = data === INVALID ? this.deletionIssued : undefined;
    if (gone !== undefined) return (this.lastResult = this.#deletedResult(gone, builder));
    // a failure from the time of the deletion says nothing of the entity that exists again
    if (data !== INVALID && 'deleted' in lastResult) this.failure = undefined;
    return (this.lastResult = nextResult(lastResult, data, this.failure));
  }

  /** Notifies readers if their result has changed. */
  notifyIfResultChanged(builder: Builder): void {
    const before = this.lastResult;
    if (this.result(builder) !== before) this.#notifyResult();
  }

  /** The last data of a deleted entity; if the deletion is only optimistic, the data of a response issued since. */
  #deletedResult(gone: number, builder: Builder): Result {
    const answered = this.stamp.time > gone ? this.confirmedData(builder) : INVALID;
    return deletedResult(this.lastResult, answered, this.failure);
  }

  override get deletionIssued(): number | undefined {
    return this.invalidatedAt === undefined ? latestDeletion(this.node) : undefined;
  }

  /** The confirmed data, or INVALID. */
  confirmedData(builder: Builder): unknown {
    return projectForReader(this.kind.denormalize(this.node, new LayerReadView(builder, 0)), this);
  }

  /** The data, invalidated or not; INVALID if missing or incomplete. Throws the exceptions of schema functions. */
  data(builder: Builder): unknown {
    builder.read(this);
    if (!this.#hadData) return INVALID;
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return projectForReader(this.#value, this);
  }

  /** Stores a response. Clears an invalidation if issued after it. A response older than the stored one is dropped. */
  setResponse(node: Node, stamp: Stamp): void {
    const { time } = stamp;
    if (!isAtLeastAsNew(time, this.stamp.time)) return;
    const { failure, invalidatedAt } = this;
    if (failure !== undefined && isAtLeastAsNew(time, failure.time)) this.failure = undefined;
    const page = this.listResult?.addPage(node, time) ?? node;
    const whole = this.#shouldKeepUpdate(time) ? this.node : this.#withEarlyPages(page);
    const mends = invalidatedAt !== undefined && time > invalidatedAt;
    // a response to this very request may make the data complete
    if (mends || this.#wasIncomplete) this.#markDataDirty();
    if (mends) this.invalidatedAt = undefined;
    this.stamp = stamp;
    this.#store.layers.invalidateDependents(this);
    this.#replaceNode(whole);
    if (this.failure !== failure && this.lastResult.status === 'error') this.#notifyResult();
  }

  /**
   * Stores the node that a function of the present value has returned. This is no response: expiry, failure and
   * invalidation stay. For a key without a response, the node counts as the first response.
   */
  applyUpdate(node: Node, stamp: Stamp): void {
    const { time } = stamp;
    // in another tab: the response to a later request is already stored
    if (time < Math.max(this.stamp.time, this.updateAppliedAt)) return;
    this.updateAppliedAt = time;
    if (!this.hasResponse) return this.setResponse(node, stamp);
    this.#store.layers.invalidateDependents(this);
    this.#replaceNode(node);
  }

  /**
   * True for a response that was requested before an `update` was applied to the node: the server may not have counted the change yet.
   * The shown data stay, and must be fetched again; an invalidated key shows the response meanwhile.
   */
  #shouldKeepUpdate(time: number): boolean {
    if (time >= this.updateAppliedAt) return false;
    this.expire(Math.max(this.expiredAt, this.updateAppliedAt));
    return this.invalidatedAt === undefined && this.hasResponse;
  }

  /** Adds one page. Returns the node of all pages so far. */
  addPage(page: Node, time: number): Node {
    const newer = isAtLeastAsNew(time, Math.max(this.stamp.time, this.#lastPageTime));
    this.#lastPageTime = Math.max(time, this.#lastPageTime);
    if (!this.hasResponse)
      return (this.#earlyPages = this.#earlyPages
        ? appendPage(this.#earlyPages, page, newer)
        : page);
    this.#store.layers.invalidateDependents(this);
    this.#replaceNode(appendPage(this.node, page, newer));
    return this.node;
  }

  /** A response to the list's own request brings its first page. */
  #withEarlyPages(first: Node): Node {
    if (this.#earlyPages !== undefined) {
      const whole = appendPage(first, this.#earlyPages, true);
      this.#earlyPages = undefined;
      return whole;
    }
    return this.#lastPageTime > 0 ? replaceFirstPage(this.node, first) : first;
  }

  override replaceParts(swap: (node: Node) => Node, source: Source): void {
    const node = this.hasResponse ? swap(this.node) : this.kind.queryKey?.(this.args, source);
    this.#replaceNode(node);
  }

  #replaceNode(node: Node): void {
    const next = replaceEqualDeep(this.node, node);
    if (next === this.node) return;
    this.#markDataDirty();
    scheduleShapeNotification(this);
    this.setNode(next);
  }

  /** Sets the node and links its parts. */
  setNode(node: Node): void {
    relinkParts(this, this.node, node);
    this.node = node;
  }

  /** Must be called before the shown data may change; the end of the commit compares them. */
  #markDataDirty(): void {
    markDirty(this, false);
  }

  /** Notifies readers of another result that has the same data, or none. */
  #notifyResult(): void {
    this.notifyShape();
    if (this.observers === undefined) return;
    deref(this.observers.result)?.tick();
    scheduleListeners(this.observers);
  }

  setFailure(failure: Failure): void {
    const { time } = failure;
    if (!isAtLeastAsNew(time, this.stamp.time) || time <= (this.invalidatedAt ?? 0)) return;
    const before = this.result(this.#store);
    this.failure = failure;
    this.#store.layers.invalidateDependents(this);
    if (this.result(this.#store) !== before) this.#notifyResult();
  }

  /** Readers must refetch; the failure is forgotten. Without a time, readers do not refetch. */
  invalidate(time: number | undefined): void {
    const { wasReadable } = this;
    this.#markDataDirty();
    this.invalidatedAt = time;
    this.failure = undefined;
    this.#store.layers.invalidateDependents(this);
    if (!wasReadable && this.lastResult.status !== 'pending') this.#notifyResult();
  }

  /** Resets the node to the one inferred from the arguments; without a source, to none. */
  reset(source: Source | undefined): void {
    this.invalidate(undefined);
    this.setNode(source && this.kind.queryKey?.(this.args, source));
    this.stamp = UNWRITTEN_STAMP;
    this.lastResult = PENDING;
    this.#value = INVALID;
    this.#thrown = undefined;
    this.httpCacheEntry = undefined;
    this.updateAppliedAt = 0;
    this.#lastPageTime = 0;
    this.#earlyPages = undefined;
    this.flags |= DIRTY;
  }

  /** Data known at this logical time count as expired. */
  expire(time: number): void {
    this.expiredAt = time;
  }

  protected build(builder: Builder): void {
    const { node } = this;
    let value: unknown = INVALID;
    this.#thrown = undefined;
    try {
      if (node !== undefined) value = this.kind.denormalize(node, builder);
    } catch (error) {
      // only readers of this result get the exception
      this.#thrown = { error };
    }
    // records, and composites with `derivedCache`, keep the references of equal values by themselves
    const own =
      node instanceof StoreRecord || (node instanceof Composite && node.derivedCache !== undefined);
    this.#value = own ? value : replaceEqualDeep(this.#value, value);
    this.#wasIncomplete = this.isIncomplete;
  }

  override onPartCompletenessChange(): void {
    this.#markDataDirty();
  }

  get #hadData(): boolean {
    const isThere = this.#value !== INVALID || this.#thrown !== undefined;
    return isThere && (this.returnsPartial || !this.#wasIncomplete);
  }

  get wasReadable(): boolean {
    return this.invalidatedAt === undefined && this.#hadData;
  }
}
