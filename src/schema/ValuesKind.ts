/** Maps as values of their parent: objects with any member names, and one schema for all members. */
import { DEV } from '../errors.ts';
import { badDataError } from './badDataError.ts';
import type { ListChangeOptions, CollectionPort } from './ListMutation.ts';
import { setOwn, isPlainObject } from './equal.ts';
import { isObject } from './isObject.ts';
import { canHavePks, nodeFromPks } from './nodeFromPks.ts';
import { INVALID } from './schema.ts';
import type {
  Denormalized,
  Fields,
  Kind,
  ListKind,
  Node,
  Schema,
  Source,
  StoredKind,
  NormalizeContext,
} from './schema.ts';
import { memberKindOf } from './Union.ts';
import type { Choice } from './Union.ts';

const EMPTY_MAP = Object.freeze({});

/** The type of a map's members: of one schema, or of several by name, selected by `choice`. */
type MemberOf<S, C> = C extends undefined ? Denormalized<S> : Denormalized<S[keyof S]>;

export class ValuesKind<S extends Schema, C extends Choice | undefined = undefined> implements Kind<
  Record<string, MemberOf<S, C>>
> {
  declare readonly denormalizedType?: Record<string, MemberOf<S, C>>;
  /** @internal */ readonly alwaysComplete = true;
  /** Creates the record of a Collection of these maps. @internal */
  readonly createRecord?: ListKind['createRecord'];
  /** The schema of entries to assign to these maps. @internal */
  createAssign?(collection: CollectionPort, change: ListChangeOptions): unknown;
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

  normalize(input: unknown, _parent: unknown, _key: string, walk: NormalizeContext): Node {
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

  denormalize(node: Node, source: Source): unknown {
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

  /** @internal */ fromPks(keys: unknown, source: Source): Node | undefined {
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
