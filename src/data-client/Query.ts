/** Queries whose function may be left out. */
import { Query as OwnQuery } from '../query/Query.ts';
import type { Denormalized, Schema } from '../schema/schema.ts';

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
