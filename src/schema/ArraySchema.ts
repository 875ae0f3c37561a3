/** The shorthand `[S]` as a class, as users of Rest Hooks and Reactive Data Client write it. */
import { ArrayKind } from './containers.ts';
import { kindOf } from './kindOf.ts';
import type { Denormalized, Kind, Schema } from './schema.ts';
import { Union } from './Union.ts';
import type { Choice } from './Union.ts';

/** What a member is: the schema itself, or one of those that `choice` names. */
type Member<S, C> = [C] extends [Choice] ? Denormalized<S[keyof S]> : Denormalized<S>;

/**
 * `new schema.Array(Todo)` is `[Todo]`; `new schema.Array({post: Post, link: Link}, 'type')` is
 * `[new Union({post: Post, link: Link}, 'type')]`. Throws S4 where the schema is undefined.
 */
export class ArraySchema<S extends Schema, C extends Choice | undefined = undefined>
  extends ArrayKind
  implements Kind<Member<S, C>[]>
{
  declare readonly denormalized?: Member<S, C>[];
  readonly schema: S;

  // Choice: a function gets its parameters from it, where C is not known yet
  constructor(schema: S, choice?: C | Choice) {
    super(
      kindOf(choice === undefined ? schema : new Union(schema as object as never, choice), 'Array'),
    );
    this.schema = schema;
  }
}
