/** Renders a fallback instead of failed children, and retries on reset. */
import { Component, h } from 'preact';
import type { ComponentChildren, ComponentClass, ComponentType } from 'preact';
import { systemClock } from '../../src/clock.ts';
import { createBoundary } from '../createBoundary.ts';
import type { BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { PreactControllerContext } from './Provider.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<ComponentChildren, ComponentType<FallbackProps>>;

/**
 * `<ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => …}>` inside of the provider: the reset renders
 * the children again, and refetches all failed requests below it at once.
 */
export const ErrorBoundary: ComponentClass<ErrorBoundaryProps> = /* @__PURE__ */ createBoundary({
  // abstract in Preact's types
  Component: Component as never,
  createElement: h as never,
  context: PreactControllerContext,
  defer: (change) => void systemClock.after(0, change),
}) as ComponentClass<ErrorBoundaryProps>;
