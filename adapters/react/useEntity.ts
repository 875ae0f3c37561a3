/** Subscribes a component to one entity alone. */
import { useMemo, useSyncExternalStore } from 'react';
import type { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';
import { KIND } from '../../src/schema/schema.ts';
import type { EntityClass } from '../../src/schema/schema.ts';
import { useLent } from './Provider.ts';

/**
 * The present snapshot of the entity that `entity` is a snapshot of, however old; it runs the component again when
 * this entity changes and at nothing else. Of a deleted entity, the last that was there. Throws A2 for what is none.
 */
export function useEntity<T extends object>(entity: T): T {
  const controller = useLent('useEntity');
  const cell = cellOf(controller, entity);
  const source = useMemo(() => sourceOf(cell), [cell]);
  return useSyncExternalStore(source.subscribe, source.peek, () => entity) ?? entity;
}

function cellOf<T extends object>(
  controller: Controller,
  entity: T,
): ReadonlySignal<T | undefined> {
  return controller.entity(classOf('useEntity', entity), entity);
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

interface Source<T> {
  readonly subscribe: (wake: () => void) => () => void;
  readonly peek: () => T | undefined;
}

function sourceOf<T>(cell: ReadonlySignal<T | undefined>): Source<T> {
  let last: T | undefined;
  return {
    subscribe: (wake) => cell.subscribe(wake),
    // a row may run once more before the list that showed it
    peek: () => (last = cell.peek() ?? last),
  };
}
