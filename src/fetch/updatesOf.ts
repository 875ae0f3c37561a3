/** What an answer changes in what other requests show, as its endpoint's `update` says. */
import type { EndpointInterface, Updates } from '../endpoint/Endpoint.ts';
import type { Listing } from '../schema/Entering.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { carried, INVALID } from '../schema/schema.ts';
import type { Args, Kind, Node, Ref, Source, StoredKind } from '../schema/schema.ts';
import { LayerReadView } from '../store/LayerReadView.ts';
import type { StoreRecord } from '../store/StoreRecord.ts';
import type { Stamp } from '../store/versioning.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Store, WriteRequest } from '../store/Store.ts';
import { invalidationEvent } from './commit.ts';
import type { Write } from './Events.ts';

interface Call {
  readonly endpoint: EndpointInterface;
  readonly args: Args;
}

/** What is told of an answer that is laid out. */
interface Told {
  readonly stamp: Stamp;
  /** Takes what events tell of the updates. */
  readonly writes: Write[];
  /** What answers that are confirmed together made so far: each goes on from there. */
  readonly made?: Map<ResultRecord, unknown>;
}

/**
 * From the node of an answer to what `update` makes of the results that are stored; undefined where there is none.
 * It throws what the functions of `update` throw.
 */
export function updatesOf(
  store: Store,
  { endpoint, args }: Call,
  { stamp, writes, made = new Map() }: Told,
): WriteRequest['others'] {
  const { schema, update } = endpoint;
  if (update === undefined) return undefined;
  return (node) => {
    const answer = schema === undefined ? carried(node) : keysIn(store, kindOf(schema, ''), node);
    // one that has nothing to say may say just that
    const changes = (update.call(endpoint, answer, ...args) as Updates | undefined) ?? {};
    return Object.entries(changes).flatMap(([key, change]) => {
      const result = store.results.get(key);
      const present = result && presentOf(store, result, made);
      if (result === undefined || present === undefined) return [];
      const value = change(present);
      made.set(result, value);
      // as new as this moment, in whatever order responses arrive; no fresher than the response that it changes
      const { fetchedAt, expiresAt } = stamp;
      const dated = result.answered ? result.stamp : { fetchedAt, expiresAt };
      const amended: Stamp = { ...dated, time: store.time };
      writes.push({ ...invalidationEvent(result), value, stamp: amended });
      return [{ result, value, stamp: amended }];
    });
  };
}

/** What an update goes on from. Without complete data, a response that was requested before the update is fetched again. */
function presentOf(store: Store, result: ResultRecord, made: Map<ResultRecord, unknown>): unknown {
  if ((result.answered || result.has(store)) && !result.incomplete)
    return made.get(result) ?? keysIn(store, result.kind, result.node);
  result.amendedAt = store.time;
  return undefined;
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
class Keys extends LayerReadView implements Source {
  derived = false;

  override value(ref: Ref): unknown {
    const { kind } = ref as StoreRecord;
    if (kind instanceof EntityKind) return ref.pk;
    // what derives from lists has no kind of its own, a whole table no schema
    const schema = (kind as Partial<Listing> | undefined)?.schema;
    if (schema === undefined) return this.derives();
    const members = (ref as StoreRecord).confirmedParts();
    return members === undefined ? INVALID : kindOf(schema, '').denormalize(members, this);
  }

  kindOf(ref: Ref): StoredKind {
    return (ref as StoreRecord).kind as StoredKind;
  }

  derives(): unknown {
    this.derived = true;
    return INVALID;
  }
}
