/** The public schema of maps, which imports `MapRecord`, so that only applications with maps load that class. */
import { MapAssign, ValuesKind } from '../../schema/ValuesKind.ts';
import type { ListChangeOptions } from '../../schema/ListMutation.ts';
import type { ListKind, Schema } from '../../schema/schema.ts';
import type { Choice } from '../../schema/Union.ts';
import { MapRecord } from './MapRecord.ts';

/**
 * `new Values(Todo)` describes `{ 7: {id: 7}, 9: {id: 9} }`; `new Values({dog: Dog, cat: Cat}, 'type')` selects one of
 * several schemas per member. Empty, missing and deleted members are dropped.
 */
export class Values<S extends Schema, C extends Choice | undefined = undefined> extends ValuesKind<
  S,
  C
> {
  /** @internal */ override createAssign(
    collection: ListKind,
    change: ListChangeOptions,
  ): MapAssign<unknown> {
    return new MapAssign(collection, change);
  }

  /** @internal */ override readonly createRecord: ListKind['createRecord'] = (kind, pk) =>
    new MapRecord(kind, pk);
}
