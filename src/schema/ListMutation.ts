/** The schemas of changes to stored lists: members that are inserted, removed or moved. */
import type { EntityKind } from './EntityKind.ts';
import { asText } from './ListIdentity.ts';
import type { ListEndpoint } from './bindTo.ts';
import { MEMBER_NAME, UNDECIDED } from './conditionsOf.ts';
import type { FilterValue } from './conditionsOf.ts';
import { hasField } from './fieldOf.ts';
import type {
  Args,
  Denormalized,
  Fields,
  Kind,
  ListChangeOp,
  ListKind,
  NormalizeContext,
  NormalizedNode,
  Schema,
  Source,
} from './schema.ts';

/** A change to the lists of a collection. */
export interface ListChangeOptions {
  readonly op: ListChangeOp['op'];
  readonly merge?: ListChangeOp['merge'];
  readonly filter?: ((...args: Args) => NonNullable<ListChangeOp['filter']>) | undefined;
  /** The endpoint that returns the members. */
  readonly mutationEndpoint?: ListEndpoint;
}

/** The schema of a creation, a removal or a move. The response is a member, or an array of members, of `collection`. */
export class ListMutation<S extends readonly Schema[]> implements Kind<Denormalized<S[0]>> {
  declare readonly denormalizedType?: Denormalized<S[0]>;
  /** @internal */ readonly collection: ListKind;
  /** @internal */ readonly op: ListChangeOptions['op'];
  readonly #options: ListChangeOptions;

  /** @internal */ constructor(collection: ListKind, change: ListChangeOptions) {
    this.collection = collection;
    this.op = change.op;
    this.#options = change;
  }

  get title(): string {
    return `${this.collection.title}, ${this.op}`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [this.collection];
  }

  /** This schema, bound to the endpoint that makes the change. @internal */
  bindTo(endpoint: ListEndpoint): ListMutation<S> {
    const change = this.#options;
    if (change.mutationEndpoint?.listAddress === endpoint.listAddress) return this;
    return new ListMutation(this.collection, { ...change, mutationEndpoint: endpoint });
  }

  normalize(input: unknown, _parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    const rows: readonly unknown[] = Array.isArray(input) ? input : [input];
    const { member } = this.collection;
    const inputs: unknown[] = [];
    const members: NormalizedNode[] = [];
    walk.callDepth++;
    walk.creates = this.op === 'start' || this.op === 'end';
    for (const row of rows) {
      if (row === null || row === undefined) continue;
      // the members are top-level values, which no entity contains
      const node = member.normalize(row, rows, key, walk);
      if (node === undefined) continue;
      inputs.push(row);
      members.push(node);
    }
    walk.callDepth--;
    stageListChange(this.collection, this.#options, { members, inputs, normalizeContext: walk });
    return Array.isArray(input) ? members : members[0];
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    const { member } = this.collection;
    if (!Array.isArray(node)) return member.denormalize(node, source);
    return (node as NormalizedNode[]).map((each) => member.denormalize(each, source));
  }
}

export interface IncomingMembers {
  readonly members: readonly NormalizedNode[];
  /** The input of each member. */
  readonly inputs: readonly unknown[];
  readonly normalizeContext: NormalizeContext;
  readonly keys?: readonly string[];
}

/** Stages the list change of members with the `inputs`. */
export function stageListChange(
  collection: ListKind,
  { op, merge, filter, mutationEndpoint }: ListChangeOptions,
  { members, inputs, normalizeContext: walk, keys }: IncomingMembers,
): void {
  const { args, creates } = walk;
  const filterLookups = inputs.map((fields) => createFilterLookup(fields, args, collection, op));
  // `out` and `move` apply to the lists of the collection, not to the lists at the endpoint's address
  const listAddress = creates ? mutationEndpoint?.listAddress : undefined;
  const entry = {
    members,
    op,
    creates,
    filterLookups,
    keys,
    merge,
    filter: filter?.(...args),
    listAddress,
  };
  walk.creates = false;
  walk.sink.stageListChange(collection, entry);
}

/**
 * Looks up the value of a filter argument: in the response first, then the body, then the parameters; for a path param,
 * in the parameters first, unless the body of a move has another value. An object in the place of a nested entity
 * counts as the primary key of that entity. Any other object decides nothing, if no place has a text.
 */
function createFilterLookup(
  response: unknown,
  args: Args,
  collection: ListKind,
  op: ListChangeOptions['op'],
): (name: string) => FilterValue {
  let memoizedPlaces: Fields[] | undefined;
  const { descriptor } = collection.member as Partial<EntityKind>;
  return (name) => {
    // a move may come from any member
    if (name === MEMBER_NAME)
      return (op !== 'move' && collection.listOrigin.memberName) || undefined;
    let structure: FilterValue;
    const places = (memoizedPlaces ??= [...args, response].reverse() as Fields[]);
    const isPathParam = collection.listOrigin.isPathParam(name);
    const first = isPathParam ? places.slice(op === 'move' ? 1 : -1) : [];
    for (const place of [...first, ...places]) {
      if (typeof place !== 'object' || place === null || !hasField(place, name)) continue;
      const value = place[name];
      if (typeof value !== 'object' || value === null || value instanceof Date)
        return asText(value);
      const nested = descriptor?.nested.find((each) => each.name === name)
        ?.kind as Partial<EntityKind>;
      const pk = nested?.pkIn?.(value, args);
      if (pk !== undefined) return pk;
      structure = UNDECIDED;
    }
    return structure;
  };
}
