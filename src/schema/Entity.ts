/** The base class of records with a primary key. */
import { EntityMixin } from './EntityMixin.ts';
import type { EntityInstance, Mixed } from './EntityMixin.ts';

/**
 * Extend this class and give each field a default; `id` is the primary key unless `pk()` is overridden.
 * `static schema` names the nested members.
 *
 * ```ts
 * class Todo extends Entity {
 *   id = 0;
 *   title = '';
 *   author = User.fromJS();
 *   static schema = { author: User };
 * }
 * ```
 */
export const Entity: Mixed<object> = EntityMixin(class {});
export type Entity = EntityInstance;
