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
import { Source, useSource } from './Source.ts';
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
  return (useUnmounted() ? undefined : (value as T | undefined)) ?? entity;
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

const sources = new WeakMap<object, EntitySource>();

/** The snapshots of one entity, by a plain listener of the record: rows are many, and this is the cheapest reader. */
export class EntitySource extends Source<object | undefined> {
  readonly #target: object;

  constructor(controller: Controller, target: object) {
    super(timelineOf(controller));
    this.#target = target;
    sources.set(target, this);
  }

  override peek(): object | undefined {
    // a row may run once more before the list that showed it
    return peek<object | undefined>(this.#target) ?? this.last;
  }

  protected override listen(listener: () => void): () => void {
    return recordOf(this.#target)?.listen(listener) ?? noop;
  }
}

/** The source of a live object. */
export const sourceOf = (controller: Controller, target: object): EntitySource =>
  sources.get(target) ?? new EntitySource(controller, target);

/** Subscribes to one entity; no context is read: React walks all its readers when one row of many runs. */
export function useEntitySource(source: EntitySource): object | undefined {
  return useSource(source, (held) => held ?? source.first());
}
