/** One page of a list that is identified by its arguments. */
import type { Collection, CollectionSchema } from './Collection.ts';
import type { Args, Denormalized, Kind, Node, Ref, Source, NormalizeContext } from './schema.ts';

/**
 * Replaces `collection` in the schema of the list. The members of the response are appended to the list of the
 * arguments that `listArgs` returns, without members that the list contains already, regardless of the page's address.
 * The value for readers is the complete list.
 */
export class Pages<S extends CollectionSchema> implements Kind<Denormalized<S>> {
  declare readonly denormalizedType?: Denormalized<S>;
  readonly collection: Collection<S>;
  readonly #listArgs: (args: Args) => Args;

  constructor(collection: Collection<S>, listArgs: (args: Args) => Args) {
    this.collection = collection;
    this.#listArgs = listArgs;
  }

  get title(): string {
    return `${this.collection.title}, pages`;
  }

  innerKinds(): readonly Kind[] {
    return [this.collection];
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    if (input === null || input === undefined) return input;
    const { collection } = this;
    const ref = walk.sink.ref(
      collection,
      collection.listOrigin.pkForArgs(this.#listArgs(walk.args)),
    );
    walk.sink.fill(ref, collection.normalizeMembers(input, parent, key, walk), 'append');
    return ref;
  }

  denormalize(node: Node, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  emptyValue(): unknown {
    return this.collection.emptyValue();
  }
}
