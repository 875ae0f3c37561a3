/** The live object of one entity. */
import type { Controller, Key } from '../Controller.ts';
import { contextOf } from '../request/FetchContext.ts';
import { entityRecordBy } from '../request/queryStore.ts';
import type { EntityClass } from '../schema/schema.ts';
import { liveSourceOf } from './LiveSource.ts';

/**
 * `live(controller, Todo, 1)`: the live object of an entity, by primary key or by an object that contains it. The
 * object stays the same; reads of its fields are tracked one by one. Throws S9 without a primary key, A7 if
 * `controller` is not a controller.
 */
export function live<E extends EntityClass>(
  controller: Controller,
  Entity: E,
  pk: Key<E>,
): InstanceType<E> {
  const { store } = contextOf(controller);
  return liveSourceOf(store).live(entityRecordBy(store, Entity, pk)) as InstanceType<E>;
}
