/** Boundaries: a fallback instead of failed children, with a retry, or of suspended children. */
import { Component, h } from 'preact';
import type { ComponentChildren, ComponentClass, ComponentType, VNode } from 'preact';
import { Suspense } from 'preact/compat';
import { systemClock } from '../../src/clock.ts';
import { createBoundary } from '../createBoundary.ts';
import type { AsyncProps, BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { PreactControllerContext } from './Provider.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<ComponentChildren, ComponentType<FallbackProps>>;

/**
 * `<ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => …}>` inside of the provider: the reset renders
 * the children again, and refetches all failed requests below at once.
 */
export const ErrorBoundary: ComponentClass<ErrorBoundaryProps> = /* @__PURE__ */ createBoundary({
  // abstract in Preact's types
  Component: Component as never,
  createElement: h as never,
  context: PreactControllerContext,
  defer: (change) => void systemClock.after(0, change),
}) as ComponentClass<ErrorBoundaryProps>;

/** Props of `<AsyncBoundary>`: the content instead of the children while suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<ComponentChildren, ComponentType<FallbackProps>>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
// any: the props of a vnode are invariant
export function AsyncBoundary(props: AsyncBoundaryProps): VNode<any> {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  return h(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    h(Suspense, { fallback }, children),
  );
}
