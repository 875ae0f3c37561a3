/** A choice of several schemas, selected by the value. */
import { checkArgument, DEV, warn } from '../errors.ts';
import type { UnionArgs } from './SchemaArgs.ts';
import { equal } from './equal.ts';
import { kindOf } from './kindOf.ts';
import { Composite, Ref, unwrapOpaque, wrapOpaque } from './schema.ts';
import type {
  Args,
  Denormalized,
  Fields,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Source,
  StoredKind,
} from './schema.ts';

/** The attribute with the name of a value's schema, or a function that returns the name. */
// any: a function of the user's own record types must fit
export type Choice = string | ((value: any, parent: any, key: string) => string);

/** The node of a value without a record: only the kind of the value can read the node. */
class UnionNode extends Composite {
  readonly kind: Kind;
  readonly inner: NormalizedNode;

  constructor(kind: Kind, inner: NormalizedNode) {
    super();
    this.kind = kind;
    this.inner = inner;
  }

  override withInner(inner: NormalizedNode): UnionNode {
    return new UnionNode(this.kind, inner);
  }

  equals(other: unknown): boolean {
    return other instanceof UnionNode && this.kind === other.kind && equal(this.inner, other.inner);
  }
}

/**
 * `new Union({post: Post, link: Link}, 'type')`. A value without a matching schema stays raw, with a warning
 * (S11). A primary key alone does not identify the schema of a member: `{id: '7', schema: 'post'}` does.
 */
export class Union<
  S extends Readonly<Record<string, Schema>>,
  C extends Choice = Choice,
> implements Kind<Denormalized<S[keyof S]>> {
  declare readonly denormalizedType?: Denormalized<S[keyof S]>;
  /** Type only: the arguments that find a value. */
  declare readonly queryArgs?: UnionArgs<S, C>;
  /** @internal */ readonly mustExist = true;
  readonly schema: S;
  /** @internal */ readonly choice: Choice;

  // `| Choice`: contextual types for the parameters of a function while C is not inferred yet
  constructor(schema: S, choice: C | Choice) {
    if (DEV) {
      const isChoice = typeof choice === 'string' || typeof choice === 'function';
      const takes = 'the attribute that selects the schema as its second argument';
      checkArgument(isChoice, 'new Union', choice, takes);
    }
    this.schema = schema;
    this.choice = choice;
  }

  get title(): string {
    return Object.keys(this.schema)
      .map((name) => this.#kindByName(name)?.title)
      .join(' | ');
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return Object.keys(this.schema).map((name) => this.#kindByName(name) as Kind);
  }

  /** @internal */ mapInner(change: (schema: Schema) => Kind): Kind {
    const members = Object.entries(this.schema).map(([name, inner]) => [name, change(inner)]);
    return new Union(Object.fromEntries(members) as S, this.choice);
  }

  #kindByName(name: string): Kind | undefined {
    if (!Object.hasOwn(this.schema, name)) return undefined;
    return kindOf(this.schema[name], 'Union', name);
  }

  /** @internal */ chooseKind(value: unknown, parent?: unknown, key = ''): Kind | undefined {
    if (value === null || typeof value !== 'object') return undefined;
    const { choice } = this;
    const name: unknown =
      typeof choice === 'function' ? choice(value, parent, key) : (value as Fields)[choice];
    return this.#kindByName(String(name));
  }

  /** @internal */ storedKindOf(value: unknown): StoredKind | undefined {
    return this.chooseKind(value)?.storedKindOf?.(value);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    if (walk.mayHavePks) {
      const { id, schema } = input as Fields;
      const named = this.#kindByName(String(schema));
      if (named !== undefined) return toUnionNode(named, named.normalize(id, parent, key, walk));
    }
    const kind = this.chooseKind(input, parent, key);
    if (kind !== undefined) return toUnionNode(kind, kind.normalize(input, parent, key, walk));
    warn('S11', this.title, { union: this.title, value: input });
    return wrapOpaque(input);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    const chosen = node instanceof UnionNode ? node : undefined;
    if (chosen === undefined && !(node instanceof Ref)) return unwrapOpaque(node);
    const inner = chosen === undefined ? node : chosen.inner;
    if (source.kindOf === undefined)
      return chosen ? chosen.kind.denormalize(inner, source) : source.value(node as Ref);
    const table = chosen ? undefined : source.kindOf(node as Ref).tableKey;
    const isKindOfNode = (kind: Kind): boolean =>
      chosen ? kind === chosen.kind : (kind as StoredKind).tableKey === table;
    const schemaName =
      Object.keys(this.schema).find((name) => isKindOfNode(this.#kindByName(name) as Kind)) ?? '';
    return { id: this.#kindByName(schemaName)?.denormalize(inner, source), schema: schemaName };
  }

  /** @internal */ queryKey(args: Args, source: Source): NormalizedNode | undefined {
    return this.chooseKind(args[0])?.queryKey?.(args, source);
  }

  /** @internal */ hasIncomplete(node: NormalizedNode, since: number): boolean {
    return node instanceof Ref && node.lacksRequiredField?.(since) === true;
  }
}

/** A record knows its kind. Any other node is wrapped together with the kind. */
function toUnionNode(kind: Kind, node: NormalizedNode): NormalizedNode {
  return 'stores' in kind ? node : new UnionNode(kind, node);
}

/** The kind of a container's members: their schema or, with a choice, a union. Throws S4 if the schema is undefined. */
export function memberKindOf(schema: Schema, choice: Choice | undefined, container: string): Kind {
  return choice === undefined
    ? kindOf(schema, container)
    : new Union(schema as Readonly<Record<string, Schema>>, choice);
}
