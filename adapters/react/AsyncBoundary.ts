/** Suspense and an error boundary in one. */
import { createElement, Suspense } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { AsyncProps, FallbackProps } from '../createBoundary.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { Fallbacks } from './concurrent/Fallbacks.ts';
import { ControllerContext } from './Provider.ts';
import { useContext, useReducer } from './react.ts';
import { useIsomorphicLayoutEffect } from './concurrent/MutableSource.ts';
import { commitTrackerOf } from './concurrent/CommitTracker.ts';

/** Props of `<AsyncBoundary>`: the content instead of its children while they are suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<ReactNode, ComponentType<FallbackProps>>;

/**
 * `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel.
 * Children show their data at once; below a plain Suspense, React 19 keeps a fallback for 300 ms.
 */
export function AsyncBoundary(props: AsyncBoundaryProps): ReactElement {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  const controller = useContext(ControllerContext);
  const [, retry] = useReducer(increment, 0);
  const fallbacks = controller && (commitTrackerOf(controller).fallbacks ??= new Fallbacks());
  const fallbackElement = createElement(Fallback, { fallbacks, retry }, fallback);
  return createElement(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    createElement(Suspense, { fallback: fallbackElement }, children),
  );
}

const increment = (count: number): number => count + 1;

interface FallbackElementProps {
  readonly fallbacks: Fallbacks | undefined;
  readonly retry: () => void;
  readonly children?: ReactNode;
}

function Fallback({ fallbacks, retry, children }: FallbackElementProps): ReactNode {
  useIsomorphicLayoutEffect(() => fallbacks?.add(retry), [fallbacks, retry]);
  return children;
}
