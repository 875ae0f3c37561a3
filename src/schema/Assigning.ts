/** The schema of entries that are assigned to maps. */
import { enter } from './Entering.ts';
import type { Change, Listing } from './Entering.ts';
import type { ListEndpoint } from './ListEndpoint.ts';
import type { Fields, Kind, Node, Source, Walk } from './schema.ts';

/** The schema of a change to maps. The response is an object of members by key. */
export class Assigning<T> implements Kind<T> {
  declare readonly denormalized?: T;
  readonly #collection: Listing;
  readonly #change: Change;

  /** @internal */ constructor(collection: Listing, change: Change) {
    this.#collection = collection;
    this.#change = change;
  }

  get title(): string {
    return `${this.#collection.title}, assign`;
  }

  get #values(): Kind {
    return this.#collection.values as Kind;
  }

  /** This schema, bound to the endpoint that makes the change. @internal */
  readBy(endpoint: ListEndpoint): Assigning<T> {
    const change = this.#change;
    if (change.by?.listAddress === endpoint.listAddress) return this;
    return new Assigning(this.#collection, { ...change, by: endpoint });
  }

  /** @internal */ inner(): readonly Kind[] {
    return [this.#collection];
  }

  normalize(input: unknown, parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    const nodes = this.#values.normalize(input, parent, key, walk) as Fields;
    const keys = Object.keys(nodes);
    const members = Object.values(nodes);
    const present = keys.map((name) => (input as Fields)[name]);
    enter(this.#collection, this.#change, { members, present, walk, keys });
    return nodes;
  }

  denormalize(node: Node, source: Source): unknown {
    return this.#values.denormalize(node, source);
  }

  /** @internal */ empty(): unknown {
    return this.#values.empty();
  }
}
