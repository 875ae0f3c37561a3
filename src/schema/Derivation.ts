/** Values derived from stored data. */
import { equal } from './equal.ts';
import { bindTo } from './bindTo.ts';
import type { ListEndpoint } from './bindTo.ts';
import { kindOf } from './kindOf.ts';
import { projectForReader } from './projectForReader.ts';
import { Composite, INVALID } from './schema.ts';
import type { Args, Denormalized, Kind, Node, Schema, Source, NormalizeContext } from './schema.ts';

/** A function from a value and the arguments to the derived value. */
// any: a function of the user's own argument types must fit
export type Process<S, T = unknown> = (value: Denormalized<S>, ...args: any[]) => T;

/** The kind of a value that a function derives from another value, again whenever the source value changes. */
export class Derivation<S extends Schema, T> implements Kind<T> {
  declare readonly denormalizedType?: T;
  /** Type only: values depend on the arguments of the reader. */
  declare readonly readsArgs: true;
  readonly schema: S;
  readonly process: Process<S, T>;

  constructor(schema: S, process: Process<S, T>) {
    this.schema = schema;
    this.process = process;
  }

  /** @internal */ get kind(): Kind {
    return kindOf(this.schema, 'Query');
  }

  get title(): string {
    return `Query(${this.kind.title})`;
  }

  /** This derivation, bound to `endpoint`. @internal */
  bindTo(endpoint: ListEndpoint): Derivation<S, T> {
    const schema = bindTo(this.schema, endpoint);
    return schema === this.schema ? this : this.withSchema(schema);
  }

  /** The same derivation of another schema. @internal */
  protected withSchema(schema: S): Derivation<S, T> {
    return new Derivation(schema, this.process);
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.kind];
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    return new DerivedNode(this.kind.normalize(input, parent, key, walk), walk.args);
  }

  denormalize(node: Node, source: Source): unknown {
    if (!(node instanceof DerivedNode)) return node;
    if (source.rejectDerivedValue !== undefined) return source.rejectDerivedValue();
    const stored = this.kind.denormalize(node.inner, source);
    if (stored === INVALID) return INVALID;
    const value = source.hasImmutableValues
      ? projectForReader(stored, { kind: this.kind, args: node.args })
      : stored;
    const derive = () => this.process(value as Denormalized<S>, ...node.args);
    return source.hasImmutableValues ? node.memoized(value, derive) : derive();
  }

  /** @internal */ queryKey(args: Args, source: Source): Node | undefined {
    const inner = this.kind.queryKey?.(args, source);
    return inner === undefined ? undefined : new DerivedNode(inner, args);
  }
}

/** A node with the arguments and the last result of its query. */
export class DerivedNode extends Composite {
  override readonly isDerived = true;
  readonly inner: Node;
  readonly args: Args;
  #memo: { readonly from: unknown; readonly out: unknown } | undefined;

  constructor(inner: Node, args: Args) {
    super();
    this.inner = inner;
    this.args = args;
  }

  /** Immutable values: an unchanged source gives the cached result. */
  memoized(from: unknown, derive: () => unknown): unknown {
    if (this.#memo === undefined || this.#memo.from !== from) this.#memo = { from, out: derive() };
    return this.#memo.out;
  }

  equals(other: unknown): boolean {
    return (
      other instanceof DerivedNode && equal(this.inner, other.inner) && equal(this.args, other.args)
    );
  }
}
