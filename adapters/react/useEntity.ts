/** Subscribes a component to one entity alone. */
import type { Controller } from '../../src/Controller.ts';
import { live } from '../../src/features/live.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass } from '../../src/schema/schema.ts';
import { recordOf } from '../../src/view/LiveObject.ts';
import { noop } from '../../src/fetch/attempt.ts';
import { peek } from '../../src/view/snapshot.ts';
import { useLent } from './Provider.ts';
import { Source, usePlace } from './Source.ts';
import { timelineOf } from './Timeline.ts';
import { useUnmounted } from './useResult.ts';

/**
 * The present snapshot of the entity that `entity` is a snapshot of, however old; it runs the component again when
 * this entity changes and at nothing else. Of a deleted entity, the last that was there. Throws A2 for what is none.
 */
export function useEntity<T extends object>(entity: T): T {
  const controller = useLent('useEntity');
  const target = live(controller, classOf('useEntity', entity), entity);
  const value = useEntitySource(sourceOf(controller, target));
  return (useUnmounted() ? undefined : value) ?? entity;
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

const sources = new WeakMap<object, Source<object | undefined>>();

/** The snapshots of one entity, by a plain listener of the record: rows are many, and this is the cheapest reader. */
export function sourceOf<T extends object>(
  controller: Controller,
  target: T,
): Source<T | undefined> {
  let source = sources.get(target) as Source<T | undefined> | undefined;
  if (source === undefined) {
    let last: T | undefined;
    source = new Source(
      timelineOf(controller),
      // a row may run once more before the list that showed it
      () => (last = peek<T | undefined>(target) ?? last),
      (listener) => recordOf(target)?.listen(listener) ?? noop,
    );
    sources.set(target, source as Source<object | undefined>);
  }
  return source;
}

/** Subscribes to one entity; no context is read: React walks all its readers when one row of many runs. */
export function useEntitySource<T>(source: Source<T>): T {
  const { shown, useValue } = usePlace(source);
  const value = shown === undefined ? source.first() : shown.value;
  useValue(value);
  return value;
}
