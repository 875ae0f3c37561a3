/** The record of one request key: what the answer pointed to, its errors and its invalidations. */
import { announce, held } from '../reactive.ts';
import { share } from '../schema/equal.ts';
import { project } from '../schema/project.ts';
import { Composite, INVALID } from '../schema/schema.ts';
import type { Args, Kind, Node, Schema, Source } from '../schema/schema.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { paged, rejoined } from './paged.ts';
import { changed, DIRTY, Record, UNLINKED } from './Record.ts';
import { reaches } from './eachRecord.ts';
import type { Builder } from './Record.ts';
import { suspect } from './suspect.ts';
import type { Suspect } from './suspect.ts';
import { thrownResult } from './thrownResult.ts';

/** What a reader of a request sees; the same object until something in it changes. Data are immutable. */
export type Result<T = unknown> =
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'success'; readonly data: T; readonly error: undefined }
  | {
      readonly status: 'error';
      readonly data: undefined;
      readonly error: Error;
      /** A function of the schema threw `error` while the data were built: no request failed. */
      readonly thrown?: true;
    };

export const PENDING: Result<never> = Object.freeze({
  status: 'pending',
  data: undefined,
  error: undefined,
});

/** A failed request, as it is remembered. */
export interface Failure {
  readonly error: Error;
  /** Shown even where there are data. */
  readonly hard: boolean;
  /** Logical time at which the request was issued. */
  readonly time: number;
  /** Wall time, ms since 1970. */
  readonly expiresAt: number;
}

/** What it is lent: who builds its value, and who is told that it has another outcome. */
interface Home extends Builder {
  readonly layers: { heed(result: Record): void };
}

export class ResultRecord extends Record implements Suspect {
  readonly key: string;
  override readonly kind: Kind;
  override readonly args: Args;
  /** The schema it was asked with last; its structure is that of `kind`. */
  schema: Schema;
  /** Undefined: neither an answer nor the arguments tell what belongs here. */
  node: Node;
  /** Of the last answer; NEVER while the arguments alone tell. */
  stamp: Stamp = NEVER;
  failure: Failure | undefined;
  /** Logical time at which everything known here was declared expired. */
  expiredAt = 0;
  /** Logical time of an invalidation that no later answer has mended. */
  invalidatedAt: number | undefined;
  /** Logical time at which a function of the present value was last applied (`update` of a mutation). */
  amendedAt = 0;
  /** For one page: the request of the list to which it is added. */
  list: ResultRecord | undefined;
  /** What was said of the last answer, and what readers got of it, where that is it to the letter. */
  vouched: { readonly told: unknown; readonly data: unknown } | undefined;
  /** Logical time of the last page that was added here; 0 where the list is as its own answer says. */
  #pagedAt = 0;
  /** Pages that came before the first answer. */
  #ahead: Node;
  #value: unknown = INVALID;
  /** What a function of the schema threw when the value was built last. */
  #thrown: { readonly error: unknown } | undefined;
  #result: Result = PENDING;
  readonly #home: Home;

  constructor(key: string, kind: Kind, args: Args, home: Home) {
    super();
    this.#home = home;
    this.key = key;
    this.kind = kind;
    this.args = args;
    this.flags |= DIRTY | UNLINKED;
  }

  get pk(): string {
    return this.key;
  }

  /** True when an answer or a push was stored under this key. */
  get answered(): boolean {
    return this.stamp !== NEVER;
  }

  protected get held(): unknown {
    if (this.invalidatedAt !== undefined) return INVALID;
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return this.#value;
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

  override needs(): Node {
    return [this.node, this.list, this.#ahead];
  }

  override get latest(): number {
    const { stamp, failure, expiredAt, invalidatedAt = 0, amendedAt } = this;
    const told = Math.max(expiredAt, invalidatedAt, amendedAt, this.#pagedAt);
    return Math.max(stamp.time, failure?.time ?? 0, told);
  }

  override kept(): object | undefined {
    return this.node instanceof Composite ? this.node.kept?.() : undefined;
  }

  /** What a reader sees now. An error is seen where there are no data, or where it is hard. */
  result(builder: Builder): Result {
    const { failure } = this;
    const last = this.#result;
    let data: unknown;
    try {
      data = project(builder.read(this), this);
    } catch (thrown) {
      if (failure?.hard !== true) return (this.#result = thrownResult(thrown, last));
    }
    if (failure !== undefined && (failure.hard || data === INVALID)) {
      if (last.error === failure.error) return last;
      return (this.#result = { status: 'error', data: undefined, error: failure.error });
    }
    if (data === INVALID) return (this.#result = PENDING);
    if (last.status === 'success' && last.data === data) return last;
    return (this.#result = { status: 'success', data, error: undefined });
  }

  /** The data, be they invalidated or not; INVALID where they are missing or not whole. Throws as their functions do. */
  data(builder: Builder): unknown {
    builder.read(this);
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return project(this.#value, this);
  }

  /** An answer arrived. Only one that was asked after an invalidation mends it; one older than the stored is dropped. */
  answer(node: Node, stamp: Stamp): void {
    const { time } = stamp;
    if (!replaces(time, this.stamp.time)) return;
    const { failure, invalidatedAt } = this;
    if (failure !== undefined && replaces(time, failure.time)) this.failure = undefined;
    if (invalidatedAt !== undefined && time > invalidatedAt) this.invalidatedAt = undefined;
    const page = this.list?.widen(node, time) ?? node;
    const whole = this.#outrun(time) ? this.node : this.#withPages(page);
    this.stamp = stamp;
    this.#home.layers.heed(this);
    if (this.#take(whole) || this.invalidatedAt !== invalidatedAt) this.#renew();
    else if (this.failure !== failure && this.#result.status === 'error') this.#turn(false);
  }

  /**
   * A function of the present value gave this node. It is no response: expiry, errors and invalidations stay. Of a key
   * without a response it is the first.
   */
  amend(node: Node, stamp: Stamp): void {
    const { time } = stamp;
    // in another tab: a response that was requested later is there already
    if (time < Math.max(this.stamp.time, this.amendedAt)) return;
    this.amendedAt = time;
    if (!this.answered) return this.answer(node, stamp);
    this.#home.layers.heed(this);
    if (this.#take(node)) this.#renew();
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
  widen(page: Node, time: number): Node {
    const newer = replaces(time, Math.max(this.stamp.time, this.#pagedAt));
    this.#pagedAt = Math.max(time, this.#pagedAt);
    if (!this.answered) return (this.#ahead = this.#ahead ? paged(this.#ahead, page, newer) : page);
    this.#home.layers.heed(this);
    if (this.#take(paged(this.node, page, newer))) this.#renew();
    return this.node;
  }

  /** An answer of the list's own brings its first page. */
  #withPages(first: Node): Node {
    if (this.#ahead !== undefined) {
      const whole = paged(first, this.#ahead, true);
      this.#ahead = undefined;
      return whole;
    }
    return this.#pagedAt > 0 ? rejoined(this.node, first) : first;
  }

  /** True when it was news. */
  #take(node: Node): boolean {
    const next = share(this.node, node);
    if (next === this.node) return false;
    this.node = next;
    this.flags |= DIRTY | UNLINKED;
    return true;
  }

  /** The data may be others. Where there were none, the end of the commit tells whether there are some now. */
  #renew(): void {
    if (this.shown) this.#turn();
    else if (this.read) suspect(this);
  }

  /** What this key shows became something else: live readers of it must look again, too. */
  #turn(data = true): void {
    this.reshape();
    if (data) changed(this);
    else if (this.fine !== undefined) {
      held(this.fine.result)?.tick();
      announce(this.fine);
    }
  }

  fail(failure: Failure): void {
    const { time } = failure;
    if (!replaces(time, this.stamp.time) || time <= (this.invalidatedAt ?? 0)) return;
    const before = this.result(this.#home);
    this.failure = failure;
    this.#home.layers.heed(this);
    if (this.result(this.#home) !== before) this.#turn(false);
  }

  /** Its readers must ask again; errors are forgotten. Without a time nothing asks them to. */
  invalidate(time: number | undefined): void {
    const readable = this.#visible;
    this.invalidatedAt = time;
    this.failure = undefined;
    this.#home.layers.heed(this);
    if (readable) this.#turn();
    else if (this.#result.status !== 'pending') this.#turn(false);
  }

  /** Back to what the arguments alone tell; without a source, to nothing. */
  forget(source: Source | undefined): void {
    this.invalidate(undefined);
    this.node = source && this.kind.infer?.(this.args, source);
    this.stamp = NEVER;
    this.vouched = undefined;
    this.amendedAt = 0;
    this.#pagedAt = 0;
    this.#ahead = undefined;
    this.flags |= DIRTY | UNLINKED;
  }

  /** What is known at this logical time counts as expired. */
  expire(time: number): void {
    this.expiredAt = time;
  }

  protected build(builder: Builder): void {
    this.flags &= ~DIRTY;
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
    const own = node instanceof Record || (node instanceof Composite && node.kept !== undefined);
    this.#value = own ? value : share(this.#value, value);
  }

  holds(child: Record): boolean {
    return reaches(this.node, child);
  }

  taint(): boolean {
    if (!this.shown && this.read) suspect(this);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    // readers of an invalidated or incomplete key see nothing of it
    return this.#visible;
  }

  get shown(): boolean {
    return this.#value !== INVALID || this.#thrown !== undefined;
  }

  get #visible(): boolean {
    return this.invalidatedAt === undefined && this.shown;
  }

  /** It was suspect because nobody saw it. */
  judge(_before: boolean, builder: Builder): void {
    if (this.readable(builder)) this.#turn();
  }
}
