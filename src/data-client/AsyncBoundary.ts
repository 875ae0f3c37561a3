/** The boundaries, whose fallbacks may declare any type of error. */
import { createElement, Suspense } from 'react';
import type { Component, ComponentClass, FunctionComponent, ReactElement, ReactNode } from 'react';
import {
  AsyncBoundary as OwnAsyncBoundary,
  ErrorBoundary as OwnErrorBoundary,
} from '../../adapters/react/ErrorBoundary.ts';
import type {
  AsyncBoundaryProps as OwnAsyncProps,
  ErrorBoundaryProps as OwnErrorProps,
} from '../../adapters/react/ErrorBoundary.ts';

/** A component that is rendered instead of failed children. */
export type ErrorFallback =
  // any: a component declares the expected errors
  | FunctionComponent<{ error: any; resetErrorBoundary: () => void; className?: string }>
  // any: a class declares the props that are read
  | ComponentClass<any>;

/** Props of `<ErrorBoundary>`. */
export interface ErrorBoundaryProps extends Omit<OwnErrorProps, 'fallbackComponent'> {
  readonly children?: ReactNode;
  readonly fallbackComponent?: ErrorFallback | undefined;
}

/** Props of `<AsyncBoundary>`. */
export interface AsyncBoundaryProps extends Omit<OwnAsyncProps, 'errorComponent'> {
  readonly children?: ReactNode;
  readonly errorComponent?: ErrorFallback | undefined;
}

/** Suspense and an error boundary combined. */
export const AsyncBoundary: FunctionComponent<AsyncBoundaryProps> = OwnAsyncBoundary as never;

/** The state of a boundary, which a subclass may read. */
export interface ErrorBoundaryState<E = Error> {
  readonly error?: E | undefined;
}

// any begin: a boundary without a type parameter catches errors of every type
/** The class of boundaries; `E` is the type of `this.state.error` in a subclass. */
export interface ErrorBoundaryClass {
  new <E = any>(props: ErrorBoundaryProps): ErrorBoundary<E>;
  getDerivedStateFromError(error: any): any;
}
/** A boundary. */
export interface ErrorBoundary<E = any> extends Component<
  ErrorBoundaryProps,
  ErrorBoundaryState<E>
> {
  render(): ReactNode; // a subclass may call `super.render()`
}
// any end

// in a function, so that bundlers may drop the class
function createReadableBoundary(): ErrorBoundaryClass {
  class ReadableBoundary extends OwnErrorBoundary {
    /** Before each render: the state of the own boundary has another form. */
    static override getDerivedStateFromProps(
      _props: unknown,
      { caught }: { readonly caught?: ErrorBoundaryState },
    ): ErrorBoundaryState {
      return { error: caught?.error };
    }
  }
  return ReadableBoundary as never;
}

/** Renders a fallback instead of failed children. */
export const ErrorBoundary: ErrorBoundaryClass = createReadableBoundary();

/** The name of `Suspense` for older versions of React. */
export const UniversalSuspense: typeof Suspense = Suspense;

/** The content of a page that is still loading. */
export function BackupLoading(): ReactElement {
  return createElement('div', { style: { textAlign: 'center' } }, 'Loading…');
}
