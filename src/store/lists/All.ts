/** `All`: every entity of a table. Its records are imported here, so only applications that use `All` load them. */
import type { ArrayMember } from '../../schema/ArraySchema.ts';
import { memberKindOf } from '../../schema/Union.ts';
import type { Choice } from '../../schema/Union.ts';
import { ArrayKind } from '../../schema/containers.ts';
import type {
  Kind,
  NormalizeContext,
  NormalizedNode,
  Ref,
  Schema,
  Source,
  StoredKind,
} from '../../schema/schema.ts';
import type { EntityTable } from '../entities/EntityTable.ts';
import { AllTable } from './AllTable.ts';

const EMPTY: readonly never[] = Object.freeze([]);

/**
 * `new All(Todo)`: all stored todos, in the order in which they were added, from any response or write. With a union,
 * the entities of each member class, class after class; `new All({dog: Dog, cat: Cat}, 'type')` is
 * `new All(new Union({dog: Dog, cat: Cat}, 'type'))`.
 */
export class All<S extends Schema, C extends Choice | undefined = undefined> implements Kind<
  ArrayMember<S, C>[]
> {
  declare readonly denormalizedType?: ArrayMember<S, C>[];
  readonly schema: S;
  readonly #choice: Choice | undefined;
  #member: Kind | undefined;
  #listKindsCache: readonly StoredKind[] | undefined;

  // `| Choice`: contextual types for the parameters of a function while C is not inferred yet
  constructor(schema: S, choice?: C | Choice) {
    this.schema = schema;
    this.#choice = choice;
  }

  /** @internal */ get member(): Kind {
    return (this.#member ??= memberKindOf(this.schema, this.#choice, 'All'));
  }

  get title(): string {
    return `All(${this.member.title})`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.member];
  }

  #listKinds(): readonly StoredKind[] {
    const { member } = this;
    const kinds = 'stores' in member ? [member] : (member.innerKinds?.() ?? []);
    return (this.#listKindsCache ??= kinds.map((kind) =>
      allOf((kind as StoredKind).rootKind ?? (kind as StoredKind)),
    ));
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    new ArrayKind(this.member).normalize(input, parent, key, walk);
    const lists = this.#listKinds().map((all) => walk.sink.ref(all, ''));
    for (const list of lists) walk.sink.fill(list, []);
    return lists;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    if (!Array.isArray(node)) return node;
    const [first, ...rest] = (node as Ref[]).map((list) => source.value(list));
    // one table: all readers share its list
    if (rest.length === 0) return first;
    return [first, ...rest].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  }

  /** @internal */ listRefs(node: NormalizedNode): readonly Ref[] {
    return node as Ref[];
  }

  /** @internal */ queryKey(_args: readonly unknown[], source: Source): NormalizedNode {
    return this.#listKinds().map((all) => source.ref(all, ''));
  }

  /** @internal */ emptyValue(): unknown {
    return EMPTY;
  }
}

const lists = new WeakMap<StoredKind, StoredKind>();

/** The kind of the list of a whole table: made once per table. */
function allOf(of: StoredKind): StoredKind {
  const known = lists.get(of);
  if (known !== undefined) return known;
  const made: StoredKind = {
    stores: 'all',
    createTable: (tableOf) => new AllTable(made, tableOf(of) as EntityTable),
    tableKey: { all: of },
    title: `All(${of.title})`,
    normalize: (input) => input,
    denormalize: (node) => node,
    emptyValue: () => EMPTY,
  };
  lists.set(of, made);
  return made;
}
