/** The shorthand `[S]` as a class, for users of Rest Hooks and Reactive Data Client. */
import { ArrayKind } from './containers.ts';
import type { Denormalized, Kind, Schema } from './schema.ts';
import { memberKindOf } from './Union.ts';
import type { Choice } from './Union.ts';

/** The type of a member: of the schema itself, or of one of the schemas that `choice` selects from. */
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
