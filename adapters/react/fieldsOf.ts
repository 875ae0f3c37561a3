/** The fields of what a component shows, as signals. */
import * as React from 'react';
import type { Context } from 'react';
import { live } from '../../src/features/live.ts';
import type { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import { fields } from '../../src/live/fields.ts';
import type { FieldSignals } from '../../src/live/fields.ts';
import { recordOf } from '../../src/live/LiveObject.ts';
import { checkCopies } from '../hooks.ts';
import { ControllerContext } from './Provider.ts';
import { classOf } from './useEntity.ts';

/**
 * `<li title={$(todo).title}>{$(todo).title}</li>`: the new text is put into the page, no component runs. Of a snapshot
 * (also one that is no longer the present one) it is called while rendering, in loops and conditions, too; of a live
 * object anywhere. Nested entities are live. Each signal is made when it is first asked for and is the same from then on.
 * Throws A1 outside of a provider, A2 for what is no entity.
 */
export function fieldsOf<T extends object>(entity: T): FieldSignals<T> {
  checkCopies('@preact/signals-react');
  if (recordOf(entity) !== undefined) return fields(entity);
  const Class = classOf('$', entity);
  return fields(live(lent(), Class, entity as never));
}

// React 19 has it; bundlers warn of a missing export where it is named
const ask = Reflect.get(React, 'use') as (<T>(context: Context<T>) => T) | undefined;

/** Not `useContext`: React counts that, and rows come and go. React 18 is finished: it keeps what is lent here. */
function lent(): Controller {
  const controller =
    ask === undefined
      ? (Reflect.get(ControllerContext, '_currentValue') as Controller | undefined)
      : ask(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook: '$' });
  return controller;
}
