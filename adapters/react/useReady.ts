/** Suspends the component that renders until a reader has something to show. */
import * as React from 'react';
import { FULFILLED } from '../../src/view/Ready.ts';
import type { Ready } from '../../src/view/Ready.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { Shown } from './useResult.ts';

// React 19 has it; bundlers warn of a missing export where it is named
const use = Reflect.get(React, 'use') as ((ready: Ready) => void) | undefined;

/**
 * What to wait for, or undefined. A reader that shows something does not ask: in a transition that is not over, the
 * old goes on being shown.
 */
export function waited(reader: Reader, { result, first }: Shown<unknown>): Ready | undefined {
  return first || result.status === 'pending' ? reader.ensure(first) : undefined;
}

/** React 18 is thrown the promise. React 19 is given one at the same place of each render, fulfilled or not. */
export function useReady(reader: Reader, wait: Ready | undefined): void {
  if (use === undefined) {
    // eslint-disable-next-line typescript/only-throw-error
    if (wait !== undefined) throw wait;
    return;
  }
  const { ready } = reader;
  use(wait ?? (ready.status === 'fulfilled' ? ready : FULFILLED));
}
