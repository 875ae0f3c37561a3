/** Suspense and an error boundary in one. */
import { createElement, Suspense } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { AsyncBoundaryProps as AsyncProps, FallbackProps } from '../createBoundary.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';

/** Props of `<AsyncBoundary>`: the content instead of its children while they are suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<ReactNode, ComponentType<FallbackProps>>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
export function AsyncBoundary(props: AsyncBoundaryProps): ReactElement {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  return createElement(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    createElement(Suspense, { fallback }, children),
  );
}
