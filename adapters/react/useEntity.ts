/** Subscribes a component to a single entity. */
import { live } from '../../src/live/LiveSource.ts';
import { SignalboxError } from '../../src/errors.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass } from '../../src/schema/schema.ts';
import { liveOf } from '../../src/live/LiveObject.ts';
import type { LiveObject } from '../../src/live/LiveObject.ts';
import { noop } from '../../src/request/promiseTry.ts';
import { useControllerFor } from './Provider.ts';
import { MutableSource, useMutableSource } from './concurrent/MutableSource.ts';
import type { Selector } from './concurrent/MutableSource.ts';
import { commitTrackerOf } from './concurrent/CommitTracker.ts';
import type { CommitTracker } from './concurrent/CommitTracker.ts';

/**
 * The present snapshot of an entity, given any of its snapshots, however old; re-renders the component only when this
 * entity changes. For a deleted entity, the last snapshot. Throws A2 for values that are no entity.
 */
export function useEntity<T extends object>(entity: T): T {
  const controller = useControllerFor('useEntity');
  const target = live(controller, entityClassOf('useEntity', entity), entity);
  const source = entitySource(commitTrackerOf(controller), target);
  // while hydrating, the server has rendered the given snapshot
  const initialValue = () =>
    source.tracker.pass.isHydrating === true ? undefined : source.initialValue();
  return useMutableSource(source, (value) => value ?? initialValue() ?? entity) as T;
}

/** The class of an entity's snapshot. Throws A2 for other values. */
export function entityClassOf<T extends object>(
  hook: string,
  entity: T | null | undefined,
): EntityClass<T> {
  const Class = entity?.constructor;
  if (Class === undefined || !(KIND in Class)) {
    throw new SignalboxError('A2', { hook, value: entity }, { status: 400 });
  }
  return Class as EntityClass as EntityClass<T>;
}

/**
 * The snapshots of an entity, by a plain listener of the record: lists have many rows, and this is the cheapest reader.
 */
const entitySnapshots: Selector<object, LiveObject> = {
  peek: ({ liveSource, record }) => liveSource.peek(record) as object | undefined,
  listen: ({ record }, listener) => record.listen(listener),
};

/** A row that is no entity never changes. */
const constant: Selector<object, object> = { peek: (row) => row, listen: () => noop };

/** The source of a live object, or of a value that never changes. */
export function entitySource(tracker: CommitTracker, target: object): MutableSource<object> {
  const live = liveOf(target);
  if (live === undefined) return new MutableSource(tracker, constant, target);
  return (live.source ??= new MutableSource(
    tracker,
    entitySnapshots,
    live,
  )) as MutableSource<object>;
}
