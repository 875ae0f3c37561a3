/** Suspense and an error boundary in one. */
import { createElement, Suspense } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { Caught } from '../hooks.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import type { ErrorBoundaryProps } from './ErrorBoundary.ts';

/** Props of `<AsyncBoundary>`: what stands in the place of its children while they wait, or when they failed. */
export interface AsyncBoundaryProps extends Pick<ErrorBoundaryProps, 'listen' | 'resetKeys'> {
  readonly children?: ReactNode;
  /** Shown while something below waits. Default: nothing. */
  readonly fallback?: ReactNode;
  /** Shown in the place of what failed. Default: the message. */
  readonly errorComponent?: ComponentType<Caught> | undefined;
  readonly errorClassName?: string | undefined;
}

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: stands inside of the provider, around a page or a panel. */
export function AsyncBoundary(props: AsyncBoundaryProps): ReactElement {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  return createElement(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    createElement(Suspense, { fallback }, children),
  );
}
