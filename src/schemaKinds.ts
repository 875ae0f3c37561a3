/** All schema kinds under a single name, as in Rest Hooks and Reactive Data Client: `new schema.Union(…)`. */
export { ArraySchema as Array, ObjectSchema as Object } from './schema/ArraySchema.ts';
export { Collection } from './schema/Collection.ts';
export { Delete, Delete as Invalidate } from './schema/Delete.ts';
export { EntityMixin, EntityMixin as Entity } from './schema/Entity.ts';
export { Lazy } from './schema/Lazy.ts';
export { Scalar } from './schema/Scalar.ts';
export { Union } from './schema/Union.ts';
export { All } from './store/lists/All.ts';
export { Query } from './query/Query.ts';
export { Values } from './store/lists/Values.ts';
