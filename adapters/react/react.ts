/** React as the adapter uses it: loads with the build for server components (condition `react-server`), which lacks parts. */
import * as React from 'react';
import { SignalboxError } from '../../src/errors.ts';
import { isServer } from '../../src/page.ts';
import type { FrameworkHooks } from '../FrameworkHooks.ts';
import { useMemo } from 'react';
import { noop } from '../../src/request/promiseTry.ts';
import type { Reader } from '../../src/view/Reader.ts';

// Node refuses to load a module with a named import that is missing; a missing member of a namespace is undefined
/** Throws A8. */
export const refuse = (): never => {
  throw new SignalboxError('A8', {});
};
const absent = (): undefined => {};

// contexts and classes are created while the module loads, long before anything is rendered
export const createContext: typeof React.createContext = React.createContext ?? absent;
export const Component: typeof React.Component = React.Component ?? class {};
export const startTransition: typeof React.startTransition = React.startTransition ?? refuse;
export const useContext: typeof React.useContext = React.useContext ?? refuse;
export const useEffect: typeof React.useEffect = React.useEffect ?? refuse;
export const useInsertionEffect: typeof React.useEffect = React.useInsertionEffect ?? refuse;
export const useLayoutEffect: typeof React.useEffect = React.useLayoutEffect ?? refuse;
export const useReducer: typeof React.useReducer = React.useReducer ?? refuse;
export const useRef: typeof React.useRef = React.useRef ?? refuse;
export const useState: typeof React.useState = React.useState ?? refuse;
export const useSyncExternalStore: typeof React.useSyncExternalStore =
  React.useSyncExternalStore ?? refuse;

// a server has no layout effects, and React 18 warns of each
export const useIsomorphicLayoutEffect: typeof React.useEffect = /* @__PURE__ */ isServer()
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
export const ScreenContext: React.Context<ScreenHooks> = /* @__PURE__ */ createContext<ScreenHooks>(
  {
    useEffect,
    useReturn: noop,
  },
);
