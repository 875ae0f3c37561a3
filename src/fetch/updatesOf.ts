/** What an answer changes in what other requests show, as its endpoint's `update` says. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Listing } from '../schema/Entering.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { carried, INVALID } from '../schema/schema.ts';
import type { Args, Kind, Node, Ref, Source, StoredKind } from '../schema/schema.ts';
import { confirmed } from '../store/Layered.ts';
import { Past } from '../store/Past.ts';
import type { Record } from '../store/Record.ts';
import type { Other, Store } from '../store/Store.ts';

interface Call {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

/** What `update` makes of the results that are stored. Throws what its functions throw. */
export function updatesOf(store: Store, { endpoint, args }: Call, node: Node): Other[] {
  const { schema } = endpoint;
  const answer = schema === undefined ? carried(node) : keysIn(store, kindOf(schema, ''), node);
  const changes = endpoint.update?.(answer, ...args) ?? {};
  return Object.entries(changes).flatMap(([key, change]) => {
    const result = store.results.get(key);
    // nobody asked for it, or its request is still on its way
    if (result === undefined || (!result.answered && result.data(store) === INVALID)) return [];
    const present = keysIn(store, result.kind, result.node);
    return present === undefined ? [] : [{ result, value: change(present) }];
  });
}

/**
 * A node as a normalized answer is usually written: primary keys in the place of entities, values as they came.
 * Undefined where there is no such form.
 */
function keysIn(store: Store, kind: Kind, node: Node): unknown {
  const keys = new Keys(store, 0);
  const value = kind.denormalize(node, keys);
  return keys.derived || value === INVALID ? undefined : value;
}

/** What is only expected of mutations under way is left out: it must not be written as confirmed. */
class Keys extends Past implements Source {
  derived = false;

  override value(ref: Ref): unknown {
    const { kind } = ref as Record;
    if (kind instanceof EntityKind) return ref.pk;
    // what derives from lists has no kind of its own, a whole table no schema
    const schema = (kind as Partial<Listing> | undefined)?.schema;
    if (schema === undefined) return this.derives();
    const members = confirmed(ref as Record).parts();
    return members === undefined ? INVALID : kindOf(schema, '').denormalize(members, this);
  }

  kindOf(ref: Ref): StoredKind {
    return (ref as Record).kind as StoredKind;
  }

  derives(): unknown {
    this.derived = true;
    return INVALID;
  }
}
