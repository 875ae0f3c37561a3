/** Members that are stored and not resolved: the value of their parent has primary keys. */
import { nodeFromPks } from './containers.ts';
import { kindOf } from './kindOf.ts';
import { Composite, Ref, unwrapOpaque } from './schema.ts';
import type {
  Args,
  Denormalized,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Source,
} from './schema.ts';

/** The value of a lazy member in the parent: the primary key of each entity, in the same shape. */
export type Keys<S> = S extends readonly (infer M)[] ? Keys<M>[] : string;

/**
 * `static schema = {buildings: new Lazy([Building])}`: reading the parent gives `['b1', 'b2']`, and changes of the
 * buildings do not affect the parent. `useQuery(Department.schema.buildings.query, department.buildings)` resolves the
 * keys.
 */
export class Lazy<S extends Schema> implements Kind<Keys<S>> {
  declare readonly denormalizedType?: Keys<S>;
  /** @internal */ readonly alwaysComplete = true;
  readonly schema: S;
  #query: LazyQuery<S> | undefined;

  constructor(schema: S) {
    this.schema = schema;
  }

  /** @internal */ get readsKeysOnly(): boolean {
    return true;
  }

  /** @internal */ get kind(): Kind {
    return kindOf(this.schema, 'Lazy');
  }

  get title(): string {
    return `Lazy(${this.kind.title})`;
  }

  /** The schema that resolves the keys of the member; the same object each time. */
  get query(): LazyQuery<S> {
    return (this.#query ??= new LazyQuery(this));
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.kind];
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    return this.kind.normalize(input, parent, key, walk);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return source.kindOf === undefined ? keysOf(node) : this.kind.denormalize(node, source);
  }

  /** @internal */ emptyValue(): unknown {
    return this.kind.emptyValue?.();
  }
}

/** The entities of a lazy member, found by the keys in the parent's value, or by the arguments of the schema. */
export class LazyQuery<S extends Schema> implements Kind<Denormalized<S>> {
  declare readonly denormalizedType?: Denormalized<S>;
  readonly #lazy: Lazy<S>;

  constructor(lazy: Lazy<S>) {
    this.#lazy = lazy;
  }

  get title(): string {
    return `${this.#lazy.title}.query`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return this.#lazy.innerKinds();
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    return this.#lazy.kind.normalize(input, parent, key, walk);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return this.#lazy.kind.denormalize(node, source);
  }

  /** @internal */ queryKey(args: Args, source: Source): NormalizedNode | undefined {
    const { kind } = this.#lazy;
    return nodeFromPks(kind, args[0], source) ?? kind.queryKey?.(args, source);
  }

  /** @internal */ emptyValue(): unknown {
    return this.#lazy.kind.emptyValue?.();
  }
}

function keysOf(node: NormalizedNode): unknown {
  if (node instanceof Ref) return node.pk;
  if (node instanceof Composite) return keysOf(unwrapOpaque(node.inner));
  if (Array.isArray(node)) return Object.freeze((node as NormalizedNode[]).map(keysOf));
  if (node === null || typeof node !== 'object') return node;
  return Object.freeze(
    Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, keysOf(inner)])),
  );
}
