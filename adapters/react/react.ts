/** The parts of React that the build for server components (condition `react-server`) lacks. */
import * as React from 'react';
import { SignalboxError } from '../../src/errors.ts';

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
