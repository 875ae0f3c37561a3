/** The shorthand `{name: S}` as a class, for users of Rest Hooks and Reactive Data Client. */
import { ObjectKind } from './containers.ts';
import { kindOf } from './kindOf.ts';
import { isBindable } from './bindTo.ts';
import type { ListEndpoint } from './ListEndpoint.ts';
import type { Denormalized, Kind, Schema } from './schema.ts';

/** `new schema.Object({data: Todo})` is `{data: Todo}`. Throws S4 if a member is undefined. */
export class ObjectSchema<S extends Readonly<Record<string, Schema>>>
  extends ObjectKind
  implements Kind<Denormalized<S>>
{
  declare readonly denormalizedType?: Denormalized<S>;
  readonly schema: S;

  constructor(schema: S) {
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
  const own = { members: { value: members }, emptyObject: { value: undefined, writable: true } };
  return Object.create(kind, own) as K;
}

function bindMember(kind: Kind, endpoint: ListEndpoint, place: string): Kind {
  if (isBindable(kind)) return kind.bindTo(endpoint, place) as Kind;
  return kind instanceof ObjectKind ? bindMembers(kind, endpoint, place) : kind;
}
