/** The functions of Solid 2.0 that the adapter uses: typed by hand, since the build has the types of 1.9. */
import * as Solid from 'solid-js';
import type { Accessor } from '../solid-shared/SolidRuntime.ts';

// any: the result of a component has a type of the renderer's package, which 1.9 does not have
export type SolidElement = any;

/** A context is the component that provides the value. */
export type ContextProvider<T> = (props: {
  readonly value: T;
  readonly children: SolidElement;
}) => SolidElement;

type Cleanup = (() => void) | void;

interface Solid2 {
  createComponent<P>(component: (props: P) => SolidElement, props: P): SolidElement;
  createEffect<T>(compute: () => T, apply: (value: T) => Cleanup): void;
  getObserver(): object | null;
  Errored(props: {
    readonly fallback: (error: Accessor<unknown>, reset: () => void) => SolidElement;
    readonly children: SolidElement;
  }): SolidElement;
  Loading(props: {
    readonly fallback: SolidElement;
    readonly children: SolidElement;
  }): SolidElement;
}

// separately, so that bundlers can remove unused functions
export const createComponent = Solid.createComponent as unknown as Solid2['createComponent'];
export const createEffect = Solid.createEffect as unknown as Solid2['createEffect'];
/* eslint-disable import/namespace -- names that 1.9 does not have */
export const getObserver = Solid[
  'getObserver' as 'getListener'
] as unknown as Solid2['getObserver'];
export const Errored = Solid['Errored' as 'ErrorBoundary'] as unknown as Solid2['Errored'];
export const Loading = Solid['Loading' as 'Suspense'] as unknown as Solid2['Loading'];
