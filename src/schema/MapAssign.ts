/** The schema of entries that are assigned to maps. */
import { stageListChange } from './ListMutation.ts';
import type { ListChangeOptions, CollectionPort } from './ListMutation.ts';
import type { ListEndpoint } from './ListEndpoint.ts';
import type { Fields, Kind, Node, Source, NormalizeContext } from './schema.ts';

/** The schema of a change to maps. The response is an object of members by key. */
export class MapAssign<T> implements Kind<T> {
  declare readonly denormalizedType?: T;
  readonly #collection: CollectionPort;
  readonly #options: ListChangeOptions;

  /** @internal */ constructor(collection: CollectionPort, change: ListChangeOptions) {
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

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
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

  denormalize(node: Node, source: Source): unknown {
    return this.#mapKind.denormalize(node, source);
  }

  /** @internal */ emptyValue(): unknown {
    return this.#mapKind.emptyValue?.();
  }
}
