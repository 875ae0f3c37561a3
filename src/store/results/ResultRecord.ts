/** The records of requests by key: for each the node of the response, the failure and the invalidation. */
import { DEV } from '../../errors.ts';
import { LiteralKind } from '../../schema/containers.ts';
import { replaceEqualDeep } from '../../schema/equal.ts';
import { kindOf } from '../../schema/kindOf.ts';
import { projectForReader } from '../../schema/projectForReader.ts';
import { Composite, INVALID } from '../../schema/schema.ts';
import type { Args, Kind, NormalizedNode, Schema, Source } from '../../schema/schema.ts';
import { schemaChecks } from '../../schema/schemaChecks.ts';
import type { StoreLayers } from '../StoreLayers.ts';
import type { GarbageCollector } from '../gc/GarbageCollector.ts';
import { StoreRecord, DIRTY } from '../records/StoreRecord.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { eachRecord, linkParts, reachableRecords, relinkParts } from '../records/eachRecord.ts';
import { markDirty, scheduleShapeNotification } from '../records/markDirty.ts';
import { UNWRITTEN_STAMP, isAtLeastAsNew } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import {
  LoadedPages,
  appendPage,
  distinctRows,
  joinRowsAt,
  replaceFirstPage,
} from './LoadedPages.ts';
import type { PlacedResponse } from './LoadedPages.ts';
import { PENDING, deletedResult, latestDeletion, nextResult, thrownResult } from './Result.ts';
import type { Failure, Result } from './Result.ts';

/** The part of the store that a result uses: builds values, and invalidates layers that have read the result. */
export interface ResultStore extends Builder {
  /** True once a result was invalidated. */
  hasInvalidations: boolean;
  /** Logical time. */
  readonly time: number;
  /** Lists with further pages. */
  readonly pagedResults: Set<ResultRecord>;
  readonly layers: StoreLayers;
  beforeWrite(record: StoreRecord): StoreRecord;
}

/** Stands for the data if a function of the schema threw `error`. Only readers of this result get the error. */
class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

export class ResultRecord extends StoreRecord {
  readonly key: string;
  override readonly kind: Kind;
  override readonly args: Args;
  /**
   * The schema of the first read (in development of the last), for snapshots and linked writes. Values are built by
   * `kind`.
   */
  schema: Schema;
  /** Undefined: neither a response nor the arguments determine the node. */
  node: NormalizedNode;
  /** Of the last response; UNWRITTEN_STAMP while the node is only inferred from the arguments. */
  stamp: Stamp = UNWRITTEN_STAMP;
  failure: Failure | undefined;
  /** Logical time of an invalidation that no response to a later request has cleared; undefined: none. */
  invalidatedAt: number | undefined;
  /** Readers get known data even while incomplete. */
  returnsPartial = false;
  /** The data as last built. */
  #value: unknown = INVALID;
  /** The value of `isIncomplete` at the last build. */
  #wasIncomplete = false;
  /** Logical time of the creation of an entity that readers saw before the confirmation, and keep; -1: none. */
  #keptAsOf = -1;
  /** The result that readers saw last. */
  lastResult: Result = PENDING;
  readonly store: ResultStore;
  /** Logical time at which all data of this result were declared expired. */
  expiredAt = 0;
  /** Logical time since when the server may list other members than the lists in the node have. */
  uncertainSince = 0;
  /** The number of reads before, each of which has made the list of the next one uncertain, and the last this result. */
  refetchDepth = 0;
  /** Logical time at which a function of the present value was last applied (`update` of a mutation). */
  updateAppliedAt = 0;
  /** Logical time at which the last response arrived. */
  respondedAt = 0;
  /** For a page: the result of the list to which the page is added. */
  listResult: ResultRecord | undefined;
  /** HTTP cache info of the last response, valid only while readers still get `data`: compare first. */
  httpCacheEntry: { readonly info: unknown; readonly data: unknown } | undefined;
  /** For a list that is read in pages: the loaded pages. */
  pages: LoadedPages | undefined;

  constructor(key: string, kind: Kind, args: Args, store: ResultStore) {
    super();
    this.store = store;
    this.key = key;
    this.kind = kind;
    this.args = args;
    this.flags |= DIRTY;
  }

  override gcEdges(): NormalizedNode {
    return [this.node, this.listResult, this.pages?.early];
  }

  override get latestTime(): number {
    const { stamp, failure, expiredAt, invalidatedAt = 0, updateAppliedAt } = this;
    const written = Math.max(stamp.time, failure?.time ?? 0, this.pages?.time ?? 0);
    return Math.max(written, expiredAt, invalidatedAt, updateAppliedAt);
  }

  /** Logical time of the last change that may have shifted rows between the numbered pages of this list. */
  get lastShiftTime(): number {
    return Math.max(this.pages?.changedAt ?? 0, this.expiredAt);
  }

  /**
   * Stores a response. Clears an invalidation if issued after it. A response older than the stored one is dropped.
   * `placed`: the response of a page, or of all pages of a list.
   */
  setResponse(node: NormalizedNode, stamp: Stamp, placed?: PlacedResponse): void {
    const { time } = stamp;
    if (!isAtLeastAsNew(time, this.stamp.time)) return;
    const { failure, invalidatedAt } = this;
    if (failure !== undefined && isAtLeastAsNew(time, failure.time)) this.failure = undefined;
    const page = this.listResult?.addPage(node, time, placed) ?? node;
    const keeps = time < this.updateAppliedAt && this.#keepsUpdate();
    const whole = keeps ? this.node : this.#withAddedPages(page, placed);
    const clears = invalidatedAt !== undefined && time > invalidatedAt;
    // a response to this very request may make the data complete
    if (clears || this.#wasIncomplete) markDirty(this, false);
    if (clears) this.invalidatedAt = undefined;
    this.stamp = stamp;
    this.respondedAt = this.store.time;
    this.store.layers.noteChange(this);
    this.replaceNode(whole);
    if (this.failure !== failure && this.lastResult.status === 'error') this.notifyResult();
  }

  /**
   * True for a response that was requested before an `update` was applied to the node: the server may not have counted
   * the change yet. The shown data stay, and must be fetched again; an invalidated key shows the response meanwhile.
   */
  #keepsUpdate(): boolean {
    this.expire(this.updateAppliedAt);
    return this.invalidatedAt === undefined && this.hasResponse;
  }

  /** Adds a page. Returns the node of all pages so far. */
  addPage(page: NormalizedNode, time: number, placed: PlacedResponse = {}): NormalizedNode {
    if (placed.isStale) return this.node;
    const pages = (this.pages ??= new LoadedPages());
    const { isLast = isAtLeastAsNew(time, Math.max(this.stamp.time, pages.time)) } = placed;
    pages.time = Math.max(time, pages.time);
    this.store.pagedResults.add(this);
    if (!this.hasResponse) return (pages.early = appendPage(pages.early, page, isLast));
    this.store.layers.noteChange(this);
    this.replaceNode(appendPage(this.node, page, isLast, joinRowsAt(placed)));
    return this.node;
  }

  /** Unless the response has all pages, the list's own request brings the first page only. */
  #withAddedPages(node: NormalizedNode, placed: PlacedResponse | undefined): NormalizedNode {
    const { pages } = this;
    if (placed?.isWhole) return distinctRows(node);
    // no page was added
    if (!pages?.time) return node;
    const { early } = pages;
    pages.early = undefined;
    return early === undefined ? replaceFirstPage(this.node, node) : appendPage(node, early, true);
  }

  override replaceParts(swap: (node: NormalizedNode) => NormalizedNode, source: Source): void {
    const node = this.hasResponse ? swap(this.node) : this.kind.queryKey?.(this.args, source);
    this.replaceNode(node);
  }

  /** Replaces the node as a part of a commit. */
  replaceNode(node: NormalizedNode): void {
    const next = replaceEqualDeep(this.node, node);
    if (next === this.node) return;
    markDirty(this, false);
    scheduleShapeNotification(this);
    this.setNode(next);
  }

  /** Sets the node and links its parts. */
  setNode(node: NormalizedNode): void {
    relinkParts(this, this.node, node);
    this.node = node;
    this.#keptAsOf = -1;
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
    markDirty(this, false);
    scheduleShapeNotification(this);
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
    markDirty(this, false);
    this.invalidatedAt = undefined;
    this.store.beforeWrite(this);
  }

  /** Resets the node to the one inferred from the arguments; without a source, to none. */
  reset(source: Source | undefined): void {
    this.invalidate(undefined);
    this.setNode(source && this.kind.queryKey?.(this.args, source));
    this.stamp = UNWRITTEN_STAMP;
    this.#value = INVALID;
    this.lastResult = PENDING;
    this.flags |= DIRTY;
    this.httpCacheEntry = undefined;
    this.updateAppliedAt = this.uncertainSince = this.respondedAt = 0;
    this.pages = undefined;
  }

  /** The next request sends no validator: the response itself is needed. */
  forgetHttpCache(): void {
    this.httpCacheEntry = undefined;
  }

  /** Data known at this logical time count as expired. */
  expire(time: number): void {
    this.expiredAt = Math.max(time, this.expiredAt);
  }

  get pk(): string {
    return this.key;
  }

  /** True if a response or a push was stored under this key. */
  get hasResponse(): boolean {
    return this.stamp !== UNWRITTEN_STAMP;
  }

  /**
   * True if an entity in the node is incomplete, and this request has had no response since an own write created the
   * entity, or since its last deletion.
   */
  get isIncomplete(): boolean {
    return (
      this.kind.hasIncomplete?.(
        this.node,
        Math.max(this.#keptAsOf, this.hasResponse ? this.stamp.time : -1),
      ) === true
    );
  }

  /** Readers that have seen an optimistic creation of the entity keep the entity, although the response lacks fields. */
  keepEntity(asOf: number): void {
    this.#keptAsOf = asOf;
  }

  /**
   * Wall time in ms: the expiry of the response; or the earliest expiry of the records, if other responses have brought
   * all records since. Before any response: the earliest expiry of the records that the arguments point to. Returns 0
   * for a result that was declared expired, is incomplete, or is from after `now`: the clock was set back.
   */
  expiryAt(now: number): number {
    const { hasResponse, stamp, expiredAt, node } = this;
    if (this.isIncomplete) return 0;
    const own = hasResponse && stamp.time > expiredAt ? expiryOf(stamp, now) : 0;
    if (own >= now || (hasResponse && !(node instanceof StoreRecord))) return own;
    const since = Math.max(expiredAt, hasResponse ? stamp.time : 0);
    return Math.max(own, earliestExpiry(node, since, now));
  }

  get cachedValue(): unknown {
    const { invalidatedAt, returnsPartial } = this;
    return invalidatedAt === undefined && (returnsPartial || !this.#wasIncomplete)
      ? this.#value
      : INVALID;
  }

  /** True if the last build gave readers something: data, or the exception of a function of the schema. */
  get wasReadable(): boolean {
    return this.cachedValue !== INVALID;
  }

  override get alwaysChangesWithParts(): boolean {
    const { node } = this;
    return this.wasReadable && !(node instanceof Composite && node.isDerived === true);
  }

  parts(): NormalizedNode {
    return this.node;
  }

  override derivedCache(): object | undefined {
    return this.node instanceof Composite ? this.node.derivedCache?.() : undefined;
  }

  protected build(builder: Builder): void {
    const { node, kind } = this;
    // records, and composites with `derivedCache`, keep the references of equal values by themselves
    const own =
      node instanceof StoreRecord || (node instanceof Composite && node.derivedCache !== undefined);
    try {
      const value = node === undefined ? INVALID : kind.denormalize(node, builder);
      this.#value = own ? value : replaceEqualDeep(this.#value, value);
    } catch (error) {
      this.#value = new Thrown(error);
    }
    this.#wasIncomplete = this.isIncomplete;
  }

  override current(builder: Builder): unknown {
    const value = super.current(builder);
    if (value instanceof Thrown) throw value.error;
    return value;
  }

  /** True if readers see something: data, or the exception of a function of the schema. */
  canRead(): boolean {
    return this.invalidatedAt === undefined && this.hasData();
  }

  /**
   * True if there are data, also invalidated data, which readers do not get (see `canRead`); an exception
   * of a function of the schema counts as data.
   */
  hasData(): boolean {
    try {
      return this.data() !== INVALID;
    } catch {
      return true;
    }
  }

  /** The data, invalidated or not; INVALID if missing or incomplete. Throws the exceptions of schema functions. */
  data(): unknown {
    this.store.read(this);
    const value = this.#value;
    if (this.#wasIncomplete && !this.returnsPartial) return INVALID;
    if (value instanceof Thrown) throw value.error;
    return projectForReader(value, this);
  }

  override get deletionIssued(): number | undefined {
    return this.invalidatedAt === undefined ? latestDeletion(this.node) : undefined;
  }

  /** The result that readers see now. A failure is seen if there are no data, or if the failure is hard. */
  result(): Result {
    const { lastResult } = this;
    let data: unknown = INVALID;
    try {
      data = projectForReader(this.store.read(this), this);
    } catch (thrown) {
      if (this.failure?.hard !== true) return (this.lastResult = thrownResult(thrown, lastResult));
    }
    const gone = data === INVALID ? this.deletionIssued : undefined;
    if (gone !== undefined) {
      // if the deletion is only optimistic, readers get the data of a response issued since
      const answered =
        this.stamp.time > gone ? this.store.layers.dataBeforeDeletion(this) : INVALID;
      return (this.lastResult = deletedResult(lastResult, answered, this.failure));
    }
    // a failure from the time of the deletion says nothing of the entity that exists again
    if (data !== INVALID && 'deleted' in lastResult) this.failure = undefined;
    return (this.lastResult = nextResult(lastResult, data, this.failure));
  }

  /** Notifies readers if their result has changed. */
  notifyIfResultChanged(): void {
    const before = this.lastResult;
    if (this.result() !== before) this.notifyResult();
  }

  /** Notifies readers of another result that has the same data, or none. */
  notifyResult(): void {
    this.notifyShape();
    this.observers?.notifyResult();
  }

  override onPartCompletenessChange(): void {
    markDirty(this, false);
  }
}

/**
 * Stores the node that a function of the present value has returned. This is no response: expiry, failure and
 * invalidation stay. For a key without a response, the node counts as the first response.
 */
export function applyUpdate(result: ResultRecord, node: NormalizedNode, stamp: Stamp): void {
  const { time } = stamp;
  // in another tab: the response to a later request is already stored
  if (time < Math.max(result.stamp.time, result.updateAppliedAt)) return;
  result.updateAppliedAt = time;
  if (!result.hasResponse) return result.setResponse(node, stamp);
  result.store.layers.noteChange(result);
  result.replaceNode(node);
}

/** A record that responses write: an entity, which may be missing, a list, or a map. */
interface StampedRecord extends StoreRecord {
  readonly stamp?: Stamp;
  readonly exists?: boolean;
  /** True: the members follow from the stored entities, so no response is needed. */
  readonly followsEntities?: boolean;
}

type Timed = Pick<Failure, 'fetchedAt' | 'expiresAt'>;

/** Data from after `now` are expired unless the expiry is never: the clock was set back, and the elapsed time is unknown. */
export function expiryOf({ fetchedAt = 0, expiresAt }: Timed, now: number): number {
  return fetchedAt > now && expiresAt < Infinity ? 0 : expiresAt;
}

/** The earliest expiry of the records below; 0 if there are none, or if any record is not newer than `since`. */
function earliestExpiry(node: NormalizedNode, since: number, now: number): number {
  let least: number | undefined;
  for (const record of reachableRecords(node)) {
    const { stamp, exists = true, followsEntities } = record as StampedRecord;
    if (stamp && exists && !(followsEntities && stamp === UNWRITTEN_STAMP))
      least = Math.min(least ?? Infinity, stamp.time > since ? expiryOf(stamp, now) : 0);
  }
  return least ?? 0;
}

/** The part of the store that a table of results uses. */
interface ResultTableStore extends ResultStore {
  readonly gc: GarbageCollector;
}

/** Results by key: of requests, or of values that are found by their arguments alone. */
export class ResultTable {
  readonly records: Map<string, ResultRecord> = new Map();

  getOrCreate(store: ResultTableStore, key: string, schema: Schema, args: Args): ResultRecord {
    const known = store.gc.findAndMarkUsed(this, key);
    if (known !== undefined) {
      if (DEV && known.schema !== schema) {
        const kind = schema === undefined ? getRawKind() : kindOf(schema, key);
        schemaChecks?.warnOfOtherSchema(key, known.kind, kind);
        known.schema = schema;
      }
      return known;
    }
    const kind = schema === undefined ? getRawKind() : kindOf(schema, key);
    const record = new ResultRecord(key, kind, args, store);
    record.schema = schema;
    record.node = kind.queryKey?.(args, store);
    linkParts(record, [record.node]);
    this.records.set(key, record);
    return store.gc.track(record);
  }

  tryEvict(key: string): boolean {
    const { node, expiredAt, invalidatedAt = 0 } = this.records.get(key) as ResultRecord;
    const since = Math.max(expiredAt, invalidatedAt);
    // the need to refetch outlives the result: the parts count as expired
    if (since > 0) eachRecord(node, (part) => expireIfOlder(part, since));
    return this.records.delete(key);
  }

  clear(store: ResultTableStore): void {
    for (const [key, record] of this.records) {
      const { isObserved } = record;
      // inferring a node creates records: skipped for dropped results
      record.reset(isObserved ? store : undefined);
      if (!isObserved) this.records.delete(key);
    }
  }
}

/** Data that are not newer than `since` count as expired. */
function expireIfOlder(part: StoreRecord & { stamp?: Stamp }, since: number): void {
  const { stamp } = part;
  if (stamp !== undefined && stamp.time <= since) part.stamp = { ...stamp, expiresAt: 0 };
}

/** The kind of an endpoint without a schema: the response as received. */
let rawKind: LiteralKind | undefined;

function getRawKind(): Kind {
  return (rawKind ??= new LiteralKind(undefined));
}
