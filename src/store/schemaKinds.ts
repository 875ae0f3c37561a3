/** All kinds under one name, as users of Rest Hooks and Reactive Data Client write them: `new schema.Union(…)`. */
import { ArraySchema } from '../schema/ArraySchema.ts';
import { Collection } from '../schema/Collection.ts';
import { Delete } from '../schema/Delete.ts';
import { EntityMixin } from '../schema/EntityMixin.ts';
import { Lazy } from '../schema/Lazy.ts';
import { ObjectSchema } from '../schema/ObjectSchema.ts';
import { All } from './All.ts';
import { Query } from './Query.ts';
import { Scalar } from '../schema/Scalar.ts';
import { Union } from '../schema/Union.ts';
import { Values } from './Values.ts';

/** What is not used through it costs nothing only when it is imported by its own name. */
export const schemaKinds: {
  readonly All: typeof All;
  readonly Array: typeof ArraySchema;
  readonly Collection: typeof Collection;
  readonly Delete: typeof Delete;
  readonly EntityMixin: typeof EntityMixin;
  readonly Invalidate: typeof Delete;
  readonly Lazy: typeof Lazy;
  readonly Object: typeof ObjectSchema;
  readonly Query: typeof Query;
  readonly Scalar: typeof Scalar;
  readonly Union: typeof Union;
  readonly Values: typeof Values;
} = {
  All,
  Array: ArraySchema,
  Collection,
  Delete,
  EntityMixin,
  Invalidate: Delete,
  Lazy,
  Object: ObjectSchema,
  Query,
  Scalar,
  Union,
  Values,
};
