/** All schema kinds under a single name, with the forms of Data Client: `new schema.Invalidate({ … }, 'type')`. */
export { ArraySchema as Array, ObjectSchema as Object } from '../schema/ArraySchema.ts';
export { Collection } from './Collection.ts';
export { Delete } from '../schema/Delete.ts';
export { EntityMixin, EntityMixin as Entity } from './Entity.ts';
export { Lazy } from '../schema/Lazy.ts';
export { Scalar } from '../schema/Scalar.ts';
export { Union } from '../schema/Union.ts';
export { Query } from './Query.ts';
export { All, Values } from '../index.ts';
export { Invalidate } from './Invalidate.ts';
export type { DenormalizeNullable } from './storedDataOf.ts';
