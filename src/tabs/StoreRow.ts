/** One record of a store, as a tab hands it over to another: plain data, with names in the place of schemas. */
import type { Args, Fields } from '../schema/schema.ts';
import type { InsertPosition } from '../store/lists/MembershipLog.ts';
import type { FieldTimes, Stamp } from '../store/records/versioning.ts';
import type { References } from '../sync/PersistedRecord.ts';
import type { SchemaRef } from './SchemaRef.ts';

export type StoreRow = EntityRow | ListRow | ResultRow;

export interface EntityRow {
  readonly kind: 'entity';
  readonly name: string;
  readonly pk: string;
  /** Logical time of the fields that are not in `times`; of a deleted entity, of its deletion. */
  readonly time: number;
  /** Undefined: the entity is deleted. */
  readonly content?: {
    /** Nested entities are primary keys. */
    readonly fields: Fields;
    readonly refs: References;
    readonly times: FieldTimes | undefined;
    readonly ownIssued: FieldTimes | undefined;
    readonly floor: number;
    readonly stamp: Stamp;
  };
}

export interface ListRow {
  readonly kind: 'list';
  readonly name: string;
  readonly pk: string;
  /** In order; consecutive members of the same table are grouped. Undefined: the members are not known yet. */
  readonly members: readonly (readonly [name: string, pks: readonly string[]])[] | undefined;
  /** Entities that entered or left the list, while requests are in flight that may contradict. */
  readonly contested: readonly (readonly [
    name: string,
    pk: string,
    entered: InsertPosition | undefined,
  ])[];
  /** Of a map: the key of each member. */
  readonly keys: readonly string[] | undefined;
  readonly paged: boolean;
  readonly stamp: Stamp;
}

export interface ResultRow {
  readonly kind: 'result';
  readonly key: string;
  readonly schema: SchemaRef;
  readonly args: Args;
  /** Undefined: no response is stored, or the response was invalidated. */
  readonly response: ResponseRow | undefined;
  readonly expiredAt: number;
  readonly invalidatedAt: number | undefined;
  readonly amendedAt: number;
}

export interface ResponseRow {
  /** With primary keys in the place of entities, and lists left empty. */
  readonly value: unknown;
  readonly refs: References;
  readonly stamp: Stamp;
}
