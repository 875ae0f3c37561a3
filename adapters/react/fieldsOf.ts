/** The fields of a rendered entity, as signals. */
import * as React from 'react';
import type { Context } from 'react';
import { live } from '../../src/live/LiveSource.ts';
import type { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/errors.ts';
import { fields, recordOf } from '../../src/live/LiveObject.ts';
import type { FieldSignals } from '../../src/live/LiveObject.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { ControllerContext } from './Provider.ts';
import { entityClassOf } from './useEntity.ts';

/**
 * `<li title={$(todo).title}>{$(todo).title}</li>`: a new text is written to the DOM, and no component re-renders. For
 * a snapshot (also an outdated one) `$` must be called while rendering, also in loops and conditions; for a live object
 * anywhere. Nested entities are live. Each signal is created at its first read and keeps its identity. Throws A1
 * outside of a provider, A2 for values that are no entity.
 */
export function fieldsOf<T extends object>(entity: T): FieldSignals<T> {
  checkSignalsCopy('@preact/signals-react');
  if (recordOf(entity) !== undefined) return fields(entity);
  const Class = entityClassOf('$', entity);
  return fields(live(readController(), Class, entity as never));
}

// only React 19 has `use`; bundlers warn of a missing export if it is named
const readContext = Reflect.get(React, 'use') as (<T>(context: Context<T>) => T) | undefined;

/**
 * Not `useContext`: React counts hooks, and the number of rows varies. React 18 will not change: its internal context
 * is read.
 */
function readController(): Controller {
  const controller =
    readContext === undefined
      ? (Reflect.get(ControllerContext, '_currentValue') as Controller | undefined)
      : readContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook: '$' });
  return controller;
}
