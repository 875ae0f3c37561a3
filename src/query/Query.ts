/** Queries: values derived from stored data, by a function or by a declaration. */
import type { Declaration, Outcome, RowOf } from './engine/Declaration.ts';
import { Pipeline } from './engine/Pipeline.ts';
import { Derivation, DerivedNode } from '../schema/Derivation.ts';
import type { Process } from '../schema/Derivation.ts';
import { equal } from '../schema/equal.ts';
import type { QueryArgs } from '../schema/SchemaArgs.ts';
import { Composite } from '../schema/schema.ts';
import type {
  Args,
  Denormalized,
  Node,
  Schema,
  Source,
  NormalizeContext,
} from '../schema/schema.ts';
import type { ListRecord } from '../store/lists/ListRecord.ts';
import { QueryRecord } from './QueryRecord.ts';

type DeclarationFor<S> = Declaration<RowOf<Denormalized<S>>>;

/** The data that readers of a query get. */
type QueryData<S, How> = How extends (...args: never) => infer T
  ? T
  : Outcome<RowOf<Denormalized<S>>, How>;

/**
 * `new Query(new All(Todo), (todos, {done}) => todos.filter(todo => todo.done === done))`: derived from any schema that
 * arguments can find, or from a response. Runs again only if its input has changed. Must not have side effects.
 *
 * `new Query(new All(Todo), {filter: (todo, {done}) => todo.done === done, sort: 'title', limit: 10})`: the rows of a
 * list, updated row by row: over `All` and `Collection`, one changed row costs O(log n) comparisons for n rows.
 */
export class Query<S extends Schema, How extends Process<S> | DeclarationFor<S>> extends Derivation<
  S,
  QueryData<S, How>
> {
  /** Type only: the arguments of the query. */
  declare readonly queryArgs?: QueryArgs<S, How>;
  readonly #declaration: DeclarationFor<S> | undefined;

  constructor(schema: S, how: How) {
    const declares = isDeclared<S>(how);
    super(schema, (declares ? toDerivation(how) : how) as Process<S, QueryData<S, How>>);
    this.#declaration = declares ? how : undefined;
  }

  /** @internal */ protected override withSchema(schema: S): Query<S, How> {
    return new Query(schema, (this.#declaration ?? this.process) as How);
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    return this.#toQueryNode(super.normalize(input, parent, key, walk));
  }

  /** @internal */ override queryKey(args: Args, source: Source): Node | undefined {
    return this.#toQueryNode(super.queryKey(args, source));
  }

  override denormalize(node: Node, source: Source): unknown {
    return node instanceof QueryNode ? source.value(node.inner) : super.denormalize(node, source);
  }

  #toQueryNode(node: Node): Node {
    const declared = this.#declaration;
    if (declared === undefined || !(node instanceof DerivedNode)) return node;
    const lists = (node.inner && this.kind.listRefs?.(node.inner)) as
      | readonly ListRecord[]
      | undefined;
    return lists ? new QueryNode(lists, node.args, declared) : node;
  }
}

function isDeclared<S>(how: unknown): how is DeclarationFor<S> {
  return typeof how !== 'function';
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
