/** Queries: values derived from stored data, by a function or by a declaration. */
import { checkArgument, checkObject, checkOptions, DEV } from '../errors.ts';
import type { QueryArgs } from '../schema/SchemaArgs.ts';
import { badDataError } from '../schema/badDataError.ts';
import { bindTo } from '../schema/bindTo.ts';
import type { ListEndpoint } from '../schema/bindTo.ts';
import { equal } from '../schema/equal.ts';
import { kindOf } from '../schema/kindOf.ts';
import { projectForReader } from '../schema/projectForReader.ts';
import { Composite, INVALID } from '../schema/schema.ts';
import type {
  Args,
  Denormalized,
  Fields,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Source,
} from '../schema/schema.ts';
import type { ListRecord } from '../store/lists/ListRecord.ts';
import { QueryRecord } from './QueryRecord.ts';
import { Pipeline, PipelinePlan } from './engine/Pipeline.ts';
import type { Declaration, OnlyKnown, Outcome, RowIn } from './engine/Pipeline.ts';
import type { AnyJoins, CheckedJoins } from './relations/Join.ts';
import type {
  Include,
  IncludedArg,
  IncludedBy,
  RelatedDeclaration,
  WithIncluded,
} from './relations/Relation.ts';

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

/** A node with the arguments and the last result of a query. */
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

type PlainFor<S> = Declaration<RowIn<Denormalized<S>>> & {
  readonly include?: undefined;
  readonly join?: undefined;
};

type DeclarationFor<S, I> = RelatedDeclaration<RowIn<Denormalized<S>>, I> & {
  readonly join?: undefined;
};

type JoinFor<S, J> = Declaration<WithIncluded<RowIn<Denormalized<S>>, J>> & {
  readonly include?: undefined;
  readonly join: J;
};

/** Arguments of which the first is `X` as well. */
type WithFirst<A extends Args, X> = unknown extends X
  ? A
  : number extends A['length']
    ? readonly [X]
    : A extends readonly [(infer First)?, ...infer Rest]
      ? readonly [First & X, ...Rest]
      : readonly [X];

/** The data that readers of a query get. */
type QueryData<S, Definition> = Definition extends (...args: never) => infer T
  ? T
  : Outcome<WithIncluded<RowIn<Denormalized<S>>, IncludedBy<Definition>>, Definition>;

/**
 * `new Query(new All(Todo), (todos, {done}) => todos.filter(todo => todo.done === done))`: derived from any schema that
 * arguments can find, or from a response. Runs again only if the input has changed. Must not have side effects.
 *
 * `new Query(new All(Todo), {filter: (todo, {done}) => todo.done === done, sort: 'title', limit: 10})`: the rows of a
 * list, updated row by row: over `All` and `Collection`, a changed row costs O(log n) comparisons for n rows.
 *
 * `new Query(new All(Project), {include: {issues: hasMany(Issue, 'projectId')}})`: the rows with related rows.
 * `new Query(new All(Project), {join: {issue: innerJoin(hasMany(Issue, 'projectId'))}})`: a row for each pair. Both throw
 * S23 where the rows are not in a stored list.
 */
export class Query<
  S extends Schema,
  Definition extends object,
  const I extends Include<RowIn<Denormalized<S>>> = {},
  const J extends AnyJoins = {},
> extends Derivation<S, QueryData<S, Definition>> {
  /** Type only: the arguments of the query. */
  declare readonly queryArgs?: WithFirst<
    QueryArgs<S, Definition>,
    IncludedArg<IncludedBy<Definition>>
  >;
  readonly #declaration: Declared | undefined;

  constructor(
    schema: S,
    definition: Definition &
      (Process<S> | PlainFor<S>) &
      OnlyKnown<Definition, RowIn<Denormalized<S>>, keyof Declared>,
  );
  // with relations: functions get rows with their related rows
  constructor(
    schema: S,
    definition: Definition &
      DeclarationFor<S, I> &
      OnlyKnown<Definition, WithIncluded<RowIn<Denormalized<S>>, I>, keyof Declared>,
  );
  // with joins: functions get rows with their joined rows
  constructor(
    schema: S,
    definition: Definition &
      JoinFor<S, J> &
      CheckedJoins<RowIn<Denormalized<S>>, J> &
      OnlyKnown<Definition, WithIncluded<RowIn<Denormalized<S>>, J>, keyof Declared>,
  );
  // TypeScript reports errors of the last signature: without join, the error names the fault in the others
  constructor(
    schema: S,
    definition: Definition &
      (Definition extends { readonly join: unknown }
        ? JoinFor<S, J> &
            CheckedJoins<RowIn<Denormalized<S>>, J> &
            OnlyKnown<Definition, WithIncluded<RowIn<Denormalized<S>>, J>, keyof Declared>
        : DeclarationFor<S, I> &
            OnlyKnown<Definition, WithIncluded<RowIn<Denormalized<S>>, I>, keyof Declared>),
  );
  constructor(schema: S, definition: Definition) {
    const declared = isDeclared(definition) ? definition : undefined;
    if (DEV && isDeclared(definition)) checkDeclared(definition);
    super(
      schema,
      (declared ? toDerivation(declared) : definition) as Process<S, QueryData<S, Definition>>,
    );
    this.#declaration = declared;
  }

  /** @internal */ protected override withSchema(schema: S): Query<S, Definition, I, J> {
    return new Query(schema, (this.#declaration ?? this.process) as never);
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

/** A declaration, without the types of the rows. */
// any: a declaration is contravariant in the rows, and rows come as stored
interface Declared extends Declaration<any> {
  readonly include?: Include<never>;
  readonly join?: AnyJoins;
}

const DECLARED = 'filter sort groupBy aggregate limit offset include join';

function checkDeclared(declared: Declared): void {
  checkObject('new Query', declared, 'a function, or an object such as { filter, sort }');
  checkOptions(declared, {}, DECLARED);
  const { filter } = declared;
  const isUsable = filter === undefined || typeof filter === 'function';
  checkArgument(isUsable, 'the filter of a query', filter, 'a function of a row');
}

function isDeclared(definition: unknown): definition is Declared {
  return typeof definition !== 'function';
}

/** The node of a declared query over lists, with the arguments of the query. */
class QueryNode extends Composite {
  override readonly inner: QueryRecord;
  readonly #args: Args;

  constructor(lists: readonly ListRecord[], args: Args, declared: Declared) {
    super();
    this.#args = args;
    const relations = declared.join ?? declared.include ?? {};
    const [first] = Object.values(relations);
    this.inner = new QueryRecord(
      lists,
      () => new Pipeline(new PipelinePlan(declared, args, first?.compareKeys)),
      // the code for relations comes with the relations: other queries do not carry that code
      first && ((query) => first.createRows(relations, { ...query, args })),
    );
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
function toDerivation(declared: Declared): (value: unknown, ...args: Args) => unknown {
  return (value, ...args) => {
    if (Object.keys(declared.join ?? declared.include ?? {}).length > 0)
      throw badDataError('S23', {});
    const pipeline = new Pipeline(new PipelinePlan(declared, args));
    const rows = Object.values((value ?? {}) as Fields);
    rows.forEach((row, at) => pipeline.setRow(at, at, row));
    return pipeline.value(({ row }) => row);
  };
}
