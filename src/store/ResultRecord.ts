/** The record of one request key: what the answer pointed to, its errors and its invalidations. */
import { scheduleListeners, held } from '../reactive.ts';
import { share } from '../schema/equal.ts';
import { project } from '../schema/project.ts';
import { Composite, INVALID } from '../schema/schema.ts';
import type { Args, Kind, Node, Schema, Source } from '../schema/schema.ts';
import { UNWRITTEN, isAtLeastAsNew } from './versioning.ts';
import type { Stamp } from './versioning.ts';
import { appendPage, replaceFirstPage } from './appendPage.ts';
import { relinkParts } from './eachRecord.ts';
import { DIRTY } from './flags.ts';
import { StoreRecord } from './StoreRecord.ts';
import { markDirty, notifyShapeAfterParts } from './markDirty.ts';
import { LayerReadView } from './LayerReadView.ts';
import { goneIn, keptOf, outcomeOf, PENDING } from './Result.ts';
import type { Failure, Result } from './Result.ts';
import type { Builder } from './StoreRecord.ts';
import { thrownResult } from './thrownResult.ts';

/** What it is lent: who builds its value, and who is told that it has another outcome. */
interface Home extends Builder {
  readonly layers: { invalidateDependents(result: StoreRecord): void };
}

export class ResultRecord extends StoreRecord {
  readonly key: string;
  override readonly kind: Kind;
  override readonly args: Args;
  /** The schema it was asked with last; its structure is that of `kind`. */
  schema: Schema;
  /** Undefined: neither an answer nor the arguments tell what belongs here. */
  node: Node;
  /** Of the last answer; NEVER while the arguments alone tell. */
  stamp: Stamp = UNWRITTEN;
  failure: Failure | undefined;
  /** Logical time at which everything known here was declared expired. */
  expiredAt = 0;
  /** Logical time of an invalidation that no later answer has mended. */
  invalidatedAt: number | undefined;
  /** Logical time at which a function of the present value was last applied (`update` of a mutation). */
  amendedAt = 0;
  /** For one page: the request of the list to which it is added. */
  list: ResultRecord | undefined;
  /** Readers get what is known before it is complete. */
  partial = false;
  /** What was said of the last answer, and what readers got of it, where that is it to the letter. */
  validator: { readonly told: unknown; readonly data: unknown } | undefined;
  /** Logical time of the last page that was added here; 0 where the list is as its own answer says. */
  #pagedAt = 0;
  /** Pages that came before the first answer. */
  #ahead: Node;
  #value: unknown = INVALID;
  /** What a function of the schema threw when the value was built last. */
  #thrown: { readonly error: unknown } | undefined;
  /** What a reader saw last. */
  last: Result = PENDING;
  /** What `incomplete` was when it was last looked at. */
  #lacks = false;
  readonly #home: Home;

  constructor(key: string, kind: Kind, args: Args, home: Home) {
    super();
    this.#home = home;
    this.key = key;
    this.kind = kind;
    this.args = args;
    this.flags |= DIRTY;
  }

  get pk(): string {
    return this.key;
  }

  /** True when an answer or a push was stored under this key. */
  get answered(): boolean {
    return this.stamp !== UNWRITTEN;
  }

  /** True where an entity in it is not complete: no answer to this request itself has come since it is there. */
  get incomplete(): boolean {
    return this.kind.lacks?.(this.node, this.answered ? this.stamp.time : -1) === true;
  }

  /** True where readers are not shown what is known. */
  get withheld(): boolean {
    return this.invalidatedAt !== undefined || (!this.partial && this.incomplete);
  }

  protected get cachedValue(): unknown {
    if (!this.shown) return INVALID;
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return this.#value;
  }

  override get lastValue(): unknown {
    return this.shown ? (this.#thrown ?? this.#value) : INVALID;
  }

  override get alwaysChangesWithParts(): boolean {
    const { node } = this;
    return this.shown && !(node instanceof Composite && node.derives === true);
  }

  /** True when readers see something: data, or what a function of the schema threw. */
  readable(builder: Builder): boolean {
    return this.invalidatedAt === undefined && this.has(builder);
  }

  /** As `data`, where only their being there counts: a function of the schema that throws has some to throw at. */
  has(builder: Builder): boolean {
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
    return [this.node, this.list, this.#ahead];
  }

  override get latestTime(): number {
    const { stamp, failure, expiredAt, invalidatedAt = 0, amendedAt } = this;
    const told = Math.max(expiredAt, invalidatedAt, amendedAt, this.#pagedAt);
    return Math.max(stamp.time, failure?.time ?? 0, told);
  }

  override derivedState(): object | undefined {
    return this.node instanceof Composite ? this.node.kept?.() : undefined;
  }

  /** What a reader sees now. An error is seen where there are no data, or where it is hard. */
  result(builder: Builder): Result {
    const { last } = this;
    let data: unknown = INVALID;
    try {
      data = project(builder.read(this), this);
    } catch (thrown) {
      if (this.failure?.hard !== true) return (this.last = thrownResult(thrown, last));
    }
    const gone = data === INVALID ? this.deletedAt : undefined;
    if (gone !== undefined) return (this.last = this.#kept(gone, builder));
    // what failed while it was deleted says nothing of what is there again
    if (data !== INVALID && 'deleted' in last) this.failure = undefined;
    return (this.last = outcomeOf(last, data, this.failure));
  }

  /** Tells its readers where they see something else. */
  notifyOutcome(builder: Builder): void {
    const before = this.last;
    if (this.result(builder) !== before) this.#turn();
  }

  /** Of what is deleted the last data; of what is only expected to be, those that were answered since. */
  #kept(gone: number, builder: Builder): Result {
    const answered = this.stamp.time > gone ? this.confirmedData(builder) : INVALID;
    return keptOf(this.last, answered, this.failure);
  }

  override get deletedAt(): number | undefined {
    return this.invalidatedAt === undefined ? goneIn(this.node) : undefined;
  }

  /** The data as they are confirmed, or INVALID. */
  confirmedData(builder: Builder): unknown {
    return project(this.kind.denormalize(this.node, new LayerReadView(builder, 0)), this);
  }

  /** The data, be they invalidated or not; INVALID where they are missing or not whole. Throws as their functions do. */
  data(builder: Builder): unknown {
    builder.read(this);
    if (!this.#readable) return INVALID;
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return project(this.#value, this);
  }

  /** An answer arrived. Only one that was asked after an invalidation mends it; one older than the stored is dropped. */
  setResponse(node: Node, stamp: Stamp): void {
    const { time } = stamp;
    if (!isAtLeastAsNew(time, this.stamp.time)) return;
    const { failure, invalidatedAt } = this;
    if (failure !== undefined && isAtLeastAsNew(time, failure.time)) this.failure = undefined;
    const page = this.list?.addPage(node, time) ?? node;
    const whole = this.#outrun(time) ? this.node : this.#withPages(page);
    const mends = invalidatedAt !== undefined && time > invalidatedAt;
    // an answer of its own may make it complete
    if (mends || this.#lacks) this.#changing();
    if (mends) this.invalidatedAt = undefined;
    this.stamp = stamp;
    this.#home.layers.invalidateDependents(this);
    this.#take(whole);
    if (this.failure !== failure && this.last.status === 'error') this.#turn();
  }

  /**
   * A function of the present value gave this node. It is no response: expiry, errors and invalidations stay. Of a key
   * without a response it is the first.
   */
  applyUpdate(node: Node, stamp: Stamp): void {
    const { time } = stamp;
    // in another tab: a response that was requested later is there already
    if (time < Math.max(this.stamp.time, this.amendedAt)) return;
    this.amendedAt = time;
    if (!this.answered) return this.setResponse(node, stamp);
    this.#home.layers.invalidateDependents(this);
    this.#take(node);
  }

  /**
   * True for a response that was requested before the node was amended: whether the server had counted the change then,
   * nobody knows. What is shown stays, and must be fetched again; an invalidated key shows the response meanwhile.
   */
  #outrun(time: number): boolean {
    if (time >= this.amendedAt) return false;
    this.expire(Math.max(this.expiredAt, this.amendedAt));
    return this.invalidatedAt === undefined && this.answered;
  }

  /** One page came. Gives all that is known of the list now. */
  addPage(page: Node, time: number): Node {
    const newer = isAtLeastAsNew(time, Math.max(this.stamp.time, this.#pagedAt));
    this.#pagedAt = Math.max(time, this.#pagedAt);
    if (!this.answered)
      return (this.#ahead = this.#ahead ? appendPage(this.#ahead, page, newer) : page);
    this.#home.layers.invalidateDependents(this);
    this.#take(appendPage(this.node, page, newer));
    return this.node;
  }

  /** An answer of the list's own brings its first page. */
  #withPages(first: Node): Node {
    if (this.#ahead !== undefined) {
      const whole = appendPage(first, this.#ahead, true);
      this.#ahead = undefined;
      return whole;
    }
    return this.#pagedAt > 0 ? replaceFirstPage(this.node, first) : first;
  }

  override replaceParts(swap: (node: Node) => Node, source: Source): void {
    const node = this.answered ? swap(this.node) : this.kind.infer?.(this.args, source);
    this.#take(node);
  }

  #take(node: Node): void {
    const next = share(this.node, node);
    if (next === this.node) return;
    this.#changing();
    notifyShapeAfterParts(this);
    this.setNode(next);
  }

  /** Belongs here from now on. */
  setNode(node: Node): void {
    relinkParts(this, this.node, node);
    this.node = node;
  }

  /** To be called before what it shows may change: whether it does is known when all is written. */
  #changing(): void {
    markDirty(this, false);
  }

  /** Its outcome is another, with the same data or none. */
  #turn(): void {
    this.notifyShape();
    if (this.observers === undefined) return;
    held(this.observers.result)?.tick();
    scheduleListeners(this.observers);
  }

  setFailure(failure: Failure): void {
    const { time } = failure;
    if (!isAtLeastAsNew(time, this.stamp.time) || time <= (this.invalidatedAt ?? 0)) return;
    const before = this.result(this.#home);
    this.failure = failure;
    this.#home.layers.invalidateDependents(this);
    if (this.result(this.#home) !== before) this.#turn();
  }

  /** Its readers must ask again; errors are forgotten. Without a time nothing asks them to. */
  invalidate(time: number | undefined): void {
    const { shown } = this;
    this.#changing();
    this.invalidatedAt = time;
    this.failure = undefined;
    this.#home.layers.invalidateDependents(this);
    if (!shown && this.last.status !== 'pending') this.#turn();
  }

  /** Back to what the arguments alone tell; without a source, to nothing. */
  reset(source: Source | undefined): void {
    this.invalidate(undefined);
    this.setNode(source && this.kind.infer?.(this.args, source));
    this.stamp = UNWRITTEN;
    this.last = PENDING;
    this.#value = INVALID;
    this.#thrown = undefined;
    this.validator = undefined;
    this.amendedAt = 0;
    this.#pagedAt = 0;
    this.#ahead = undefined;
    this.flags |= DIRTY;
  }

  /** What is known at this logical time counts as expired. */
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
      // for those who read this, and for nobody else
      this.#thrown = { error };
    }
    // stored things, and what keeps something for its readers, keep their references by themselves
    const own =
      node instanceof StoreRecord || (node instanceof Composite && node.kept !== undefined);
    this.#value = own ? value : share(this.#value, value);
    this.#lacks = this.incomplete;
  }

  override onPartCompleted(): void {
    this.#changing();
  }

  get #readable(): boolean {
    const isThere = this.#value !== INVALID || this.#thrown !== undefined;
    return isThere && (this.partial || !this.#lacks);
  }

  get shown(): boolean {
    return this.invalidatedAt === undefined && this.#readable;
  }
}
