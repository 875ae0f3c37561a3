/** The boundaries, whose fallbacks may declare any type of error. */
import { createElement, Suspense } from 'react';
import type {
  ComponentClass,
  ComponentType,
  FunctionComponent,
  ReactElement,
  ReactNode,
} from 'react';
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

/** Renders a fallback instead of failed children. */
export const ErrorBoundary: ComponentType<ErrorBoundaryProps> = OwnErrorBoundary as never;

/** The name of `Suspense` for older versions of React. */
export const UniversalSuspense: typeof Suspense = Suspense;

/** The content of a page that is still loading. */
export function BackupLoading(): ReactElement {
  return createElement('div', { style: { textAlign: 'center' } }, 'Loading…');
}
