/** Changes of other results by a response, as the `update` of its endpoint defines them. */
import type { EndpointCall, Updates } from '../endpoint/Endpoint.ts';
import type { ListKind } from '../schema/schema.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import { unwrapOpaque, INVALID } from '../schema/schema.ts';
import type { Kind, NormalizedNode, Ref, Source, StoredKind } from '../schema/schema.ts';
import { LayerReadView } from './LayerReadView.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import type { WriteRequest } from '../store/writes/StagedWrite.ts';
import type { Store } from '../store/Store.ts';
import { toEventWrite } from '../request/commit.ts';
import type { UpdateContext } from '../request/OptimisticWrites.ts';

/**
 * Returns a function from the node of a response to the results that the endpoint's `update` changes. That function
 * throws the exceptions of the functions of `update`.
 */
export function updatesOf(
  store: Store,
  { endpoint, args }: EndpointCall,
  { stamp, eventWrites, updatedValues = new Map() }: UpdateContext,
): WriteRequest['createLinkedWrites'] {
  const { schema } = endpoint;
  return (node) => {
    const answer =
      schema === undefined ? unwrapOpaque(node) : toNormalizedForm(store, kindOf(schema, ''), node);
    // an `update` without changes may return undefined
    const changes = (endpoint.update?.call(endpoint, answer, ...args) as Updates | undefined) ?? {};
    return Object.entries(changes).flatMap(([key, change]) => {
      const result = store.findResult(key);
      const present = result && currentValueOf(store, result, updatedValues);
      if (result === undefined || present === undefined) return [];
      const value = change(present);
      updatedValues.set(result, value);
      // its time is now, whatever the order of responses; it stays fresh no longer than the response that it changes
      const { fetchedAt, expiresAt } = stamp;
      const dated = result.hasResponse ? result.stamp : { fetchedAt, expiresAt };
      const amended: Stamp = { ...dated, time: store.time };
      eventWrites.push({ ...toEventWrite(result), value, stamp: amended });
      return [{ result, value, stamp: amended }];
    });
  };
}

/** The value that an update starts from. If data are incomplete, a response requested before is refetched. */
function currentValueOf(
  store: Store,
  result: ResultRecord,
  updatedValues: Map<ResultRecord, unknown>,
): unknown {
  if ((result.hasResponse || result.hasData()) && !result.isIncomplete)
    return updatedValues.get(result) ?? toNormalizedForm(store, result.kind, result.node);
  result.updateAppliedAt = store.time;
  return undefined;
}

/**
 * A node in the form of a normalized response: primary keys instead of entities, other values as they came. Undefined
 * if there is no such form.
 */
function toNormalizedForm(store: Store, kind: Kind, node: NormalizedNode): unknown {
  const keys = new ConfirmedKeySource(store, 0);
  const value = kind.denormalize(node, keys);
  return keys.foundDerivedValue || value === INVALID ? undefined : value;
}

/** Leaves out optimistic data: they must not be written as confirmed. */
class ConfirmedKeySource extends LayerReadView implements Source {
  foundDerivedValue = false;

  override value(ref: Ref): unknown {
    const { kind } = ref as StoreRecord;
    if (kind instanceof EntityKind) return ref.pk;
    // a value derived from lists has no kind, and a whole table has no schema
    const schema = (kind as Partial<ListKind> | undefined)?.schema;
    if (schema === undefined) return this.rejectDerivedValue();
    const members = (ref as StoreRecord).confirmedParts();
    return members === undefined ? INVALID : kindOf(schema, '').denormalize(members, this);
  }

  kindOf(ref: Ref): StoredKind {
    return (ref as StoreRecord).kind as StoredKind;
  }

  rejectDerivedValue(): unknown {
    this.foundDerivedValue = true;
    return INVALID;
  }
}
