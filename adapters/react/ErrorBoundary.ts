/** Boundaries: a fallback instead of failed children, with a retry, or of suspended children. */
import { createElement, Suspense } from 'react';
import type { ComponentClass, ComponentType, ReactElement, ReactNode } from 'react';
import { createBoundary } from '../createBoundary.ts';
import type { AsyncProps, BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { ControllerContext } from './Provider.ts';
import { commitTrackerOf } from './concurrent/CommitTracker.ts';
import { Component, startTransition, useContext, useReducer } from './react.ts';
import { useIsomorphicLayoutEffect } from './reactHooks.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<ReactNode, ComponentType<FallbackProps>>;

/**
 * `<ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => …}>` inside of the provider: the reset renders
 * the children again, and refetches all failed requests below at once.
 */
export const ErrorBoundary: ComponentClass<ErrorBoundaryProps> = /* @__PURE__ */ createBoundary({
  Component,
  createElement: createElement as never,
  context: ControllerContext,
  // rendered together with the transition of a router
  defer: startTransition,
}) as ComponentClass<ErrorBoundaryProps>;

/** Props of `<AsyncBoundary>`: the content instead of the children while suspended, or after an error. */
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

/**
 * The boundaries of a controller that show a fallback, and render again when data of a reader arrive.
 *
 * React delays its own retries of suspended children until a fallback has been shown for 300 ms. An update of the
 * boundary is not delayed.
 *
 *   reader suspends ─► fallback is committed ─► data arrive ─► `retry` updates the boundary: the children render
 *                  └─► data arrive ─► fallback is committed ─► `retry` at once, before the fallback is painted
 */
export class Fallbacks {
  readonly #retries = new Set<() => void>();
  /** True if the data of a reader have arrived since a reader suspended last. */
  #hasNewData = false;

  /** Called when a reader suspends, with the promise of the data. */
  onSuspend(wait: Promise<void>): void {
    this.#hasNewData = false;
    void wait.then(() => {
      this.#hasNewData = true;
      for (const retry of this.#retries) retry();
    });
  }

  /** Called when a fallback is committed. Returns the function to call when the fallback is removed. */
  add(retry: () => void): () => void {
    if (this.#hasNewData) retry();
    this.#retries.add(retry);
    return () => void this.#retries.delete(retry);
  }
}
