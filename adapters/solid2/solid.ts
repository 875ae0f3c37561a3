/** The functions of Solid 2.0 that the adapter uses: typed by hand, since the build has the types of 1.9. */
import * as Solid from 'solid-js';

/** A value that is read by calling it, tracked. */
export type Accessor<T> = () => T;

// any: the result of a component has a type of the renderer's package, which 1.9 does not have
export type Element = any;

/** A context is the component that provides it. */
export type Context<T> = (props: { readonly value: T; readonly children: Element }) => Element;

type Write<T> = (value: T) => void;
type Cleanup = (() => void) | void;

interface Solid2 {
  createContext<T>(fallback: T): Context<T>;
  createComponent<P>(component: (props: P) => Element, props: P): Element;
  /** A computation that returns a promise is pending until the promise has settled, and so are its readers. */
  createMemo<T>(compute: (before: T | undefined) => T | PromiseLike<T>): Accessor<T>;
  createSignal<T>(value: T, options: { readonly ownedWrite: true }): [Accessor<T>, Write<T>];
  createEffect<T>(compute: () => T, apply: (value: T) => Cleanup): void;
  /** Maps each distinct item once, in an owner of its own that lives as long as the list contains the item. */
  mapArray<T, U>(list: Accessor<readonly T[]>, map: (item: T) => U): Accessor<readonly U[]>;
  onCleanup(job: () => void): void;
  untrack<T>(read: () => T): T;
  useContext<T>(context: Context<T>): T;
  getObserver(): object | null;
  Errored(props: {
    readonly fallback: (error: Accessor<unknown>, reset: () => void) => Element;
    readonly children: Element;
  }): Element;
  Loading(props: { readonly fallback: Element; readonly children: Element }): Element;
}

// one by one, so that bundlers can remove unused functions
export const createContext = Solid.createContext as unknown as Solid2['createContext'];
export const createComponent = Solid.createComponent as unknown as Solid2['createComponent'];
export const createMemo: Solid2['createMemo'] = Solid.createMemo;
export const createSignal = Solid.createSignal as unknown as Solid2['createSignal'];
export const createEffect = Solid.createEffect as unknown as Solid2['createEffect'];
export const mapArray = Solid.mapArray as unknown as Solid2['mapArray'];
export const onCleanup = Solid.onCleanup as unknown as Solid2['onCleanup'];
export const untrack: Solid2['untrack'] = Solid.untrack;
export const useContext = Solid.useContext as unknown as Solid2['useContext'];
/* eslint-disable import/namespace -- names that 1.9 does not have */
export const getObserver = Solid[
  'getObserver' as 'getListener'
] as unknown as Solid2['getObserver'];
export const Errored = Solid['Errored' as 'ErrorBoundary'] as unknown as Solid2['Errored'];
export const Loading = Solid['Loading' as 'Suspense'] as unknown as Solid2['Loading'];
