/** The hooks that depend on the screens of a navigation library; set by the provider for React Native. */
import type { Context } from 'react';
import { noop } from '../../src/request/promiseTry.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { FrameworkHooks } from '../FrameworkHooks.ts';
import { createContext, useEffect } from './react.ts';

/** Hooks, which must be the same at every render of a provider. */
export interface ScreenHooks extends Pick<FrameworkHooks, 'useEffect'> {
  /** Refetches stale data when the user returns to the screen. */
  readonly useReturn: (reader: Reader) => void;
}

/** Without screens, every mounted component counts as visible. */
export const ScreenContext: Context<ScreenHooks> = createContext<ScreenHooks>({
  useEffect,
  useReturn: noop,
});
