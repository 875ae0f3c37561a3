/** The shorthands `[S]` and `{name: S}` as classes, for users of Rest Hooks and Reactive Data Client. */
import { checkObject, DEV } from '../errors.ts';
import { ArrayKind, ObjectKind } from './containers.ts';
import type { Denormalized, Kind, Schema } from './schema.ts';
import { memberKindOf } from './Union.ts';
import type { Choice } from './Union.ts';
import { kindOf } from './kindOf.ts';
import { isBindable } from './bindTo.ts';
import type { ListEndpoint } from './bindTo.ts';

/** The type of a member: of the schema itself, or of the schemas that `choice` selects from. */
export type ArrayMember<S, C> = [C] extends [undefined]
  ? Denormalized<S>
  : Denormalized<S[keyof S]>;

/**
 * `new schema.Array(Todo)` is `[Todo]`; `new schema.Array({post: Post, link: Link}, 'type')` is
 * `[new Union({post: Post, link: Link}, 'type')]`. Throws S4 if the schema is undefined.
 */
export class ArraySchema<S extends Schema, C extends Choice | undefined = undefined>
  extends ArrayKind
  implements Kind<ArrayMember<S, C>[]>
{
  declare readonly denormalizedType?: ArrayMember<S, C>[];
  readonly schema: S;

  // `| Choice`: contextual types for the parameters of a function while C is not inferred yet
  constructor(schema: S, choice?: C | Choice) {
    super(memberKindOf(schema, choice, 'Array'));
    this.schema = schema;
  }
}

/** `new schema.Object({data: Todo})` is `{data: Todo}`. Throws S4 if a member is undefined. */
export class ObjectSchema<S extends Readonly<Record<string, Schema>>>
  extends ObjectKind
  implements Kind<Denormalized<S>>
{
  declare readonly denormalizedType?: Denormalized<S>;
  readonly schema: S;

  constructor(schema: S) {
    if (DEV) checkObject('new schema.Object', schema, 'an object of schemas');
    super(Object.entries(schema).map(([name, inner]) => [name, kindOf(inner, 'Object', name)]));
    this.schema = schema;
  }

  /** This schema, bound to `endpoint`. Keeps the class of a subclass. @internal */
  bindTo(endpoint: ListEndpoint, place: string): this {
    return bindMembers(this, endpoint, place);
  }
}

function bindMembers<K extends ObjectKind>(kind: K, endpoint: ListEndpoint, place: string): K {
  const members = kind.members.map(
    ([name, member]) => [name, bindMember(member, endpoint, `${place}.${name}`)] as const,
  );
  if (members.every(([, member], at) => member === kind.members[at]?.[1])) return kind;
  const overrides = {
    members: { value: members },
    emptyObject: { value: undefined, writable: true },
  };
  return Object.create(kind, overrides) as K;
}

function bindMember(kind: Kind, endpoint: ListEndpoint, place: string): Kind {
  if (isBindable(kind)) return kind.bindTo(endpoint, place) as Kind;
  return kind instanceof ObjectKind ? bindMembers(kind, endpoint, place) : kind;
}
