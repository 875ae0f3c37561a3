/** What differs where a navigation library lays screens over one another: lent by the provider for React Native. */
import type { Context } from 'react';
import { noop } from '../../src/fetch/promiseTry.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { Hooks } from '../hooks.ts';
import { createContext, useEffect } from './react.ts';

/** Hooks: the same at every render of a provider. */
export interface ScreenHooks extends Pick<Hooks, 'useEffect'> {
  /** Asks again where it is stale when the user returns to the screen. */
  readonly useReturn: (reader: Reader) => void;
}

/** Without screens, what is mounted is what the user sees. */
export const ScreenContext: Context<ScreenHooks> = createContext<ScreenHooks>({
  useEffect,
  useReturn: noop,
});
