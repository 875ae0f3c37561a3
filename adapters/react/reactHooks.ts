/** The functions of React for the shared bodies of hooks, and those that the screens of React Native replace. */
import { useMemo } from 'react';
import type { Context } from 'react';
import { isServer } from '../../src/page.ts';
import { noop } from '../../src/request/promiseTry.ts';
import type { Reader } from '../../src/view/Reader.ts';
import type { FrameworkHooks } from '../FrameworkHooks.ts';
import {
  createContext,
  startTransition,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useState,
} from './react.ts';

// a server has no layout effects, and React 18 warns of each
export const useIsomorphicLayoutEffect: typeof useEffect = /* @__PURE__ */ isServer()
  ? useEffect
  : useLayoutEffect;

/** The functions of React for the shared bodies of hooks. */
export const reactHooks: FrameworkHooks = {
  useState,
  useMemo,
  useEffect,
  useInsertionEffect,
  useLayoutEffect: useIsomorphicLayoutEffect,
  startTransition,
};

/** The hooks that depend on the screens of a navigation library: the same at every render of a provider. */
export interface ScreenHooks extends Pick<FrameworkHooks, 'useEffect'> {
  /** Refetches stale data when the user returns to the screen. */
  readonly useReturn: (reader: Reader) => void;
}

/** Set by the provider for React Native. Without screens, every mounted component counts as visible. */
export const ScreenContext: Context<ScreenHooks> = /* @__PURE__ */ createContext<ScreenHooks>({
  useEffect,
  useReturn: noop,
});
