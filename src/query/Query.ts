/** Queries: values derived from stored data, by a function or by a declaration. */
import type { QueryArgs } from '../schema/SchemaArgs.ts';
import { bindTo } from '../schema/bindTo.ts';
import type { ListEndpoint } from '../schema/bindTo.ts';
import { equal } from '../schema/equal.ts';
import { kindOf } from '../schema/kindOf.ts';
import { projectForReader } from '../schema/projectForReader.ts';
import { Composite, INVALID } from '../schema/schema.ts';
import type {
  Args,
  Denormalized,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Source,
} from '../schema/schema.ts';
import type { ListRecord } from '../store/lists/ListRecord.ts';
import { QueryRecord } from './QueryRecord.ts';
import { Pipeline } from './engine/Pipeline.ts';
import type { Declaration, Outcome, RowIn } from './engine/Pipeline.ts';

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

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    return new DerivedNode(this.kind.normalize(input, parent, key, walk), walk.args);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
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

  /** @internal */ queryKey(args: Args, source: Source): NormalizedNode | undefined {
    const inner = this.kind.queryKey?.(args, source);
    return inner === undefined ? undefined : new DerivedNode(inner, args);
  }
}

/** A node with the arguments and the last result of its query. */
class DerivedNode extends Composite {
  override readonly isDerived = true;
  readonly inner: NormalizedNode;
  readonly args: Args;
  #memo: { readonly from: unknown; readonly out: unknown } | undefined;

  constructor(inner: NormalizedNode, args: Args) {
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

type DeclarationFor<S> = Declaration<RowIn<Denormalized<S>>>;

/** The data that readers of a query get. */
type QueryData<S, Definition> = Definition extends (...args: never) => infer T
  ? T
  : Outcome<RowIn<Denormalized<S>>, Definition>;

/**
 * `new Query(new All(Todo), (todos, {done}) => todos.filter(todo => todo.done === done))`: derived from any schema that
 * arguments can find, or from a response. Runs again only if its input has changed. Must not have side effects.
 *
 * `new Query(new All(Todo), {filter: (todo, {done}) => todo.done === done, sort: 'title', limit: 10})`: the rows of a
 * list, updated row by row: over `All` and `Collection`, one changed row costs O(log n) comparisons for n rows.
 */
export class Query<
  S extends Schema,
  Definition extends Process<S> | DeclarationFor<S>,
> extends Derivation<S, QueryData<S, Definition>> {
  /** Type only: the arguments of the query. */
  declare readonly queryArgs?: QueryArgs<S, Definition>;
  readonly #declaration: DeclarationFor<S> | undefined;

  constructor(schema: S, definition: Definition) {
    const declares = isDeclared<S>(definition);
    super(
      schema,
      (declares ? toDerivation(definition) : definition) as Process<S, QueryData<S, Definition>>,
    );
    this.#declaration = declares ? definition : undefined;
  }

  /** @internal */ protected override withSchema(schema: S): Query<S, Definition> {
    return new Query(schema, (this.#declaration ?? this.process) as Definition);
  }

  override normalize(
    input: unknown,
    parent: unknown,
    key: string,
    walk: NormalizeContext,
  ): NormalizedNode {
    return this.#toQueryNode(super.normalize(input, parent, key, walk));
  }

  /** @internal */ override queryKey(args: Args, source: Source): NormalizedNode | undefined {
    return this.#toQueryNode(super.queryKey(args, source));
  }

  override denormalize(node: NormalizedNode, source: Source): unknown {
    return node instanceof QueryNode ? source.value(node.inner) : super.denormalize(node, source);
  }

  #toQueryNode(node: NormalizedNode): NormalizedNode {
    const declared = this.#declaration;
    if (declared === undefined || !(node instanceof DerivedNode)) return node;
    const lists = (node.inner && this.kind.listRefs?.(node.inner)) as
      | readonly ListRecord[]
      | undefined;
    return lists ? new QueryNode(lists, node.args, declared) : node;
  }
}

function isDeclared<S>(definition: unknown): definition is DeclarationFor<S> {
  return typeof definition !== 'function';
}

/** The node of a declared query over lists, with its arguments. */
class QueryNode extends Composite {
  override readonly inner: QueryRecord;
  readonly #args: Args;

  // any: a declaration is contravariant in its rows, and rows come as stored
  constructor(lists: readonly ListRecord[], args: Args, declared: Declaration<any>) {
    super();
    this.#args = args;
    this.inner = new QueryRecord(lists, () => new Pipeline(declared, args));
  }

  override derivedCache(): object | undefined {
    return this.inner.derivedCache();
  }

  equals(other: unknown): boolean {
    if (!(other instanceof QueryNode)) return false;
    return equal(this.inner.lists, other.inner.lists) && equal(this.#args, other.#args);
  }
}

/** The declaration as a function, for rows that are not in a stored list: processes all rows each time. */
function toDerivation<Row>(declared: Declaration<Row>): (value: unknown, ...args: Args) => unknown {
  return (value, ...args) => {
    const pipeline = new Pipeline(declared, args);
    const rows = Object.values((value ?? {}) as Record<string, Row>);
    rows.forEach((row, at) => pipeline.setRow(at, at, row));
    return pipeline.value(({ row }) => row);
  };
}
