/** Maps as users name them: with the records that a Collection of them needs, so that only who writes maps loads these. */
import { Assigning } from '../schema/Assigning.ts';
import type { Change, Listing } from '../schema/Entering.ts';
import type { ListKind, Schema } from '../schema/schema.ts';
import type { Choice } from '../schema/Union.ts';
import { ValuesKind } from '../schema/ValuesKind.ts';
import { MapRecord } from './MapRecord.ts';

/**
 * `new Values(Todo)` describes `{ 7: {id: 7}, 9: {id: 9} }`; `new Values({dog: Dog, cat: Cat}, 'type')` one of several
 * schemas per member. Empty, missing and deleted members are dropped.
 */
export class Values<S extends Schema, C extends Choice | undefined = undefined> extends ValuesKind<
  S,
  C
> {
  /** @internal */ override assigning(collection: Listing, change: Change): Assigning<unknown> {
    return new Assigning(collection, change);
  }

  /** @internal */ override readonly records: ListKind['records'] = (kind, pk) =>
    new MapRecord(kind, pk);
}
