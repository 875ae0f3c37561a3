/** The record of one request key: what the answer pointed to, its errors and its invalidations. */
import { announce, held } from '../reactive.ts';
import { share } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Args, Kind, Node, Schema, Source } from '../schema/schema.ts';
import { NEVER, replaces } from './order.ts';
import type { Stamp } from './order.ts';
import { changed, DIRTY, reaches, Record, UNLINKED } from './Record.ts';
import type { Builder } from './Record.ts';
import { suspect } from './suspect.ts';
import type { Suspect } from './suspect.ts';

/** What a reader of a request sees; the same object until something in it changes. Data are immutable. */
export type Result<T = unknown> =
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'success'; readonly data: T; readonly error: undefined }
  | { readonly status: 'error'; readonly data: undefined; readonly error: Error };

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

export class ResultRecord extends Record implements Suspect {
  readonly key: string;
  readonly kind: Kind;
  readonly args: Args;
  /** The schema it was asked with last; its structure is that of `kind`. */
  schema: Schema = undefined;
  /** Undefined: neither an answer nor the arguments tell what belongs here. */
  node: Node = undefined;
  /** Of the last answer; NEVER while the arguments alone tell. */
  stamp: Stamp = NEVER;
  failure: Failure | undefined = undefined;
  /** Logical time at which everything known here was declared expired. */
  expiredAt = 0;
  /** Logical time of an invalidation that no later answer has mended. */
  invalidatedAt: number | undefined = undefined;
  #value: unknown = INVALID;
  #result: Result = PENDING;

  constructor(key: string, kind: Kind, args: Args) {
    super();
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
    return this.invalidatedAt === undefined ? this.#value : INVALID;
  }

  parts(): Node {
    return this.node;
  }

  /** What a reader sees now. An error is seen where there are no data, or where it is hard. */
  result(builder: Builder): Result {
    const data = builder.read(this);
    const { failure } = this;
    const last = this.#result;
    if (failure !== undefined && (failure.hard || data === INVALID)) {
      if (last.error === failure.error) return last;
      return (this.#result = { status: 'error', data: undefined, error: failure.error });
    }
    if (data === INVALID) return (this.#result = PENDING);
    if (last.status === 'success' && last.data === data) return last;
    return (this.#result = { status: 'success', data, error: undefined });
  }

  /** The data, be they invalidated or not; INVALID where they are missing or not whole. */
  data(builder: Builder): unknown {
    builder.read(this);
    return this.#value;
  }

  /** An answer arrived. Only one that was asked after an invalidation mends it; one older than the stored is dropped. */
  answer(node: Node, stamp: Stamp): void {
    if (!replaces(stamp.time, this.stamp.time)) return;
    const mended = this.#mend(stamp.time);
    this.stamp = stamp;
    const next = this.node === undefined ? node : share(this.node, node);
    if (next !== this.node) {
      this.node = next;
      this.flags |= DIRTY | UNLINKED;
      this.#turn();
    } else if (mended) this.#turn();
  }

  /** What this key shows became something else: live readers of it must look again, too. */
  #turn(): void {
    this.reshape();
    changed(this);
  }

  /** Clears what a later answer makes void; true when a reader could see it. */
  #mend(time: number): boolean {
    let seen = false;
    if (this.invalidatedAt !== undefined && time > this.invalidatedAt) {
      this.invalidatedAt = undefined;
      seen = true;
    }
    if (this.failure !== undefined && replaces(time, this.failure.time)) {
      this.failure = undefined;
      seen ||= this.#result.status === 'error';
    }
    return seen;
  }

  fail(failure: Failure, builder: Builder): void {
    if (!replaces(failure.time, this.stamp.time)) return;
    const before = this.result(builder);
    this.failure = failure;
    if (this.result(builder) === before) return;
    // the data are what they were: only readers of the result are told
    this.reshape();
    if (this.fine === undefined) return;
    held(this.fine.result)?.tick();
    announce(this.fine);
  }

  /** Its readers must ask again; errors are forgotten. */
  invalidate(time: number): void {
    const again = this.invalidatedAt !== undefined && this.failure === undefined;
    this.invalidatedAt = time;
    if (again) return;
    this.failure = undefined;
    this.#turn();
  }

  /** Back to what the arguments alone tell. */
  forget(source: Source): void {
    this.node = this.kind.infer?.(this.args, source);
    this.stamp = NEVER;
    this.failure = undefined;
    this.invalidatedAt = undefined;
    this.flags |= DIRTY | UNLINKED;
    this.#turn();
  }

  /** What is known at this logical time counts as expired. */
  expire(time: number): void {
    this.expiredAt = time;
  }

  protected build(builder: Builder): void {
    this.flags &= ~DIRTY;
    const { node } = this;
    const value = node === undefined ? INVALID : this.kind.denormalize(node, builder);
    this.#value = share(this.#value, value);
  }

  holds(child: Record): boolean {
    return reaches(this.node, child);
  }

  taint(): boolean {
    if (!this.shown && this.read) suspect(this);
    if (this.flags & DIRTY) return false;
    this.flags |= DIRTY;
    // readers of an invalidated or incomplete key see nothing of it
    return this.shown && this.invalidatedAt === undefined;
  }

  get shown(): boolean {
    return this.#value !== INVALID;
  }

  judge(before: boolean, builder: Builder): void {
    if (this.data(builder) !== INVALID && !before && this.invalidatedAt === undefined) this.#turn();
  }
}
