/** All schema kinds under a single name, with the forms of Data Client: `new schema.Invalidate({ … }, 'type')`. */
import { Query as OwnQuery } from '../query/Query.ts';
import type { Denormalized, Schema } from '../schema/schema.ts';
export { ArraySchema as Array, ObjectSchema as Object } from '../schema/ArraySchema.ts';
export { Collection } from './Collection.ts';
export { Delete } from '../schema/Delete.ts';
export { EntityMixin, EntityMixin as Entity } from './Entity.ts';
export { Lazy } from '../schema/Lazy.ts';
export { Scalar } from '../schema/Scalar.ts';
export { Union } from '../schema/Union.ts';
export { All, Values } from '../index.ts';
export { Invalidate } from './Invalidate.ts';
export type { DenormalizeNullable } from './storedDataOf.ts';

/** `new Query(new All(Todo), (todos) => …)`; without a function, the value of the schema. */
export type QueryConstructor = typeof OwnQuery & {
  new <S extends Schema>(schema: S): OwnQuery<S, (value: Denormalized<S>) => Denormalized<S>>;
};

class QueryWithDefault extends OwnQuery<Schema, object> {
  constructor(schema: Schema, definition: object = (value: unknown) => value) {
    super(schema, definition as never);
  }
}

/** A value derived from a schema. */
export const Query: QueryConstructor = QueryWithDefault as never;
/** A value derived from a schema. */
export type Query<S extends Schema, Definition extends object> = OwnQuery<S, Definition>;
