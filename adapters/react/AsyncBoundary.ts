/** Suspense and an error boundary in one. */
import { createElement, Suspense } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { AsyncBoundaryProps as AsyncProps, FallbackProps } from '../createBoundary.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { ControllerContext } from './Provider.ts';
import { useContext, useReducer } from './react.ts';
import { useLayout } from './Source.ts';
import { timelineOf } from './Timeline.ts';

/** Props of `<AsyncBoundary>`: the content instead of its children while they are suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<ReactNode, ComponentType<FallbackProps>>;

/**
 * `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel.
 * Children show their data at once; below a plain Suspense, React 19 keeps a fallback for 300 ms.
 */
export function AsyncBoundary(props: AsyncBoundaryProps): ReactElement {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  const [, retry] = useReducer(increment, 0);
  return createElement(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    createElement(Suspense, { fallback: createElement(Fallback, { retry }, fallback) }, children),
  );
}

const increment = (count: number): number => count + 1;

interface RetryingProps {
  readonly retry: () => void;
  readonly children?: ReactNode;
}

/**
 * React delays its own retries of suspended children until the fallback has been there for 300 ms, but not an update.
 * So the boundary renders again while it shows the fallback and the data of a reader arrive.
 */
function Fallback({ retry, children }: RetryingProps): ReactNode {
  const controller = useContext(ControllerContext);
  useLayout(() => controller && timelineOf(controller).onResume(retry), [controller, retry]);
  return children;
}
