/** Queries: values derived from stored data, by a function or by a declaration. */
import type { Declaration, Outcome, RowOf } from '../query/Declaration.ts';
import { Pipeline } from '../query/Pipeline.ts';
import { Derivation, Derived } from '../schema/Derivation.ts';
import type { Process } from '../schema/Derivation.ts';
import { equal } from '../schema/equal.ts';
import { Composite } from '../schema/schema.ts';
import type {
  Args,
  Denormalized,
  Node,
  Schema,
  Source,
  NormalizeContext,
} from '../schema/schema.ts';
import type { ListRecord } from './ListRecord.ts';
import { QueryRecord } from './QueryRecord.ts';

type Declared<S> = Declaration<RowOf<Denormalized<S>>>;

/** The data that readers of a query get. */
type Derives<S, How> = How extends (...args: never) => infer T
  ? T
  : Outcome<RowOf<Denormalized<S>>, How>;

/**
 * `new Query(new All(Todo), (todos, {done}) => todos.filter(todo => todo.done === done))`: derived from any schema that
 * arguments can find, or from a response. Runs again only if its input has changed. Must not have side effects.
 *
 * `new Query(new All(Todo), {filter: (todo, {done}) => todo.done === done, sort: 'title', limit: 10})`: the rows of a
 * list, updated row by row: over `All` and `Collection`, one changed row costs O(log n) comparisons for n rows.
 */
export class Query<S extends Schema, How extends Process<S> | Declared<S>> extends Derivation<
  S,
  Derives<S, How>
> {
  readonly #declared: Declared<S> | undefined;

  constructor(schema: S, how: How) {
    const declares = isDeclared<S>(how);
    super(schema, (declares ? derivation(how) : how) as Process<S, Derives<S, How>>);
    this.#declared = declares ? how : undefined;
  }

  protected override over(schema: S): Query<S, How> {
    return new Query(schema, (this.#declared ?? this.process) as How);
  }

  override normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    return this.#following(super.normalize(input, parent, key, walk));
  }

  /** @internal */ override queryKey(args: Args, source: Source): Node | undefined {
    return this.#following(super.queryKey(args, source));
  }

  override denormalize(node: Node, source: Source): unknown {
    return node instanceof Followed ? source.value(node.inner) : super.denormalize(node, source);
  }

  #following(node: Node): Node {
    const declared = this.#declared;
    if (declared === undefined || !(node instanceof Derived)) return node;
    const lists = (node.inner && this.kind.lists?.(node.inner)) as
      | readonly ListRecord[]
      | undefined;
    return lists ? new Followed(lists, node.args, declared) : node;
  }
}

function isDeclared<S>(how: unknown): how is Declared<S> {
  return typeof how !== 'function';
}

/** The node of a declared query over lists, with its arguments. */
class Followed extends Composite {
  override readonly inner: QueryRecord;
  readonly #args: Args;

  // any: a declaration is contravariant in its rows, and rows come as stored
  constructor(lists: readonly ListRecord[], args: Args, declared: Declaration<any>) {
    super();
    this.#args = args;
    this.inner = new QueryRecord(lists, () => new Pipeline(declared, args));
  }

  override kept(): object | undefined {
    return this.inner.derivedState();
  }

  equals(other: unknown): boolean {
    if (!(other instanceof Followed)) return false;
    return equal(this.inner.lists, other.inner.lists) && equal(this.#args, other.#args);
  }
}

/** The declaration as a function, for rows that are not in a stored list: processes all rows each time. */
function derivation<Row>(declared: Declaration<Row>): (value: unknown, ...args: Args) => unknown {
  return (value, ...args) => {
    const pipeline = new Pipeline(declared, args);
    const rows = Object.values((value ?? {}) as Record<string, Row>);
    rows.forEach((row, at) => pipeline.change(at, at, row));
    return pipeline.value(({ row }) => row);
  };
}
