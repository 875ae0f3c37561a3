/** Subscribes a component to one entity alone. */
import { useMemo } from 'react';
import { live } from '../../src/features/live.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass } from '../../src/schema/schema.ts';
import { recordOf } from '../../src/live/LiveObject.ts';
import { noop } from '../../src/fetch/promiseTry.ts';
import { peek } from '../../src/live/snapshot.ts';
import { useLent } from './Provider.ts';
import { useSyncExternalStore } from './react.ts';

/**
 * The present snapshot of the entity that `entity` is a snapshot of, however old; it runs the component again when
 * this entity changes and at nothing else. Of a deleted entity, the last that was there. Throws A2 for what is none.
 */
export function useEntity<T extends object>(entity: T): T {
  const controller = useLent('useEntity');
  const target = live(controller, classOf('useEntity', entity), entity);
  const source = useMemo(() => sourceOf(target), [target]);
  return useSyncExternalStore(source.subscribe, source.peek, () => entity) ?? entity;
}

/** The class of an entity's snapshot. Throws A2 for what is none. */
export function classOf<T extends object>(
  hook: string,
  entity: T | null | undefined,
): EntityClass<T> {
  const Class = entity?.constructor;
  if (Class === undefined || !(KIND in Class)) {
    throw new SignalboxError('A2', { hook, value: entity }, { status: 400 });
  }
  return Class as EntityClass as EntityClass<T>;
}

/** The snapshots of one entity. */
export interface Source<T> {
  readonly subscribe: (wake: () => void) => () => void;
  readonly peek: () => T | undefined;
}

/** By a plain listener of the record: rows are many, and this is the cheapest reader there is. */
export function sourceOf<T extends object>(target: T): Source<T> {
  let last: T | undefined;
  return {
    subscribe: (wake) => recordOf(target)?.listen(wake) ?? noop,
    // a row may run once more before the list that showed it
    peek: () => (last = peek<T | undefined>(target) ?? last),
  };
}
