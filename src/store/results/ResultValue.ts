/** What readers of one request get: its data, built when they are read, and its result. */
import { replaceEqualDeep } from '../../schema/equal.ts';
import { projectForReader } from '../../schema/projectForReader.ts';
import { Composite, INVALID } from '../../schema/schema.ts';
import type { Args, Kind, NormalizedNode, Schema } from '../../schema/schema.ts';
import { DIRTY } from '../records/flags.ts';
import { markDirty } from '../records/markDirty.ts';
import { latestDeletion, deletedResult, nextResult, PENDING } from './Result.ts';
import type { Failure, Result } from './Result.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import type { StoreLayers } from '../StoreLayers.ts';
import type { Builder } from '../records/StoreRecord.ts';
import { thrownResult } from './thrownResult.ts';
import { UNWRITTEN_STAMP } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';

/** The store as a result uses it: builds values, and invalidates layers that have read the result. */
export interface ResultStore extends Builder {
  /** True once a result was invalidated. */
  hasInvalidations: boolean;
  readonly layers: StoreLayers;
}

/** Stands for the data if a function of the schema threw `error`. Only readers of this result get the error. */
class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

export abstract class ResultValue extends StoreRecord {
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
  /** Readers get known data before they are complete. */
  returnsPartial = false;
  /** The data as last built. */
  #value: unknown = INVALID;
  /** The value of `isIncomplete` at the last build. */
  protected wasIncomplete = false;
  /** The result that readers saw last. */
  lastResult: Result = PENDING;
  protected readonly store: ResultStore;

  constructor(key: string, kind: Kind, args: Args, store: ResultStore) {
    super();
    this.store = store;
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

  /**
   * True if an entity in the node is incomplete, and this request has had no response since an own write created the
   * entity, or since it was last deleted.
   */
  get isIncomplete(): boolean {
    return this.kind.hasIncomplete?.(this.node, this.hasResponse ? this.stamp.time : -1) === true;
  }

  get cachedValue(): unknown {
    const { invalidatedAt, returnsPartial, wasIncomplete } = this;
    return invalidatedAt === undefined && (returnsPartial || !wasIncomplete)
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
    this.wasIncomplete = this.isIncomplete;
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
   * True if there are data, also if they are invalidated, so that readers do not get them (see `canRead`); an exception
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
    if (this.wasIncomplete && !this.returnsPartial) return INVALID;
    if (value instanceof Thrown) throw value.error;
    return projectForReader(value, this);
  }

  /** The data as they would be without the optimistic deletion that hides them, or INVALID. */
  dataBeforeDeletion(): unknown {
    return this.store.layers.dataBeforeDeletion(this);
  }

  override get deletionIssued(): number | undefined {
    return this.invalidatedAt === undefined ? latestDeletion(this.node) : undefined;
  }

  /** The result that readers see now. A failure is seen if there are no data, or if the failure is hard. */
  result(): Result {
    return (this.lastResult = this.#nextResult());
  }

  #nextResult(): Result {
    const { lastResult } = this;
    let data: unknown = INVALID;
    try {
      data = projectForReader(this.store.read(this), this);
    } catch (thrown) {
      if (this.failure?.hard !== true) return thrownResult(thrown, lastResult);
    }
    const gone = data === INVALID ? this.deletionIssued : undefined;
    if (gone !== undefined) {
      // if the deletion is only optimistic, readers get the data of a response issued since
      const answered = this.stamp.time > gone ? this.dataBeforeDeletion() : INVALID;
      return deletedResult(lastResult, answered, this.failure);
    }
    // a failure from the time of the deletion says nothing of the entity that exists again
    if (data !== INVALID && 'deleted' in lastResult) this.failure = undefined;
    return nextResult(lastResult, data, this.failure);
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

  /** Must be called before the shown data may change; the end of the commit compares them. */
  protected markDataDirty(): void {
    markDirty(this, false);
  }

  override onPartCompletenessChange(): void {
    this.markDataDirty();
  }

  /** Forgets the value and the result that readers saw. */
  protected forgetValue(): void {
    this.#value = INVALID;
    this.lastResult = PENDING;
    this.flags |= DIRTY;
  }
}
