/** Arrays, objects and literals: the kinds of the shorthands `[S]`, `{name: S}` and `''`. */
import { DEV, toShortText } from '../errors.ts';
import { badDataError } from './badDataError.ts';
import { equal } from './equal.ts';
import { fieldOf, isObject, isPlainObject, setOwn } from './fieldOf.ts';
import { Composite, INVALID, unwrapOpaque, wrapOpaque } from './schema.ts';
import type {
  Args,
  Fields,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Source,
  StoredKind,
} from './schema.ts';

const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** `[S]`: a list as a plain value of the parent. Missing, deleted and null members are dropped. */
export class ArrayKind implements Kind {
  /** @internal */ readonly alwaysComplete = true;
  /** @internal */ readonly member: Kind;

  constructor(member: Kind) {
    this.member = member;
  }

  get title(): string {
    return `[${this.member.title}]`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.member];
  }

  /** @internal */ bindToEntity(entity: StoredKind): Kind | undefined {
    const member = this.member.bindToEntity?.(entity);
    return member && new ArrayKind(member);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    if (!Array.isArray(input))
      throw badDataError('S3', { member: this.member.title, value: input }, walk.endpoint);
    const members: readonly unknown[] = input;
    // sliced to the final length: a growing array reserves room for sixteen more elements while stored
    const nodes: NormalizedNode[] = members.slice();
    // members get the object that contains the list as their parent; in a top-level list, the list itself
    const holder = parent ?? input;
    let count = 0;
    walk.callDepth++;
    for (let at = 0; at < members.length; at++) {
      const value = members[at];
      if (value === null || value === undefined) continue;
      const node = this.member.normalize(value, holder, key, walk);
      if (node !== undefined) nodes[count++] = node;
    }
    walk.callDepth--;
    nodes.length = count;
    return nodes;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    if (!Array.isArray(node)) return node;
    const members: readonly NormalizedNode[] = node;
    // as in `normalize`: a single array of the final length
    const out: unknown[] = members.slice();
    let count = 0;
    for (let at = 0; at < members.length; at++) {
      const value = this.member.denormalize(members[at], source);
      if (value !== INVALID) out[count++] = value;
    }
    out.length = count;
    return DEV ? Object.freeze(out) : out;
  }

  /** Arguments alone never determine the members of a plain list. @internal */
  queryKey(): undefined {
    return undefined;
  }

  /** @internal */ emptyValue(): unknown {
    return EMPTY_LIST;
  }
}

/** The members with a schema, as nodes, and the other members as received. */
export class ObjectNode extends Composite {
  readonly rest: Fields;
  override readonly inner: Fields;

  constructor(rest: Fields, inner: Fields) {
    super();
    this.rest = rest;
    this.inner = inner;
  }

  override withInner(inner: NormalizedNode): ObjectNode {
    return new ObjectNode(this.rest, inner as Fields);
  }

  equals(other: unknown): boolean {
    if (!(other instanceof ObjectNode)) return false;
    return equal(this.inner, other.inner) && equal(this.rest, other.rest);
  }
}

/** The members of an object schema. */
export type ObjectMembers = readonly (readonly [name: string, kind: Kind])[];

/** `{name: S}`: named members are normalized by their schema, all others keep their value. */
export class ObjectKind implements Kind {
  /** @internal */ readonly members: ObjectMembers;
  /** The empty value; the same reference each time. @internal */
  emptyObject: Fields | undefined;

  constructor(members: ObjectMembers) {
    this.members = members;
  }

  get title(): string {
    return `{${this.members.map(([name, { title }]) => `${name}: ${title}`).join(', ')}}`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return this.members.map(([, kind]) => kind);
  }

  /** @internal */ mapInner(change: (kind: Kind) => Kind): Kind {
    const members = this.members.map(([name, kind]) => [name, change(kind)]);
    // keeps the class of a subclass
    return Object.create(this, { members: { value: members } }) as Kind;
  }

  /** @internal */ bindToEntity(entity: StoredKind): Kind {
    return new ObjectKind(
      this.members.map(([name, kind]) => [name, kind.bindToEntity?.(entity) ?? kind]),
    );
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    if (!isObject(input)) {
      const members = this.members.map(([name]) => name);
      throw badDataError('S8', { members, value: input }, walk.endpoint);
    }
    const inner: Fields = {};
    const rest: Fields = { ...input };
    walk.callDepth++;
    for (const [name, kind] of this.members) {
      const value = fieldOf(input, name);
      if (value !== undefined) setOwn(inner, name, kind.normalize(value, input, name, walk));
      delete rest[name];
    }
    walk.callDepth--;
    return new ObjectNode(rest, inner);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    if (!(node instanceof ObjectNode)) return node;
    const out: Fields = { ...node.rest };
    let isComplete = true;
    for (const [name, kind] of this.members) {
      const inner = fieldOf(node.inner, name);
      const value = inner === undefined ? kind.emptyValue?.() : kind.denormalize(inner, source);
      // the loop goes on after INVALID, so that the other members are linked to their readers
      if (value === INVALID) isComplete = false;
      setOwn(out, name, value);
    }
    if (!isComplete) return INVALID;
    return DEV ? Object.freeze(out) : out;
  }

  /** Defined once each inferable member is; literals read as their default. @internal */
  queryKey(args: Args, source: Source): NormalizedNode | undefined {
    const node: Fields = {};
    let found = false;
    for (const [name, kind] of this.members) {
      if (kind.queryKey === undefined) continue;
      const inner = kind.queryKey(args, source);
      if (inner === undefined) return undefined;
      setOwn(node, name, inner);
      found = true;
    }
    return found ? new ObjectNode({}, node) : undefined;
  }

  /** @internal */ hasIncomplete(node: NormalizedNode, since: number): boolean {
    if (!(node instanceof ObjectNode)) return false;
    return this.members.some(([name, kind]) =>
      kind.hasIncomplete?.(fieldOf(node.inner, name), since),
    );
  }

  /** @internal */ emptyValue(): unknown {
    if (this.emptyObject === undefined) {
      const members: Fields = {};
      for (const [name, kind] of this.members) setOwn(members, name, kind.emptyValue?.());
      this.emptyObject = Object.freeze(members);
    }
    return this.emptyObject;
  }
}

/** A literal in a schema (`nextPage: ''`): accepts any value; the literal is the default. */
export class LiteralKind implements Kind {
  readonly alwaysComplete = true;
  readonly literal: unknown;

  constructor(literal: unknown) {
    this.literal = literal;
  }

  get title(): string {
    return this.literal === undefined ? 'no schema' : toShortText(this.literal, 20);
  }

  normalize(input: unknown): NormalizedNode {
    return wrapOpaque(input);
  }

  denormalize(node: NormalizedNode): unknown {
    return unwrapOpaque(node);
  }

  emptyValue(): unknown {
    return this.literal;
  }
}

/** The node for primary keys in the shape of `kind`; undefined if the keys do not have this shape. */
export function nodeFromPks(kind: Kind, keys: unknown, source: Source): NormalizedNode | undefined {
  if (kind instanceof ObjectKind) return objectFromPks(kind, keys, source);
  if (!(kind instanceof ArrayKind)) return kind.fromPks?.(keys, source);
  const { member } = kind;
  if (!Array.isArray(keys) || !canHavePks(member)) return undefined;
  return keys.map((key) => nodeFromPks(member, key, source));
}

/** True if primary keys can stand for values of `kind`. */
export function canHavePks(kind: Kind): boolean {
  return kind.fromPks !== undefined || kind instanceof ArrayKind || kind instanceof ObjectKind;
}

function objectFromPks(
  { members }: ObjectKind,
  keys: unknown,
  source: Source,
): NormalizedNode | undefined {
  if (!isPlainObject(keys)) return undefined;
  const inner: Fields = {};
  for (const [name, kind] of members) {
    const node = nodeFromPks(kind, fieldOf(keys, name), source);
    if (node !== undefined) setOwn(inner, name, node);
  }
  return Object.keys(inner).length > 0 ? new ObjectNode({}, inner) : undefined;
}
