/** Maps: objects with any member names, and the same schema for all members; stored maps grow by assigned entries. */
import { DEV } from '../errors.ts';
import { stageListChange } from './ListMutation.ts';
import type { ListChangeOptions } from './ListMutation.ts';
import { memberKindOf } from './Union.ts';
import type { Choice } from './Union.ts';
import { badDataError } from './badDataError.ts';
import type { ListEndpoint } from './bindTo.ts';
import { canHavePks, nodeFromPks } from './containers.ts';
import { isObject, isPlainObject, setOwn } from './fieldOf.ts';
import { INVALID } from './schema.ts';
import type {
  Denormalized,
  Fields,
  Kind,
  ListKind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Source,
  StoredKind,
} from './schema.ts';

const EMPTY_MAP = Object.freeze({});

/** The type of a map's members: of a single schema, or of several by name, selected by `choice`. */
type MemberOf<S, C> = C extends undefined ? Denormalized<S> : Denormalized<S[keyof S]>;

export class ValuesKind<S extends Schema, C extends Choice | undefined = undefined> implements Kind<
  Record<string, MemberOf<S, C>>
> {
  declare readonly denormalizedType?: Record<string, MemberOf<S, C>>;
  /** @internal */ readonly alwaysComplete = true;
  /** Creates the record of a Collection of these maps. @internal */
  readonly createRecord?: ListKind['createRecord'];
  /** The schema of entries to assign to these maps. @internal */
  createAssign?(collection: ListKind, change: ListChangeOptions): unknown;
  readonly schema: S;
  readonly #choice: Choice | undefined;
  #member: Kind | undefined;

  // `| Choice`: contextual types for the parameters of a function while C is not inferred yet
  constructor(schema: S, choice?: C | Choice) {
    this.schema = schema;
    this.#choice = choice;
  }

  /** @internal */ get member(): Kind {
    return (this.#member ??= memberKindOf(this.schema, this.#choice, 'Values'));
  }

  get title(): string {
    return `Values(${this.member.title})`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.member];
  }

  /** @internal */ bindToEntity(entity: StoredKind): Kind | undefined {
    const member = this.member.bindToEntity?.(entity);
    return member && (Object.create(this, { member: { value: member } }) as Kind);
  }

  normalize(
    input: unknown,
    _parent: unknown,
    _key: string,
    walk: NormalizeContext,
  ): NormalizedNode {
    if (input === null || input === undefined) return input;
    if (!isObject(input)) throw badDataError('S8', { members: 'any', value: input }, walk.endpoint);
    const node: Fields = {};
    walk.callDepth++;
    for (const [name, value] of Object.entries(input)) {
      if (value === null || value === undefined) continue;
      setOwn(node, name, this.member.normalize(value, input, name, walk));
    }
    walk.callDepth--;
    return node;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    if (node === null || node === undefined) return node;
    const out: Fields = {};
    for (const [name, inner] of Object.entries(node)) {
      const value = this.member.denormalize(inner, source);
      if (value !== INVALID && value !== undefined) setOwn(out, name, value);
    }
    return DEV ? Object.freeze(out) : out;
  }

  /** Arguments alone never determine the members of a map. @internal */
  queryKey(): undefined {
    return undefined;
  }

  /** @internal */ fromPks(keys: unknown, source: Source): NormalizedNode | undefined {
    const { member } = this;
    if (!isPlainObject(keys) || !canHavePks(member)) return undefined;
    const node: Fields = {};
    for (const name of Object.keys(keys))
      setOwn(node, name, nodeFromPks(member, keys[name], source));
    return node;
  }

  /** @internal */ emptyValue(): unknown {
    return EMPTY_MAP;
  }
}

/** The schema of a change to maps. The response is an object of members by key. */
export class MapAssign<T> implements Kind<T> {
  declare readonly denormalizedType?: T;
  readonly #collection: ListKind;
  readonly #options: ListChangeOptions;

  /** @internal */ constructor(collection: ListKind, change: ListChangeOptions) {
    this.#collection = collection;
    this.#options = change;
  }

  get title(): string {
    return `${this.#collection.title}, assign`;
  }

  get #mapKind(): Kind {
    return this.#collection.mapKind as Kind;
  }

  /** This schema, bound to the endpoint that makes the change. @internal */
  bindTo(endpoint: ListEndpoint): MapAssign<T> {
    const change = this.#options;
    if (change.mutationEndpoint?.listAddress === endpoint.listAddress) return this;
    return new MapAssign(this.#collection, { ...change, mutationEndpoint: endpoint });
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.#collection];
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    walk.creates = true;
    const nodes = this.#mapKind.normalize(input, parent, key, walk) as Fields;
    const keys = Object.keys(nodes);
    const members = Object.values(nodes);
    const inputs = keys.map((name) => (input as Fields)[name]);
    stageListChange(this.#collection, this.#options, {
      members,
      inputs,
      normalizeContext: walk,
      keys,
    });
    return nodes;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return this.#mapKind.denormalize(node, source);
  }

  /** @internal */ emptyValue(): unknown {
    return this.#mapKind.emptyValue?.();
  }
}
