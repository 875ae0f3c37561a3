/** The shorthand `{name: S}` as a class, for users of Rest Hooks and Reactive Data Client. */
import { ObjectKind } from './containers.ts';
import { kindOf } from './kindOf.ts';
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
}
